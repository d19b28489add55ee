package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"kist/index/sift"
	"kist/vault"
)

const (
	// directTime is how long a search may look at files that aren't indexed, its wait
	// for the first comparison included.
	directTime = 800 * time.Millisecond
	// So many files, of so many bytes together, are prepared for a search without
	// asking first which of them can matter to it.
	directFiles = 32
	directBytes = 1 << 20
	// maxMoved is how often a search looks again when what it has not prepared, as the
	// index had it, was written anew; the next time it prepares all of it.
	maxMoved = 3
	// pauseLimit is how long the builder of the index gives way to searches at a time.
	pauseLimit = time.Second
)

// A pending file has changed since it was indexed, or never was.
type pendingFile struct {
	path string
	info vault.Info // as it was when it was last looked at; without a path: it wasn't
}

// unindexed returns the files that the index doesn't hold as they are. known is false
// as long as nobody can tell.
func (x *Index) unindexed() (files []pendingFile, known bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.surveyed {
		return nil, false
	}
	var changes []vault.PathChange
	if x.vault.Seq() > x.taken {
		changes, _ = x.vault.ChangedSince(x.taken)
	}
	if len(changes)+len(x.waiting) == 0 {
		return nil, true
	}
	if _, all := pathsOf(changes); all > 0 {
		return nil, false
	}
	files = make([]pendingFile, 0, len(x.waiting)+len(changes))
	changed := make(map[string]bool, len(changes))
	for _, c := range changes {
		changed[c.Path] = true
		files = append(files, pendingFile{path: c.Path})
	}
	for path, info := range x.waiting {
		if !changed[path] {
			files = append(files, pendingFile{path, info})
		}
	}
	return files, true
}

// survey waits until it is known which files aren't indexed, and returns them.
func (x *Index) survey(ctx context.Context, deadline time.Time) (files []pendingFile, degraded string) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for {
		x.mu.RLock()
		moved, notice, closed := x.moved, x.position.notice, x.current == nil
		x.mu.RUnlock()
		files, known := x.unindexed()
		switch {
		case known, closed:
			return files, ""
		case notice != "":
			return nil, notice
		}
		select {
		case <-moved:
		case <-timer.C:
			return nil, "the files haven't been compared with the index yet"
		case <-ctx.Done():
			return nil, ""
		}
	}
}

// direct prepares for a search what the index doesn't hold yet: all of it where that
// is little, else what can matter to the plan's clauses. nil clauses are of no query:
// then much is left out. A nil overlay holds nothing. The caller closes what it gets.
func (x *Index) direct(p plan) (*overlay, string) {
	p.index = x
	files, degraded := x.survey(p.ctx, p.deadline)
	if len(files) == 0 {
		return nil, degraded
	}
	defer x.askFirst()()
	p.stat(files)
	var err error
	switch {
	case len(p.files) <= directFiles && p.work() <= directBytes:
		p.candidates = p.files
	case p.clauses == nil:
		return nil, fmt.Sprintf("%d files that aren't indexed yet were left out", len(p.files))
	case len(p.clauses) == 0:
		p.rest = p.files
	default:
		err = p.scan()
	}
	if err != nil {
		return nil, "files that aren't indexed yet can't be searched: " + err.Error()
	}
	o, err := p.prepare()
	if err != nil {
		return nil, "files that aren't indexed yet can't be searched: " + err.Error()
	}
	return o, o.explain()
}

// askFirst makes the builder of the index wait until end is called: a person does,
// and on a small machine the two would share one processor.
func (x *Index) askFirst() (end func()) {
	x.asking.Add(1)
	return func() { x.asking.Add(-1) }
}

// giveWay waits as long as searches look at files, but not for ever.
func giveWay(ctx context.Context, asking *atomic.Int32) {
	for waited := time.Duration(0); asking.Load() > 0 && waited < pauseLimit && ctx.Err() == nil; waited += time.Millisecond {
		time.Sleep(time.Millisecond)
	}
}

// A plan is made for one search of what isn't indexed.
type plan struct {
	index    *Index
	ctx      context.Context
	deadline time.Time
	clauses  []clause
	spelling bool // nothing was found: look for words that are nearly the same
	wholly   bool // prepare all of a file, whatever the index has of it

	pending    int
	files      []pendingFile // newest first
	gone       []string
	bytes      int64
	candidates []pendingFile // to be prepared, the most promising first
	rest       []pendingFile // that meet no clause but what the path or the time can tell
	out        []string      // that can't be hits
	unread     int           // files that there was no time for
	sample     *sample

	terms     map[string]int // that hits are ranked by, as places in counted
	counted   []sift.Needle
	elsewhere []int // files that have them and aren't prepared
}

// stat looks which of the pending files there are, as far as that isn't known.
func (p *plan) stat(files []pendingFile) {
	p.pending = len(files)
	for _, f := range files {
		var err error
		if f.info.Path == "" {
			f.info, err = p.index.source.Stat(f.path)
		}
		switch {
		case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular):
			p.gone = append(p.gone, f.path)
		case err != nil:
			p.unread++ // unreadable is not gone: what the index has of it counts
		default:
			p.files = append(p.files, f)
			p.bytes += min(f.info.Size, maxFile)
		}
	}
	slices.SortFunc(p.files, newestFirst)
}

// work is how many bytes there are to prepare. Of a long file whose entries are known
// one by one most are as they were, and reading it is an eighth of the work at most.
func (p *plan) work() (n int64) {
	p.index.mu.RLock()
	defer p.index.mu.RUnlock()
	for _, f := range p.files {
		size := min(f.info.Size, maxFile)
		if g := p.index.current; g != nil && !p.wholly && g.manifest.parts[f.path] != nil {
			size /= 8
		}
		n += size
	}
	return n
}

func newestFirst(a, b pendingFile) int {
	return cmp.Or(b.info.ModTime.Compare(a.info.ModTime), cmp.Compare(a.path, b.path))
}

// prepare makes the overlay of the candidates, as far as time and memory allow.
func (p *plan) prepare() (*overlay, error) {
	o, err := newOverlay()
	if err != nil {
		return nil, err
	}
	for _, path := range p.gone {
		o.hide(path)
	}
	for done := 0; done < len(p.candidates); {
		n := p.portion(done)
		release, err := p.hold(p.candidates[done : done+n]...)
		if err != nil {
			o.skipped += len(p.candidates) - done
			break
		}
		err = o.add(p, p.candidates[done:done+n])
		release()
		if err != nil {
			o.close()
			return nil, err
		}
		done += n
	}
	o.pending, o.unread, o.sample = p.pending, p.unread, p.sample
	o.there, o.bytesThere = len(p.files), p.bytes
	for _, f := range p.rest {
		o.rest[f.path] = f.info.ModTime.UnixNano()
	}
	for _, path := range p.out {
		o.hide(path)
	}
	for term, i := range p.terms {
		o.elsewhere[term] = p.elsewhere[i]
	}
	return o, nil
}

// hold makes room for reading some files, if that can be had in time.
func (p *plan) hold(files ...pendingFile) (release func(), err error) {
	ctx, cancel := context.WithDeadline(p.ctx, p.deadline)
	defer cancel()
	bytes := int64(0)
	for _, f := range files {
		bytes += min(f.info.Size, maxFile)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return hold(ctx, p.index, bytes)
}

// portion is how many candidates from one on are prepared at a time: few, so that time
// and memory are kept to.
func (p *plan) portion(from int) (n int) {
	bytes := int64(0)
	for _, f := range p.candidates[from:] {
		if bytes += min(f.info.Size, maxFile); n > 0 && (bytes > directBytes || n == 2*directFiles) {
			break
		}
		n++
	}
	return n
}

// explain says what a search of an overlay may lack; empty: nothing.
func (o *overlay) explain() string {
	if o.skipped+o.unread == 0 {
		return ""
	}
	return fmt.Sprintf("of %d files that aren't indexed yet %d could not be looked at in time, the least promising ones", o.pending, o.skipped+o.unread)
}

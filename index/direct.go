package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"kist/index/page"
	"kist/index/query"
	"slices"
	"time"

	"kist/index/sift"
	"kist/vault"
)

const (
	// directTime is how long a search may look at files that aren't indexed, its wait
	// for the first comparison included; or directPerFile for each of them, where that is
	// more: what they hold all together is worth more than a part of it sooner.
	directTime    = 800 * time.Millisecond
	directPerFile = 60 * time.Microsecond
	// surveyTime is how long it waits for the first comparison.
	surveyTime = 3 * time.Second
	// directMore of the best matches are prepared beyond those that are shown.
	directMore = 192
	// So many files, of so many bytes together, are prepared for a search without
	// asking first which of them can matter to it.
	directFiles = 32
	directBytes = 1 << 20
	// maxMoved is how often a search looks again when what it has not prepared, as the
	// index had it, was written anew; the next time it prepares all of it.
	maxMoved = 3
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
	files, degraded := x.survey(p.ctx, p.began.Add(surveyTime))
	if len(files) == 0 {
		return nil, degraded
	}
	defer x.courtesy.Ask()()
	p.soon = p.began.Add(directTime)
	p.deadline = p.soon
	if late := time.Now().Add(time.Duration(len(files)) * directPerFile); late.After(p.deadline) {
		p.deadline = late
	}
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

// A plan is made for one search of what isn't indexed.
type plan struct {
	index    *Index
	ctx      context.Context
	began    time.Time
	soon     time.Time // when what is enough is enough
	deadline time.Time
	enough   int // of the best matches are prepared; 0: all
	clauses  []query.Clause
	spelling func(word string) bool // look for words that are nearly the same; nil: for none
	wholly   bool                   // prepare all of a file, whatever the index has of it

	pending    int
	files      []pendingFile // newest first
	gone       []string
	bytes      int64
	candidates []pendingFile // to be prepared, the most promising first
	having     []uint64      // which of the terms they have, as bits; by candidate
	certain    bool          // each of them is a match
	rest       []pendingFile // that meet no clause but what the path or the time can tell
	out        []string      // that can't be hits
	unread     int           // files that there was no time for
	sample     *sample
	spoken     []string // names of the analyzers that words are looked for with

	terms     map[string]int // that hits are ranked by, as places in counted
	counted   []sift.Needle
	told      uint64 // the terms that the probes of words tell, as bits
	elsewhere []int  // files that have them and aren't prepared
}

// stat looks which of the pending files there are, as far as that isn't known.
func (p *plan) stat(files []pendingFile) {
	p.pending = len(files)
	for _, f := range files {
		var err error
		if f.info.Path == "" {
			f.info, err = p.index.files.Source.Stat(f.path)
		}
		switch {
		case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular):
			p.gone = append(p.gone, f.path)
		case err != nil:
			p.unread++ // unreadable is not gone: what the index has of it counts
		default:
			p.files = append(p.files, f)
			p.bytes += min(f.info.Size, page.MaxFile)
		}
	}
	p.files = sorted(p.files)
}

// sorted returns files newest first. Many of them are sorted by their numbers: they are
// large themselves.
func sorted(files []pendingFile) []pendingFile {
	order := make([]int32, len(files))
	for i := range files {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return newestFirst(files[a], files[b]) })
	out := make([]pendingFile, len(files))
	for i, n := range order {
		out[i] = files[n]
	}
	return out
}

// work is how many bytes there are to prepare. Of a long file whose entries are known
// one by one most are as they were, and reading it is an eighth of the work at most.
func (p *plan) work() (n int64) {
	p.index.mu.RLock()
	defer p.index.mu.RUnlock()
	for _, f := range p.files {
		size := min(f.info.Size, page.MaxFile)
		if g := p.index.current; g != nil && !p.wholly && g.manifest.Parts[f.path] != nil {
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
		if p.certain && p.enough > 0 && done >= p.enough && time.Now().After(p.soon) {
			p.leave(o, done)
			break
		}
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

// leave counts the matches from one on without preparing them.
func (p *plan) leave(o *overlay, from int) {
	o.further = len(p.candidates) - from
	for i, f := range p.candidates[from:] {
		o.hide(f.path) // as it was
		for j := range p.elsewhere {
			p.elsewhere[j] += int(p.having[from+i] >> j & 1)
		}
	}
}

// hold makes room for reading some files, if that can be had in time.
func (p *plan) hold(files ...pendingFile) (release func(), err error) {
	ctx, cancel := context.WithDeadline(p.ctx, p.deadline)
	defer cancel()
	bytes := int64(0)
	for _, f := range files {
		bytes += min(f.info.Size, page.MaxFile)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.index.files.Hold(ctx, bytes)
}

// portion is how many candidates from one on are prepared at a time: few, so that time
// and memory are kept to.
func (p *plan) portion(from int) (n int) {
	bytes := int64(0)
	for _, f := range p.candidates[from:] {
		if bytes += min(f.info.Size, page.MaxFile); n > 0 && (bytes > directBytes || n == 2*directFiles) {
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

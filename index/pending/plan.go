package pending

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"kist/index/page"
	"kist/index/query"
	"sort"
	"sync"
	"time"

	"kist/index/frugal"
	"kist/index/intake"
	"kist/index/sift"
	"kist/index/store"
	"kist/vault"
)

const (
	// directTime is how long a search may look at files that aren't indexed, its wait
	// for the first comparison included; or directPerFile for each of them, where that is
	// more: what they hold all together is worth more than a part of it sooner.
	directTime    = 800 * time.Millisecond
	directPerFile = 60 * time.Microsecond
	// directMore of the best matches are prepared beyond those that are shown.
	directMore = 192
	// So many files, of so many bytes together, are prepared for a search without
	// asking first which of them can matter to it.
	directFiles = 32
	directBytes = 1 << 20
)

// A File is pending: it has changed since it was indexed, or never was.
type File struct {
	Path string
	Info vault.Info // as it was when it was last looked at; without a path: it wasn't
}

// A Desk is what all plans of an index share.
type Desk struct {
	files    *intake.Files
	overlays frugal.Budget           // of text that was prepared for searches
	spoken   func() []store.Language // of what is indexed
	folder   func() *sift.Folder

	mu     sync.Mutex
	sample *sample // of what isn't indexed; nil: none taken yet
}

// NewDesk returns the desk of an index, of which spoken tells the languages.
func NewDesk(files *intake.Files, spoken func() []store.Language) *Desk {
	return &Desk{files: files, spoken: spoken, overlays: frugal.NewBudget(overlayBytes), folder: sync.OnceValue(sift.NewFolder)}
}

// overlayBytes bounds the text that all searches together have prepared.
const overlayBytes = 3 * page.MaxFile / 2

// Forget has a sample taken anew: the files have been compared.
func (d *Desk) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sample = nil
}

// Overlay prepares for a search what the index doesn't hold yet: all of it where that
// is little, else what can matter to the plan's clauses. nil clauses are of no query:
// then much is left out, and it is said so. The caller closes what it gets, which may be nil.
func (p *Plan) Overlay(ctx context.Context, files []File) (*Overlay, string) {
	p.soon = p.Began.Add(directTime)
	if p.Deadline.IsZero() {
		p.Deadline = p.soon
		if late := time.Now().Add(time.Duration(len(files)) * directPerFile); late.After(p.Deadline) {
			p.Deadline = late
		}
	}
	p.stat(files)
	var err error
	switch {
	case len(p.files) <= directFiles && p.bytes <= directBytes:
		p.candidates = p.files
	case p.Clauses == nil:
		return nil, fmt.Sprintf("%d files that aren't indexed yet were left out", len(p.files))
	case len(p.Clauses) == 0:
		p.rest = p.files
	default:
		err = p.scan(ctx)
	}
	if err != nil {
		return nil, "files that aren't indexed yet can't be searched: " + err.Error()
	}
	o, err := p.prepare(ctx)
	if err != nil {
		return nil, "files that aren't indexed yet can't be searched: " + err.Error()
	}
	return o, o.explain()
}

// A Plan is made for one search of what isn't indexed.
type Plan struct {
	Desk     *Desk
	Began    time.Time // when it was asked
	soon     time.Time // when what is enough is enough
	Deadline time.Time // for all; zero: it depends on how many files there are
	Shown    int       // of the best matches, beyond which only some more are prepared; 0: all are
	Clauses  []query.Clause
	Spelling func(word string) bool // look for words that are nearly the same; nil: for none

	pending    int
	files      []File // newest first
	gone       []string
	bytes      int64
	candidates []File   // to be prepared, the most promising first
	having     []uint64 // which of the terms they have, as bits; by candidate
	certain    bool     // each of them is a match
	rest       []File   // that meet no clause but what the path or the time can tell
	out        []string // that can't be hits
	unread     int      // files that there was no time for
	sample     *sample
	spoken     []string // names of the analyzers that words are looked for with

	terms     map[string]int // that hits are ranked by, as places in counted
	counted   []sift.Needle
	told      uint64 // the terms that the probes of words tell, as bits
	elsewhere []int  // files that have them and aren't prepared
}

// stat looks which of the pending files there are, as far as that isn't known.
func (p *Plan) stat(files []File) {
	p.pending = len(files)
	for _, f := range files {
		var err error
		if f.Info.Path == "" {
			f.Info, err = p.Desk.files.Source.Stat(f.Path)
		}
		switch {
		case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular):
			p.gone = append(p.gone, f.Path)
		case err != nil:
			p.unread++ // unreadable is not gone: what the index has of it counts
		default:
			p.files = append(p.files, f)
			p.bytes += min(f.Info.Size, page.MaxFile)
		}
	}
	p.files = sorted(p.files)
}

// sorted returns files newest first. Many of them are sorted by their numbers: they are
// large themselves.
func sorted(files []File) []File {
	order := make([]int32, len(files))
	for i := range files {
		order[i] = int32(i)
	}
	sort.Slice(order, func(i, j int) bool { return newestFirst(files[order[i]], files[order[j]]) < 0 })
	out := make([]File, len(files))
	for i, n := range order {
		out[i] = files[n]
	}
	return out
}

func newestFirst(a, b File) int {
	return cmp.Or(b.Info.ModTime.Compare(a.Info.ModTime), cmp.Compare(a.Path, b.Path))
}

// prepare makes the overlay of the candidates, as far as time and memory allow.
func (p *Plan) prepare(ctx context.Context) (*Overlay, error) {
	o, err := newOverlay()
	if err != nil {
		return nil, err
	}
	for _, path := range p.gone {
		o.hide(path)
	}
	for done := 0; done < len(p.candidates); {
		if p.certain && p.Shown > 0 && done >= p.Shown+directMore && time.Now().After(p.soon) {
			p.leave(o, done)
			break
		}
		n := p.portion(done)
		release, err := p.hold(ctx, p.candidates[done:done+n]...)
		if err != nil {
			o.skipped += len(p.candidates) - done
			break
		}
		err = o.add(ctx, p, p.candidates[done:done+n])
		release()
		if err != nil {
			o.Close()
			return nil, err
		}
		done += n
	}
	o.pending, o.unread, o.sample = p.pending, p.unread, p.sample
	o.there, o.bytesThere = len(p.files), p.bytes
	for _, f := range p.rest {
		o.rest[f.Path] = f.Info.ModTime.UnixNano()
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
func (p *Plan) leave(o *Overlay, from int) {
	o.further = len(p.candidates) - from
	for i, f := range p.candidates[from:] {
		o.hide(f.Path) // as it was
		for j := range p.elsewhere {
			p.elsewhere[j] += int(p.having[from+i] >> j & 1)
		}
	}
}

// hold makes room for reading some files, if that can be had in time.
func (p *Plan) hold(ctx context.Context, files ...File) (release func(), err error) {
	ctx, cancel := context.WithDeadline(ctx, p.Deadline)
	defer cancel()
	bytes := int64(0)
	for _, f := range files {
		bytes += min(f.Info.Size, page.MaxFile)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.Desk.files.Hold(ctx, bytes)
}

// portion is how many candidates from one on are prepared at a time: few, so that time
// and memory are kept to.
func (p *Plan) portion(from int) (n int) {
	bytes := int64(0)
	for _, f := range p.candidates[from:] {
		if bytes += min(f.Info.Size, page.MaxFile); n > 0 && (bytes > directBytes || n == 2*directFiles) {
			break
		}
		n++
	}
	return n
}

// explain says what a search of an overlay may lack; empty: nothing.
func (o *Overlay) explain() string {
	if o.skipped+o.unread == 0 {
		return ""
	}
	return fmt.Sprintf("of %d files that aren't indexed yet %d could not be looked at in time, the least promising ones", o.pending, o.skipped+o.unread)
}

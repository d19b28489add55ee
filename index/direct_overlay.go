package index

import (
	"context"
	"errors"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"maps"
	"slices"
	"time"

	"kist/index/day"
	"kist/index/intake"
	"kist/index/parallel"
)

// An overlay holds documents in memory, laid out as in a store, that take the place of
// what the store has of the same files.
type overlay struct {
	store  *store.Store
	files  map[string]manifest.Entry   // what is in it, as the manifest will have it
	hidden []string                    // paths that the store's entries don't count of
	kept   map[string]manifest.Holding // of these, what does count all the same
	room   []func()                    // gives back what was taken of the budget

	pending int // files that the index lacks
	skipped int // candidates not prepared
	unread  int // files not even looked at
	further int // matches that aren't prepared, being not as good as those that are

	rest       map[string]int64 // modification times of files that meet none of the query's conditions
	elsewhere  map[string]int   // files that have a term, about, and are neither here nor hits
	there      int              // pending files that exist
	bytesThere int64            // in them
	sample     *sample          // of them; nil: they are all here
}

func newOverlay() (*overlay, error) {
	s, err := store.InMemory()
	if err != nil {
		return nil, err
	}
	return &overlay{store: s, files: map[string]manifest.Entry{}, kept: map[string]manifest.Holding{}, rest: map[string]int64{}, elsewhere: map[string]int{}}, nil
}

// close may be called on nil.
func (o *overlay) close() {
	if o == nil {
		return
	}
	o.store.Close()
	for _, release := range o.room {
		release()
	}
	o.room = nil
}

func (o *overlay) hide(path string) { o.hidden = append(o.hidden, path) }

// lacks reports whether a file isn't in the overlay, which then says nothing of it.
func (o *overlay) lacks(path string) bool { _, here := o.files[path]; return !here }

// partial reports whether files were left out that meet none of a query's clauses.
func (o *overlay) partial() bool { return o != nil && o.there > len(o.files) }

// searched is the number of pending files that a search with the overlay has dealt with.
func (o *overlay) searched() int { return o.pending - o.skipped - o.unread }

// add prepares files as the indexer does. Where the store has some of the entries of a
// long one, the overlay does without.
func (o *overlay) add(p *plan, files []pendingFile) error {
	ready := make([]intake.File, len(files))
	parallel.Do(p.ctx, len(files), func(i int) { ready[i] = p.ready(files[i].path) })
	q := intake.NewPortion(o.store.Add)
	for i := range ready {
		r := &ready[i]
		if r.Path == "" || r.Err != nil { // cancelled, or unreadable: what the store has of it counts
			continue
		}
		if !o.makeRoom(p, r) {
			o.skipped++
			r.Path = ""
			continue
		}
		o.hide(r.Path)
		if err := q.Add(context.WithoutCancel(p.ctx), r); err != nil {
			return err
		}
	}
	if err := q.Write(); err != nil {
		return err
	}
	for _, r := range ready {
		if r.Path != "" && r.Err == nil && !r.Gone {
			e := manifest.Entry{Entries: r.Count, Sections: r.Page.SectionCount(), Tokens: r.Tokens, Date: r.Page.Date, Revised: r.Page.Revised, Size: int64(len(r.Page.Raw))}
			e.Mtime = r.Page.Info.ModTime.UnixNano()
			o.files[r.Path] = e
			if r.Holding.Kept != nil {
				o.kept[r.Path] = r.Holding
			}
		}
	}
	return nil
}

// makeRoom takes the room for the entries of a prepared file that the overlay is to have,
// if it can be had in time.
func (o *overlay) makeRoom(p *plan, r *intake.File) bool {
	bytes := int64(0)
	for i := range r.Count {
		if !r.Holding.Keeps(i) {
			bytes += int64(r.Page.Length(i))
		}
	}
	ctx, cancel := context.WithDeadline(p.ctx, p.deadline)
	defer cancel()
	release, err := p.index.overlays.Take(ctx, bytes)
	if err == nil {
		o.room = append(o.room, release)
	}
	return err == nil
}

// ready prepares a file, and sees what the index has of it. Where that is being written
// it waits: that is over sooner than what is done here without knowing.
func (p *plan) ready(path string) intake.File {
	x := p.index
	r := x.files.Prepare(path)
	if p.wholly || r.Parts == nil {
		return r
	}
	for written := false; !written; {
		x.mu.RLock()
		if g := x.current; g == nil || !g.manifest.Writing[path] {
			written = true
			if g != nil {
				r.Holding = g.manifest.Holding(r.Path, r.Parts)
			}
		}
		x.mu.RUnlock()
		if p.ctx.Err() != nil || time.Now().After(p.deadline) {
			break
		}
		if !written {
			time.Sleep(time.Millisecond)
		}
	}
	return r
}

// errMoved: what an overlay does without is being written, or was.
var errMoved = errors.New("a file was indexed while it was being searched")

// look returns what a generation holds now, and over it an overlay, which may be nil.
// It returns errMoved where the overlay doesn't fit. The caller holds the index's mutex.
func (g *generation) look(over *overlay) (*store.Snapshot, store.View, error) {
	if over == nil {
		return g.store.Look(nil)
	}
	if !over.fits(g.manifest) {
		return nil, store.View{}, errMoved
	}
	return g.store.Look(over.over())
}

// over is the overlay as a store takes it.
func (o *overlay) over() *store.Over {
	over := &store.Over{Store: o.store, Hidden: o.hidden, Beside: slices.Collect(maps.Keys(o.rest)), Kept: make(map[string][]bool, len(o.kept)), Languages: o.sample.languages(o.there)}
	for path, h := range o.kept {
		over.Kept[path] = h.Kept
	}
	return over
}

// fits reports whether the store has what the overlay takes it to have. The manifest
// gives up a file's parts before its entries are written.
func (o *overlay) fits(m *manifest.Manifest) bool {
	for path, h := range o.kept {
		if !manifest.SameParts(h.Parts, m.Parts[path]) {
			return false
		}
	}
	return true
}

// counts are how many files there are, entries and sections of them, and tokens in these.
type counts struct {
	files, entries, sections int
	tokens                   [page.NumFields]int64
}

// furtherMatches is the number of matches that are known and no more.
func (o *overlay) furtherMatches() int {
	if o == nil {
		return 0
	}
	return o.further
}

// having estimates how many files that aren't read have one of some terms.
func (o *overlay) having(alternatives []string) (n int) {
	if o != nil {
		for _, t := range alternatives {
			n = max(n, o.elsewhere[t])
		}
	}
	return n
}

// listed adds the files of the overlay, and those beside it.
func (o *overlay) listed(s *store.Snapshot, out []ranked) []ranked {
	if o == nil {
		return out
	}
	s.Numbered(func(path string, n int32) {
		mtime, ok := o.rest[path]
		if e, here := o.files[path]; here {
			mtime, ok = e.Mtime, true
		}
		if ok {
			out = append(out, ranked{file: n, time: mtime})
		}
	})
	return out
}

// date is that of a file in the overlay or beside it; ok is false for others.
func (o *overlay) date(path string) (d day.Day, ok bool) {
	if o == nil {
		return 0, false
	}
	if e, ok := o.files[path]; ok {
		return e.Day(), true
	}
	mtime, ok := o.rest[path]
	return manifest.Entry{Mtime: mtime}.Day(), ok
}

// count is that of a manifest with the overlay, which may be nil, over it. What isn't prepared is
// taken to be like the sample.
func (o *overlay) count(m *manifest.Manifest) counts {
	if o == nil {
		return counts{len(m.Files), m.Entries, m.Sections, m.Tokens}
	}
	n := counts{len(m.Files) + o.there, m.Entries, m.Sections, m.Tokens}
	add := func(e manifest.Entry, factor float64) {
		n.entries += int(factor * float64(e.Entries))
		n.sections += int(factor * float64(e.Sections))
		for f, tokens := range e.Tokens {
			n.tokens[f] += int64(factor * float64(tokens))
		}
	}
	if o.sample != nil {
		add(o.sample.Entry, float64(o.bytesThere)/float64(max(1, o.sample.Size)))
	} else {
		for _, e := range o.files {
			add(e, 1)
		}
	}
	drop := func(path string) {
		if e, ok := m.Files[path]; ok {
			n.files--
			add(e, -1)
		}
	}
	for _, path := range o.hidden {
		drop(path)
	}
	for path := range o.rest {
		drop(path)
	}
	n.entries, n.sections = max(0, n.entries), max(0, n.sections)
	return n
}

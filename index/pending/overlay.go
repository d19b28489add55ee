package pending

import (
	"context"

	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"maps"
	"slices"

	"kist/index/day"
	"kist/index/intake"
	"kist/index/parallel"
)

// An Overlay holds documents in memory, laid out as in a store, that take the place of
// what the store has of the same files.
type Overlay struct {
	store  *store.Store
	files  map[string]manifest.Entry // what is in it, as the manifest will have it
	hidden []string                  // paths that the store's entries don't count of
	room   []func()                  // gives back what was taken of the budget

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

func newOverlay() (*Overlay, error) {
	s, err := store.InMemory()
	if err != nil {
		return nil, err
	}
	return &Overlay{store: s, files: map[string]manifest.Entry{}, rest: map[string]int64{}, elsewhere: map[string]int{}}, nil
}

// Close may be called on nil.
func (o *Overlay) Close() {
	if o == nil {
		return
	}
	o.store.Close()
	for _, release := range o.room {
		release()
	}
	o.room = nil
}

func (o *Overlay) hide(path string) { o.hidden = append(o.hidden, path) }

// Lacks reports whether a file isn't in the overlay, which then says nothing of it.
func (o *Overlay) Lacks(path string) bool { _, here := o.files[path]; return !here }

// Partial reports whether files were left out that meet none of a query's clauses.
func (o *Overlay) Partial() bool { return o != nil && o.there > len(o.files) }

// Number is that of the pending files that there were.
func (o *Overlay) Number() int { return o.pending }

// Searched is the number of pending files that a search with the overlay has dealt with.
func (o *Overlay) Searched() int { return o.pending - o.skipped - o.unread }

// add prepares files as the indexer does.
func (o *Overlay) add(ctx context.Context, p *Plan, files []File) error {
	ready := make([]intake.File, len(files))
	parallel.Do(ctx, len(files), func(i int) { ready[i] = p.Desk.files.Prepare(files[i].Path) })
	q := intake.NewPortion(o.store.Add)
	for i := range ready {
		r := &ready[i]
		if r.Path == "" || r.Err != nil { // cancelled, or unreadable: what the store has of it counts
			continue
		}
		if !o.makeRoom(ctx, p, r) {
			o.skipped++
			r.Path = ""
			continue
		}
		o.hide(r.Path)
		if err := q.Add(context.WithoutCancel(ctx), r); err != nil {
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
		}
	}
	return nil
}

// makeRoom takes the room for the entries of a prepared file that the overlay is to have,
// if it can be had in time.
func (o *Overlay) makeRoom(ctx context.Context, p *Plan, r *intake.File) bool {
	bytes := int64(0)
	for i := range r.Count {
		bytes += int64(r.Page.Length(i))
	}
	ctx, cancel := context.WithDeadline(ctx, p.Deadline)
	defer cancel()
	release, err := p.Desk.overlays.Take(ctx, bytes)
	if err == nil {
		o.room = append(o.room, release)
	}
	return err == nil
}

// Over is the overlay as a store takes it.
func (o *Overlay) Over() *store.Over {
	return &store.Over{Store: o.store, Hidden: o.hidden, Beside: slices.Collect(maps.Keys(o.rest)), Languages: o.sample.languages(o.there)}
}

// counts are how many files there are, entries and sections of them, and tokens in these.
type counts struct {
	Files, Entries, Sections int
	Tokens                   [page.NumFields]int64
}

// Entry is what is known of a file in the overlay.
func (o *Overlay) Entry(path string) (e manifest.Entry, ok bool) {
	if o != nil {
		e, ok = o.files[path]
	}
	return e, ok
}

// Beside reports whether the overlay knows a file by its name and time only, and its time.
func (o *Overlay) Beside(path string) (mtime int64, ok bool) {
	if o != nil {
		mtime, ok = o.rest[path]
	}
	return mtime, ok
}

// Further is the number of matches that are known and no more.
func (o *Overlay) Further() int {
	if o == nil {
		return 0
	}
	return o.further
}

// Having estimates how many files that aren't read have one of some terms.
func (o *Overlay) Having(alternatives []string) (n int) {
	if o != nil {
		for _, t := range alternatives {
			n = max(n, o.elsewhere[t])
		}
	}
	return n
}

// Listed calls fn with the files of the overlay, and those beside it.
func (o *Overlay) Listed(s *store.Snapshot, fn func(file int32, mtime int64)) {
	if o == nil {
		return
	}
	s.Numbered(func(path string, n int32) {
		mtime, ok := o.rest[path]
		if e, here := o.files[path]; here {
			mtime, ok = e.Mtime, true
		}
		if ok {
			fn(n, mtime)
		}
	})
}

// Date is that of a file in the overlay or beside it; ok is false for others.
func (o *Overlay) Date(path string) (d day.Day, ok bool) {
	if o == nil {
		return 0, false
	}
	if e, ok := o.files[path]; ok {
		return e.Day(), true
	}
	mtime, ok := o.rest[path]
	return manifest.Entry{Mtime: mtime}.Day(), ok
}

// Count is that of a manifest with the overlay, which may be nil, over it. What isn't prepared is
// taken to be like the sample.
func (o *Overlay) Count(m *manifest.Manifest) counts {
	if o == nil {
		return counts{len(m.Files), m.Entries, m.Sections, m.Tokens}
	}
	n := counts{len(m.Files) + o.there, m.Entries, m.Sections, m.Tokens}
	add := func(e manifest.Entry, factor float64) {
		n.Entries += int(factor * float64(e.Entries))
		n.Sections += int(factor * float64(e.Sections))
		for f, tokens := range e.Tokens {
			n.Tokens[f] += int64(factor * float64(tokens))
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
			n.Files--
			add(e, -1)
		}
	}
	for _, path := range o.hidden {
		drop(path)
	}
	for path := range o.rest {
		drop(path)
	}
	n.Entries, n.Sections = max(0, n.Entries), max(0, n.Sections)
	return n
}

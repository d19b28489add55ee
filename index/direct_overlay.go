package index

import (
	"context"
	"errors"
	"kist/index/page"
	"slices"
	"time"

	"kist/index/analyze"
	"kist/index/day"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

// An overlay holds documents in memory, laid out as in a store, that take the place of
// what the store has of the same files.
type overlay struct {
	scorch *scorch.Scorch
	queue  *bleve.AnalysisQueue
	files  map[string]entry   // what is in it, as the manifest will have it
	hidden []string           // paths that the store's entries don't count of
	kept   map[string]holding // of these, what does count all the same
	room   []func()           // gives back what was taken of the budget

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
	o := &overlay{queue: bleve.NewAnalysisQueue(2), files: map[string]entry{}, kept: map[string]holding{}, rest: map[string]int64{}, elsewhere: map[string]int{}}
	x, err := scorch.NewScorch(scorch.Name, map[string]any{"path": ""}, o.queue)
	if err == nil {
		err = x.Open()
	}
	if err != nil {
		o.queue.Close()
		return nil, err
	}
	o.scorch = x.(*scorch.Scorch)
	return o, nil
}

// close may be called on nil.
func (o *overlay) close() {
	if o == nil {
		return
	}
	o.scorch.Close()
	o.queue.Close()
	for _, release := range o.room {
		release()
	}
	o.room = nil
}

func (o *overlay) hide(path string) { o.hidden = append(o.hidden, path) }

// partial reports whether files were left out that meet none of a query's clauses.
func (o *overlay) partial() bool { return o != nil && o.there > len(o.files) }

// searched is the number of pending files that a search with the overlay has dealt with.
func (o *overlay) searched() int { return o.pending - o.skipped - o.unread }

// add prepares files as the indexer does. Where the store has some of the entries of a
// long one, the overlay does without.
func (o *overlay) add(p *plan, files []pendingFile) error {
	ready := make([]prepared, len(files))
	parallel(p.ctx, len(files), func(i int) { ready[i] = p.ready(files[i].path) })
	q := newPortion(o.scorch.Batch)
	for i := range ready {
		r := &ready[i]
		if r.path == "" || r.err != nil { // cancelled, or unreadable: what the store has of it counts
			continue
		}
		if !o.makeRoom(p, r) {
			o.skipped++
			r.path = ""
			continue
		}
		o.hide(r.path)
		if err := q.add(context.WithoutCancel(p.ctx), r); err != nil {
			return err
		}
	}
	if err := q.write(); err != nil {
		return err
	}
	for _, r := range ready {
		if r.path != "" && r.err == nil && !r.gone {
			e := entry{entries: r.count, sections: r.file.SectionCount(), tokens: r.tokens, date: r.file.Date, revised: r.file.Revised, size: int64(len(r.file.Raw))}
			e.mtime = r.file.Info.ModTime.UnixNano()
			o.files[r.path] = e
			if r.holding.kept != nil {
				o.kept[r.path] = r.holding
			}
		}
	}
	return nil
}

// makeRoom takes the room for the entries of a prepared file that the overlay is to have,
// if it can be had in time.
func (o *overlay) makeRoom(p *plan, r *prepared) bool {
	bytes := int64(0)
	for i := range r.count {
		if !r.holding.keeps(i) {
			bytes += int64(r.file.Length(i))
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
func (p *plan) ready(path string) prepared {
	x := p.index
	r := x.prepareAnew(path)
	if p.wholly || r.parts == nil {
		return r
	}
	for written := false; !written; {
		x.mu.RLock()
		if g := x.current; g == nil || !g.manifest.writing[path] {
			written = true
			if g != nil {
				r.holding = g.manifest.holding(r)
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

// A snapshot is what a search reads: the store's, and what an overlay has in its place.
type snapshot struct {
	*scorch.IndexSnapshot
	over   *overlay              // nil: none
	memory *scorch.IndexSnapshot // the overlay's
	first  uint64                // number of the overlay's first entry
	refs   []entryRef
	hides  []bool           // by file: the store's entries of it don't count
	kept   map[int32][]bool // of these, the entries that do, by ordinal
	number map[string]int32 // of the files that they don't count of
}

// Close releases both parts; the overlay is the caller's.
func (s *snapshot) Close() error {
	if s.memory != nil {
		s.memory.Close()
	}
	return s.IndexSnapshot.Close()
}

// errMoved: what an overlay does without is being written, or was.
var errMoved = errors.New("a file was indexed while it was being searched")

// look returns what a generation holds now, and over it an overlay, which may be nil.
// It returns errMoved where the overlay doesn't fit. The caller holds the index's mutex.
func (g *generation) look(over *overlay) (*snapshot, view, error) {
	r, err := g.store.reader()
	if err != nil {
		return nil, view{}, err
	}
	v, err := g.store.tables.view(r)
	s := &snapshot{IndexSnapshot: r}
	if err == nil && over != nil && !over.fits(g.manifest) {
		err = errMoved
	}
	if err == nil && over != nil {
		err = s.join(over, &g.store.tables, &v)
	}
	if err != nil {
		s.Close()
		return nil, view{}, err
	}
	return s, v, nil
}

// fits reports whether the store has what the overlay takes it to have. The manifest
// gives up a file's parts before its entries are written.
func (o *overlay) fits(m *manifest) bool {
	for path, h := range o.kept {
		if !sameParts(h.parts, m.parts[path]) {
			return false
		}
	}
	return true
}

// join lays an overlay over the snapshot.
func (s *snapshot) join(over *overlay, t *tables, v *view) error {
	r, err := over.scorch.Reader()
	if err != nil {
		return err
	}
	s.over, s.memory, s.first = over, r.(*scorch.IndexSnapshot), uint64(len(v.refs))
	t.mu.Lock()
	defer t.mu.Unlock()
	refs := slices.Clone(v.refs)
	for _, segment := range s.memory.Segments() {
		more, err := t.segment(segment)
		if err != nil {
			return err
		}
		refs = append(refs, more...)
	}
	s.number = make(map[string]int32, len(over.hidden)+len(over.rest))
	for _, path := range over.hidden {
		s.number[path] = t.numberOf(path)
	}
	for path := range over.rest {
		s.number[path] = t.numberOf(path)
	}
	s.hides = make([]bool, len(t.paths))
	for _, n := range s.number {
		s.hides[n] = true
	}
	s.kept = make(map[int32][]bool, len(over.kept))
	for path, h := range over.kept {
		s.kept[s.number[path]] = h.kept
	}
	v.refs, v.paths, s.refs = refs, t.paths, refs
	more, err := spoken(s.memory)
	if err != nil {
		return err
	}
	v.Languages = joinLanguages(v.Languages, more, over.sample.languages(over.there))
	return nil
}

// hidden reports whether the store's entries of a file don't count.
func (s *snapshot) hidden(file int32) bool { return s.over != nil && s.hides[file] }

// counts reports whether an entry of the store counts.
func (s *snapshot) counts(e entryRef) bool {
	if !s.hides[e.file] {
		return true
	}
	kept := s.kept[e.file]
	return int(e.ordinal) < len(kept) && kept[e.ordinal]
}

// counts are how many files there are, entries and sections of them, and tokens in these.
type counts struct {
	files, entries, sections int
	tokens                   [page.NumFields]int64
}

// count is the manifest's, or the overlay's.
func (s *snapshot) count(m *manifest) counts {
	if s.over == nil {
		return counts{len(m.files), m.entries, m.sections, m.tokens}
	}
	return s.over.count(m)
}

// further is the number of matches that are known and no more.
func (s *snapshot) further() int {
	if s.over == nil {
		return 0
	}
	return s.over.further
}

// elsewhere estimates how many files that aren't read have one of some terms.
func (s *snapshot) elsewhere(alternatives []string) (n int) {
	if s.over != nil {
		for _, t := range alternatives {
			n = max(n, s.over.elsewhere[t])
		}
	}
	return n
}

// TermFieldReader goes through the store's entries that count, and then the overlay's.
func (s *snapshot) TermFieldReader(ctx context.Context, term []byte, field string, freq, norm, vectors bool) (bleve.TermFieldReader, error) {
	first, err := s.IndexSnapshot.TermFieldReader(ctx, term, field, freq, norm, vectors)
	if err != nil || s.over == nil {
		return first, err
	}
	second, err := s.memory.TermFieldReader(ctx, term, field, freq, norm, vectors)
	if err != nil {
		first.Close()
		return nil, err
	}
	again := func() (bleve.TermFieldReader, error) { return s.TermFieldReader(ctx, term, field, freq, norm, vectors) }
	return &joinedReader{TermFieldReader: first, second: second, snapshot: s, again: again}, nil
}

// A joinedReader reads a store's postings and then an overlay's.
type joinedReader struct {
	bleve.TermFieldReader
	second   bleve.TermFieldReader
	snapshot *snapshot
	over     bool // the first is read
	again    func() (bleve.TermFieldReader, error)
}

func (r *joinedReader) Next(d *bleve.TermFieldDoc) (*bleve.TermFieldDoc, error) {
	for !r.over {
		next, err := r.TermFieldReader.Next(d)
		if err != nil {
			return nil, err
		}
		if next == nil {
			r.over = true
			break
		}
		if r.snapshot.counts(r.snapshot.refs[next.ID.Value()]) {
			return next, nil
		}
		d = next.Reset()
	}
	next, err := r.second.Next(d)
	if next != nil {
		next.ID = bleve.NewIndexInternalID(next.ID, next.ID.Value()+r.snapshot.first)
	}
	return next, err
}

// Count is the number of postings that count, 0 where they can't be read.
func (r *joinedReader) Count() (n uint64) {
	other, err := r.again()
	if err != nil {
		return 0
	}
	defer other.Close()
	for {
		d, err := other.Next(nil)
		if err != nil || d == nil {
			return n
		}
		n++
	}
}

func (r *joinedReader) Close() error {
	r.second.Close()
	return r.TermFieldReader.Close()
}

// FieldDictPrefix lists the terms of both parts, some of them twice.
func (s *snapshot) FieldDictPrefix(field string, prefix []byte) (bleve.FieldDict, error) {
	return s.dicts(func(r *scorch.IndexSnapshot) (bleve.FieldDict, error) { return r.FieldDictPrefix(field, prefix) })
}

// segments are those of both parts.
func (s *snapshot) segments() []*scorch.SegmentSnapshot {
	all := s.IndexSnapshot.Segments()
	if s.memory != nil {
		all = append(slices.Clone(all), s.memory.Segments()...)
	}
	return all
}

func (s *snapshot) dicts(open func(*scorch.IndexSnapshot) (bleve.FieldDict, error)) (bleve.FieldDict, error) {
	first, err := open(s.IndexSnapshot)
	if err != nil || s.over == nil {
		return first, err
	}
	second, err := open(s.memory)
	if err != nil {
		first.Close()
		return nil, err
	}
	return &joinedDict{FieldDict: first, second: second}, nil
}

type joinedDict struct {
	bleve.FieldDict
	second bleve.FieldDict
	over   bool
}

func (d *joinedDict) Next() (*bleve.DictEntry, error) {
	if !d.over {
		if e, err := d.FieldDict.Next(); e != nil || err != nil {
			return e, err
		}
		d.over = true
	}
	return d.second.Next()
}

func (d *joinedDict) Close() error {
	d.second.Close()
	return d.FieldDict.Close()
}

// listed adds the files of the overlay, and those beside it.
func (s *snapshot) listed(out []ranked) []ranked {
	if s.over == nil {
		return out
	}
	for path, n := range s.number {
		mtime, ok := s.over.rest[path]
		if e, here := s.over.files[path]; here {
			mtime, ok = e.mtime, true
		}
		if ok {
			out = append(out, ranked{file: n, time: mtime})
		}
	}
	return out
}

// date is that of a file in the overlay or beside it; ok is false for others.
func (o *overlay) date(path string) (d day.Day, ok bool) {
	if o == nil {
		return 0, false
	}
	if e, ok := o.files[path]; ok {
		return e.day(), true
	}
	mtime, ok := o.rest[path]
	return entry{mtime: mtime}.day(), ok
}

// day is a document's date.
func (e entry) day() day.Day {
	if e.date != 0 {
		return e.date
	}
	return day.Of(time.Unix(0, e.mtime))
}

// count is that of a manifest with the overlay over it. What isn't prepared is taken to be
// like the sample.
func (o *overlay) count(m *manifest) counts {
	n := counts{len(m.files) + o.there, m.entries, m.sections, m.tokens}
	add := func(e entry, factor float64) {
		n.entries += int(factor * float64(e.entries))
		n.sections += int(factor * float64(e.sections))
		for f, tokens := range e.tokens {
			n.tokens[f] += int64(factor * float64(tokens))
		}
	}
	if o.sample != nil {
		add(o.sample.entry, float64(o.bytesThere)/float64(max(1, o.sample.size)))
	} else {
		for _, e := range o.files {
			add(e, 1)
		}
	}
	drop := func(path string) {
		if e, ok := m.files[path]; ok {
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

// joinLanguages adds up the languages of the store and of what isn't in it.
func joinLanguages(store, here []language, estimated map[string]int) []language {
	counts := map[string]int{analyze.English: 0}
	for _, l := range here {
		counts[l.name] = l.documents
	}
	for name, n := range estimated {
		counts[name] = max(counts[name], n)
	}
	for _, l := range store {
		counts[l.name] += l.documents
	}
	return languagesOf(counts)
}

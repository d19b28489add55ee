package inversion

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"slices"
	"sort"

	"kist/index/embed"
	"kist/index/intake"
	"kist/index/section"
	"kist/index/vector"
)

const (
	// MinTrained is how many documents there must be to learn anything from.
	MinTrained = 20
	// maxTrained is how many passages a model is learned from at most: more take
	// longer and change nothing.
	maxTrained = 20_000
	// maxAtOnce is how many passages are embedded in one pass over the postings, which
	// bounds the memory.
	maxAtOnce = 1 << 17
)

// An Inversion is an index read the other way round: it tells which passage has
// which terms, term by term, which is how training wants them. That is many times
// faster than to read and analyse the files again.
type Inversion struct {
	snapshot *store.Snapshot
	files    []invertedFile // by path
	passages int
	entries  []invertedEntry // by bleve's number
}

// An invertedEntry is one of a file.
type invertedEntry struct {
	passage int32         // of its first section, or of the whole file; -1: none
	later   bool          // the file's passage has had the title already
	table   section.Table // nil: the whole file is one passage
}

type invertedFile struct {
	path    string
	entry   manifest.Entry
	first   int     // passage
	entries []int32 // of a document with a passage for each section, the first one of each entry
}

func (f invertedFile) whole() bool { return intake.Whole(f.entry.Sections, f.entry.Tokens) }

func (f invertedFile) count() int {
	if f.whole() {
		return 1
	}
	return f.entry.Sections
}

// place is where the file's nth passage is.
func (f invertedFile) place(n int) page.Place {
	if f.whole() {
		return page.PlaceOf(0, 0)
	}
	e := 0
	for e+1 < len(f.entries) && int(f.entries[e+1])-f.first <= n {
		e++
	}
	return page.PlaceOf(e, n-(int(f.entries[e])-f.first))
}

// Of takes a snapshot of a store, to which the manifest has to belong. The caller closes the
// inversion.
func Of(s *store.Store, m *manifest.Manifest) (*Inversion, error) {
	r, v, err := s.Look(nil)
	if err != nil {
		return nil, err
	}
	inv := &Inversion{snapshot: r, entries: make([]invertedEntry, len(v.Refs))}
	for path, e := range m.Files {
		inv.files = append(inv.files, invertedFile{path: path, entry: e})
	}
	sort.Slice(inv.files, func(i, j int) bool { return inv.files[i].path < inv.files[j].path })
	at := make(map[string]int, len(inv.files))
	for i := range inv.files {
		f := &inv.files[i]
		at[f.path] = i
		f.first = inv.passages
		inv.passages += f.count()
	}
	byNumber := make([]int, len(v.Paths))
	for i, path := range v.Paths {
		n, ok := at[path]
		if !ok {
			n = -1
		}
		byNumber[i] = n
	}
	if err := inv.number(v, byNumber); err != nil {
		r.Close()
		return nil, err
	}
	return inv, nil
}

// number gives the passages of each file's entries their numbers; byNumber are places in
// inv.files by the view's numbers of files.
func (inv *Inversion) number(v store.View, byNumber []int) error {
	for _, seg := range inv.snapshot.Parts() {
		live := seg.DocNumbersLive()
		for i := range seg.Size() {
			e, ref := &inv.entries[int(seg.First)+i], v.Refs[int(seg.First)+i]
			e.passage = -1
			n := byNumber[ref.File]
			if n < 0 || !live.Contains(uint32(i)) {
				continue
			}
			f := &inv.files[n]
			if f.whole() {
				e.passage, e.later = int32(f.first), ref.Ordinal > 0
				continue
			}
			var err error
			if e.table, err = seg.Table(uint64(i)); err != nil {
				return err
			}
			for len(f.entries) <= int(ref.Ordinal) {
				f.entries = append(f.entries, 0)
			}
			f.entries[ref.Ordinal] = int32(len(e.table))
		}
	}
	// Until here entries are the numbers of their sections.
	for i := range inv.files {
		f := &inv.files[i]
		next := int32(f.first)
		for j, n := range f.entries {
			f.entries[j] = next
			next += n
		}
	}
	for i := range inv.entries {
		if e, ref := &inv.entries[i], v.Refs[i]; e.table != nil {
			f := inv.files[byNumber[ref.File]]
			if e.passage = f.entries[ref.Ordinal]; int(e.passage)+len(e.table) > f.first+f.count() {
				return fmt.Errorf("%w: %s has more sections than its manifest says", store.ErrDamaged, f.path)
			}
		}
	}
	return nil
}

func (inv *Inversion) Close() { inv.snapshot.Close() }

// each calls fn for each term that is wanted, in ascending order, with the passages that have it,
// in ascending order, and how often. The slices are used again.
func (inv *Inversion) each(ctx context.Context, wanted func(term string) bool, fn func(term string, passages, counts []int32) error) error {
	var dicts [len(page.Embedded)]dictionary
	for i, f := range page.Embedded {
		if err := dicts[i].open(inv.snapshot, f); err != nil {
			return err
		}
		defer dicts[i].Terms.Close()
	}
	count := make([]int32, inv.passages) // of the term at hand
	var passages, counts []int32
	for n := 0; ; n++ {
		term, ok := least(dicts[:])
		if !ok {
			return nil
		}
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		passages, counts = passages[:0], counts[:0]
		wants := wanted(term)
		for i := range dicts {
			d := &dicts[i]
			if d.done || d.term != term {
				continue
			}
			var err error
			if wants {
				err = inv.occurrences(d.field, term, func(p int32, n int) {
					if count[p] == 0 {
						passages = append(passages, p)
					}
					count[p] += int32(n)
				})
			}
			if err == nil {
				err = d.next()
			}
			if err != nil {
				return err
			}
		}
		if !wants {
			continue
		}
		slices.Sort(passages)
		for _, p := range passages {
			counts = append(counts, count[p])
			count[p] = 0
		}
		if err := fn(term, passages, counts); err != nil {
			return err
		}
	}
}

// occurrences calls fn with the passages that have a term in a field, some of them more than
// once, and how often.
func (inv *Inversion) occurrences(f page.Field, term string, fn func(passage int32, n int)) error {
	for _, seg := range inv.snapshot.Parts() {
		err := inv.snapshot.Locate(seg, f.Name(), term, f != page.FieldTitle, func(p store.Posting) {
			e := inv.entries[seg.First+p.Number()]
			switch {
			case e.passage < 0 || e.later && f == page.FieldTitle:
			case e.table == nil:
				fn(e.passage, int(p.Frequency()))
			case f == page.FieldTitle:
				for i := range e.table {
					fn(e.passage+int32(i), int(p.Frequency()))
				}
			default:
				for _, l := range p.Locations() {
					if f == page.FieldBody {
						fn(e.passage+int32(min(section.Of(l.Start()), len(e.table)-1)), 1)
						continue
					}
					first := section.Of(l.Start())
					for i := first; e.table.Covers(first, section.Depth(l.End()), i); i++ {
						fn(e.passage+int32(i), 1)
					}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A dictionary is the terms of one field, with the next one at hand.
type dictionary struct {
	store.Terms
	field page.Field
	term  string
	done  bool
}

func (d *dictionary) open(r *store.Snapshot, f page.Field) (err error) {
	d.field = f
	if d.Terms, err = r.FieldDict(f.Name()); err != nil {
		return err
	}
	return d.next()
}

func (d *dictionary) next() error {
	e, err := d.Next()
	if err != nil || e == nil {
		d.done = true
		return err
	}
	d.term = e.Term
	return nil
}

func least(dicts []dictionary) (term string, ok bool) {
	for _, d := range dicts {
		if !d.done && (!ok || d.term < term) {
			term, ok = d.term, true
		}
	}
	return term, ok
}

// sample numbers the passages that a model is learned from; the others get -1.
// Which those are depends on their names alone, so that the same vault gives the
// same model.
func (inv *Inversion) sample() (numbers []int32, n int) {
	numbers = make([]int32, inv.passages)
	if inv.passages <= maxTrained {
		for i := range numbers {
			numbers[i] = int32(i)
		}
		return numbers, inv.passages
	}
	type hashed struct {
		hash    uint64
		passage int
	}
	all := make([]hashed, 0, inv.passages)
	for _, f := range inv.files {
		for i := range f.count() {
			h := fnv.New64a()
			h.Write([]byte(page.EntryID(f.path, i)))
			all = append(all, hashed{h.Sum64(), f.first + i})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.passage, b.passage)) < 0
	})
	for i := range numbers {
		numbers[i] = -1
	}
	for _, h := range all[:maxTrained] {
		numbers[h.passage] = 0
	}
	for i := range numbers {
		if numbers[i] == 0 {
			numbers[i] = int32(n)
			n++
		}
	}
	return numbers, n
}

// train learns a model of a sample of the passages.
func (inv *Inversion) train(ctx context.Context) (*embed.Model, error) {
	numbers, n := inv.sample()
	c := embed.NewCorpus(n)
	var texts, kept []int32
	all := func(string) bool { return true }
	err := inv.each(ctx, all, func(term string, passages, counts []int32) error {
		texts, kept = texts[:0], kept[:0]
		for i, p := range passages {
			if numbers[p] >= 0 {
				texts, kept = append(texts, numbers[p]), append(kept, counts[i])
			}
		}
		c.Add(term, texts, kept)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return embed.Train(ctx, c)
}

// embed makes the vectors of all documents, in order.
func (inv *Inversion) embed(ctx context.Context, m *embed.Model) iter.Seq2[vector.Document, error] {
	return func(yield func(vector.Document, error) bool) {
		for files := inv.files; len(files) > 0; {
			n := 0
			for n < len(files) && (n == 0 || files[n].first+files[n].count()-files[0].first <= maxAtOnce) {
				n++
			}
			sums, err := inv.sums(ctx, m, files[:n])
			if err != nil {
				yield(vector.Document{}, err)
				return
			}
			for _, f := range files[:n] {
				if !yield(f.document(m, sums, files[0].first), nil) {
					return
				}
			}
			files = files[n:]
		}
	}
}

// sums adds up the words of the passages of some neighbouring files.
func (inv *Inversion) sums(ctx context.Context, m *embed.Model, files []invertedFile) ([]float32, error) {
	last := files[len(files)-1]
	from, to := int32(files[0].first), int32(last.first+last.count())
	sums := make([]float32, int(to-from)*m.Dim())
	t := -1 // the term at hand
	known := func(term string) bool { t = m.Find(term); return t >= 0 }
	err := inv.each(ctx, known, func(_ string, passages, counts []int32) error {
		for i, p := range passages {
			if p >= from && p < to {
				at := int(p-from) * m.Dim()
				m.AddTerm(sums[at:at+m.Dim()], t, int(counts[i]))
			}
		}
		return nil
	})
	return sums, err
}

func (f invertedFile) document(m *embed.Model, sums []float32, base int) vector.Document {
	d := vector.Document{Key: f.path, Stamp: vector.Stamp(f.entry.Hash)}
	for i := range f.count() {
		at := (f.first - base + i) * m.Dim()
		if v := sums[at : at+m.Dim()]; m.Finish(v) {
			d.Passages = append(d.Passages, vector.Passage{Ordinal: int32(f.place(i)), Vector: v})
		}
	}
	return d
}

// Learn trains a model and writes it with all vectors to a file; attached is what the file carries
// of the model.
func (inv *Inversion) Learn(ctx context.Context, name string, attached func(m *embed.Model, documents int) []byte) error {
	model, err := inv.train(ctx)
	if err != nil {
		return err
	}
	return vector.Write(name, model.Dim(), inv.embed(ctx, model), attached(model, len(inv.files)))
}

// Documents is how many there are.
func (inv *Inversion) Documents() int { return len(inv.files) }

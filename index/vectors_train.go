package index

import (
	"cmp"
	"context"
	"hash/fnv"
	"iter"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/embed"
	"kist/index/vector"
)

const (
	// minTrained is how many documents there must be to learn anything from.
	minTrained = 20
	// maxTrained is how many passages a model is learned from at most: more take
	// longer and change nothing.
	maxTrained = 20_000
	// maxAtOnce is how many passages are embedded in one pass over the postings, which
	// bounds the memory.
	maxAtOnce = 1 << 17
)

// An inversion is an index read the other way round: it tells which passage has
// which terms, term by term, which is how training wants them. That is many times
// faster than to read and analyse the files again.
type inversion struct {
	snapshot *scorch.IndexSnapshot
	files    []invertedFile // by path
	passages int
	passage  []int32 // by bleve's entry number; -1: none
	later    []bool  // by entry: its passage has had the title already
}

type invertedFile struct {
	path  string
	entry entry
	first int // passage
}

func (f invertedFile) count() int {
	if whole(f.entry.sections, f.entry.tokens) {
		return 1
	}
	return f.entry.sections
}

func (f invertedFile) passageOf(ordinal int32) (passage int32, later bool) {
	if f.count() == 1 {
		return int32(f.first), ordinal > 0
	}
	return int32(f.first) + ordinal, false
}

// invert takes a snapshot of a generation. The caller holds the writing token, so
// that store and manifest belong together, and closes the inversion.
func (g *generation) invert() (*inversion, error) {
	r, err := g.store.reader()
	if err != nil {
		return nil, err
	}
	v, err := g.store.tables.view(r)
	if err != nil {
		r.Close()
		return nil, err
	}
	inv := &inversion{snapshot: r, passage: make([]int32, len(v.refs)), later: make([]bool, len(v.refs))}
	for path, e := range g.manifest.files {
		inv.files = append(inv.files, invertedFile{path: path, entry: e})
	}
	slices.SortFunc(inv.files, func(a, b invertedFile) int { return cmp.Compare(a.path, b.path) })
	at := make(map[string]int, len(inv.files))
	for i := range inv.files {
		f := &inv.files[i]
		at[f.path] = i
		f.first = inv.passages
		inv.passages += f.count()
	}
	byNumber := make([]int, len(v.paths))
	for i, path := range v.paths {
		n, ok := at[path]
		if !ok {
			n = -1
		}
		byNumber[i] = n
	}
	for e, ref := range v.refs {
		inv.passage[e] = -1
		if n := byNumber[ref.file]; n >= 0 && int(ref.ordinal) < inv.files[n].entry.sections {
			inv.passage[e], inv.later[e] = inv.files[n].passageOf(ref.ordinal)
		}
	}
	return inv, nil
}

func (inv *inversion) close() { inv.snapshot.Close() }

// each calls fn for each term, in ascending order, with the passages that have it,
// in ascending order, and how often. The slices are used again.
func (inv *inversion) each(ctx context.Context, fn func(term string, passages, counts []int32) error) error {
	var dicts [len(embedded)]dictionary
	for i, f := range embedded {
		if err := dicts[i].open(inv.snapshot, f); err != nil {
			return err
		}
		defer dicts[i].FieldDict.Close()
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
		for i := range dicts {
			d := &dicts[i]
			if d.done || d.term != term {
				continue
			}
			err := scored(inv.snapshot, d.field.name(), []byte(term), func(t *bleve.TermFieldDoc) error {
				e := t.ID.Value()
				p := inv.passage[e]
				if p < 0 || inv.later[e] && d.field == fieldTitle {
					return nil
				}
				if count[p] == 0 {
					passages = append(passages, p)
				}
				count[p] += int32(t.Freq)
				return nil
			})
			if err == nil {
				err = d.next()
			}
			if err != nil {
				return err
			}
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

// A dictionary is the terms of one field, with the next one at hand.
type dictionary struct {
	bleve.FieldDict
	field textField
	term  string
	done  bool
}

func (d *dictionary) open(r *scorch.IndexSnapshot, f textField) (err error) {
	d.field = f
	if d.FieldDict, err = r.FieldDict(f.name()); err != nil {
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
func (inv *inversion) sample() (numbers []int32, n int) {
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
			h.Write([]byte(entryID(f.path, i)))
			all = append(all, hashed{h.Sum64(), f.first + i})
		}
	}
	slices.SortFunc(all, func(a, b hashed) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.passage, b.passage))
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
func (inv *inversion) train(ctx context.Context) (*embed.Model, error) {
	numbers, n := inv.sample()
	c := embed.NewCorpus(n)
	var texts, kept []int32
	err := inv.each(ctx, func(term string, passages, counts []int32) error {
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
func (inv *inversion) embed(ctx context.Context, m *embed.Model) iter.Seq2[vector.Document, error] {
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
func (inv *inversion) sums(ctx context.Context, m *embed.Model, files []invertedFile) ([]float32, error) {
	last := files[len(files)-1]
	from, to := int32(files[0].first), int32(last.first+last.count())
	sums := make([]float32, int(to-from)*m.Dim())
	err := inv.each(ctx, func(term string, passages, counts []int32) error {
		t := m.Find(term)
		if t < 0 {
			return nil
		}
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
	d := vector.Document{Key: f.path, Stamp: vector.Stamp(f.entry.hash)}
	for i := range f.count() {
		at := (f.first - base + i) * m.Dim()
		if v := sums[at : at+m.Dim()]; m.Finish(v) {
			d.Passages = append(d.Passages, vector.Passage{Ordinal: int32(i), Vector: v})
		}
	}
	return d
}

// learn trains a model and writes it with all vectors to a file.
func (inv *inversion) learn(ctx context.Context, name string) error {
	model, err := inv.train(ctx)
	if err != nil {
		return err
	}
	attached := attachment(model, len(inv.files), 0)
	return vector.Write(name, model.Dim(), inv.embed(ctx, model), attached)
}

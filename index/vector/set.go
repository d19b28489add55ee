package vector

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"kist/index/parallel"
)

// The sentinels of this package.
var (
	// ErrDamaged: a file that isn't one of vectors, or not as it was written.
	ErrDamaged = errors.New("damaged vectors")
)

// A Stamp says what a document's vectors were made of.
type Stamp [16]byte

// A Document is what a set holds of one document.
type Document struct {
	Key      string
	Stamp    Stamp
	Passages []Passage // may be none
}

// A Passage is a part of a document. Its Ordinal is the owner's business.
type Passage struct {
	Ordinal int32
	Vector  []float32 // unit; of the set's dimension
}

// A Set holds vectors. Its methods may be called concurrently.
type Set struct {
	mu      sync.RWMutex
	file    *file
	dead    []bool // documents of the file that were replaced or deleted
	deaths  int
	newer   map[string]*packed // put since the file was written
	numbers []int32            // by document of the file: the owner's number
	number  func(key string) int32
}

// packed is a document in memory, quantised.
type packed struct {
	key      string
	number   int32
	stamp    Stamp
	ordinals []int32
	scales   []float32
	rows     []byte
	fine     []byte
}

func pack(d Document) *packed {
	p := &packed{key: d.Key, stamp: d.Stamp}
	for _, passage := range d.Passages {
		row, fine, scale := split(passage.Vector)
		p.ordinals = append(p.ordinals, passage.Ordinal)
		p.scales = append(p.scales, scale)
		p.rows, p.fine = append(p.rows, row...), append(p.fine, fine...)
	}
	return p
}

// Dim is the number of dimensions.
func (s *Set) Dim() int { return s.file.dim }

// Close releases the file; afterwards the set is empty.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newer = nil
	return s.file.close()
}

// Put replaces a document's vectors.
func (s *Set) Put(d Document) {
	p := pack(d)
	p.number = s.number(d.Key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file.closed() {
		return
	}
	s.bury(d.Key)
	s.newer[d.Key] = p
}

// Amend is Put of a document that keeps some of the vectors it has, which aren't among
// d's: those of the passages whose ordinals kept is true of. d's passages are in the
// order of their ordinals, and so were those it was put with before.
func (s *Set) Amend(d Document, kept func(ordinal int32) bool) {
	news := pack(d)
	p := &packed{key: d.Key, stamp: d.Stamp, number: s.number(d.Key)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file.closed() {
		return
	}
	dim, next := s.file.dim, 0
	take := func(from *packed, i int) {
		p.ordinals, p.scales = append(p.ordinals, from.ordinals[i]), append(p.scales, from.scales[i])
		p.rows = append(p.rows, from.rows[i*dim:(i+1)*dim]...)
		p.fine = append(p.fine, from.fine[i*dim:(i+1)*dim]...)
	}
	before := func(ordinal int32) {
		for ; next < len(news.ordinals) && news.ordinals[next] < ordinal; next++ {
			take(news, next)
		}
	}
	if old, ok := s.find(d.Key); ok {
		for i, ordinal := range old.ordinals {
			if kept(ordinal) {
				before(ordinal)
				take(old, i)
			}
		}
	}
	before(math.MaxInt32)
	s.bury(d.Key)
	s.newer[d.Key] = p
}

// find returns what there is of a document. The caller holds the mutex, and the file
// is open.
func (s *Set) find(key string) (*packed, bool) {
	if p, ok := s.newer[key]; ok {
		return p, true
	}
	i, ok := s.file.find(key)
	if !ok || s.dead[i] {
		return nil, false
	}
	return s.file.document(i), true
}

// Delete removes a document's vectors.
func (s *Set) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file.closed() {
		return
	}
	s.bury(key)
	delete(s.newer, key)
}

func (s *Set) bury(key string) {
	if i, ok := s.file.find(key); ok && !s.dead[i] {
		s.dead[i] = true
		s.deaths++
	}
}

// Stamp returns a document's stamp; false when the set doesn't have it.
func (s *Set) Stamp(key string) (Stamp, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if p, ok := s.newer[key]; ok {
		return p.stamp, true
	}
	if s.file.closed() {
		return Stamp{}, false
	}
	i, ok := s.file.find(key)
	if !ok || s.dead[i] {
		return Stamp{}, false
	}
	return s.file.stamp(i), true
}

// Count is how many passages the document of a key has; 0: there is none.
func (s *Set) Count(key string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.file.closed() {
		return 0
	}
	p, ok := s.find(key)
	if !ok {
		return 0
	}
	return len(p.ordinals)
}

// Passages returns a document's vectors, and false when the set doesn't have it.
func (s *Set) Passages(key string) ([]Passage, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.file.closed() {
		return nil, false
	}
	p, ok := s.find(key)
	if !ok {
		return nil, false
	}
	var out []Passage
	dim := s.file.dim
	for i, ordinal := range p.ordinals {
		v := make([]float32, dim)
		for j, x := range p.rows[i*dim : (i+1)*dim] {
			v[j] = (float32(int8(x)) + float32(int8(p.fine[i*dim+j]))/fineSteps) * p.scales[i]
		}
		out = append(out, Passage{ordinal, v})
	}
	return out, true
}

// Keys returns the keys of all documents, in order.
func (s *Set) Keys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var keys []string
	for k := range s.newer {
		keys = append(keys, k)
	}
	if !s.file.closed() {
		for i := range s.file.documents {
			if !s.dead[i] {
				keys = append(keys, strings.Clone(s.file.key(i)))
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// Documents is how many documents the set holds.
func (s *Set) Documents() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.documents - s.deaths + len(s.newer)
}

// Changed is how many documents were put or deleted since the file was written.
func (s *Set) Changed() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return max(len(s.newer), s.deaths)
}

// A Match is how near one document is.
type Match struct {
	Number  int32   // of the document, as the owner gave it
	Ordinal int32   // of the passage that is nearest
	Score   float32 // cosine
}

// chunk is how many documents of the file are compared before a worker looks for
// more: enough to keep the bookkeeping out of the measurements.
const chunk = 4096

// Scan appends a match for each document that has a vector to out.
func (s *Set) Scan(q []float32, out []Match) []Match {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.file.closed() || len(q) != s.file.dim {
		return out
	}
	query := make([]int16, len(q))
	scale := quantise(q, maxQuery, query)
	n := s.file.documents
	parts := make([][]Match, (n+chunk-1)/chunk)
	out = slices.Grow(out, n+len(s.newer))
	all := out[len(out) : len(out)+n]
	scan := func(c int) {
		from, to := c*chunk, min(n, (c+1)*chunk)
		parts[c] = s.scanFile(query, scale, from, to, all[from:from:to])
	}
	if len(parts) == 1 {
		scan(0)
	} else {
		parallel.Do(context.Background(), len(parts), scan)
	}
	began := len(out)
	for _, p := range parts {
		out = append(out, p...) // moves down over the gaps of the dead
	}
	s.refine(query, scale, out[began:])
	for _, p := range s.newer {
		if m, ok := p.nearest(query, scale); ok {
			out = append(out, m)
		}
	}
	return out
}

// refined is how many of the nearest are compared anew, with all that is kept of
// them. What isn't among so many by the first byte isn't among the first ten.
const refined = 64

// refine makes the scores of the nearest exact, and ordinals of all rows.
func (s *Set) refine(q []int16, scale float32, found []Match) {
	f := s.file
	for _, i := range nearest(found, refined) {
		m := &found[i]
		row := int(m.Ordinal)
		from, to := row*f.dim, (row+1)*f.dim
		m.Score = fineDot(q, f.rows[from:to], f.fine[from:to]) * f.scale(row) * scale
	}
	for i := range found {
		found[i].Ordinal = f.ordinal(int(found[i].Ordinal))
	}
}

// nearest returns the places of the n best, in no order.
func nearest(found []Match, n int) []int {
	var best []int
	least := float32(math.Inf(-1))
	byScore := func(a, b int) int { return cmp.Compare(found[b].Score, found[a].Score) }
	for i := range found {
		if found[i].Score <= least {
			continue
		}
		if best = append(best, i); len(best) == 2*n {
			slices.SortFunc(best, byScore)
			best = best[:n]
			least = found[best[n-1]].Score
		}
	}
	slices.SortFunc(best, byScore)
	return best[:min(n, len(best))]
}

// scanFile appends the matches of some documents; their ordinals are rows.
func (s *Set) scanFile(q []int16, scale float32, from, to int, out []Match) []Match {
	f := s.file
	row := f.first(from)
	for i := from; i < to; i++ {
		end := f.first(i + 1)
		if s.dead[i] || row == end {
			row = end
			continue
		}
		m := Match{Number: s.numbers[i], Score: -math.MaxFloat32}
		for ; row < end; row++ {
			score := float32(dot(q, f.rows[row*f.dim:(row+1)*f.dim])) * f.scale(row)
			if score > m.Score {
				m.Score, m.Ordinal = score, int32(row)
			}
		}
		m.Score *= scale
		out = append(out, m)
	}
	return out
}

func (p *packed) nearest(q []int16, scale float32) (m Match, ok bool) {
	m = Match{Number: p.number, Score: -math.MaxFloat32}
	for i, ordinal := range p.ordinals {
		from, to := i*len(q), (i+1)*len(q)
		score := fineDot(q, p.rows[from:to], p.fine[from:to]) * p.scales[i] * scale
		if score > m.Score {
			m.Score, m.Ordinal = score, ordinal
		}
	}
	return m, len(p.ordinals) > 0
}

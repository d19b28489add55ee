package embed

import (
	"cmp"
	"math"
	"slices"
)

// maxTerms is how many terms a model knows: those in the most texts. It bounds
// memory; what is rarer occurs in too few texts to say which words it goes with.
const maxTerms = 1 << 16

// A Corpus is what a model learns from: how often each term occurs in which of a
// number of texts. Not all memory for it is needed twice, because an inverted
// index hands it over in the order that it is kept in: term by term.
type Corpus struct {
	texts int
	terms []string
	start []int // of each term's cells, and the end of the last
	cells []cell
}

// A cell is one number of the matrix; text and value are those of a row or a
// column, depending on which way the matrix lies.
type cell struct {
	at    int32
	value float32
}

// NewCorpus makes a corpus of so many texts, numbered from 0.
func NewCorpus(texts int) *Corpus { return &Corpus{texts: texts, start: []int{0}} }

// Add says that a term occurs counts[i] times in texts[i]. Terms and texts come
// in ascending order, each once; the slices may be used again.
func (c *Corpus) Add(term string, texts []int32, counts []int32) {
	if len(texts) < 2 {
		return // tells nothing about other words
	}
	c.terms = append(c.terms, term)
	for i, t := range texts {
		c.cells = append(c.cells, cell{t, float32(counts[i])})
	}
	c.start = append(c.start, len(c.cells))
}

func (c *Corpus) column(term int) []cell { return c.cells[c.start[term]:c.start[term+1]] }

// prune keeps the terms that are in the most texts.
func (c *Corpus) prune(limit int) {
	if len(c.terms) <= limit {
		return
	}
	order := make([]int, len(c.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(c.column(b)), len(c.column(a))), cmp.Compare(a, b))
	})
	order = order[:limit]
	slices.Sort(order)
	kept := Corpus{texts: c.texts, start: []int{0}}
	for _, i := range order {
		kept.terms = append(kept.terms, c.terms[i])
		kept.cells = append(kept.cells, c.column(i)...)
		kept.start = append(kept.start, len(kept.cells))
	}
	*c = kept
}

// weigh replaces counts by weights, so that each text has length 1, and returns
// the terms' weights.
func (c *Corpus) weigh() (idf []float32) {
	idf = make([]float32, len(c.terms))
	length := make([]float64, c.texts)
	for t := range c.terms {
		column := c.column(t)
		idf[t] = float32(math.Log(float64(c.texts+1) / float64(len(column))))
		for i := range column {
			cell := &column[i]
			cell.value = damp(cell.value) * idf[t]
			length[cell.at] += float64(cell.value) * float64(cell.value)
		}
	}
	for i := range c.cells {
		if l := length[c.cells[i].at]; l > 0 {
			c.cells[i].value /= float32(math.Sqrt(l))
		}
	}
	return idf
}

// damp makes of a count how much it says: the tenth time says less than the first.
func damp(count float32) float32 { return float32(1 + math.Log(float64(count))) }

// rows returns the matrix the other way round: for each text its terms.
func (c *Corpus) rows() (start []int, cells []cell) {
	start = make([]int, c.texts+1)
	for _, x := range c.cells {
		start[x.at+1]++
	}
	for i := range c.texts {
		start[i+1] += start[i]
	}
	cells = make([]cell, len(c.cells))
	next := slices.Clone(start)
	for t := range c.terms {
		for _, x := range c.column(t) {
			cells[next[x.at]] = cell{int32(t), x.value}
			next[x.at]++
		}
	}
	return start, cells
}

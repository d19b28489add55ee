package embed

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"kist/index/vector"
)

// The constants of the training. Dimensions follow the number of texts: few texts
// have few topics, and more dimensions than that are noise. Beyond 128 nothing was
// gained on nine public collections. Oversampling and two power iterations are what
// Halko, Martinsson and Tropp (Finding structure with randomness, 2011) advise for
// a spectrum that falls slowly.
const (
	minDim, maxDim  = 8, 128
	textsPerDim     = 8
	oversampling    = 10
	powerIterations = 2
	seed            = 0x6b697374
)

// ErrNothing: there is nothing to learn, because no two texts share a term.
var ErrNothing = errors.New("nothing to learn from")

// Train learns a model from a corpus, which it uses up. It returns ErrNothing or
// ctx's error, some tenths of a second after ctx ends.
func Train(ctx context.Context, c *Corpus) (*Model, error) {
	if len(c.terms) == 0 {
		return nil, ErrNothing
	}
	c.prune(maxTerms)
	idf := c.weigh()
	start, cells := c.rows()
	words, err := wordVectors(ctx, c, start, cells)
	if err != nil {
		return nil, err
	}
	m := newModel(c.terms, idf, words)
	// The cells' weights are those of the model but for the text's length, which
	// the vectors lose anyhow.
	texts := times(start, cells, words)
	for i := range texts.rows {
		vector.Unit(texts.row(i))
	}
	_, directions := eigen(gram(texts))
	for i := range m.direction {
		m.direction[i] = float32(directions[i][0])
	}
	return m, ctx.Err()
}

// wordVectors returns a unit vector for each term: the right singular vectors of the
// texts-by-terms matrix, each dimension weighted by the root of its singular value.
func wordVectors(ctx context.Context, c *Corpus, start []int, cells []cell) (matrix, error) {
	dim := max(minDim, min(maxDim, c.texts/textsPerDim))
	width := min(dim+oversampling, len(c.terms), c.texts)
	dim = min(dim, width)
	y := times(start, cells, random(len(c.terms), width))
	for range powerIterations {
		// Unless they are kept apart, all columns would turn to the first direction.
		y = orthogonal(y)
		if ctx.Err() != nil {
			return matrix{}, ctx.Err()
		}
		y = times(start, cells, times(c.start, c.cells, y))
	}
	y = orthogonal(orthogonal(y))
	if ctx.Err() != nil {
		return matrix{}, ctx.Err()
	}
	b := times(c.start, c.cells, y) // its transpose is y's times the matrix
	squares, u := eigen(gram(b))
	for j := range dim {
		// b times u is V times sigma, and V times the root of sigma is wanted.
		factor := 0.0
		if squares[j] > 1e-9*squares[0] {
			factor = math.Pow(squares[j], -0.25)
		}
		for i := range u {
			u[i][j] *= factor
		}
	}
	words := project(b, u, dim)
	for i := range words.rows {
		vector.Unit(words.row(i))
	}
	return words, nil
}

func random(rows, cols int) matrix {
	m := newMatrix(rows, cols)
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range m.data {
		m.data[i] = float32(r.NormFloat64())
	}
	return m
}

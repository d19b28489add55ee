package embed

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A matrix is dense, row by row.
type matrix struct {
	rows, cols int
	data       []float32
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

func (m matrix) row(i int) []float32 { return m.data[i*m.cols : (i+1)*m.cols] }

// blockRows is how many rows one worker takes at a time. Sums over rows are made
// block by block and the blocks added in order, so this number, unlike that of the
// processors, is part of the result.
const blockRows = 512

// blocks calls fn for all blocks of n rows on half of the processors: training is
// not urgent, and somebody may be working meanwhile.
func blocks(n int, fn func(block, from, to int)) {
	count := (n + blockRows - 1) / blockRows
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(count, max(1, runtime.GOMAXPROCS(0)/2)) {
		workers.Go(func() {
			for b := int(next.Add(1)) - 1; b < count; b = int(next.Add(1)) - 1 {
				fn(b, b*blockRows, min(n, (b+1)*blockRows))
			}
		})
	}
	workers.Wait()
}

// times returns the sparse matrix, given by rows, times a dense one.
func times(start []int, cells []cell, m matrix) matrix {
	out := newMatrix(len(start)-1, m.cols)
	blocks(out.rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			sum := out.row(i)
			for _, x := range cells[start[i]:start[i+1]] {
				addScaled(sum, m.row(int(x.at)), x.value)
			}
		}
	})
	return out
}

// addScaled adds factor*b to a.
func addScaled(a, b []float32, factor float32) {
	b = b[:len(a)]
	for len(a) >= 4 {
		a[0] += factor * b[0]
		a[1] += factor * b[1]
		a[2] += factor * b[2]
		a[3] += factor * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		a[i] += factor * b[i]
	}
}

// gram returns the transpose of m times m, of m.cols rows and columns. It is summed
// in double precision: what depends on what is told by differences of large numbers.
func gram(m matrix) [][]float64 {
	sum := square(m.cols)
	// Few partial sums at a time: each is as large as the result.
	const together = 8 * blockRows
	for base := 0; base < m.rows; base += together {
		var parts [together / blockRows][][]float64
		blocks(min(m.rows-base, together), func(b, from, to int) {
			parts[b] = square(m.cols)
			for i := from; i < to; i++ {
				addSquare(parts[b], m.row(base+i))
			}
		})
		for _, part := range parts {
			for i, row := range part {
				for j, v := range row[:i+1] {
					sum[i][j] += v
				}
			}
		}
	}
	for i := range sum {
		for j := range i {
			sum[j][i] = sum[i][j]
		}
	}
	return sum
}

// addSquare adds the lower half of row's product with itself.
func addSquare(sum [][]float64, row []float32) {
	for i, v := range row {
		if v == 0 {
			continue
		}
		to := sum[i][:i+1]
		for j, x := range row[:i+1] {
			to[j] += float64(v) * float64(x)
		}
	}
}

func square(n int) [][]float64 {
	s := make([][]float64, n)
	for i := range s {
		s[i] = make([]float64, n)
	}
	return s
}

// project replaces every row of m by its product with the columns of f.
func project(m matrix, f [][]float64, cols int) matrix {
	narrow := newMatrix(m.cols, cols)
	for i := range m.cols {
		for j := range cols {
			narrow.row(i)[j] = float32(f[i][j])
		}
	}
	out := newMatrix(m.rows, cols)
	blocks(m.rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			sum := out.row(i)
			for j, v := range m.row(i) {
				if v != 0 {
					addScaled(sum, narrow.row(j), v)
				}
			}
		}
	})
	return out
}

// orthogonal returns a matrix with the same span as m whose columns are orthonormal
// as far as rounding lets them, or zero where the columns of m depend on each other.
// It is Cholesky's QR; twice, it is as accurate as Householder's (Yamamoto et al.:
// Roundoff error analysis of the CholeskyQR2 algorithm, 2015).
func orthogonal(m matrix) matrix { return project(m, invertedCholesky(gram(m)), m.cols) }

// invertedCholesky returns R's inverse where g is the transpose of R times R;
// columns that depend on earlier ones become zero.
func invertedCholesky(g [][]float64) [][]float64 {
	n := len(g)
	r := square(n)
	for j := range n {
		for i := range j {
			sum := g[i][j]
			for k := range i {
				sum -= r[k][i] * r[k][j]
			}
			if r[i][i] > 0 {
				r[i][j] = sum / r[i][i]
			}
		}
		rest := g[j][j]
		for k := range j {
			rest -= r[k][j] * r[k][j]
		}
		if rest > 1e-12*g[j][j] {
			r[j][j] = math.Sqrt(rest)
		}
	}
	inv := square(n)
	for j := range n {
		if r[j][j] == 0 {
			continue
		}
		inv[j][j] = 1 / r[j][j]
		for i := j - 1; i >= 0; i-- {
			if r[i][i] == 0 {
				continue
			}
			var sum float64
			for k := i + 1; k <= j; k++ {
				sum += r[i][k] * inv[k][j]
			}
			inv[i][j] = -sum / r[i][i]
		}
	}
	return inv
}

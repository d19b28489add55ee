package embed

import (
	"cmp"
	"math"
	"slices"
)

// maxSweeps bounds Jacobi's method, which needs six to ten.
const maxSweeps = 30

// eigen returns the eigenvalues of a symmetric matrix, largest first, and its
// eigenvectors as columns, by Jacobi's method: slower than others for large
// matrices, but short, exact and always the same. The matrix is overwritten.
func eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	v := square(n) // eigenvectors as rows, while turning
	for i := range v {
		v[i][i] = 1
	}
	for range maxSweeps {
		if offDiagonal(a) {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				turn(a, v, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[j][j], a[i][i]) })
	vectors = square(n)
	for to, from := range order {
		values = append(values, a[from][from])
		sign := signOf(v[from])
		for i := range n {
			vectors[i][to] = sign * v[from][i]
		}
	}
	return values, vectors
}

// offDiagonal reports whether what isn't on the diagonal is negligible.
func offDiagonal(a [][]float64) bool {
	var off, on float64
	for i, row := range a {
		for j, x := range row {
			if i == j {
				on += x * x
			} else {
				off += x * x
			}
		}
	}
	return off <= 1e-20*on
}

// turn makes a[p][q] zero by a rotation.
func turn(a, v [][]float64, p, q int) {
	x := a[p][q]
	if x == 0 || math.Abs(x) < 1e-18*math.Sqrt(math.Abs(a[p][p]*a[q][q])) {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * x)
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	rotate(a[p], a[q], c, s)
	for i := range a {
		row := a[i]
		row[p], row[q] = c*row[p]-s*row[q], s*row[p]+c*row[q]
	}
	rotate(v[p], v[q], c, s)
}

func rotate(a, b []float64, c, s float64) {
	b = b[:len(a)]
	for i, x := range a {
		y := b[i]
		a[i], b[i] = c*x-s*y, s*x+c*y
	}
}

// signOf is what makes the largest component positive.
func signOf(v []float64) float64 {
	var largest float64
	for _, x := range v {
		if math.Abs(x) > math.Abs(largest)*(1+1e-9) {
			largest = x
		}
	}
	if largest < 0 {
		return -1
	}
	return 1
}

package vector

import "math"

// maxQuery is the largest component of a quantised query: twelve bits, so that its
// rounding is nothing beside that of the vectors, and no sum overflows below 4,096
// dimensions.
const maxQuery = 1<<12 - 1

// quantise returns v in units of scale, which is such that the largest component
// becomes the given one.
func quantise[T int8 | int16](v []float32, largest float32, out []T) (scale float32) {
	var m float32
	for _, x := range v {
		m = max(m, x, -x)
	}
	if m == 0 {
		clear(out)
		return 0
	}
	factor := largest / m
	for i, x := range v {
		out[i] = T(math.Round(float64(x * factor)))
	}
	return m / largest
}

// fineSteps is how many steps of a rest make one of a component: rests lie between -1/2
// and 1/2 of one.
const fineSteps = 2 * math.MaxInt8

// split quantises a unit vector: each component is (row + fine/fineSteps) * scale.
func split(v []float32) (row, fine []byte, scale float32) {
	coarse := make([]int8, len(v))
	scale = quantise(v, math.MaxInt8, coarse)
	row, fine = make([]byte, len(v)), make([]byte, len(v))
	for i, x := range coarse {
		row[i] = byte(x)
		if scale > 0 {
			rest := float64(v[i]/scale) - float64(x)
			fine[i] = byte(int8(math.Round(min(0.5, max(-0.5, rest)) * fineSteps)))
		}
	}
	return row, fine, scale
}

// fineDot is the inner product with all that is kept of a vector, in units of scale.
func fineDot(q []int16, row, fine []byte) float32 {
	return float32(dot(q, row)) + float32(dot(q, fine))/fineSteps
}

// dot is the inner product of a quantised query and a stored vector.
func dot(q []int16, v []byte) int32 {
	if n := len(v) &^ 15; fast && n > 0 {
		return dotFast(&q[:n][0], &v[0], n) + dotPlain(q[n:], v[n:])
	}
	return dotPlain(q, v)
}

func dotPlain(q []int16, v []byte) int32 {
	q = q[:len(v)]
	var a, b, c, d int32
	for len(v) >= 8 {
		x, y := v[:8:8], q[:8:8]
		a += int32(int8(x[0]))*int32(y[0]) + int32(int8(x[4]))*int32(y[4])
		b += int32(int8(x[1]))*int32(y[1]) + int32(int8(x[5]))*int32(y[5])
		c += int32(int8(x[2]))*int32(y[2]) + int32(int8(x[6]))*int32(y[6])
		d += int32(int8(x[3]))*int32(y[3]) + int32(int8(x[7]))*int32(y[7])
		v, q = v[8:], q[8:]
	}
	for i, x := range v {
		a += int32(int8(x)) * int32(q[i])
	}
	return a + b + c + d
}

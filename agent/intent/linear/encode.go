package linear

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// ErrBroken is returned by Decode for bytes that no Encode wrote.
var ErrBroken = errors.New("weights are broken")

// Encode writes a model: the classes, the unit of weights, then each feature by rising
// hash as the distance from the one before, how many weights, their classes, their
// values; all of it compressed.
func (m *Model) Encode() []byte {
	var hashes, counts, weights []byte
	for i, f := range m.features {
		start, end := m.row(f)
		if i == 0 {
			hashes = binary.AppendUvarint(hashes, uint64(f))
		} else {
			hashes = binary.AppendUvarint(hashes, uint64(f-m.features[i-1]))
		}
		counts = append(counts, uint8(end-start))
	}
	for _, w := range m.weight {
		weights = append(weights, byte(w))
	}
	var out []byte
	out = binary.AppendUvarint(out, uint64(len(m.Classes)))
	for _, c := range m.Classes {
		out = binary.AppendUvarint(out, uint64(len(c)))
		out = append(out, c...)
	}
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(m.scale))
	for _, column := range [][]byte{counts, m.class, weights, hashes} {
		out = binary.AppendUvarint(out, uint64(len(column)))
		out = append(out, column...)
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is a valid one
	w.Write(out)                                            // a buffer takes all
	w.Close()
	return packed.Bytes()
}

// Decode reads what Encode wrote, or returns ErrBroken.
func Decode(packed []byte) (*Model, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	r := &decoder{data: data}
	m := &Model{}
	classes := r.number()
	if classes > math.MaxUint8+1 {
		return nil, ErrBroken
	}
	for range classes {
		m.Classes = append(m.Classes, string(r.take(r.number())))
	}
	if scale := r.take(8); len(scale) == 8 {
		m.scale = math.Float64frombits(binary.LittleEndian.Uint64(scale))
	}
	counts := r.column()
	m.class = r.column()
	m.weight = signed(r.column())
	hashes := decoder{data: r.column()}
	m.features, m.ends = make([]uint32, len(counts)), make([]uint32, len(counts))
	f, end := uint32(0), uint32(0)
	for i, n := range counts {
		f += uint32(hashes.number())
		end += uint32(n)
		m.features[i], m.ends[i] = f, end
	}
	if r.broken || hashes.broken || !slices.IsSorted(m.features) || int(end) != len(m.class) || int(end) != len(m.weight) {
		return nil, ErrBroken
	}
	for _, c := range m.class {
		if int(c) >= len(m.Classes) {
			return nil, ErrBroken
		}
	}
	return m.finish(), nil
}

func signed(bytes []byte) []int8 {
	out := make([]int8, len(bytes))
	for i, b := range bytes {
		out[i] = int8(b)
	}
	return out
}

// A decoder takes values from the front of its data.
type decoder struct {
	data   []byte
	broken bool
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.data)
	if size <= 0 || n > math.MaxUint32 {
		d.broken, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return int(n)
}

func (d *decoder) take(n int) []byte {
	if n > len(d.data) {
		d.broken, d.data = true, nil
		return nil
	}
	taken := d.data[:n:n]
	d.data = d.data[n:]
	return taken
}

func (d *decoder) column() []byte { return d.take(d.number()) }

package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
)

// Types of values and of tensors, by the format's numbers.
const (
	ofUint32  uint32 = 4
	ofInt32   uint32 = 5
	ofFloat32 uint32 = 6
	ofBool    uint32 = 7
	ofString  uint32 = 8
	ofArray   uint32 = 9

	tensorF32 uint32 = 0
	tensorF16 uint32 = 1
)

// alignment of each tensor's data, in bytes: the format's default.
const alignment = 32

// A file is one of the format GGUF, version 3, before it is written.
type file struct {
	keys    uint64
	values  bytes.Buffer
	tensors uint64
	infos   bytes.Buffer
	data    bytes.Buffer
}

func number(b *bytes.Buffer, n any) { _ = binary.Write(b, binary.LittleEndian, n) } // a buffer takes all

func text(b *bytes.Buffer, s string) {
	number(b, uint64(len(s)))
	b.WriteString(s)
}

func (f *file) key(name string, kind uint32) *bytes.Buffer {
	f.keys++
	text(&f.values, name)
	number(&f.values, kind)
	return &f.values
}

func (f *file) count(name string, n int)     { number(f.key(name, ofUint32), uint32(n)) }
func (f *file) float(name string, x float32) { number(f.key(name, ofFloat32), x) }
func (f *file) flag(name string, yes bool)   { number(f.key(name, ofBool), yes) }
func (f *file) text(name, s string)          { text(f.key(name, ofString), s) }
func (f *file) list(name string, kind uint32, n int) *bytes.Buffer {
	b := f.key(name, ofArray)
	number(b, kind)
	number(b, uint64(n))
	return b
}

// tensor adds one. Its dimensions begin with the one whose values lie side by side; with a
// single one it is kept in full.
func (f *file) tensor(name string, values []float32, dims ...int) {
	f.tensors++
	text(&f.infos, name)
	number(&f.infos, uint32(len(dims)))
	for _, d := range dims {
		number(&f.infos, uint64(d))
	}
	kind := tensorF16
	if len(dims) == 1 {
		kind = tensorF32
	}
	number(&f.infos, kind)
	number(&f.infos, uint64(f.data.Len()))
	for _, x := range values {
		if kind == tensorF32 {
			number(&f.data, x)
		} else {
			number(&f.data, half(x))
		}
	}
	pad(&f.data, f.data.Len())
}

func pad(b *bytes.Buffer, written int) {
	for ; written%alignment != 0; written++ {
		b.WriteByte(0)
	}
}

// half is a number of 16 bits; what is too small for an ordinary one is 0.
func half(x float32) uint16 {
	bits := math.Float32bits(x)
	exponent := int(bits>>23&0xff) - 127 + 15
	if exponent <= 0 {
		return 0
	}
	return uint16(bits>>16&0x8000) | uint16(exponent)<<10 | uint16(bits>>13&0x3ff)
}

func (f *file) write(w io.Writer) error {
	var head bytes.Buffer
	head.WriteString("GGUF")
	number(&head, uint32(3))
	number(&head, f.tensors)
	number(&head, f.keys)
	head.Write(f.values.Bytes())
	head.Write(f.infos.Bytes())
	pad(&head, head.Len())
	if _, err := head.WriteTo(w); err != nil {
		return err
	}
	_, err := f.data.WriteTo(w)
	return err
}

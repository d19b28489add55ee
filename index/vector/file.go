package vector

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"os"
	"sort"
	"strings"
	"unsafe"

	"kist/vault/control"
)

// magic begins a file; its digit is the format's version.
const magic = "kistvec2"

// header is the length of magic and five numbers.
const header = len(magic) + 5*4

// A file is laid out as follows; numbers are little-endian and four bytes long.
//
//	magic, dimension, documents, passages, length of the attachment, length of the keys
//	rows        passages * dimension bytes: signed components in units of scale
//	fine        as many: what rounding took from them, see split
//	scales      float32 for each passage
//	ordinals    for each passage
//	firsts      for each document its first passage, then the number of passages
//	key ends    for each document where its key ends
//	stamps      16 bytes for each document
//	keys        in ascending order
//	attachment  the owner's
//	checksum    CRC-32C of all that is before it
type file struct {
	data                     []byte // nil: closed
	unmap                    func() error
	dim, documents, passages int

	rows, fine, scales, ordinals, firsts, ends, stamps, keys, attachment []byte
}

// Open maps a file into memory and checks it. number gives each document the
// number that Scan tells of it. It returns ErrDamaged, or an error of the operating
// system such as fs.ErrNotExist. The caller closes the set; the attachment, being of
// the mapped memory, is gone then.
func Open(name string, number func(key string) int32) (s *Set, attachment []byte, err error) {
	data, unmap, err := mapFile(name)
	if err != nil {
		return nil, nil, fmt.Errorf("open vectors: %w", err)
	}
	f := &file{data: data, unmap: unmap}
	if err := f.parse(); err != nil {
		return nil, nil, errors.Join(err, f.close())
	}
	s = &Set{file: f, dead: make([]bool, f.documents), newer: map[string]*packed{}, number: number, numbers: make([]int32, f.documents)}
	for i := range s.numbers {
		s.numbers[i] = number(strings.Clone(f.key(i)))
	}
	return s, f.attachment, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f *file) parse() error {
	if len(f.data) < header+4 || string(f.data[:len(magic)]) != magic {
		return fmt.Errorf("%w: of another program or version", ErrDamaged)
	}
	body := f.data[:len(f.data)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(f.data[len(body):]) {
		return fmt.Errorf("%w: wrong checksum", ErrDamaged)
	}
	var n [5]int
	for i := range n {
		n[i] = number(body[len(magic):], i)
	}
	f.dim, f.documents, f.passages = n[0], n[1], n[2]
	rest := body[header:]
	cut := func(n int) (part []byte) {
		n = min(n, len(rest))
		part, rest = rest[:n], rest[n:]
		return part
	}
	if len(rest) != f.passages*(2*f.dim+8)+f.documents*(8+len(Stamp{}))+4+n[3]+n[4] {
		return fmt.Errorf("%w: wrong length", ErrDamaged)
	}
	f.rows, f.fine = cut(f.passages*f.dim), cut(f.passages*f.dim)
	f.scales, f.ordinals = cut(f.passages*4), cut(f.passages*4)
	f.firsts, f.ends = cut(f.documents*4+4), cut(f.documents*4)
	f.stamps, f.keys, f.attachment = cut(f.documents*len(Stamp{})), cut(n[4]), cut(n[3])
	return nil
}

func (f *file) closed() bool { return f.data == nil }

func (f *file) close() error {
	if f.data == nil {
		return nil
	}
	unmap := f.unmap
	*f = file{dim: f.dim}
	return unmap()
}

func number(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

func (f *file) first(document int) int    { return number(f.firsts, document) }
func (f *file) ordinal(passage int) int32 { return int32(number(f.ordinals, passage)) }

func (f *file) scale(passage int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(f.scales[4*passage:]))
}

func (f *file) stamp(document int) (s Stamp) {
	copy(s[:], f.stamps[document*len(s):])
	return s
}

// key is a document's key; it is of the mapped memory and dies with it.
func (f *file) key(document int) string {
	from := 0
	if document > 0 {
		from = number(f.ends, document-1)
	}
	part := f.keys[from:number(f.ends, document)]
	return unsafe.String(unsafe.SliceData(part), len(part))
}

func (f *file) find(key string) (int, bool) {
	return sort.Find(f.documents, func(i int) int { return strings.Compare(key, f.key(i)) })
}

// document is one document of the file; its rows are of the mapped memory.
func (f *file) document(i int) *packed {
	from, to := f.first(i), f.first(i+1)
	p := &packed{key: f.key(i), stamp: f.stamp(i), rows: f.rows[from*f.dim : to*f.dim], fine: f.fine[from*f.dim : to*f.dim]}
	for row := from; row < to; row++ {
		p.ordinals = append(p.ordinals, f.ordinal(row))
		p.scales = append(p.scales, f.scale(row))
	}
	return p
}

// Write makes a file of documents in ascending order of their keys, durably and at
// once: name is either the old file or the new one. An error that comes instead of a
// document is returned, and nothing is written then.
func Write(name string, dim int, documents iter.Seq2[Document, error], attachment []byte) error {
	w := newWriter(dim)
	for d, err := range documents {
		if err != nil {
			return err
		}
		w.add(pack(d))
	}
	return w.write(name, attachment)
}

// Write makes a file of all that the set holds now.
func (s *Set) Write(name string, attachment []byte) error {
	w := newWriter(s.file.dim)
	for _, key := range s.Keys() {
		s.mu.RLock()
		p, ok := s.newer[key]
		if !ok && !s.file.closed() {
			if i, found := s.file.find(key); found && !s.dead[i] {
				p, ok = s.file.document(i), true
			}
		}
		if ok {
			w.add(p)
		}
		s.mu.RUnlock()
	}
	return w.write(name, attachment)
}

// A writer collects the columns of a file.
type writer struct {
	dim, documents, passages                                 int
	rows, fine, scales, ordinals, firsts, ends, stamps, keys []byte
}

func newWriter(dim int) *writer { return &writer{dim: dim} }

func (w *writer) add(p *packed) {
	little := binary.LittleEndian
	w.firsts = little.AppendUint32(w.firsts, uint32(w.passages))
	w.rows = append(w.rows, p.rows...)
	w.fine = append(w.fine, p.fine...)
	for i, ordinal := range p.ordinals {
		w.ordinals = little.AppendUint32(w.ordinals, uint32(ordinal))
		w.scales = little.AppendUint32(w.scales, math.Float32bits(p.scales[i]))
	}
	w.passages += len(p.ordinals)
	w.documents++
	w.keys = append(w.keys, p.key...)
	w.ends = little.AppendUint32(w.ends, uint32(len(w.keys)))
	w.stamps = append(w.stamps, p.stamp[:]...)
}

// write replaces the file: a temporary one, fsync, rename.
func (w *writer) write(name string, attachment []byte) (err error) {
	temporary := name + ".tmp"
	out, err := control.OpenFile(temporary, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	err = w.encode(out, attachment)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

func (w *writer) encode(out io.Writer, attachment []byte) error {
	head := []byte(magic)
	for _, n := range []int{w.dim, w.documents, w.passages, len(attachment), len(w.keys)} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	w.firsts = binary.LittleEndian.AppendUint32(w.firsts, uint32(w.passages))
	sum := crc32.New(castagnoli)
	buffered := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16)
	for _, part := range [][]byte{head, w.rows, w.fine, w.scales, w.ordinals, w.firsts, w.ends, w.stamps, w.keys, attachment} {
		buffered.Write(part) // an error stays and Flush returns it
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	_, err := out.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

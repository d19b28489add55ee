package manifest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"kist/index/page"
	"kist/vault"
)

// This file writes and reads the stored form: a length of four bytes, a head in JSON, texts each
// with its length before it, and columns of numbers, little-endian.

// A head is what of the stored form is neither a text nor a column.
type head struct {
	Base               uint64
	Files, Long, Parts int                // how many there are in columns
	Languages          map[string][]int32 // see savedManifest
	Places             [][2]int           // line and column of each problem
}

var errShort = errors.New("it is cut off")

// bytes appends the stored form.
func (s *savedManifest) bytes(out []byte) ([]byte, error) {
	h := head{Base: s.Base, Files: len(s.Paths), Long: len(s.Long), Parts: len(s.Parts), Languages: s.Languages}
	texts := append([]string{s.ID, s.Root, s.Mapping}, s.Paths...)
	for _, key := range slices.Sorted(maps.Keys(s.Problems)) {
		for _, p := range s.Problems[key] {
			h.Places = append(h.Places, [2]int{p.Line, p.Column})
			texts = append(texts, key, p.Path, p.Message, p.Hint)
		}
	}
	first, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(first))), first...)
	for _, t := range texts {
		out = append(binary.AppendUvarint(out, uint64(len(t))), t...)
	}
	for _, c := range s.columns() {
		if out, err = binary.Append(out, binary.LittleEndian, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// read reads the stored form.
func (s *savedManifest) read(in []byte) error {
	if len(in) < 4 || len(in)-4 < int(binary.LittleEndian.Uint32(in)) {
		return errShort
	}
	n := 4 + int(binary.LittleEndian.Uint32(in))
	var h head
	if err := json.Unmarshal(in[4:n], &h); err != nil {
		return err
	}
	in = in[n:]
	if min(h.Files, h.Long, h.Parts) < 0 || max(32*h.Files, h.Long, h.Parts, len(h.Places)) > len(in) {
		return errShort
	}
	short := false
	text := func() (t string) {
		size, n := binary.Uvarint(in)
		if n <= 0 || size > uint64(len(in)-n) {
			short = true
			return ""
		}
		t, in = string(in[n:n+int(size)]), in[n+int(size):]
		return t
	}
	s.Base, s.Languages, s.Problems = h.Base, h.Languages, map[string][]vault.Problem{}
	s.ID, s.Root, s.Mapping = text(), text(), text()
	s.Paths = make([]string, h.Files)
	for i := range s.Paths {
		s.Paths[i] = text()
	}
	for _, place := range h.Places {
		key := text()
		s.Problems[key] = append(s.Problems[key], vault.Problem{Path: text(), Line: place[0], Column: place[1], Message: text(), Hint: text()})
	}
	if short {
		return errShort
	}
	s.make(h)
	for _, c := range s.columns() {
		n, err := binary.Decode(in, binary.LittleEndian, c)
		if err != nil {
			return errShort
		}
		in = in[n:]
	}
	if len(in) > 0 {
		return errors.New("there is more than it tells")
	}
	return nil
}

// columns are the columns of numbers, in the order in which they are stored.
func (s *savedManifest) columns() []any {
	return []any{s.Sizes, s.Times, s.Changed, s.Inodes, s.Hashes, s.Entries, s.Sections, s.Tokens, s.Flags, s.Dates, s.Revised, s.Long, s.Parts}
}

// make makes room for the columns.
func (s *savedManifest) make(h head) {
	n := h.Files
	s.Sizes, s.Times, s.Changed, s.Inodes = make([]int64, n), make([]int64, n), make([]int64, n), make([]uint64, n)
	s.Hashes, s.Flags, s.Tokens = make([]byte, n*len(Hash{})), make([]byte, n), make([]int32, n*int(page.NumFields))
	s.Entries, s.Sections, s.Dates, s.Revised = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	s.Long, s.Parts = make([]int32, h.Long), make([]byte, h.Parts)
}

package rank

import (
	"bytes"
	"context"
	"encoding/binary"
	"kist/index/intake"

	"kist/index/page"
	"slices"

	"sync"
)

// passes reports whether a file's live text passes all checks. What is shown says that it is kept
// for its excerpt.
func (s *Search) passes(ctx context.Context, r ranked, checks []check, shown bool) (bool, error) {
	checks = slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.not && c.may != nil && !c.may[r.file] })
	if len(checks) == 0 {
		return true, nil
	}
	path := s.View.Paths[r.file]
	release, err := s.hold(ctx, path)
	if err != nil {
		return false, err
	}
	defer release()
	if shown || slices.ContainsFunc(checks, func(c check) bool { return c.fields != 0 }) {
		f, err := s.read(r.file, r.entry)
		return err == nil && s.Desk.passes(f, checks), err
	}
	text, _, err := s.Desk.Files.Source.ReadHead(path, page.MaxFile)
	return err == nil && s.Desk.has(text, checks), err
}

// lower returns text in lower case, in a buffer for the caller to put back. Where
// ASCII phrases only are looked for, other letters needn't be: their case makes no
// difference to where a word begins and ends, and they take ten times as long. One of
// them becomes ASCII, the sign for kelvin; the I with a dot becomes an i with a mark behind it,
// which no ASCII word has.
func (d *Desk) lower(text []byte, ascii bool) *[]byte {
	buffer, _ := d.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	if !ascii || bytes.Contains(text, []byte("\u212a")) {
		*buffer = append((*buffer)[:0], bytes.ToLower(text)...)
		return buffer
	}
	out := slices.Grow((*buffer)[:0], len(text))[:len(text)]
	lowerASCII(out, text)
	*buffer = out
	return buffer
}

// lowerASCII writes text into out, as long, with ASCII letters in lower case: eight at a time,
// without a branch, which would be guessed wrongly at each capital.
func lowerASCII(out, text []byte) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		low := w &^ high // so that sums stay within their byte
		capital := (low + (0x80-'A')*each) &^ (low + (0x80-'Z'-1)*each) &^ w & high
		binary.LittleEndian.PutUint64(out[i:], w|capital>>2)
	}
	for ; i < len(text); i++ {
		if out[i] = text[i]; text[i]-'A' < 26 {
			out[i] |= 0x20
		}
	}
}

// putBuffer puts a buffer back, unless it is a long file's.
func putBuffer(pool *sync.Pool, buffer *[]byte) {
	if cap(*buffer) <= intake.BatchBytes {
		pool.Put(buffer)
	}
}

package rank

import (
	"bytes"
	"kist/index/intake"

	"kist/index/page"
	"slices"

	"sync"
)

// passes reports whether a file's live text passes all checks.
func (s *Search) passes(file int32, checks []check) (bool, error) {
	checks = slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.not && c.may != nil && !c.may[file] })
	if len(checks) == 0 {
		return true, nil
	}
	path := s.View.Paths[file]
	release, err := s.hold(path)
	if err != nil {
		return false, err
	}
	defer release()
	if slices.ContainsFunc(checks, func(c check) bool { return c.fields != 0 }) {
		f, err := s.Desk.Files.Reader().Read(path)
		return err == nil && passes(f, checks), err
	}
	text, _, err := s.Desk.Files.Source.ReadHead(path, page.MaxFile)
	if err != nil {
		return false, err
	}
	ascii := !slices.ContainsFunc(checks, func(c check) bool { return !c.phrase.ASCII() })
	buffer := s.Desk.lower(text, ascii)
	defer putBuffer(&s.Desk.buffers, buffer)
	return !slices.ContainsFunc(checks, func(c check) bool { return c.phrase.In(*buffer) == c.not }), nil
}

// lower returns text in lower case, in a buffer for the caller to put back. Where
// ASCII phrases only are looked for, other letters needn't be: their case makes no
// difference to where a word begins and ends, and they take ten times as long. Two of
// them become ASCII: the sign for kelvin and the I with a dot.
func (d *Desk) lower(text []byte, ascii bool) *[]byte {
	buffer, _ := d.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	if !ascii || bytes.Contains(text, []byte("\u212a")) || bytes.Contains(text, []byte("\u0130")) {
		*buffer = append((*buffer)[:0], bytes.ToLower(text)...)
		return buffer
	}
	out := slices.Grow((*buffer)[:0], len(text))[:len(text)]
	for i, b := range text {
		small := b | 0x20
		if b-'A' >= 26 {
			small = b
		}
		out[i] = small // without a branch, which would be guessed wrongly at each capital
	}
	*buffer = out
	return buffer
}

// putBuffer puts a buffer back, unless it is a long file's.
func putBuffer(pool *sync.Pool, buffer *[]byte) {
	if cap(*buffer) <= intake.BatchBytes {
		pool.Put(buffer)
	}
}

package index

import (
	"bytes"
	"kist/index/intake"
	"kist/index/match"
	"kist/index/page"
	"slices"
	"strings"
	"sync"
)

// A check is a phrase that a file's live text must have, or must not have.
type check struct {
	phrase match.Phrase
	fields page.Fields
	not    bool
	may    map[int32]bool // the files that can have it; nil: any

	text     string         // of the query
	together bool           // the index has told that its words stand together
	unsure   map[int32]bool // but for these files
}

// passes reports whether a file's live text passes all checks.
func (s *search) passes(file int32, checks []check) (bool, error) {
	checks = slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.not && c.may != nil && !c.may[file] })
	if len(checks) == 0 {
		return true, nil
	}
	path := s.view.Paths[file]
	release, err := s.index.files.HoldPath(s.ctx, path)
	if err != nil {
		return false, err
	}
	defer release()
	if slices.ContainsFunc(checks, func(c check) bool { return c.fields != 0 }) {
		f, err := s.index.files.Reader().Read(path)
		return err == nil && passes(f, checks), err
	}
	text, _, err := s.index.files.Source.ReadHead(path, page.MaxFile)
	if err != nil {
		return false, err
	}
	ascii := !slices.ContainsFunc(checks, func(c check) bool { return !c.phrase.ASCII() })
	buffer := s.index.lower(text, ascii)
	defer putBuffer(&s.index.buffers, buffer)
	return !slices.ContainsFunc(checks, func(c check) bool { return c.phrase.In(*buffer) == c.not }), nil
}

// lower returns text in lower case, in a buffer for the caller to put back. Where
// ASCII phrases only are looked for, other letters needn't be: their case makes no
// difference to where a word begins and ends, and they take ten times as long. Two of
// them become ASCII: the sign for kelvin and the I with a dot.
func (x *Index) lower(text []byte, ascii bool) *[]byte {
	buffer, _ := x.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	if !ascii || bytes.Contains(text, []byte("\u212a")) || bytes.Contains(text, []byte("\u0130")) {
		*buffer = append((*buffer)[:0], bytes.ToLower(text)...)
		return buffer
	}
	out := slices.Grow((*buffer)[:0], len(text))[:len(text)]
	for i, b := range text {
		if b-'A' < 26 {
			b |= 0x20
		}
		out[i] = b
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

// passes is search.passes of a file that was read.
func passes(f *page.File, checks []check) bool {
	return !slices.ContainsFunc(checks, func(c check) bool { return has(f, c) == c.not })
}

func has(f *page.File, c check) bool {
	if c.fields == 0 {
		return c.phrase.In(bytes.ToLower(f.Raw))
	}
	if c.fields.Has(page.FieldTitle) && c.phrase.In([]byte(strings.ToLower(f.Title))) {
		return true
	}
	return slices.ContainsFunc(f.Sections, func(s page.Part) bool {
		return c.fields.Has(page.FieldHeadings) && c.phrase.In([]byte(strings.ToLower(strings.Join(s.Headings, "\n")))) ||
			c.fields.Has(page.FieldBody) && c.phrase.In(bytes.ToLower(f.Text[min(s.Content, s.End):s.End]))
	})
}

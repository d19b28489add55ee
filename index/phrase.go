package index

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"kist/index/sift"
)

// A phrase is a sequence of words, compared without regard to case and to what
// stands between them.
type phrase [][]byte

func newPhrase(text string) phrase {
	var p phrase
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWordRune(r) }) {
		p = append(p, []byte(w))
	}
	return p
}

// find returns the span of the first occurrence at or after from in text that is
// in lower case already; ok is false where there is none.
func (p phrase) find(lower []byte, from int) (s Span, ok bool) {
	if len(p) == 0 {
		return s, false
	}
	for at := from; ; {
		i := bytes.Index(lower[at:], p[0])
		if i < 0 {
			return s, false
		}
		start := at + i
		if startsWord(lower, start) {
			if end, ok := p.match(lower, start); ok {
				return Span{start, end}, true
			}
		}
		at = start + len(p[0])
	}
}

// match reports whether the phrase is at start, and where it ends.
func (p phrase) match(lower []byte, start int) (end int, ok bool) {
	at := start
	for i, w := range p {
		if i > 0 {
			gap := at
			for at < len(lower) {
				r, n := utf8.DecodeRune(lower[at:])
				if isWordRune(r) {
					break
				}
				at += n
			}
			if at == gap && !unbounded(w) {
				return 0, false
			}
		}
		if !bytes.HasPrefix(lower[at:], w) {
			return 0, false
		}
		at += len(w)
	}
	if r, _ := utf8.DecodeRune(lower[at:]); at < len(lower) && isWordRune(r) && !sift.Unspaced(r) {
		return 0, false
	}
	return at, true
}

func startsWord(text []byte, at int) bool {
	r, _ := utf8.DecodeLastRune(text[:at])
	first, _ := utf8.DecodeRune(text[at:])
	return at == 0 || !isWordRune(r) || sift.Unspaced(first) || sift.Unspaced(r)
}

func unbounded(word []byte) bool {
	r, _ := utf8.DecodeRune(word)
	return sift.Unspaced(r)
}

// lowered returns text in lower case with every offset unchanged, or false for
// the few texts where the lower case has another length.
func lowered(text []byte) ([]byte, bool) {
	l := bytes.ToLower(text)
	return l, len(l) == len(text)
}

// A check is a phrase that a file's live text must have, or must not have.
type check struct {
	phrase phrase
	fields fieldSet
	not    bool
	may    map[int32]bool // the files that can have it; nil: any
}

// passes reports whether a file's live text passes all checks.
func (s *search) passes(file int32, checks []check) (bool, error) {
	checks = slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.not && c.may != nil && !c.may[file] })
	if len(checks) == 0 {
		return true, nil
	}
	path := s.view.paths[file]
	release, err := holdPath(s.ctx, s.index, path)
	if err != nil {
		return false, err
	}
	defer release()
	if slices.ContainsFunc(checks, func(c check) bool { return c.fields != 0 }) {
		f, err := s.index.readFile(path)
		return err == nil && f.passes(checks), err
	}
	text, _, err := s.index.source.ReadHead(path, maxFile)
	if err != nil {
		return false, err
	}
	ascii := !slices.ContainsFunc(checks, func(c check) bool { return !c.phrase.ascii() })
	buffer := s.index.lower(text, ascii)
	defer putBuffer(&s.index.buffers, buffer)
	return !slices.ContainsFunc(checks, func(c check) bool { return c.phrase.in(*buffer) == c.not }), nil
}

// ascii reports whether a phrase has ASCII letters only.
func (p phrase) ascii() bool {
	return !slices.ContainsFunc(p, func(w []byte) bool { return bytes.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) })
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
	if cap(*buffer) <= batchBytes {
		pool.Put(buffer)
	}
}

// passes is search.passes for checks of single fields.
func (f *file) passes(checks []check) bool {
	return !slices.ContainsFunc(checks, func(c check) bool { return f.has(c) == c.not })
}

func (f *file) has(c check) bool {
	if c.fields == 0 {
		return c.phrase.in(bytes.ToLower(f.text))
	}
	if c.fields.has(fieldTitle) && c.phrase.in([]byte(strings.ToLower(f.title))) {
		return true
	}
	return slices.ContainsFunc(f.sections, func(s section) bool {
		return c.fields.has(fieldHeadings) && c.phrase.in([]byte(strings.ToLower(f.headingText(s)))) ||
			c.fields.has(fieldBody) && c.phrase.in(bytes.ToLower(f.text[min(s.content, s.end):s.end]))
	})
}

// in reports whether text in lower case has the phrase.
func (p phrase) in(lower []byte) bool {
	_, ok := p.find(lower, 0)
	return ok
}

package link

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kist/vault/markdown"
)

// Headings are the sections of a document by what anchors call them.
type Headings struct {
	sections []markdown.Section
	named    map[string][]int // by [Plain] of their own headings, in order
	bare     map[string][]int // by what is left of that without punctuation
	slugs    map[string]int   // the first of each
}

// NewHeadings makes them ready to be looked for.
func NewHeadings(sections []markdown.Section) *Headings {
	h := &Headings{sections: sections, named: map[string][]int{}, bare: map[string][]int{}, slugs: map[string]int{}}
	for i, s := range sections {
		if s.Level > 0 {
			name := Plain(s.Heading())
			h.named[name] = append(h.named[name], i)
			h.bare[bare(name)] = append(h.bare[bare(name)], i)
		}
	}
	for i, slug := range slices.Backward(Slugs(sections)) {
		h.slugs[slug] = i
	}
	return h
}

// Find finds the section that an anchor means: a heading as wiki links write it, the
// headings that it is below before it ("A#B"), or the address that web pages make of it. Where
// none is so called, punctuation doesn't count, as Obsidian writes such links.
func (h *Headings) Find(anchor string) (int, bool) {
	parts := strings.Split(anchor, "#")
	last := Plain(parts[len(parts)-1])
	for _, i := range slices.Concat(h.named[last], h.bare[bare(last)]) {
		if below(h.sections[i].Path, parts) {
			return i, true
		}
	}
	if i, ok := h.slugs[strings.ToLower(anchor)]; ok && anchor != "" {
		return i, true
	}
	return 0, false
}

// below reports whether parts are headings of a path, in its order, the last one its own.
func below(path, parts []string) bool {
	at, ok := align(path, parts)
	return ok && len(at) > 0
}

// align says which heading of a path each part is.
func align(path, parts []string) ([]int, bool) {
	if at, ok := alignBy(Plain, path, parts); ok {
		return at, true
	}
	return alignBy(bare, path, parts)
}

func alignBy(form func(string) string, path, parts []string) ([]int, bool) {
	at := make([]int, len(parts))
	i := len(path) - 1
	for j := len(parts) - 1; j >= 0; j-- {
		want := form(parts[j])
		for j < len(parts)-1 && i >= 0 && form(path[i]) != want {
			i--
		}
		if i < 0 || want == "" || form(path[i]) != want {
			return nil, false
		}
		at[j] = i
		i--
	}
	return at, true
}

// Plain is what headings in links are compared by: without what links can't hold, in lower
// case and with single blanks.
func Plain(heading string) string { return strings.ToLower(InLink(heading)) }

// bare is [Plain] with blanks for all the punctuation that Obsidian leaves out of such links.
func bare(heading string) string {
	return strings.Join(strings.FieldsFunc(Plain(heading), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("!\"$&()*+,.;<=>?@`{}~/", r)
	}), " ")
}

// InLink is a heading as it can stand in a wiki link.
func InLink(heading string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("#|^[]:%\\", r) {
			return ' '
		}
		return r
	}, heading)), " ")
}

// Slugs are the addresses of headings as web pages have them: lower case, "-" for blanks,
// no punctuation, a number for the second of a name. The preamble has none.
func Slugs(sections []markdown.Section) []string {
	slugs, taken := make([]string, len(sections)), map[string]int{}
	for i, s := range sections {
		if s.Level == 0 {
			continue
		}
		slug := Slug(s.Heading())
		n := taken[slug]
		taken[slug]++
		if n > 0 {
			slug += "-" + strconv.Itoa(n)
		}
		slugs[i] = slug
	}
	return slugs
}

// Slug is the address of a heading.
func Slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

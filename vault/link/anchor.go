package link

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kist/vault/markdown"
)

// Heading finds the section that an anchor means: a heading as wiki links write it, the
// headings that it is below before it ("A#B"), or the address that web pages make of it.
func Heading(sections []markdown.Section, anchor string) (int, bool) {
	parts := strings.Split(anchor, "#")
	for i, s := range sections {
		if s.Level > 0 && below(s.Path, parts) {
			return i, true
		}
	}
	if i := slices.Index(Slugs(sections), strings.ToLower(anchor)); i >= 0 && anchor != "" {
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
	at := make([]int, len(parts))
	i := len(path) - 1
	for j := len(parts) - 1; j >= 0; j-- {
		want := Plain(parts[j])
		for j < len(parts)-1 && i >= 0 && Plain(path[i]) != want {
			i--
		}
		if i < 0 || want == "" || Plain(path[i]) != want {
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

// Block finds the block that an anchor names, which starts with "^".
func Block(doc *markdown.Document, anchor string) (markdown.Block, bool) {
	name, ok := strings.CutPrefix(anchor, "^")
	for _, b := range markdown.Blocks(doc) {
		if ok && strings.EqualFold(b.Name, name) {
			return b, true
		}
	}
	return markdown.Block{}, false
}

package inline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tag is one of a document's tags where it is written.
type Tag struct {
	Span  // without "#"
	Name  string
	Front bool // in the front matter
}

// Tags returns every #tag in a line: letters, digits, _, - and /,
// not digits alone, at the start of a word.
func Tags(line []byte) (tags []Tag) {
	last, before := ' ', ' ' // the two characters before
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		i += size
		start := unicode.IsSpace(before) || before == '(' && last != ']' // "](" starts a link's target
		last, before = before, r
		if r != '#' || !start {
			continue
		}
		length, word := tagLength(line[i:])
		if word {
			name := strings.TrimRight(string(line[i:i+length]), "/")
			tags = append(tags, Tag{Span: Span{i, i + len(name)}, Name: name})
		}
		i += length
	}
	return tags
}

// tagLength returns how many bytes belong to a tag's name and whether it has more than digits.
func tagLength(text []byte) (length int, word bool) {
	for length < len(text) {
		r, size := utf8.DecodeRune(text[length:])
		switch {
		case r == utf8.RuneError && size == 1:
			return length, word
		case unicode.IsLetter(r), unicode.IsMark(r), r == '_', r == '-', r == '/', unicode.Is(unicode.So, r):
			word = word || r != '-' && r != '/'
		case !unicode.IsDigit(r):
			return length, word
		}
		length += size
	}
	return length, word
}

// A Block is a name that a link can give a block: "^name" at the end of a line.
type Block struct {
	Span // of the name, without "^"
	Name string
	Line Span // the line of text that it ends
}

// blockName matches a block name at the end of a line.
var blockName = regexp.MustCompile(`(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t\r]*$`)

// BlockName returns the block name that a line of text at an offset ends with; false: none.
func BlockName(line []byte, at int) (Block, bool) {
	m := blockName.FindSubmatchIndex(line)
	if m == nil {
		return Block{}, false
	}
	return Block{Span{at + m[2], at + m[3]}, string(line[m[2]:m[3]]), Span{at, at + len(line)}}, true
}

package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scheme matches targets that point outside of the folder, such as "https:".
var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:|^//`)

// Links returns the targets of the document's links to other files, each once,
// in order: of wiki links ([[a|b]], ![[a]]), also in the front matter, and of Markdown links and
// images with a relative or root-relative address, percent-decoded. What follows
// "#" is cut off; links within the document and to URLs are left out.
func (d *Document) Links() []string {
	set := newSet(func(s string) string { return s })
	wikiLinks(d.src[d.layout.yaml:d.layout.end], set.add)
	o := d.blocks()
	for _, t := range o.texts {
		line := o.src[t.start:t.end]
		if bytes.IndexByte(line, '[') >= 0 {
			line = maskCode(line)
			wikiLinks(line, set.add)
			markdownLinks(line, set.add)
		}
	}
	return set.list
}

// wikiLinks calls add for the targets of [[target|text]].
func wikiLinks(text []byte, add func(string)) {
	if !bytes.Contains(text, []byte("[[")) {
		return // the expression is slow
	}
	for _, m := range wikiLink.FindAllSubmatch(text, -1) {
		add(target(m[1]))
	}
}

// target cuts a wiki link's target down to the file's name.
func target(link []byte) string {
	name, _, _ := strings.Cut(string(link), "#")
	return strings.TrimSpace(strings.TrimSuffix(name, "\\")) // "\|" in a table
}

// markdownLinks calls add for the targets of [text](target "title") in a line.
func markdownLinks(line []byte, add func(string)) {
	for {
		i := bytes.Index(line, []byte("]("))
		if i < 0 {
			return
		}
		line = bytes.TrimLeft(line[i+2:], " \t")
		var dest []byte
		if len(line) > 0 && line[0] == '<' {
			end := bytes.IndexByte(line[:min(len(line), maxDestination)], '>')
			if end < 0 {
				continue
			}
			dest = line[1:end]
		} else {
			dest = line[:destinationEnd(line)]
		}
		if scheme.Match(dest) {
			continue
		}
		path, _, _ := strings.Cut(string(dest), "#")
		if decoded, err := url.PathUnescape(path); err == nil && utf8.ValidString(decoded) {
			path = decoded
		}
		add(path)
	}
}

// maxDestination is the length of the longest link target that is looked for, and
// maxParentheses how deep those in it may nest, as in the CommonMark
// specification. They keep unclosed links from being scanned to the end of the
// line again and again.
const (
	maxDestination = 1024
	maxParentheses = 32
)

// destinationEnd returns the length of the link destination that text starts
// with: up to a blank or the parenthesis that closes the link.
func destinationEnd(text []byte) int {
	depth := 0
	for i, b := range text[:min(len(text), maxDestination)] {
		switch {
		case b == '(' && depth == maxParentheses:
			return 0
		case b == '(':
			depth++
		case b == ')' && depth == 0, isBlank(b):
			return i
		case b == ')':
			depth--
		}
	}
	return 0
}

// Tags returns the document's tags without "#", each once, in order: those in
// the front matter's tags (or tag), then those in the text, such as #plan/costs. Two tags that
// differ only in case are one.
func (d *Document) Tags() []string {
	set := newSet(strings.ToLower)
	if front, err := d.FrontMatter(); err == nil && front != nil {
		for _, key := range []string{"tags", "tag"} {
			for _, value := range front.Strings(key) {
				for _, tag := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
					set.add(strings.TrimPrefix(tag, "#"))
				}
			}
		}
	}
	o := d.blocks()
	for _, t := range o.texts {
		line := o.src[t.start:t.end]
		if bytes.IndexByte(line, '#') >= 0 {
			inlineTags(maskCode(line), set.add)
		}
	}
	return set.list
}

// inlineTags calls add for every #tag in a line: letters, digits, _, - and /,
// not digits alone, at the start of a word.
func inlineTags(line []byte, add func(string)) {
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
			add(strings.TrimRight(string(line[i:i+length]), "/"))
		}
		i += length
	}
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

// maskCode returns the line with the content of code spans blanked out. A run
// of backticks that no later run on the line matches is text.
func maskCode(line []byte) []byte {
	if bytes.IndexByte(line, '`') < 0 {
		return line
	}
	last := map[int]int{} // position of the last run of each length
	for i := 0; i < len(line); {
		n := backticks(line[i:])
		if n > 0 {
			last[n] = i
		}
		i += max(n, 1)
	}
	out := bytes.Clone(line)
	for i := 0; i < len(line); {
		n := backticks(line[i:])
		if n == 0 || last[n] <= i {
			i += max(n, 1)
			continue
		}
		i += n
		for m := backticks(line[i:]); m != n; m = backticks(line[i:]) {
			for range max(m, 1) {
				out[i] = '.'
				i++
			}
		}
		i += n
	}
	return out
}

func backticks(text []byte) int {
	n := 0
	for n < len(text) && text[n] == '`' {
		n++
	}
	return n
}

// A set keeps the first of equal strings, in order.
type set struct {
	list []string
	seen map[string]bool
	key  func(string) string
}

func newSet(key func(string) string) *set { return &set{seen: map[string]bool{}, key: key} }

func (s *set) add(value string) {
	if k := s.key(value); value != "" && !s.seen[k] {
		s.seen[k] = true
		s.list = append(s.list, value)
	}
}

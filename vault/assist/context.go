package assist

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/vault/markdown"
	"kist/vault/markdown/inline"
	"kist/vault/pattern"
)

// A Kind is what is completed.
type Kind string

// The kinds.
const (
	Note    Kind = "note"    // a document to link to
	Heading Kind = "heading" // of the document Of
	Block   Kind = "block"   // of the document Of
	Tag     Kind = "tag"
	Key     Kind = "key"   // of the front matter
	Value   Kind = "value" // of the front matter's key Of
	Project Kind = "project"
	Person  Kind = "person"
	Date    Kind = "date"
)

// Kinds are all kinds.
func Kinds() []Kind {
	return []Kind{Note, Heading, Block, Tag, Key, Value, Project, Person, Date}
}

// A Blank is what a person is about to fill in.
type Blank struct {
	Kind   Kind
	Of     string // a link's target, empty for the document itself; a key
	Prefix string
	Span   markdown.Span // what a completion replaces
	Wiki   bool          // between [[ and ]], which may be missing yet
	Closed bool          // the brackets are closed
	List   bool          // a value in a list
	Bare   bool          // a block whose # isn't there: "[[note^"
}

// dateSign is what a date is written behind: the emoji of Obsidian's Tasks, or a field.
var dateSign = pattern.Lazy(`(?:[📅⏳🛫➕✅❌]\x{FE0F}? ?|\[(?:due|start|scheduled|created|completion):: ?)([0-9A-Za-z+ -]{0,20})$`)

// blank finds out what is written at a place; false: nothing that can be completed.
func blank(doc *markdown.Document, at int) (Blank, bool) {
	src := doc.Source()
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	before := src[start:at]
	if b, ok := inBrackets(src, before, at); ok {
		return b, inText(doc, start, b.Span.Start) && !opensCode(before)
	}
	front, ok := markdown.FrontSpan(doc)
	if !ok {
		front, ok = begunFront(src, start, at)
	}
	if ok && front.Start <= at && at <= front.End {
		return inFront(src, front, before, start, at)
	}
	if !inText(doc, start, at) || opensCode(before) {
		return Blank{}, false
	}
	if m := dateSign().FindSubmatch(before); m != nil {
		return Blank{Kind: Date, Prefix: string(m[1]), Span: markdown.Span{Start: at - len(m[1]), End: at}}, true
	}
	word := lastWord(before)
	lead, _ := utf8.DecodeLastRune(before[:len(before)-len(word)])
	if len(word) < len(before) && !unicode.IsSpace(lead) && lead != '(' || len(word) == 0 {
		return Blank{}, false
	}
	b := Blank{Prefix: string(word[1:]), Span: markdown.Span{Start: at - len(word) + 1, End: at}}
	switch word[0] {
	case '#':
		b.Kind = Tag
		return b, strings.Trim(b.Prefix, "#") == b.Prefix
	case '@':
		b.Kind, b.Span.Start = Person, b.Span.Start-1
		return b, true
	}
	return Blank{}, false
}

// lastWord is what stands between the last white space or parenthesis and the end.
func lastWord(line []byte) []byte {
	return line[bytes.LastIndexFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '(' })+1:]
}

// inText reports whether a place is in text and not in code, by what is on its line.
func inText(doc *markdown.Document, start, at int) bool {
	if front, ok := markdown.FrontSpan(doc); ok && at <= front.End {
		return at >= front.Start
	}
	src := doc.Source()
	end := start + bytes.IndexByte(append(bytes.Clone(src[start:]), '\n'), '\n')
	if len(bytes.TrimSpace(src[start:end])) == 0 {
		return true
	}
	for from, line := range markdown.TextLines(doc) {
		if from >= start && from < end || from < start && start < from+len(line) {
			return at-from > len(line) || at <= from || line[min(at, from+len(line))-from-1] == src[at-1]
		}
	}
	return false
}

// opensCode reports whether what is before a place opens code that nothing ends yet: a
// backtick behind white space or a parenthesis, but not that of "it`s".
func opensCode(before []byte) bool {
	end := bytes.LastIndexByte(before, '`') + 1
	start := len(bytes.TrimRight(before[:end], "`"))
	run := before[start:end]
	lead, _ := utf8.DecodeLastRune(before[:start])
	if len(run) == 0 || len(run) > 2 || start > 0 && !unicode.IsSpace(lead) && lead != '(' {
		return false
	}
	ended := inline.MaskCode(slices.Concat(before, run))
	return !bytes.Equal(ended[:len(before)], inline.MaskCode(before))
}

// inBrackets finds the wiki link that is open before a place.
func inBrackets(src, before []byte, at int) (Blank, bool) {
	i := bytes.LastIndex(before, []byte("[["))
	if i < 0 || bytes.Contains(before[i:], []byte("]]")) || bytes.IndexByte(before[i:], '|') >= 0 {
		return Blank{}, false
	}
	inner := before[i+2:]
	b := Blank{Kind: Note, Wiki: true, Prefix: string(inner), Span: markdown.Span{Start: at - len(inner), End: at}}
	if hash := bytes.IndexByte(inner, '#'); hash >= 0 {
		b.Kind, b.Of = Heading, strings.TrimSpace(string(inner[:hash]))
		b.Prefix = string(inner[hash+1:])
	} else if hat := bytes.IndexByte(inner, '^'); hat >= 0 { // "[[note^" is taken for "[[note#^"
		b.Kind, b.Of, b.Bare = Block, strings.TrimSpace(string(inner[:hat])), true
		b.Prefix = string(inner[hat:])
	}
	if strings.HasPrefix(b.Prefix, "^") && b.Kind != Note {
		b.Kind, b.Prefix = Block, b.Prefix[1:]
	}
	b.Span.Start = at - len(b.Prefix)
	if b.Bare {
		b.Span.Start -= len("^") // it gets its # with the name
	}
	rest := src[at:]
	if eol := bytes.IndexByte(rest, '\n'); eol >= 0 {
		rest = rest[:eol]
	}
	closing, opening := bytes.Index(rest, []byte("]]")), bytes.Index(rest, []byte("[["))
	b.Closed = closing >= 0 && (opening < 0 || closing < opening)
	if b.Closed { // what is left of the word goes with it
		tail := rest[:closing]
		if end := bytes.IndexAny(tail, "|#"); end >= 0 {
			tail = tail[:end]
		}
		b.Span.End += len(tail)
	}
	return b, true
}

// begunFront is front matter that is being written and has no end yet: from the first line to
// a place, with nothing but keys and items before the place's own line.
func begunFront(src []byte, start, at int) (markdown.Span, bool) {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	if string(bytes.TrimRight(first, "\r")) != "---" || start <= len(first) {
		return markdown.Span{}, false
	}
	for line := range bytes.Lines(src[len(first)+1 : start]) {
		if !frontKey().Match(line) && !bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- ")) {
			return markdown.Span{}, false
		}
	}
	return markdown.Span{Start: len(first) + 1, End: at}, true
}

var frontKey = pattern.Lazy(`^([A-Za-z0-9_-]+):[ \t]*`)

// inFront finds out what is written in the front matter.
func inFront(src []byte, front markdown.Span, before []byte, start, at int) (Blank, bool) {
	if m := frontKey().FindSubmatchIndex(before); m != nil {
		value := before[m[1]:]
		list := bytes.HasPrefix(value, []byte("["))
		if list {
			value = bytes.TrimLeft(value[bytes.LastIndexAny(value, "[,")+1:], " ")
		}
		return valueOf(string(before[m[2]:m[3]]), value, at, list)
	}
	if item, ok := bytes.CutPrefix(bytes.TrimLeft(before, " "), []byte("- ")); ok {
		key := ""
		for end := start; end > front.Start; {
			from := bytes.LastIndexByte(src[:end-1], '\n') + 1
			if m := frontKey().FindSubmatch(src[from:end]); m != nil {
				key = string(m[1])
				break
			}
			end = from
		}
		return valueOf(key, item, at, true)
	}
	if bytes.ContainsAny(before, " \t:\"'") {
		return Blank{}, false
	}
	return Blank{Kind: Key, Prefix: string(before), Span: markdown.Span{Start: start, End: at}}, true
}

func valueOf(key string, value []byte, at int, list bool) (Blank, bool) {
	value = bytes.TrimLeft(value, "\"'#")
	b := Blank{Kind: Value, Of: key, Prefix: string(value), Span: markdown.Span{Start: at - len(value), End: at}, List: list}
	return b, key != ""
}

package inline

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WikiLink matches a wiki link: its target, and its text.
var WikiLink = regexp.MustCompile(`!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]`)

// scheme matches targets that point outside of the folder, such as "https:".
var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:|^//`)

// A Span is a half-open range of a document's bytes.
type Span struct{ Start, End int }

// A Kind is how a link is written.
type Kind int

// The ways to write a link.
const (
	Wiki       Kind = iota // [[name#fragment|text]]
	Address                // [text](path#fragment "title")
	Definition             // [label]: path#fragment
)

// A Link is one link to another file, or to a place in the document itself.
type Link struct {
	Kind     Kind
	Embed    bool   // with "!" before it
	Front    bool   // in the front matter
	Angled   bool   // a Markdown link's target is in <>
	Quote    byte   // of the front matter's text that it is in, ' or "; 0: of none
	All      Span   // the whole link
	Target   Span   // what says the file, as written; empty for a place in the document
	Fragment Span   // what is behind "#", as written; empty where there is none
	Hash     bool   // there is a "#"
	Name     string // the target, decoded
	Anchor   string // the fragment, decoded
}

// WikiLinks yields the wiki links of a text that starts at an offset: [[target|text]]. It is
// false when there are to be no more. Front says that the text is front matter.
func WikiLinks(text []byte, at int, front bool, yield func(Link) bool) bool {
	if !bytes.Contains(text, []byte("[[")) {
		return true // the expression is slow
	}
	var quotes quotes
	for _, m := range WikiLink.FindAllSubmatchIndex(text, -1) {
		if !front && text[m[0]] == '[' && escaped(text, m[0]) {
			continue // "\[[a]]"
		}
		l := Link{Kind: Wiki, Front: front, Embed: text[m[0]] == '!', All: Span{at + m[0], at + m[1]}}
		inner := bytes.TrimSuffix(text[m[2]:m[3]], []byte("\\")) // "\|" in a table
		name, fragment, hash := bytes.Cut(inner, []byte("#"))
		l.Target, l.Hash = trimmed(name, at+m[2]), hash
		if l.Fragment = (Span{l.Target.End, l.Target.End}); hash {
			l.Fragment = trimmed(fragment, at+m[2]+len(name)+1)
		}
		l.Name, l.Anchor = string(text[l.Target.Start-at:l.Target.End-at]), string(text[l.Fragment.Start-at:l.Fragment.End-at])
		if front {
			l.Quote = quotes.before(text, m[0])
			l.Name, l.Anchor = unquoted(l.Name, l.Quote), unquoted(l.Anchor, l.Quote)
		}
		if !yield(l) {
			return false
		}
	}
	return true
}

// escaped reports whether what is at a position has a backslash before it that counts.
func escaped(text []byte, at int) bool {
	n := 0
	for n < at && text[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// quotes finds the quotes that open texts of the front matter, going over it once.
type quotes struct {
	at   int
	last byte
}

// before returns the quote that opens the text which goes on behind an offset, 0 for none.
// Offsets have to grow.
func (q *quotes) before(text []byte, end int) byte {
	for ; q.at < end; q.at++ {
		switch b := text[q.at]; {
		case b == '\n':
			q.last = 0
		case (b == '\'' || b == '"') && (q.at == 0 || bytes.IndexByte([]byte(" \t[{,:-\n"), text[q.at-1]) >= 0):
			q.last = b
		}
	}
	return q.last
}

// unquoted is a part of a quoted text of the front matter without the commonest escapes.
func unquoted(s string, quote byte) string {
	switch {
	case quote == '\'':
		return strings.ReplaceAll(s, "''", "'")
	case quote == '"' && strings.Contains(s, `\`):
		return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s)
	}
	return s
}

// trimmed is the span of a text at an offset without the white space around it.
func trimmed(text []byte, at int) Span {
	lead := len(text) - len(bytes.TrimLeftFunc(text, unicode.IsSpace))
	return Span{at + lead, at + lead + len(bytes.TrimSpace(text))}
}

// Links yields the links [text](target "title") of a line that starts at an offset,
// and the one of a link reference definition. It is false when there are to be no more.
func Links(line []byte, at int, yield func(Link) bool) bool {
	if i := definitionTarget(line); i > 0 {
		if l, ok := destination(line, i, at, true); ok {
			l.Kind, l.All.Start = Definition, at
			return yield(l)
		}
		return true
	}
	for from := 0; ; {
		i := bytes.Index(line[from:], []byte("]("))
		if i < 0 {
			return true
		}
		closing := from + i
		from = closing + 2
		l, ok := destination(line, from, at, false)
		if !ok {
			continue
		}
		l.All.Start = at + openBracket(line, closing)
		if l.Embed = l.All.Start > at && line[l.All.Start-at-1] == '!'; l.Embed {
			l.All.Start--
		}
		if !yield(l) {
			return false
		}
	}
}

// definitionTarget returns where the destination of a definition ("[label]: a.md") starts that
// a line is, else 0. Footnotes are none.
func definitionTarget(line []byte) int {
	if len(line) < 4 || line[0] != '[' || line[1] == '^' {
		return 0
	}
	i := bytes.IndexByte(line, ']')
	if i < 2 || i+1 >= len(line) || line[i+1] != ':' {
		return 0
	}
	return i + 2
}

// openBracket returns the position of the bracket that the one at closing belongs to, or
// closing where there is none near enough.
func openBracket(line []byte, closing int) int {
	depth := 0
	for i := closing - 1; i >= max(0, closing-maxDestination); i-- {
		switch {
		case line[i] == ']':
			depth++
		case line[i] == '[' && depth == 0:
			return i
		case line[i] == '[':
			depth--
		}
	}
	return closing
}

// destination reads the link destination that a line has at a position, blanks before it
// aside; false: there is none, or it leads out of the folder. Last says that it may end with
// the line.
func destination(line []byte, from, at int, last bool) (l Link, ok bool) {
	rest := bytes.TrimLeft(line[from:], " \t")
	from = len(line) - len(rest)
	l = Link{Kind: Address, Angled: len(rest) > 0 && rest[0] == '<'}
	length := 0
	if l.Angled {
		from, rest = from+1, rest[1:]
		if length = bytes.IndexByte(rest[:min(len(rest), maxDestination)], '>'); length < 0 {
			return l, false
		}
	} else if length = destinationEnd(rest); length == 0 && last && len(rest) < maxDestination && !bytes.ContainsAny(rest, " \t()") {
		length = len(rest)
	}
	dest := rest[:length]
	if length == 0 || scheme.Match(dest) {
		return l, false
	}
	name, fragment, hash := bytes.Cut(dest, []byte("#"))
	l.Target, l.Hash = Span{at + from, at + from + len(name)}, hash
	if l.Fragment = (Span{l.Target.End, l.Target.End}); hash {
		l.Fragment = Span{l.Target.End + 1, l.Target.End + 1 + len(fragment)}
	}
	l.All = Span{at + from, at + from + length}
	if i := bytes.IndexByte(rest[length:min(len(rest), length+maxDestination)], ')'); i >= 0 {
		l.All.End += i + 1
	}
	l.Name, l.Anchor = unescaped(name), unescaped(fragment)
	return l, true
}

// unescaped is an address, percent-decoded where that gives a text.
func unescaped(address []byte) string {
	if decoded, err := url.PathUnescape(string(address)); err == nil && utf8.ValidString(decoded) {
		return decoded
	}
	return string(address)
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
		case b == ')' && depth == 0, b == ' ', b == '\t':
			return i
		case b == ')':
			depth--
		}
	}
	return 0
}

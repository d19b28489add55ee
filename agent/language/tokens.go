package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Token is a word, a number or a mark of punctuation.
type Token struct {
	Norm       string // lower case, straight apostrophes
	Start, End int    // bytes of the text; the parts of a contraction share them
	Word       bool   // a word or a number
	Quoted     bool   // between quotation marks: said by somebody, or a name
	Gap        bool   // white space before it
	Named      bool   // of a project's whole name: "next" in Next Step
}

// maxTokens bounds the work on one message. What lies beyond is not read for
// commands.
const maxTokens = 2000

// Tokenize cuts text into tokens. White space and control characters are left
// out, except newlines, which are punctuation.
func Tokenize(text string) []Token {
	toks := cut(text, maxTokens)
	markQuotes(toks)
	if isGerman(toks) {
		return glossed(toks)
	}
	toks = apostrophised(toks)
	spellShort(toks)
	for i, t := range toks {
		if t.Word && !t.Quoted && len(t.Norm) >= 4 {
			toks[i].Norm = respell(t.Norm)
		}
	}
	return toks
}

// Words are the words and marks of a text of any length and kind as they stand there, with
// contractions taken apart.
func Words(text string) []Token { return cut(text, len(text)) }

func cut(text string, most int) []Token {
	var toks []Token
	gap := true
	for i := 0; i < len(text) && len(toks) < most; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			toks = append(toks, Token{Norm: "\n", Start: i, End: i + 1, Gap: true})
			gap = true
			i += size
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200b' || r == '\ufeff':
			gap = true
			i += size
		case gap && addressEnd(text, i) > i:
			end := addressEnd(text, i)
			toks = append(toks, Token{Norm: strings.ToLower(text[i:end]), Start: i, End: end, Word: true, Gap: true})
			gap, i = false, end
		case IsWordRune(r):
			end := wordEnd(text, i)
			toks = append(toks, expand(text[i:end], i, end, gap)...)
			gap = false
			i = end
		default:
			toks = append(toks, Token{Norm: mark(r), Start: i, End: i + size, Gap: gap})
			gap = false
			i += size
		}
	}
	return toks
}

// addressEnd is where an address of the web ends that begins at i, or i: there is none. It is
// one word, whatever stands in it.
func addressEnd(text string, i int) int {
	rest := text[i:min(len(text), i+2048)]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "www.") {
		return i
	}
	if n := strings.IndexFunc(rest, unicode.IsSpace); n >= 0 {
		rest = rest[:n]
	}
	return i + len(strings.TrimRight(rest, ".,;:!?)]}\"'>”’"))
}

// spellShort reads "2" as "to" between a verb of motion and a name, and "4" as
// "for" before a time.
func spellShort(toks []Token) {
	for i, t := range toks {
		if i == 0 || i+1 >= len(toks) || t.Quoted || !toks[i-1].Word || !toks[i+1].Word {
			continue
		}
		switch {
		case t.Norm == "2" && (Class("<goverb>", toks[i-1].Norm) || In("over|back|on|want|need|have|got|going|like|talk|speak|up", toks[i-1].Norm)) && !strings.HasSuffix(toks[i+1].Norm, "s"):
			toks[i].Norm = "to"
		}
	}
}

// apostrophised reads "its" as "it is" where it owns nothing: "its 10 June now", "its due on
// Friday", not "its due date".
func apostrophised(toks []Token) []Token {
	for i := 0; i+1 < len(toks); i++ {
		if toks[i].Norm != "its" || toks[i].Quoted || !behindIs(toks[i+1:]) {
			continue
		}
		is := toks[i]
		is.Norm, is.Gap = "is", false
		toks[i].Norm = "it"
		toks = slices.Insert(toks, i+1, is)
	}
	return toks
}

// behindIs: what follows can stand behind "it is", and is nothing that it has: "due", not "due date".
func behindIs(toks []Token) bool {
	next := toks[0].Norm
	return Digital(next) || In("due|now|not|on|at|in|by|the|a|an|been|done|finished|still|only|too|about|for|called|because|ok|okay|fine|just|from|over", next)
}

// respell mends a slip of the fingers in the words that commands are made of: two
// letters swapped, one missing, one doubled. Another letter would make other words
// of them: stitch, swatch, twitch.
func respell(w string) string {
	if known(w) {
		return w
	}
	for _, right := range commandWords() {
		if d := len(right) - len(w); d >= -1 && d <= 1 && w[0] == right[0] && slipped(w, right) {
			return right
		}
	}
	return w
}

// slipped reports whether w is right with one letter missing, one letter twice or
// two neighbours swapped.
func slipped(w, right string) bool {
	i := 0
	for i < len(w) && i < len(right) && w[i] == right[i] {
		i++
	}
	switch len(right) - len(w) {
	case 1:
		return w[i:] == right[i+1:]
	case -1:
		return i > 0 && w[i] == w[i-1] && w[i+1:] == right[i:]
	case 0:
		return i+1 < len(w) && w[i] == right[i+1] && w[i+1] == right[i] && w[i+2:] == right[i+2:]
	}
	return false
}

// IsWordRune: the letter, mark or digit belongs to a word.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd finds the end of a word that may hold inner apostrophes, hyphens,
// and in numbers dots, commas, colons and slashes.
func wordEnd(text string, i int) int {
	number := text[i] >= '0' && text[i] <= '9'
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if IsWordRune(r) {
			i += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		inner := r == '\'' || r == '’' || r == '-' || r == '_' || number && strings.ContainsRune(".,:/", r)
		if !inner || !IsWordRune(next) || number && r != '-' && !unicode.IsDigit(next) {
			return i
		}
		i += size
	}
	return i
}

// mark gives typographic punctuation its plain form.
func mark(r rune) string {
	switch r {
	case '“', '”', '„', '«', '»', '`', '″':
		return `"`
	case '‘', '’':
		return "'"
	case '–', '—':
		return "-"
	case '…':
		return "."
	case '•', '*':
		return "-"
	}
	return string(r)
}

// expand lower-cases a word and takes contractions apart.
func expand(text string, start, end int, gap bool) []Token {
	norm := strings.ReplaceAll(strings.ToLower(text), "’", "'")
	parts, ok := contractions()[norm]
	if !ok {
		parts = Expand(norm)
	}
	var out []Token
	for i, p := range parts {
		out = append(out, Token{Norm: p, Start: start, End: end, Word: true, Gap: gap && i == 0})
	}
	return out
}

// markQuotes marks the words between double quotation marks, and between single
// ones that stand where quotation marks do. A mark without its partner quotes
// nothing.
func markQuotes(toks []Token) {
	open := -1
	for i, t := range toks {
		if t.Word || t.Norm != `"` && t.Norm != "'" {
			continue
		}
		switch {
		case open < 0:
			if t.Norm == `"` || t.Gap {
				open = i
			}
		case toks[open].Norm == t.Norm:
			for j := open + 1; j < i; j++ {
				toks[j].Quoted = true
			}
			open = -1
		}
	}
}

// In reports whether w is one of the words of a list separated by bars.
func In(list, w string) bool {
	for {
		item, rest, more := strings.Cut(list, "|")
		if item == w {
			return true
		}
		if !more {
			return false
		}
		list = rest
	}
}

package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a number or a mark of punctuation.
type token struct {
	norm       string // lower case, straight apostrophes
	start, end int    // bytes of the text; the parts of a contraction share them
	word       bool   // a word or a number
	quoted     bool   // between quotation marks: said by somebody, or a name
	gap        bool   // white space before it
	named      bool   // of a project's whole name: "next" in Next Step
}

// maxTokens bounds the work on one message. What lies beyond is not read for
// commands.
const maxTokens = 2000

// tokenize cuts text into tokens. White space and control characters are left
// out, except newlines, which are punctuation.
func tokenize(text string) []token {
	var toks []token
	gap := true
	for i := 0; i < len(text) && len(toks) < maxTokens; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			toks = append(toks, token{norm: "\n", start: i, end: i + 1, gap: true})
			gap = true
			i += size
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200b' || r == '\ufeff':
			gap = true
			i += size
		case isWordRune(r):
			end := wordEnd(text, i)
			toks = append(toks, expand(text[i:end], i, end, gap)...)
			gap = false
			i = end
		default:
			toks = append(toks, token{norm: mark(r), start: i, end: i + size, gap: gap})
			gap = false
			i += size
		}
	}
	markQuotes(toks)
	spellShort(toks)
	for i, t := range toks {
		if t.word && !t.quoted && len(t.norm) >= 4 {
			toks[i].norm = respell(t.norm)
		}
	}
	return toks
}

// spellShort reads "2" as "to" between a verb of motion and a name, and "4" as
// "for" before a time.
func spellShort(toks []token) {
	for i, t := range toks {
		if i == 0 || i+1 >= len(toks) || t.quoted || !toks[i-1].word || !toks[i+1].word {
			continue
		}
		switch {
		case t.norm == "2" && (class("<goverb>", toks[i-1].norm) || in("over|back|on|want|need|have|got|going|like|talk|speak|up", toks[i-1].norm)) && !strings.HasSuffix(toks[i+1].norm, "s"):
			toks[i].norm = "to"
		case t.norm == "4" && in("now|a|today|later|the|this", toks[i+1].norm):
			toks[i].norm = "for"
		}
	}
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
	}
	return i+1 < len(w) && w[i] == right[i+1] && w[i+1] == right[i] && w[i+2:] == right[i+2:]
}

func commandWords() []string {
	return []string{"switch", "talk", "want", "about", "project", "projects", "discuss", "return", "continue", "rename", "archive", "delete", "merge", "remember", "remind", "forecast", "create", "change",
		"complete", "decided", "forget", "tasks", "please", "working", "talking", "status", "update", "missing", "previous", "remove", "finished", "should", "would", "could", "what", "when", "where"}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd finds the end of a word that may hold inner apostrophes, hyphens,
// and in numbers dots, commas, colons and slashes.
func wordEnd(text string, i int) int {
	number := text[i] >= '0' && text[i] <= '9'
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if isWordRune(r) {
			i += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		inner := r == '\'' || r == '’' || r == '-' || r == '_' || number && strings.ContainsRune(".,:/", r)
		if !inner || !isWordRune(next) || number && r != '-' && !unicode.IsDigit(next) {
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
func expand(text string, start, end int, gap bool) []token {
	norm := strings.ReplaceAll(strings.ToLower(text), "’", "'")
	parts := []string{norm}
	if whole, ok := wholeContraction(norm); ok {
		parts = strings.Fields(whole)
	} else if base, ok := strings.CutSuffix(norm, "n't"); ok {
		parts = []string{base, "not"}
	} else if base, tail, ok := strings.Cut(norm, "'"); ok && contractible(base, tail) {
		parts = []string{base, suffixWord(tail)}
	}
	var out []token
	for i, p := range parts {
		out = append(out, token{norm: p, start: start, end: end, word: true, gap: gap && i == 0})
	}
	return out
}

func wholeContraction(w string) (string, bool) {
	switch w {
	case "won't":
		return "will not", true
	case "can't", "cannot", "cant":
		return "can not", true
	case "shan't":
		return "shall not", true
	case "dont":
		return "do not", true
	case "let's", "lets":
		return "let us", true
	case "gonna":
		return "going to", true
	case "wanna":
		return "want to", true
	case "gotta":
		return "got to", true
	case "i'm", "im":
		return "i am", true
	case "ive":
		return "i have", true
	case "whats":
		return "what is", true
	case "gimme":
		return "give me", true
	case "lemme":
		return "let me", true
	case "thats":
		return "that is", true
	}
	return shorthand(w)
}

// shorthand spells out what people type on telephones.
func shorthand(w string) (string, bool) {
	switch w {
	case "bck":
		return "back", true
	case "prev":
		return "previous", true
	case "nxt":
		return "next", true
	case "w":
		return "with", true
	case "u":
		return "you", true
	case "wld":
		return "would", true
	case "cld":
		return "could", true
	case "ppl":
		return "people", true
	case "abt":
		return "about", true
	case "tmrw", "tmr":
		return "tomorrow", true
	case "insted", "instd":
		return "instead", true
	case "rn":
		return "right now", true
	case "didnt", "doesnt", "isnt", "wasnt", "arent", "werent", "hasnt", "havent", "hadnt", "shouldnt", "wouldnt", "couldnt", "mustnt":
		return strings.TrimSuffix(w, "nt") + " not", true
	}
	return "", false
}

// contractible tells "what's" from "sister's": 's is a verb only after words
// that can't own anything.
func contractible(base, tail string) bool {
	switch tail {
	case "re", "ve", "ll", "d":
		return true
	case "s":
		return in("what|who|where|when|how|why|that|it|there|here|he|she|everything|nothing", base)
	}
	return false
}

func suffixWord(tail string) string {
	switch tail {
	case "re":
		return "are"
	case "ve":
		return "have"
	case "ll":
		return "will"
	case "d":
		return "would"
	}
	return "is"
}

// markQuotes marks the words between double quotation marks, and between single
// ones that stand where quotation marks do. A mark without its partner quotes
// nothing.
func markQuotes(toks []token) {
	open := -1
	for i, t := range toks {
		if t.word || t.norm != `"` && t.norm != "'" {
			continue
		}
		switch {
		case open < 0:
			if t.norm == `"` || t.gap {
				open = i
			}
		case toks[open].norm == t.norm:
			for j := open + 1; j < i; j++ {
				toks[j].quoted = true
			}
			open = -1
		}
	}
}

// in reports whether w is one of the words of a list separated by bars.
func in(list, w string) bool {
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

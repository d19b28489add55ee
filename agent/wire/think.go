package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A thinker tells thoughts that a model writes into its text from what it says. They stand
// between tags whose name is a word for thinking, which begin a line, or up to such a tag
// where the one before them stood in the prompt; or in channels: see harmony. What stands
// in code isn't looked at.
type thinker struct {
	out  []bit
	held string // what may be the beginning of a tag, or one whose meaning what follows decides

	tag      string // the end of the thoughts that last; empty: it speaks
	line     string // what this line begins with: at most three characters that aren't blanks before
	last     rune   // said in this line; 0: none
	ticks    int    // in this line
	fenced   bool   // the line is in a block of code
	spoke    bool   // something was said, so that blanks before it count
	thoughts bool   // there were some
	named    bool   // a tag was spoken of: its end may be too
	channels bool   // what comes are messages with channels
	header   bool   // of a message, is being read
	head     string
}

// A bit of a text is said, or thought; or says that all before it was thought.
type bit struct {
	text          string
	thought, back bool
}

// add takes the next piece and returns what it, and what was held, is.
func (t *thinker) add(piece string) []bit {
	text := t.held + piece
	t.held, t.out = "", nil
	for text != "" {
		at := strings.IndexAny(text, "<[◁")
		if at < 0 {
			at = len(text)
		}
		t.put(text[:at])
		if text = text[at:]; text == "" {
			break
		}
		n, more := t.read(text)
		if more {
			t.held = text
			break
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text)
			t.put(text[:n])
		}
		text = text[n:]
	}
	return t.out
}

// flush returns what was held when nothing more comes.
func (t *thinker) flush() []bit {
	text := t.held
	t.held, t.out = "", nil
	if n, _ := t.read(text + "\n"); n > 0 {
		text = text[min(n, len(text)):]
	}
	t.put(text)
	return t.out
}

// read takes a tag at the beginning of a text. It returns its length, 0 where there is none,
// and whether more has to come before that can be said.
func (t *thinker) read(text string) (n int, more bool) {
	if n, more = t.harmony(text); n > 0 || more || t.channels {
		return n, more
	}
	g, n, more := tagAt(text)
	switch {
	case more:
		return 0, t.tag != "" || !t.inCode()
	case n == 0, t.tag != "":
		if n == 0 || !g.end || g.kind != t.tag {
			return 0, false
		}
		t.tag = ""
		return n, false
	case t.inCode():
		return 0, false
	case !g.end:
		return t.begin(g, text, n)
	case t.thoughts || t.named: // an end without a beginning, the first time: that was in the prompt
		return 0, false
	case t.spoke:
		mention, more := t.mentions(text[n:])
		if mention || more {
			return 0, more
		}
	}
	t.takeBack()
	return n, false
}

// begin takes the tag of n bytes that begins thoughts where it begins the line.
func (t *thinker) begin(g tag, text string, n int) (length int, more bool) {
	switch {
	case t.line != "":
		t.named = true
		return 0, false
	case g.square && strings.HasPrefix(text[n:], "("): // a link
		return 0, false
	case g.square && len(text) == n:
		return 0, true
	}
	t.tag, t.thoughts = g.kind, true
	return n, false
}

// takeBack: all that was said was thought.
func (t *thinker) takeBack() {
	if t.spoke {
		t.out = append(t.out, bit{back: true})
	}
	t.thoughts, t.spoke, t.fenced = true, false, false
	t.newLine()
}

// inCode reports whether what comes next stands in code.
func (t *thinker) inCode() bool { return t.fenced || t.ticks%2 == 1 }

// mentions reports whether the end of thoughts is only spoken of: something parts it from the
// word before, and the sentence goes on behind it.
func (t *thinker) mentions(behind string) (is, more bool) {
	if t.last != 0 && !unicode.IsSpace(t.last) && !strings.ContainsRune("\"'“‘„«([", t.last) {
		return false, false
	}
	next := strings.TrimLeft(behind, " \t")
	if next == "" || !utf8.FullRuneInString(next) {
		return false, true
	}
	r, _ := utf8.DecodeRuneInString(next)
	return len(next) < len(behind) && unicode.IsLower(r) || strings.ContainsRune("\"'”’»)],.;:?!", r), false
}

func (t *thinker) put(text string) {
	switch {
	case text == "":
		return
	case t.header:
		t.head += text
		return
	case t.tag != "":
		t.out = append(t.out, bit{text: text, thought: true})
		return
	}
	if !t.spoke {
		if text = strings.TrimLeft(text, " \n\t"); text == "" {
			return
		}
		t.spoke = true
	}
	t.out = append(t.out, bit{text: text})
	for _, r := range text {
		switch {
		case r == '\n':
			if t.line == "```" || t.line == "~~~" {
				t.fenced = !t.fenced
			}
			t.newLine()
			continue
		case r == '`':
			t.ticks++
		}
		if t.last = r; len(t.line) < 3 && (t.line != "" || !unicode.IsSpace(r)) {
			t.line += string(r)
		}
	}
}

func (t *thinker) newLine() { t.line, t.last, t.ticks = "", 0, 0 }

// tag names what it is the beginning or the end of.
type tag struct {
	kind   string
	end    bool
	square bool
}

// thinking are the names of tags between which models think.
var thinking = []string{"think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"}

// brackets of tags; the longest of a kind first.
var brackets = [][2]string{{"<|", "|>"}, {"<", ">"}, {"[", "]"}, {"◁", "▷"}}

// longest is how long the name of a tag is at most, in bytes.
const longest = 32

// tagAt reads the tag that a text begins with: <think>, [THINK], <seed:think>, </think>,
// <|end_of_thought|>. Its length is 0 where it isn't one; more: it may be when more has come.
func tagAt(text string) (g tag, n int, more bool) {
	for _, b := range brackets {
		rest, ok := strings.CutPrefix(text, b[0])
		if !ok {
			if more = strings.HasPrefix(b[0], text); more {
				return g, 0, true
			}
			continue
		}
		at := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != ':' && r != '/' && r != '-' })
		if at < 0 {
			return g, 0, len(rest) <= longest
		}
		if !strings.HasPrefix(rest[at:], b[1]) {
			return g, 0, len(rest[at:]) < len(b[1]) && strings.HasPrefix(b[1], rest[at:])
		}
		name := rest[:at]
		if g.square = b[0] == "["; g.square && name != strings.ToUpper(name) { // words in brackets
			return g, 0, false
		}
		name, g.end = cutEnd(strings.ToLower(name))
		g.kind = b[0] + name
		if _, of, ok := strings.Cut(name, ":"); ok {
			name = of
		}
		for _, word := range thinking {
			if name == word {
				return g, len(text) - len(rest) + at + len(b[1]), false
			}
		}
		return g, 0, false
	}
	return g, 0, false
}

// cutEnd takes from a tag's name what says which end it is.
func cutEnd(name string) (string, bool) {
	for _, s := range []struct {
		prefix string
		end    bool
	}{{"/", true}, {"begin_of_", false}, {"end_of_", true}, {"start_", false}, {"begin_", false}, {"end_", true}} {
		if rest, ok := strings.CutPrefix(name, s.prefix); ok {
			return rest, s.end
		}
	}
	return name, false
}

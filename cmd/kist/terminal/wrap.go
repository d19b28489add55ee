package terminal

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// cells is how many columns of a terminal a character takes: two for the wide ones of
// East Asia and emoji, none for what combines with the character before it.
func cells(r rune) int {
	switch {
	case r < 0x20 || r == 0x7f:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11ff: // the latter: Hangul that joins
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cells is how many columns a text takes. Colours take none.
func Cells(s string) (n int) {
	for _, r := range colour.ReplaceAllString(s, "") {
		n += cells(r)
	}
	return n
}

// A Wrapper breaks text between words where a line would become wider than the
// terminal. The text comes in pieces, which may end anywhere: a word is written when
// its end is known. What a list item or a quote goes on with is indented as far as its
// own text. A word that is wider than the terminal stays whole, so that it can be
// copied. Colours take no room.
type Wrapper struct {
	Width  int    // of the terminal
	word   []rune // not written yet
	wordIs int    // its cells
	color  bool   // the word's last rune is inside a colour sequence
	blanks int    // before the word
	used   int    // cells of this line
	indent int    // of the lines that this one is broken into
	begun  bool   // this line has a word that isn't the mark of a list
}

// Add takes a piece in and returns what of the text can be written.
func (w *Wrapper) Add(piece string) string {
	var out strings.Builder
	for _, r := range piece {
		switch r {
		case '\n':
			w.flush(&out)
			out.WriteByte('\n')
			*w = Wrapper{Width: w.Width}
		case ' ':
			w.flush(&out)
			w.blanks++
		case '\t':
			w.flush(&out)
			w.blanks += 4
		default:
			w.character(&out, r)
		}
	}
	return out.String()
}

// character adds to the word. Beside a wide character a line may be broken, though
// not before a full stop.
func (w *Wrapper) character(out *strings.Builder, r rune) {
	if w.color = w.color || r == 0x1b; w.color {
		w.word = append(w.word, r)
		w.color = r != 'm'
		return
	}
	n := cells(r)
	if w.wordIs > 0 && (n == 2 || n == 1 && wideEnd(w.word)) && !joined(w.word) && !unicode.IsPunct(r) {
		w.flush(out)
	}
	w.word = append(w.word, r)
	w.wordIs += n
}

// wideEnd reports whether the last character, with what combines with it, is wide.
func wideEnd(word []rune) bool {
	for _, r := range slices.Backward(word) {
		if n := cells(r); n > 0 {
			return n == 2
		}
	}
	return false
}

// joined reports whether the next character makes one picture with the last.
func joined(word []rune) bool { return word[len(word)-1] == '\u200d' }

// End returns what is left to write.
func (w *Wrapper) End() string {
	var out strings.Builder
	w.flush(&out)
	return out.String()
}

// flush writes the word, on a line of its own if this one has no room for it.
func (w *Wrapper) flush(out *strings.Builder) {
	if len(w.word) == 0 {
		return
	}
	if w.used > 0 && w.used+w.blanks+w.wordIs > w.Width {
		out.WriteByte('\n')
		w.used, w.blanks = 0, w.indent
	}
	out.WriteString(strings.Repeat(" ", w.blanks) + string(w.word))
	if !w.begun {
		w.indent = w.used + w.blanks
		if w.begun = !isMark(string(w.word)); !w.begun {
			w.indent += w.wordIs + 1
		}
		if w.indent > w.Width/2 {
			w.indent = 0
		}
	}
	w.used += w.blanks + w.wordIs
	w.word, w.wordIs, w.blanks = w.word[:0], 0, 0
}

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	// mark is what the text of a list item, of a quote or of an operation begins after.
	mark = regexp.MustCompile(`^([-*+>~?]|\[|\]|\[x\]|[0-9]{1,3}[.)])$`)
)

func isMark(word string) bool { return mark.MatchString(colour.ReplaceAllString(word, "")) }

// Columns is how wide the terminal is that f is, 0 where that isn't known.
func Columns(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

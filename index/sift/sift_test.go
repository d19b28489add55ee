package sift

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What separates words is the same in a text and in what it is folded to, so that a place in
// one is found in the other.
func TestFoldKeepsWhatSeparates(t *testing.T) {
	f := NewFolder()
	only := func(text []byte) (out []byte) {
		for _, b := range text {
			if separates[b] {
				out = append(out, b)
			}
		}
		return out
	}
	for r := range rune(0x20000) {
		text := []byte(string(r))
		if got := f.Fold(nil, text); !bytes.Equal(only(got), only(text)) {
			t.Errorf("%U %q is folded to %q", r, text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("aaeeoouu boat ä.«»…½№ﬁ-_'\n")))).Draw(t, "text"))
		if got := f.Fold(nil, text); !bytes.Equal(only(got), only(text)) {
			t.Errorf("%q is folded to %q", text, got)
		}
		// Each word of the folded text is where that of the text is.
		p := part{raw: text, folded: f.Fold(nil, text)}
		var c cursor
		for i := 0; i < len(p.folded); i++ {
			if separates[p.folded[i]] {
				continue
			}
			from, to := p.word(&c, i)
			n := wordLength(p.folded[i:])
			if word := f.Fold(nil, text[from:to]); !bytes.HasSuffix(word, p.folded[i:i+n]) && n > 1 {
				t.Errorf("at %d of %q is %q, not %q", i, p.folded, word, p.folded[i:i+n])
			}
			i += n
		}
	})
}

// A word is found in all that may be read as it, and not in others that begin so.
func TestWord(t *testing.T) {
	f := NewFolder()
	plural := func(word []byte) uint64 {
		switch strings.TrimSuffix(strings.ToLower(string(word)), "s") {
		case "zebra":
			return 1
		}
		return 0
	}
	w := NewWord("zebra", []Needles{{f.Begins("zeb")}}, 1, plural)
	for text, want := range map[string]int{
		"A zebra.": 1, "Zebras, ZEBRA\nzebra's": 3, "zebrafish": 0, "zebu Zebulon": 0, "the.zebra_x": 1,
		"many zeb\u00adras": 1, "zebr&auml;": 1, "zeb**ra**": 1, "z\u00e9bra": 0, "ze\u0301bra": 1, "": 0,
		strings.Repeat("a, ", 1000) + "zebra zebu": 1, strings.Repeat("zebra ", 100): maxFound,
	} {
		if got, terms := w.Find(f.NewText(nil, "", []byte(text)), Known{}); got != want || (terms == 1) != (want > 0) {
			t.Errorf("%.40q: %d times (%b), want %d", text, got, terms, want)
		}
	}
	if got, _ := w.Find(f.NewText(nil, "notes zebra", []byte("none")), Known{}); got != 1 {
		t.Errorf("in the head: %d", got)
	}
	for _, asked := range []string{"can't", "東京", "foo_bar"} {
		if NewWord(asked, []Needles{{f.Begins(asked)}}, 1, plural) != nil {
			t.Errorf("%q is one word", asked)
		}
	}
}

// A short value stands as it is: folded, too many others would be like it.
func TestWithin(t *testing.T) {
	f := NewFolder()
	for text, want := range map[string]bool{"tags: [Foo]": true, "off": false, "fofo": false, "food": true} {
		if got := f.Within("foo").Count(f.NewText(nil, "", []byte(text))) > 0; got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

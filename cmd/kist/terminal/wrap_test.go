package terminal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", "one two\n", "one two\n"},
		{"words", "one two three four five", "one two three four\nfive"},
		{"exactly", "one two three four\nfive", "one two three four\nfive"},
		{"the last word fits", "0123456789 123456789", "0123456789 123456789"},
		{"blank lines", "one\n\ntwo\n", "one\n\ntwo\n"},
		{"a list", "- one two three four five", "- one two three four\n  five"},
		{"numbers", "12. one two three four five", "12. one two three\n    four five"},
		{"a checkbox", "- [ ] one two three four", "- [ ] one two three\n      four"},
		{"a quote", "> one two three four five", "> one two three four\n  five"},
		{"indented", "    one two three four", "    one two three\n    four"},
		{"too long a word", "see projects/houseboat/tasks/x.md now", "see\nprojects/houseboat/tasks/x.md\nnow"},
		{"wide", "日本語日本語日本語日本語。", "日本語日本語日本語日\n本語。"},
		{"wide among others", "ab 日本語日本語日本語日本", "ab 日本語日本語日本\n語日本"},
		{"accents", "o\u0301ne two\u0301 three four\u0301\u0301x y", "o\u0301ne two\u0301 three four\u0301\u0301x\ny"},
		{"a family", "one two three 123 👩\u200d👧 x", "one two three 123\n👩\u200d👧 x"},
		{"colours", "\x1b[32m+\x1b[0m created \x1b[1mtask/a.md\x1b[0m x (as you asked)", "\x1b[32m+\x1b[0m created \x1b[1mtask/a.md\x1b[0m\n  x (as you asked)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := Wrapper{Width: 20}
			if got := w.Add(tt.text) + w.End(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// However a text is cut into pieces, it is broken the same way; nothing but blanks is
// added or lost, and no line is too wide that has more than one word.
func TestWrapInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "word", "- ", " ", "  ", "\n", "é", "e\u0301", "日本", "👍", "\x1b[1m", "longer-than-that/", "1. ", "\t"})).Draw(t, "parts")
		columns := rapid.IntRange(4, 30).Draw(t, "columns")
		whole := Wrapper{Width: columns}
		want := whole.Add(strings.Join(parts, "")) + whole.End()
		pieces, got := Wrapper{Width: columns}, ""
		for _, p := range parts {
			got += pieces.Add(p)
		}
		if got += pieces.End(); got != want {
			t.Fatalf("in pieces %q, else %q", got, want)
		}
		if a, b := strings.Join(strings.Fields(strings.Join(parts, "")), ""), strings.Join(strings.Fields(got), ""); a != b {
			t.Fatalf("%q became %q", a, b)
		}
		for l := range strings.Lines(got) {
			l = strings.TrimRight(l, "\n")
			if Cells(l) > columns && len(strings.Fields(colour.ReplaceAllString(l, ""))) > 1 {
				t.Fatalf("%q is wider than %d", l, columns)
			}
		}
	})
}

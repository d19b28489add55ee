package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// typed gives an editor what a terminal sends, cut at every place in turn, and returns
// its input with a bar where the cursor is.
func typed(t *testing.T, sent string) string {
	t.Helper()
	var got string
	for cut := range len(sent) + 1 {
		e := &Editor{keys: keys(), screen: screen{w: io.Discard}, history: &history{lines: []string{"older", "newest"}}}
		for _, part := range []string{sent[:cut], sent[cut:]} {
			e.sent = append(e.sent, part...)
			for e.takeKey() {
			}
		}
		now := string(e.in.text[:e.in.at]) + "|" + string(e.in.text[e.in.at:])
		switch {
		case e.done:
			now += " sent"
		case errors.Is(e.fail, io.EOF):
			now += " left"
		}
		if cut > 0 && now != got {
			t.Fatalf("%q cut at %d gives %q, else %q", sent, cut, now, got)
		}
		got = now
	}
	return got
}

func TestEditorKeys(t *testing.T) {
	tests := []struct{ name, sent, want string }{
		{"typing", "hello", "hello|"},
		{"home and end", "world\x1b[Hhello \x1b[F!", "hello world!|"},
		{"home and end of other terminals", "b\x1bOHa\x1bOFc\x1b[1~_\x1b[4~_", "_abc_|"},
		{"Ctrl-A and Ctrl-E", "b\x01a\x05c", "abc|"},
		{"arrows", "ac\x1b[Db\x1b[C\x1b[C", "abc|"},
		{"words with Ctrl", "one two-three\x1b[1;5D\x1b[1;5D", "one |two-three"},
		{"words with Alt", "one two\x1bb\x1bb\x1bf", "one| two"},
		{"words with Meta", "one two\x1b[1;3D\x1b[1;3D\x1b[1;3C", "one| two"},
		{"Delete", "abc\x01\x1b[3~", "|bc"},
		{"Delete at the end", "abc\x1b[3~", "abc|"},
		{"Ctrl-D in a line", "abc\x01\x04", "|bc"},
		{"Ctrl-D in an empty one", "\x04", "| left"},
		{"Backspace", "abc\x7f\x08", "a|"},
		{"Ctrl-U", "one two\x1b[D\x1b[D\x15", "|wo"},
		{"Ctrl-K", "one two\x1b[D\x1b[D\x0b", "one t|"},
		{"Ctrl-W", "one two-three \x17", "one |"},
		{"Alt and Backspace", "one two-three\x1b\x7f", "one two-|"},
		{"Alt-D", "one two\x01\x1bd", "| two"},
		{"Ctrl-Y", "one two\x17\x01\x19 ", "two |one "},
		{"Ctrl-C clears", "abc\x03", "|"},
		{"and leaves", "abc\x03\x03", "| left"},
		{"what it cleared", "abc\x03\x19", "abc|"},
		{"Enter", "abc\x1b[D\r", "abc| sent"},
		{"history", "mine\x1b[A\x1b[A\x1b[A", "older|"},
		{"and back", "mine\x1b[A\x1b[A\x1b[B", "newest|"},
		{"to what was written", "mine\x1b[A\x1b[A\x1b[B\x1b[B\x1b[B!", "mine!|"},
		{"accents", "ae\u0301o\x1b[D\x1b[D", "a|e\u0301o"},
		{"Delete takes the accent along", "ae\u0301o\x1b[D\x1b[D\x1b[3~", "a|o"},
		{"Backspace takes it off", "e\u0301\x7f", "e|"},
		{"wide characters", "日本語\x1b[D\x7f", "日|語"},
		{"a paste is one message", "a \x1b[200~one\r\ntwo\rthree\n\x1b[201~b", "a one\ntwo\nthree\nb|"},
		{"keys in a paste are text", "\x1b[200~a\x03\x04\x1b[201~", "a\x03\x04|"},
		{"an unknown key", "a\x1b[24~\x1b[1;2P\x1bOPb\x00", "ab|"},
		{"broken UTF-8", "a\xffb\xc3(", "ab(|"},
		{"a combining character first", "\u0301\x1b[D\x1b[C\x1b[D\x1b[3~", "|"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := typed(t, tt.sent); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// Anything may come from a terminal; nothing may make the editor stop or go astray.
func FuzzEditor(f *testing.F) {
	f.Add("one two\x1b[1;5D\x17\x19\x1b[A", 10)
	f.Add("日本\x1b[200~a\rb\x1b[201~\x7f\x0b", 4)
	f.Fuzz(func(t *testing.T, sent string, width int) {
		e := &Editor{keys: keys(), screen: screen{w: io.Discard}, history: &history{}}
		e.sent = []byte(sent)
		for e.takeKey() {
			e.resize(width%200, 5)
			if err := e.paint("> ", &e.in); err != nil {
				t.Fatal(err)
			}
			if e.row < 0 || e.row >= 5 || e.column < 0 || e.column > e.width {
				t.Fatalf("the cursor is at %d, %d of %d columns", e.row, e.column, e.width)
			}
		}
	})
}

func TestLayoutOfTheInput(t *testing.T) {
	tests := []struct {
		name, text string
		at         int
		want       string
		y, x       int
	}{
		{"empty", "", 0, "> ", 0, 2},
		{"short", "abc", 1, "> abc", 0, 3},
		{"a full row", "abcdefgh", 8, "> abcdefgh/", 1, 0},
		{"two rows", "abcdefghij", 9, "> abcdefgh/ij", 1, 1},
		{"the cursor at the break", "abcdefghij", 8, "> abcdefgh/ij", 1, 0},
		{"lines", "ab\ncd\n", 3, "> ab/cd/", 1, 0},
		{"a wide character at the edge", "abcdefg日x", 7, "> abcdefg/日x", 0, 9},
		{"accents take no room", "abcdefge\u0301", 9, "> abcdefge\u0301/", 1, 0},
		{"controls are shown", "a\x1bb\tc", 5, "> a␛b c", 0, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, y, x := layout("> ", &input{text: []rune(tt.text), at: tt.at}, 10)
			var got []string
			for _, r := range rows {
				got = append(got, r.text)
			}
			if s := strings.Join(got, "/"); s != tt.want {
				t.Errorf("%q, want %q", s, tt.want)
			}
			if y != tt.y || x != tt.x {
				t.Errorf("the cursor is at %d, %d, want %d, %d", y, x, tt.y, tt.x)
			}
		})
	}
}

package position

import (
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestPlaces(t *testing.T) {
	text := []byte("a\u00e9\U0001F600z\r\n\n\xffb\nend")
	table := New(text)
	if table.Lines() != 4 || string(table.Line(0)) != "a\u00e9\U0001F600z" || table.Line(9) != nil {
		t.Errorf("%d lines, the first is %q", table.Lines(), table.Line(0))
	}
	for at := 0; at <= len(text); at++ {
		p := table.Place(at)
		if back := table.Offset(p.Line, p.Column); back > at || at-back > 3 {
			t.Errorf("%d is %v and back at %d", at, p, back)
		}
		if back := table.OffsetUTF16(p.Line, p.UTF16); back != table.Offset(p.Line, p.Column) && at == table.Offset(p.Line, p.Column) {
			t.Errorf("%d: by UTF-16 at %d", at, back)
		}
	}
	for _, c := range []struct{ line, units, want int }{
		{0, 2, 3}, {0, 3, 3}, {0, 4, 7}, {0, 99, 9}, {-1, 3, 0}, {99, 0, len(text)}, {2, 1, 12}, {3, 9, len(text)},
	} {
		if got := table.OffsetUTF16(c.line, c.units); got != c.want {
			t.Errorf("%d:%d is %d, want %d", c.line, c.units, got, c.want)
		}
	}
	if got := table.Offset(0, 2); got != 1 {
		t.Errorf("inside a character is %d, want its start", got)
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add("a\U0001F600\r\nb", 3)
	f.Fuzz(func(t *testing.T, text string, at int) {
		table := New([]byte(text))
		p := table.Place(at)
		whole := utf8.ValidString(text) && at >= 0 && at < len(text) && utf8.RuneStart(text[at]) // between two characters
		if got := table.OffsetUTF16(p.Line, p.UTF16); whole && got != at {
			t.Errorf("%d: %v, back at %d", at, p, got)
		}
		if n := len(utf16.Encode([]rune(text))); Units([]byte(text)) != n {
			t.Errorf("%d units, want %d", Units([]byte(text)), n)
		}
	})
}

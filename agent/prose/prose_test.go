package prose

import "testing"

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"two\nlines", 50, "two lines"},
		{"<b>[x](y)</b>", 50, "‹b›(x)(y)‹/b›"},
		{"a\x1b[31mred", 50, "a (31mred"},
		{"\u202eback", 50, "back"},
		{"`run` *it*", 50, "'run' it"},
		{"a\xff", 50, "a"},
		{"longer than that", 6, "longer…"},
	} {
		if got := Line(tt.in, tt.n); got != tt.want {
			t.Errorf("Line(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

package copies

import "testing"

// TestTogether: what one of two has more of is taken once, and what is written in two ways is refused.
func TestTogether(t *testing.T) {
	for _, c := range []struct{ ours, theirs, want string }{
		{"# Boat\n\nPaint the hull.\nThe mast is fine.\n", "# Boat\n\nVarnish the hull.\nThe mast is fine.\nmore\n", ""},
		{"# A\n\nWe meet on Monday at the harbour.\n", "# A\n\nWe meet on Friday at the harbour.\n", ""},
		{"# Boat\n\nPaint the hull.\nThe mast is fine.\n", "# Boat\n\nPaint the hull.\nThe mast is fine.\nmore\n\nEnd.\n", "# Boat\n\nPaint the hull.\nThe mast is fine.\nmore\n\nEnd.\n"},
		{"# A\n\nPaint the hull.\n\nThe red boat.\n", "# A\n\nPaint the hull.\n\nAbout money.\n", "# A\n\nPaint the hull.\n\nAbout money.\n\nThe red boat.\n"},
		{"# A\n\n- [ ] a\n- [ ] b\n", "# A\n\n- [x] a\n- [ ] c\n", "# A\n\n- [x] a\n- [ ] b\n- [ ] c\n"},
		{"---\na: 1\n---\nx y z", "---\nb: 1\n---\nx y z", "---\na: 1\nb: 1\n---\nx y z"},
	} {
		text, err := Together(Copy{Of: "a.md"}, nil, []byte(c.ours), []byte(c.theirs))
		if string(text) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q and %q: %q, %v; want %q", c.ours, c.theirs, text, err, c.want)
		}
	}
}

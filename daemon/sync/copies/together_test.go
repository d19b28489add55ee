package copies

import (
	"strings"
	"testing"
)

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
		text, err := Together(Copy{Of: "a.md"}, Merged, nil, []byte(c.ours), []byte(c.theirs))
		if string(text) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q and %q: %q, %v; want %q", c.ours, c.theirs, text, err, c.want)
		}
	}
}

func TestTwins(t *testing.T) {
	const chapter = "# Chapter\n\nIt was a dark night, and the boat lay at the quay.\nNobody came.\n\n- lamp\n- rope\n"
	for _, c := range []struct {
		ours, theirs string
		want         bool
	}{
		{chapter, chapter, true},
		{chapter + "More on this side.\n", strings.Replace(chapter, "Nobody came", "Nobody ever came", 1), true},
		{"- milk\n- eggs\n", "- milk\n- eggs\n- bread\n", true},
		{"# Chapter\n\nIntro of the book.\n", "# Chapter\n\nText of chapter 2 which is long.\n", false},
		{"---\ntags: [daily]\n---\n\n# Note\n\n## Tasks\n\n## Log\n", "---\ntags: [daily]\n---\n\n# Note\n\n## Tasks\n\n## Log\n- different\n", false},
		{chapter, strings.Replace(chapter, "# Chapter", "# Chapter 2", 1), false},
		{"---\ncreated: 2026-11-01\n---\n" + chapter, "---\ncreated: 2026-11-02\n---\n" + chapter, false},
		{"", "", false},
	} {
		if got := Twins([]byte(c.ours), []byte(c.theirs)); got != c.want {
			t.Errorf("%q and %q: %v", c.ours, c.theirs, got)
		}
	}
}

package find

import (
	"testing"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
)

func TestExcerptHighlights(t *testing.T) {
	p := &output.Printer{Color: true}
	got := excerpt(p, "the  paint\nwas red", []*v1.Span{{Start: 5, End: 10}, {Start: 15, End: 18}})
	if want := output.Safe("the  \x1b[33mpaint\x1b[0m was \x1b[33mred\x1b[0m"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// Ranges that make no sense are shown plain, not obeyed.
	got = excerpt(p, "short", []*v1.Span{{Start: 3, End: 2}, {Start: 1, End: 99}, {Start: -1, End: 2}})
	if got != "short" {
		t.Errorf("got %q", got)
	}
}

package passage

import (
	"testing"
	"time"

	"kist/agent/language"
)

// How many are left follows from the newest lines of how many there are to be, and how many there are.
func TestRemains(t *testing.T) {
	now := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		lines []string
		asked string
		want  int // -1: nothing says
	}{
		{[]string{"tombola tickets: sold 90 of 250"}, "how many tickets are left", 160},
		{[]string{"benches 14 so far, want 20", "benches cost 40 each"}, "how many benches still to find?", 6},
		{[]string{"need cladding, 12 packs.", "got 7 so far"}, "how many packs left to get", 5},
		{[]string{"We've invited 45 guests and so far 28 have said yes.", "Three more said yes this morning, so that's 31."}, "How many guests haven't answered yet?", 14},
		{[]string{"slips so far: 9 of 14.", "slips now 12 of 14"}, "how many slips are missing", 2},
		{[]string{"need 30 jars", "4 jars left to fill"}, "how many jars are left?", 4},
		{[]string{"we need 30 jars", "the lids are blue"}, "how many jars are left?", -1},
		{[]string{"the jars are in the shed"}, "how many jars are left?", -1},
	} {
		lines := []string{"# Inbox", ""}
		for _, line := range tc.lines {
			lines = append(lines, "- 2026-11-27: "+line)
		}
		thing, ok := ReadLeft(language.Tokenize(tc.asked))
		got := -1
		if !ok {
			t.Errorf("%q asks for nothing", tc.asked)
		} else if r, known := Remains(Question{Now: now}, thing, []Document{{Path: "inbox.md", Lines: lines, From: 1}}); known {
			got = r.Left
		}
		if got != tc.want {
			t.Errorf("%q of %q: %d, want %d", tc.asked, tc.lines, got, tc.want)
		}
	}
	for _, asked := range []string{"how many jars do we have", "how much is left", "what is left?"} {
		if thing, ok := ReadLeft(language.Tokenize(asked)); ok {
			t.Errorf("%q asks how many %q are left", asked, thing)
		}
	}
}

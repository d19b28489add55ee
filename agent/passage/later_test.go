package passage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/language"
)

// What was told after the line that answers is shown with it, or before it where it is the answer now.
func TestLater(t *testing.T) {
	inbox := Document{Path: "inbox.md", From: 1, Lines: []string{
		"- 2026-11-28: choir is Ana soprano, Bertrand tenor, Milo bass",
		"- 2026-11-28: Fees outstanding: C. Hale £40, the Roeders £60.",
		"- 2026-11-28: There's a planning meeting on Thursday at 11, Greta and I are going.",
		"- 2026-11-28: the piano tuner is called Osgood and he can come on Thursday",
		"- 2026-11-28: the hall costs 90 and Ana has the key",
		"- 2026-11-28: Bertrand's out, he has lost his voice",
		"- 2026-11-28: The Roeder family has paid £25 of it",
		"- 2026-11-28: Greta can't make Thursday now",
		"- 2026-11-28: maybe Greta could ring them, I've been thinking",
		"- 2026-11-28: Osgood never came, he says Friday now",
	}}
	for _, test := range []struct {
		asks, topic string
		line        int
		want        []int
		replaces    bool
	}{
		{"who's singing tenor?", "singing tenor", 1, []int{6}, false},
		{"how much do the Roeders still owe?", "roeders owe", 2, []int{7}, false},
		{"who's going to the meeting?", "meeting", 3, []int{8}, false},
		{"when's Osgood coming?", "osgood coming", 4, []int{10}, true},
		{"what does the hall cost?", "hall cost", 5, nil, false},
	} {
		q := Ask(test.topic, language.Tokenize(test.asks), time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC))
		of := Quote{Path: "inbox.md", Line: test.line, Text: inbox.Lines[test.line-1][2:], Day: "2026-11-28"}
		later, replaces := q.Later([]Quote{of}, []Document{inbox}, nil)
		var lines []int
		for _, c := range later {
			lines = append(lines, c.Line)
		}
		if diff := cmp.Diff(test.want, lines); diff != "" || replaces != test.replaces {
			t.Errorf("%s (-want +got):\n%s replaces: %v", test.asks, diff, replaces)
		}
	}
}

// Of one day the order of the messages tells what came later, not the files.
func TestLaterByMessages(t *testing.T) {
	q := Ask("meeting", language.Tokenize("when is the meeting?"), time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC))
	docs := []Document{
		{Path: "b.md", From: 1, Lines: []string{"- 2026-11-28: The meeting is on Thursday at 11."}},
		{Path: "a.md", From: 1, Lines: []string{"- 2026-11-28: The meeting is put back to Friday."}},
	}
	of := Quote{Path: "b.md", Line: 1, Text: docs[0].Lines[0][2:], Day: "2026-11-28"}
	said := []string{"The meeting is put back to Friday.", "The meeting is on Thursday at 11."}
	if later, replaces := q.Later([]Quote{of}, docs, said); len(later) != 1 || !replaces {
		t.Errorf("told later: %v, %v", later, replaces)
	}
	said[0], said[1] = said[1], said[0]
	if later, _ := q.Later([]Quote{of}, docs, said); len(later) != 0 {
		t.Errorf("told before: %v", later)
	}
}

// What was told in one breath is quoted together, where it still stands there and is short.
func TestTogether(t *testing.T) {
	docs := []Document{{Path: "inbox.md", From: 1, Lines: []string{
		"- 2026-11-24: Flour from the mill is 24.50 a bag.", "- 2026-11-24: I need 30 bags a month.", "- 2026-11-24: Lena works on Mondays.", "- 2026-11-24: She wants more.", "- 2026-11-24: the hall is cold",
	}}}
	said := []string{"the hall is cold", "Lena works on Mondays. She has a cat. She wants more. Does that do?", "Flour from the mill is 24.50 a bag. I need 30 bags a month."}
	for line, want := range map[int]string{
		1: "2026-11-24: Flour from the mill is 24.50 a bag. I need 30 bags a month.", 2: "2026-11-24: Flour from the mill is 24.50 a bag. I need 30 bags a month.",
		3: "2026-11-24: Lena works on Mondays. She wants more.", 5: "2026-11-24: the hall is cold",
	} {
		of := Quote{Path: "inbox.md", Line: line, Text: docs[0].Lines[line-1][2:], Day: "2026-11-24"}
		if got := Together([]Quote{of}, docs, said)[0].Text; got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}

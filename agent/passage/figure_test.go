package passage

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each amount is told with what it is, and with why it doesn't count.
func TestFigures(t *testing.T) {
	for name, tc := range map[string]struct{ lines, want []string }{
		"paid, by the words before and behind": {
			[]string{"licence 95, paid already", "paid the carter, 310", "The barn costs £400 for the night and I've already paid the £120 deposit."},
			[]string{"95 paid", "310 paid", "400 cost", "120 paid within"},
		},
		"not paid, though it says so": {
			[]string{"the 260 for the tent is still to be paid", "we haven't paid the 90 for the generator"},
			[]string{"260 cost", "90 cost"},
		},
		"a later word": {
			[]string{"joiner quoted 1,450", "Actually the joiner is £1,600", "grit 40 a bag, need 5 bags", "no, 45", "joiner paid, 1,580"},
			[]string{"1450 quoted replaced", "1600 quoted replaced", "5 × 40 cost replaced", "5 × 45 cost", "1580 paid"},
		},
		"offers": {
			[]string{"coach quote from Vale Travel 640", "got another quote, Ketts 585", "booked Vale Travel"},
			[]string{"640 quoted", "585 quoted declined"},
		},
		"offers, none taken": {
			[]string{"Alder & Co quoted £2,100.", "The second quote, from Birch, was £1,900."},
			[]string{"2100 quoted one of", "1900 quoted one of"},
		},
		"how many": {
			[]string{"stools are 35 each", "we need 14 stools", "Correction: 16 stools, not 14", "lamps 80 each"},
			[]string{"16 × 35 cost", "80 cost each"},
		},
		"the budget, and what comes in": {
			[]string{"budget 900", "sold the old loom for 75", "the club gave us 150", "budget is 1000 now"},
			[]string{"900 budget replaced", "75 received", "150 received", "1000 budget"},
		},
		"no money": {
			[]string{"We've invited 45 people and so far 28 have said yes.", "Three more said yes, so that's 31.", "flat 32, tel 07700 900321", "12 rolls so far"},
			nil,
		},
	} {
		lines := []string{"# Inbox", ""}
		for _, line := range tc.lines {
			lines = append(lines, "- 2026-11-27: "+line)
		}
		now := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
		var got []string
		for _, f := range Figures(Question{Now: now}, []Document{{Path: "inbox.md", Lines: lines, From: 1}}) {
			of := fmt.Sprintf("%g %s %s", f.Value, f.Role, f.Why)
			if f.Times > 0 {
				of = fmt.Sprintf("%d × ", f.Times) + of
			}
			got = append(got, strings.TrimSpace(of))
		}
		if strings.Join(got, "; ") != strings.Join(tc.want, "; ") {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

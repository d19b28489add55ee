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
		"so many at a price": {
			[]string{"Tickets sold so far are 52 at £4.", "we need 30 crates, the dairy charges £2.50 each"},
			[]string{"52 × 4 received", "30 × 2.5 cost"},
		},
		"one or the other": {
			[]string{"A new kiln is £1,900 delivered; mending the old one would be £420", "we decided to mend it instead of a new one"},
			[]string{"1900 cost declined", "420 cost"},
		},
		"a deposit that names nothing": {
			[]string{"the marquee is £800", "paid a deposit of £150"},
			[]string{"800 cost", "150 paid within"},
		},
		"what it costs now is his": {
			[]string{"Ruben Falk quoted 2,400 for the stairs", "new banister 310, the pair of newel posts 180", "Ruben rang: there's worm in it, so it's 2,700 now"},
			[]string{"2400 quoted replaced", "310 cost", "180 cost", "2700 cost"},
		},
		"paid since": {
			[]string{"paint is 95 euros and the brushes are 20 euros", "Got the paint, paid in cash."},
			[]string{"95 paid", "20 cost"},
		},
		"owed to somebody": {
			[]string{"they owe me money", "the last month's hours, 940, plus overtime", "overtime comes to 120 dollars"},
			[]string{"940 received", "120 received"},
		},
		"an age and a weight": {
			[]string{"I'm 68 and my brother is 70 dollars poorer", "he can't lift over twenty pounds"},
			[]string{"70 cost"},
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

// What may not be added up isn't.
func TestDoubt(t *testing.T) {
	now := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	for lines, want := range map[string]string{
		"the mat costs £30|the bell costs £12":                                                                               "",
		"the mat costs £30|the bell costs €12":                                                                               Currencies,
		"the mat costs £30|the fund paid £90 and there were two hundreds in a tin":                                           InWords,
		"Ann charges £30 for the mat|Ann charges £12 for the bell|Ann Hale rang and with the new Monday hours, it's £19 now": Loose,
		"estimate for the gate £450|the bill for the gate and its hinges came, £510":                                         Twice,
	} {
		d := Document{Path: "inbox.md", From: 1}
		for line := range strings.SplitSeq(lines, "|") {
			d.Lines = append(d.Lines, "- 2026-11-27: "+line)
		}
		var counted []Figure
		for _, f := range Figures(Question{Now: now}, []Document{d}) {
			if f.Why == "" {
				counted = append(counted, f)
			}
		}
		if got := Doubt(counted); got != want {
			t.Errorf("%s: %q, want %q", lines, got, want)
		}
	}
}

package offline

import (
	"testing"
	"time"
)

// The day is Saturday 21 November 2026.
func TestFindDate(t *testing.T) {
	tests := []struct{ text, want, rest string }{
		{"order cable by Friday", "2026-11-27", "order cable"},
		{"order cable today", "2026-11-21", "order cable"},
		{"call Bo tomorrow about the quote", "2026-11-22", "call Bo about the quote"},
		{"call Bo the day after tomorrow", "2026-11-23", "call Bo"},
		{"call Bo on Saturday", "2026-11-28", "call Bo"},
		{"call Bo next Friday", "2026-11-27", "call Bo"},
		{"call Bo this Sunday", "2026-11-22", "call Bo"},
		{"call Bo Monday morning", "2026-11-23", "call Bo"},
		{"finish in two weeks", "2026-12-05", "finish"},
		{"finish within 10 days", "2026-12-01", "finish"},
		{"finish in a month", "2026-12-21", "finish"},
		{"finish three weeks from now", "2026-12-12", "finish"},
		{"launch in Q3", "2027-09-30", "launch"},
		{"launch by Q4", "2026-12-31", "launch"},
		{"launch by Q1 2028", "2028-03-31", "launch"},
		{"pay by 5 December", "2026-12-05", "pay"},
		{"pay by December 5th", "2026-12-05", "pay"},
		{"pay on the 5th of December 2027", "2027-12-05", "pay"},
		{"pay by Dec 5, 2027", "2027-12-05", "pay"},
		{"pay by 3 March", "2027-03-03", "pay"},
		{"pay on the 5th", "2026-12-05", "pay"},
		{"pay on the 25th", "2026-11-25", "pay"},
		{"pay by 2026-12-05", "2026-12-05", "pay"},
		{"pay by 5.12.2026", "2026-12-05", "pay"},
		{"pay by 25/12", "2026-12-25", "pay"},
		{"pay by 12/25/2026", "2026-12-25", "pay"},
		{"pay before end of month", "2026-11-30", "pay"},
		{"pay by the end of the year", "2026-12-31", "pay"},
		{"pay by end of January", "2027-01-31", "pay"},
		{"pay by mid December", "2026-12-15", "pay"},
		{"pay next week", "2026-11-27", "pay"},
		{"pay next month", "2026-12-31", "pay"},
		{"pay this weekend", "2026-11-22", "pay"},
		{"pay in December", "2026-12-31", "pay"},
		{"replace the pump (due 2026-12-01)", "2026-12-01", "replace the pump"},
		{"replace the pump, Friday", "2026-11-27", "replace the pump"},
		{"by Friday order the cable", "2026-11-27", "order the cable"},
		{"book a table for Friday", "2026-11-27", "book a table for"},
		// None.
		{"prepare the Friday meeting", "", ""},
		{"may I go", "", ""},
		{"we march on", "", ""},
		{"pay 5/6", "", ""},
		{"buy 12 screws", "", ""},
		{"version 2.1.30 is out", "", ""},
		{"call \"tomorrow\"", "", ""},
		{"last Friday was wet", "", ""},
		{"pay on 31 February", "", ""},
		{"the second floor", "", ""},
		{"two weeks of holiday", "", ""},
		{"the sun shines", "", ""},
	}
	for _, test := range tests {
		toks := tokenize(test.text)
		d, ok := findDate(toks, saturday)
		got := ""
		if ok {
			got = isoDay(d.day)
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
			continue
		}
		if ok && d.due {
			if rest := spell(test.text, cut(toks, d.start, d.end)); rest != test.rest {
				t.Errorf("%q: rest %q, want %q", test.text, rest, test.rest)
			}
		}
	}
}

func TestFebruary29IsFound(t *testing.T) {
	if day, ok := upcoming(29, time.February, saturday); !ok || isoDay(day) != "2028-02-29" {
		t.Errorf("%v %v", day, ok)
	}
}

func TestSayDay(t *testing.T) {
	for iso, want := range map[string]string{
		"2026-11-21": "today", "2026-11-22": "tomorrow, Sunday 22 November", "2026-11-27": "Friday 27 November", "2027-01-02": "Saturday 2 January 2027", "soon": "soon",
	} {
		if got := sayDay(iso, saturday); got != want {
			t.Errorf("sayDay(%s) = %q, want %q", iso, got, want)
		}
	}
}

package language

import (
	"testing"
	"time"
)

func TestReadPeriod(t *testing.T) {
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	for text, want := range map[string]string{
		"next week":                              "2026-11-23..2026-11-29",
		"this week":                              "2026-11-16..2026-11-22",
		"last week":                              "2026-11-09..2026-11-15",
		"the week after next":                    "2026-11-30..2026-12-06",
		"by Friday":                              "..2026-11-20",
		"until next week":                        "..2026-11-29",
		"before 5 December":                      "..2026-12-04",
		"before December":                        "..2026-11-30",
		"before next week":                       "..2026-11-22",
		"after 5 December":                       "2026-12-06..",
		"after next week":                        "2026-11-30..",
		"from Monday":                            "2026-11-23..",
		"from Monday to Friday":                  "2026-11-23..2026-11-27",
		"from 1 December until 15 March":         "2026-12-01..2027-03-15",
		"between 1 and 15 December":              "2026-12-01..2026-12-15",
		"between the 1st and the 5th of January": "2027-01-01..2027-01-05",
		"the next 7 days":                        "2026-11-18..2026-11-25",
		"in the next two weeks":                  "2026-11-18..2026-12-02",
		"the next few days":                      "2026-11-18..2026-11-25",
		"within a month":                         "2026-11-18..2026-12-18",
		"in the coming ten days":                 "2026-11-18..2026-11-28",
		"in December":                            "2026-12-01..2026-12-31",
		"in may":                                 "2027-05-01..2027-05-31",
		"December 2027":                          "2027-12-01..2027-12-31",
		"in early December":                      "2026-12-01..2026-12-10",
		"this month":                             "2026-11-01..2026-11-30",
		"next month":                             "2026-12-01..2026-12-31",
		"next quarter":                           "2027-01-01..2027-03-31",
		"Q1":                                     "2027-01-01..2027-03-31",
		"this weekend":                           "2026-11-21..2026-11-22",
		"on the weekend":                         "2026-11-21..2026-11-22",
		"today":                                  "2026-11-18..2026-11-18",
		"tomorrow":                               "2026-11-19..2026-11-19",
		"on Friday":                              "2026-11-20..2026-11-20",
		"on 5 December":                          "2026-12-05..2026-12-05",
		"in 2027":                                "2027-01-01..2027-12-31",
		"next year":                              "2027-01-01..2027-12-31",
		"by the end of the month":                "..2026-11-30",
		"no later than 2026-12-05":               "..2026-12-05",
		"the last 3 days":                        "2026-11-15..2026-11-18",
		"yesterday":                              "2026-11-17..2026-11-17",
		"soon":                                   "2026-11-18..2026-11-25",
		"last Tuesday":                           "2026-11-17..2026-11-17",
		"the day before yesterday":               "2026-11-16..2026-11-16",
		"three days ago":                         "2026-11-15..2026-11-15",
		"vorgestern":                             "2026-11-16..2026-11-16",
		"letzten Dienstag":                       "2026-11-17..2026-11-17",
		"bis Ende des Monats":                    "..2026-11-30",
		"in den nächsten zwei Wochen":            "2026-11-18..2026-12-02",
		"vom 5. bis 12. Dezember":                "2026-12-05..2026-12-12",
		"zwischen Montag und Freitag":            "2026-11-23..2026-11-27",
		"KW 50":                                  "2026-12-07..2026-12-13",
		"before the end of the month":            "..2026-11-30",
		"the first half of January":              "2027-01-01..2027-01-15",
		"the boat":                               "",
		"may":                                    "",
		"for the boat":                           "",
	} {
		toks := Tokenize(text)
		p, n, ok := ReadPeriod(toks, now)
		got := ""
		if ok && n == len(toks) {
			got = iso(p.From) + ".." + iso(p.To)
		}
		if got != want {
			t.Errorf("ReadPeriod(%q) = %q (%d of %d), want %q", text, got, n, len(toks), want)
		}
	}
}

func iso(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ISODay(t)
}

package dated

import (
	"strings"
	"testing"
)

func TestWithin(t *testing.T) {
	for name, test := range map[string]struct {
		lines, first, last, want string // lines "DAY TEXT|…"; want "DAY TEXT|…"
	}{
		"a weekday as from when it was told": {"2026-11-19 also got the boiler service thurs 9am", "2026-11-23", "2026-11-29", "2026-11-26 also got the boiler service thurs 9am"},
		"short for a weekday":                {"2026-11-20 van booked tues 10am", "2026-11-24", "2026-11-24", "2026-11-24 van booked tues 10am"},
		"coming":                             {"2026-11-20 compost delivery coming weds, they ring before", "2026-11-23", "2026-11-29", "2026-11-25 compost delivery coming weds, they ring before"},
		"a day of the month":                 {"2026-11-20 dentist on the 3rd at 2", "2026-12-03", "2026-12-03", "2026-12-03 dentist on the 3rd at 2"},
		"it was another week":                {"2026-11-02 boiler service thursday 9am", "2026-11-23", "2026-11-29", ""},
		"open to the end, the nearest first": {"2026-11-20 party on 12 December|2026-11-20 dentist on 3 December", "2026-11-20", "", "2026-12-03 dentist on 3 December|2026-12-12 party on 12 December"},
		"the first of several":               {"2026-11-20 dentist on 3 December, check-up again on 7 January", "2026-12-01", "2026-12-05", "2026-12-03 dentist on 3 December, check-up again on 7 January"},
		"a stretch":                          {"2026-11-20 we're away from 5 to 9 December", "2026-12-07", "2026-12-07", "2026-12-07 we're away from 5 to 9 December"},
		"what was":                           {"2026-11-20 seed swap was last saturday", "2026-11-14", "2026-11-21", ""},
		"no day":                             {"2026-11-20 the plot is behind the line", "2026-11-14", "", ""},
		"a task, struck, asked":              {"2026-11-20 [ ] call on friday|2026-11-20 ~~dentist on 3 December~~|2026-11-20 is the dentist on 3 December?", "2026-11-20", "", ""},
		"corrected":                          {"2026-11-20 the dentist is on the 3rd at 2|2026-11-20 the dentist is the 4th, not the 3rd", "2026-12-01", "2026-12-09", "2026-12-04 the dentist is the 4th, not the 3rd"},
		"corrected, of the old day":          {"2026-11-20 the dentist is on the 3rd at 2|2026-11-21 the dentist is the 4th, not the 3rd", "2026-12-03", "2026-12-03", ""},
		"moved":                              {"2026-11-16 boiler service on 3 December|2026-11-20 boiler service has moved to 10 December", "2026-12-01", "2026-12-31", "2026-12-10 boiler service has moved to 10 December"},
		"moved from":                         {"2026-11-16 boiler service on 3 December|2026-11-20 boiler service moved from 3 to 10 December", "2026-12-01", "2026-12-31", "2026-12-10 boiler service moved from 3 to 10 December"},
		"not but":                            {"2026-11-16 the dentist is on 3 December|2026-11-20 dentist is not on the 3rd but the 4th", "2026-12-01", "2026-12-31", "2026-12-04 dentist is not on the 3rd but the 4th"},
		"a share of them":                    {"2026-11-20 three of the 4 chairs come on Tuesday", "2026-11-20", "2026-12-31", "2026-11-24 three of the 4 chairs come on Tuesday"},
		"another of a name": {"2026-11-16 dentist for Tom on 3 December|2026-11-20 dentist for Ada on 10 December", "2026-12-01", "2026-12-31",
			"2026-12-03 dentist for Tom on 3 December|2026-12-10 dentist for Ada on 10 December"},
		"past, of a weekday": {"2026-11-20 the vet examined the goat on Wednesday|2026-11-20 the goat shed flooded on me monday|2026-11-20 we were at the fair on Sunday|2026-11-20 she had her hip done in November|2026-11-20 I didn't wait till Tuesday|2026-11-20 last year it was 84, this year it's 97 names|2026-11-20 vet booked for weds|2026-11-20 goat food arrived, more comes on Friday", "2026-11-20", "2026-11-30",
			"2026-11-25 vet booked for weds|2026-11-27 goat food arrived, more comes on Friday"},
		"past weeks":        {"2026-11-20 last two weeks rent, 300 I think", "2026-11-20", "2026-11-30", ""},
		"moved by itself":   {"2026-11-20 farrier on wednesday at 10 with the two mares|2026-11-20 farrier's been moved to friday, same time", "2026-11-23", "2026-11-29", "2026-11-27 farrier's been moved to friday, same time"},
		"two of its days":   {"2026-11-20 proofs by 3 December, plates by 9 December", "2026-12-01", "2026-12-31", "2026-12-03+2026-12-09 proofs by 3 December, plates by 9 December"},
		"the earlier first": {"2026-11-20 she can come on 9 December if we say so by 3 December", "2026-12-01", "2026-12-31", "2026-12-03+2026-12-09 she can come on 9 December if we say so by 3 December"},
		"at the earliest":   {"2026-11-20 the cart won't be ready before 10 December", "2026-12-01", "2026-12-31", "2026-12-10 the cart won't be ready before 10 December"},
		"ended since":       {"2026-11-20 I shall ring the smith on Tuesday|2026-11-21 No need, the smith is no longer needed.", "2026-11-23", "2026-11-29", "2026-11-24 I shall ring the smith on Tuesday; No need, the smith is no longer needed."},
		"not about the same": {"2026-11-16 boiler service on 3 December|2026-11-20 the parcel comes on the 4th, not the 3rd", "2026-12-01", "2026-12-31",
			"2026-12-03 boiler service on 3 December|2026-12-04 the parcel comes on the 4th, not the 3rd"},
	} {
		var lines []Line
		for i, each := range strings.Split(test.lines, "|") {
			told, text, _ := strings.Cut(each, " ")
			lines = append(lines, Line{Told: told, Text: text, Path: "inbox.md", At: i + 1})
		}
		var got []string
		for _, h := range Within(lines, test.first, test.last) {
			each := strings.Join(append([]string{h.Day}, h.Also...), "+") + " " + h.Text
			if h.Later != "" {
				each += "; " + h.Later
			}
			got = append(got, each)
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s: got %q, want %q", name, s, test.want)
		}
	}
}

func BenchmarkWithin(b *testing.B) {
	var lines []Line
	for i := range 500 {
		lines = append(lines, Line{Told: "2026-03-01", Text: "the man from the quarry said that the second load of gravel is 340 pounds with the delivery and Dave pays half of it", Path: "inbox.md", At: i + 1})
	}
	for b.Loop() {
		Within(lines, "2026-11-23", "2026-11-29")
	}
}

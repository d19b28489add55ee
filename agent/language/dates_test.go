package language

import (
	"strings"
	"testing"
	"time"
)

// saturday is the day on which the tests run.
var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

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
		{"send the cards by Easter", "2027-03-28", "send the cards"},
		{"finish before Good Friday", "2027-03-25", "finish"},
		{"pay the rent due 15.3.", "2027-03-15", "pay the rent"},
		{"pay the rent by 15.3", "2027-03-15", "pay the rent"},
		{"open the shop in March", "2027-03-31", "open the shop"},
		{"write it and publish by 2027-08-15", "2027-08-15", "write it and publish"},
		{"call Anna Friday at 5", "2026-11-27", "call Anna at 5"},
		{"upload the photos by noon tomorrow", "2026-11-22", "upload the photos by noon"},
		{"wrap the presents on Christmas Eve", "2026-12-24", "wrap the presents"},
		{"send the cards before December", "2026-11-30", "send the cards"},
		{"paint it from Monday to Friday", "2026-11-27", "paint it"},
		{"launch by Friday at the latest", "2026-11-27", "launch"},
		{"see the vet on 2 June", "2027-06-02", "see the vet"},
		{"order tiles on the 2nd floor", "", ""},
		// German.
		{"Kabel bestellen bis Freitag", "2026-11-27", "Kabel bestellen"},
		{"Kabel bestellen morgen", "2026-11-22", "Kabel bestellen"},
		{"die Miete zahlen bis zum 15.3.", "2027-03-15", "die Miete zahlen"},
		{"die Miete zahlen am 15. März", "2027-03-15", "die Miete zahlen"},
		{"ich muss nächsten Freitag den Bericht schreiben", "2026-11-27", "ich muss den Bericht schreiben"},
		{"den Bericht schreiben bis Ende März", "2027-03-31", "den Bericht schreiben"},
		{"wir müssen in zwei Wochen liefern", "2026-12-05", "wir müssen liefern"},
		{"die Karten verschicken vor Weihnachten", "2026-12-24", "die Karten verschicken"},
		// None.
		{"prepare the Friday meeting", "", ""},
		{"may I go", "", ""},
		{"we march on", "", ""},
		{"version 2.1 is out", "", ""},
		{"Guten Morgen", "", ""},
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
		toks := Tokenize(test.text)
		d, ok := FindDate(toks, saturday)
		got := ""
		if ok {
			got = ISODay(d.Day)
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
			continue
		}
		if ok && d.Due {
			if rest := Spell(test.text, Cut(toks, d.Start, d.End)); rest != test.rest {
				t.Errorf("%q: rest %q, want %q", test.text, rest, test.rest)
			}
		}
	}
}

func TestFebruary29IsFound(t *testing.T) {
	if day, ok := upcoming(29, time.February, saturday); !ok || ISODay(day) != "2028-02-29" {
		t.Errorf("%v %v", day, ok)
	}
}

func TestSayDay(t *testing.T) {
	for iso, want := range map[string]string{
		"2026-11-21": "today", "2026-11-22": "tomorrow, Sunday 22 November", "2026-11-27": "Friday 27 November", "2027-01-02": "Saturday 2 January 2027", "soon": "soon",
	} {
		if got := SayDay(iso, saturday); got != want {
			t.Errorf("sayDay(%s) = %q, want %q", iso, got, want)
		}
	}
	if got := FullDay("2026-11-22"); got != "Sunday 22 November 2026" {
		t.Errorf("in full: %q", got)
	}
}

func TestEaster(t *testing.T) {
	for year, want := range map[int]string{2024: "2024-03-31", 2025: "2025-04-20", 2026: "2026-04-05", 2027: "2027-03-28", 2038: "2038-04-25"} {
		if got := ISODay(easter(year)); got != want {
			t.Errorf("Easter %d: %s, want %s", year, got, want)
		}
	}
}

// The data files are built in, and each line of them can be read.
func TestData(t *testing.T) {
	if len(classes()) < 60 || len(contractions()) < 40 || len(commandWords()) < 30 || len(feasts()) < 12 || len(german()) < 200 {
		t.Errorf("%d classes, %d contractions, %d command words, %d feasts, %d German words", len(classes()), len(contractions()), len(commandWords()), len(feasts()), len(german()))
	}
	for word, english := range german() {
		if len(english) == 0 || len(english) > 4 {
			t.Errorf("%q = %q", word, english)
		}
	}
}

func TestGermanIsTold(t *testing.T) {
	for text, want := range map[string]bool{
		"Wechsle zum Hausboot": true, "was steht diese Woche an?": true, "Ich muss die Miete zahlen": true, "let's talk about the houseboat": false,
		"die Hard is on tonight": false, "was it in Ulm?": false, "": false, "Houseboat": false, "call Anna about the mast in Kiel": false,
	} {
		if got := isGerman(plainTokens(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// plainTokens cuts text without a reading of its language.
func plainTokens(text string) []Token {
	var toks []Token
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		toks = append(toks, Token{Norm: strings.Trim(w, "?"), Word: true})
	}
	return toks
}

package language

import (
	"strings"
	"testing"
)

// Sentences end where a "|" stands, and at no other dot.
func TestEndsSentence(t *testing.T) {
	for _, marked := range []string{
		"Tickets buchen, die kosten ca. 30 Euro.| Dann los.",
		"Farbe z.B. blau, z. B. grau, d.h. hell.| Und usw. usf.",
		"Haus Nr. 5, evtl. Garten bzw. Hof, inkl. Keller.| Ja.",
		"Es dauert min. 3 und max. 5 Tage.| Er heißt Max.| Gut so.",
		"Tobi kommt am 8. Dezember, weil er am 3. Prüfung hat.| Gut.",
		"bis zum 15. Mai oder den 16. Montag, ab 3. Jänner, im 2. Stock, vom 1. bis 9. Mai",
		"Elevator in the new bldg. is only 1.9 m wide.| Rent is 1.9 m.| Fine.",
		"Paint, tape etc. and then more etc.| Then we go.",
		"Dr. Berg saw J. Holm, e.g. about no. 5.| The answer was no.| So what.",
		"It was 12.| She has 5.| We go on 19.12. -> 9.1. and then",
		"Tell Bo.| Call Al.| I am 42.| He is 9 a.m. at best.| It is I.| So.",
		"He read 4 pages.| May I go?", "4 of 10.| how many are left", "1. what to do", "one\ntwo.|\nthree",
	} {
		text := strings.ReplaceAll(marked, "|", "")
		var got strings.Builder
		for i, r := range text {
			got.WriteRune(r)
			if r == '.' && i+1 < len(text) && EndsSentence(text, i) {
				got.WriteByte('|')
			}
		}
		if got.String() != marked {
			t.Errorf("\n got %q\nwant %q", got.String(), marked)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"Elevator in the new bldg. is only 1.9 m wide. Measure it.": "Elevator in the new bldg. is only 1.9 m wide",
		"Is it? No": "Is it", "one": "one",
	} {
		if got := FirstSentence(text); got != want {
			t.Errorf("FirstSentence(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCapital(t *testing.T) {
	for in, want := range map[string]string{"": "", "milk": "Milk", "über": "Über", "iPhone repaired": "iPhone repaired", "an iPhone": "An iPhone", "https://a.b/c": "https://a.b/c", "7 eggs": "7 eggs"} {
		if got := Capital(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

package extract_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kist/agent/extract"
)

func TestKinds(t *testing.T) {
	for text, want := range map[string]extract.Kind{
		"Bo lends us the tent.":              extract.Statement,
		"Book the band before Friday":        extract.Statement,
		"The licence costs 300 euros":        extract.Statement,
		"Talk to the landlord about the key": extract.Statement,
		"Thanks!":                            extract.Courtesy,
		"I'm so tired today":                 extract.Courtesy,
		"It's raining again.":                extract.Courtesy,
		"Should Bo bring the tent?":          extract.Question,
		"what is due this week?":             extract.Command,
		"show me my tasks":                   extract.Command,
		"Can you add a task for Friday?":     extract.Command,
		"don't switch to the fitness app":    extract.Command,
		"let's talk about the coffee shop":   extract.Command,
		"I don't know":                       extract.Control,
		"that's all":                         extract.Control,
	} {
		all := extract.Sentences(text)
		if len(all) != 1 || all[0].Text != text {
			t.Errorf("%q is cut into %+v", text, all)
			continue
		}
		if got := all[0].Kind; got != want && !(want == extract.Command && got == extract.Question) {
			t.Errorf("%q is a %s, want %s", text, got, want)
		}
	}
}

func TestTold(t *testing.T) {
	for _, test := range []struct {
		text      string
		listening bool
		want      int
	}{
		{"thanks", false, 0},
		{"it's raining", false, 0},
		{"Bo brings the trailer on Saturday.", false, 1},
		{"In Lisbon", false, 0},
		{"no dogs allowed!!", false, 1},
		{"The lease runs until 31.12. and then we go.", false, 1},
		{"In Lisbon", true, 1},
		{"skip", true, 0},
		{"Does it need a permit?", true, 0},
		{"Does it need a permit? Bo says so.", true, 2},
		{"Bo has a van. Ines paints. Should we ask Tom? The hall is free.", false, 4},
	} {
		if got := extract.Told(test.text, test.listening); len(got) != test.want {
			t.Errorf("%q, listening %v: %+v", test.text, test.listening, got)
		}
	}
}

// Every sentence is a part of the text, in order, and no word is left out.
func TestSentencesAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([A-Za-z0-9,;:'"()?!. \n-]{0,40}){0,8}`).Draw(t, "text")
		at := 0
		words := 0
		for _, s := range extract.Sentences(text) {
			i := strings.Index(text[at:], s.Text)
			if i < 0 {
				t.Fatalf("%q isn't behind what came before it in %q", s.Text, text)
			}
			at += i + len(s.Text)
			words += len(letters(s.Text))
		}
		if got := len(letters(text)); got-words > strings.Count(text, "\n")*2+2 { // the digits of list marks
			t.Fatalf("%d letters of %d in %q", words, got, text)
		}
	})
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return -1
	}, s)
}

// A date that is written with a dot stays in its sentence.
func TestDatesStayWhole(t *testing.T) {
	for text, want := range map[string]int{
		"Die Lektorin will das Manuskript bis 15. März haben.": 1,
		"The ferry runs from 3. June on. It takes two hours.":  2,
		"Chairs for 12. May I ask Bo?":                         2,
	} {
		if got := extract.Sentences(text); len(got) != want {
			t.Errorf("%q: %d sentences, want %d: %v", text, len(got), want, got)
		}
	}
}

// A word on what was just said or done tells nothing later.
func TestRemarks(t *testing.T) {
	for text, want := range map[string]bool{
		"drop both.": true, "not the 2 tasks": true, "The rest yes.": true, "no, leave it": true, "mark that one as done too": true,
		"drop the tent": false, "the rent is 700": false, "Bo is right": false,
	} {
		if got := extract.Remarks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSmallTalk(t *testing.T) {
	for said, want := range map[string]string{
		"Tonight I'm just tired, thanks for keeping up with me. How are you, anyway?": "",
		"How was your day?":                      "",
		"Are you there?":                         "",
		"Hi, and how have you been?":             "",
		"Wie geht's dir denn so?":                "",
		"Bist du noch da?":                       "",
		"Und wie war dein Tag heute?":            "",
		"Did you sleep well? The van is booked.": "The van is booked.",
		"Are you done with the list?":            "none",
		"How's it going?":                        "none", // with the project
		"How was the day at the yard?":           "none",
		"What did you do today?":                 "none",
		"Are you sure?":                          "none",
		"Thanks, you're a star":                  "none",
	} {
		rest, ok := extract.SmallTalk(said)
		if !ok {
			rest = "none"
		}
		if rest != want {
			t.Errorf("%q: %q, want %q", said, rest, want)
		}
	}
}

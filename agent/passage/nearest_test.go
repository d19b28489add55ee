package passage

import (
	"testing"
	"time"

	"kist/agent/language"
)

// What no line says in all its words is answered by the lines that have the rarer ones.
func TestNearest(t *testing.T) {
	d := Document{Path: "inbox.md", From: 1, Own: true}
	for _, line := range []string{
		"The whole grant is 9,000 EUR.", "Of that 700 is for the mill and the rest for the oven.", "The mill in Ghent charges 14 EUR a sack.", "We bake twice a week.",
		"I need an extension from Lena.", "She was happy with it.", "She rings on Sundays.", "est 60h, 70/h", "Matthias wants a deposit of 500 by 11 December.", "The oven was 3 days late.",
	} {
		d.Lines = append(d.Lines, "- 2026-11-24: "+line)
	}
	for question, want := range map[string]string{
		"is the mill budget enough for that":         "The mill in Ghent charges 14 EUR a sack.",
		"so asking for the extension is done":        "I need an extension from Lena.",
		"did I say 60 or 68h for the bakers":         "est 60h, 70/h",
		"how many sacks of rye does the mill take":   "The mill in Ghent charges 14 EUR a sack.",
		"by when is the deposit for the roof wanted": "Matthias wants a deposit of 500 by 11 December.",
		"what about the lawyer":                      "",
	} {
		toks := language.Tokenize(question)
		got := Ask(language.Topic(toks), toks, time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)).Nearest([]Document{d})
		text := ""
		if len(got) > 0 {
			text = got[0].Text[len("2026-11-24: "):]
		}
		if text != want || len(got) > most {
			t.Errorf("%s: %q, want %q", question, text, want)
		}
	}
}

// A line that has a word of the same family may be meant, and what no line has says less of a question.
func TestNearestFamily(t *testing.T) {
	d := Document{Path: "inbox.md", From: 1, Lines: []string{
		"- 2026-11-24: the sale took 310 pounds", "- 2026-11-24: the hall is cold", "- 2026-11-24: we sing on Tuesdays", "- 2026-11-24: sleepers are 31 pounds each", "- 2026-11-24: the gate needs paint",
	}}
	for question, want := range map[string]int{
		"what's the profit":                          1,
		"what have I laid out counting the sleepers": 4,
		"what about the lawyer":                      0,
	} {
		toks, line := language.Tokenize(question), 0
		if got := Ask(language.Topic(toks), toks, time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)).Nearest([]Document{d}); len(got) > 0 {
			line = got[0].Line
		}
		if line != want {
			t.Errorf("%s: line %d, want %d", question, line, want)
		}
	}
}

// A question that names two things is answered with what is told of each.
func TestLacking(t *testing.T) {
	d := Document{Path: "inbox.md", From: 1, Lines: []string{
		"- 2026-11-24: Lena's flight is on 22 December", "- 2026-11-24: the party is on 16 January", "- 2026-11-24: the hall is cold", "- 2026-11-24: the gate needs paint",
	}}
	for question, want := range map[string]int{"is Lena still here for the party?": 2, "is Lena still here?": 0} {
		toks, line := language.Tokenize(question), 0
		q := Ask(language.Topic(toks), toks, time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC))
		if c, ok := q.Lacking(Quote{Path: d.Path, Line: 1, Text: "2026-11-24: Lena's flight is on 22 December"}, []Document{d}); ok {
			line = c.Line
		}
		if line != want {
			t.Errorf("%s: line %d, want %d", question, line, want)
		}
	}
}

package passage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/language"
)

var friday = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

const move = `# Move

The flat must be empty by 15 March 2027. The house is on Mill Road. The movers come
on 5 March at eight.

## People & Bonds

- Aunt Dora takes care of the dog
- The movers are Pickering & Sons
- Texts: Sunniva

## Resources

- The rent is 1,150 pounds a month.
- The van has room for two people.
- We may have to pay for parking

## Decisions

- 2026-09-20: The piano is sold
- 2026-11-02: The piano comes with us after all
- 2026-09-01: The sofa stays
`

const inbox = `- 2026-11-10: The rent went up to 1,220 pounds.
- 2026-11-12: The movers called, they come on 9 March now.
- 2026-11-13: The parking permit is cheap now
`

// answers are the texts of the quotes, the ones that others took the place of in brackets.
func answers(question string, docs ...Document) []string {
	toks := language.Tokenize(question)
	q := Ask(question, toks, friday)
	q.Dated = strings.Contains(question, "decide")
	var out []string
	for _, c := range q.Answer(append(docs, Document{Path: "move.md", Lines: strings.Split(move, "\n"), From: 1, Own: true}, Document{Path: "inbox.md", Lines: strings.Split(inbox, "\n"), From: 5, Own: true})) {
		text := c.Text
		if c.Before {
			text = "(" + text + ")"
		}
		if c.Said {
			text = "said: " + text
		}
		if !c.Holds {
			text = "lacks it: " + text
		}
		out = append(out, text)
	}
	return out
}

func TestAnswerHoldsWhatIsAskedFor(t *testing.T) {
	for question, want := range map[string]string{
		"who takes care of the dog?":         "Aunt Dora takes care of the dog",
		"who looks after the dog?":           "Aunt Dora takes care of the dog",
		"who does the texts?":                "Texts: Sunniva",
		"when must the flat be empty?":       "The flat must be empty by 15 March 2027.",
		"where is the house?":                "The house is on Mill Road.",
		"how many people fit in the van?":    "The van has room for two people.",
		"what colour is the front door?":     "",
		"who repairs the roof?":              "",
		"how much do we pay for parking?":    "lacks it: We may have to pay for parking",
		"how long until the flat is empty?":  "The flat must be empty by 15 March 2027.",
		"what did we decide about the sofa?": "2026-09-01: The sofa stays",
	} {
		got := answers(question)
		if len(got) == 0 {
			got = []string{""}
		}
		if got[0] != want {
			t.Errorf("%s %q", question, got)
		}
	}
}

func TestNewestValueHolds(t *testing.T) {
	said := Document{Lines: []string{"the flat is to be empty by 20 March now"}, Day: "2026-11-20", Said: true, Own: true}
	for _, c := range []struct {
		question string
		want     []string
		docs     []Document
	}{
		{"how much is the rent?", []string{"2026-11-10: The rent went up to 1,220 pounds.", "(The rent is 1,150 pounds a month.)"}, nil},
		{"when do the movers come?", []string{"2026-11-12: The movers called, they come on 9 March now.", "(The movers come on 5 March at eight.)"}, nil},
		{"what did we decide about the piano?", []string{"2026-11-02: The piano comes with us after all", "(2026-09-20: The piano is sold)"}, nil},
		{"is the piano sold?", []string{"2026-11-02: The piano comes with us after all", "(2026-09-20: The piano is sold)"}, nil},
		{"when must the flat be empty?", []string{"said: the flat is to be empty by 20 March now", "(The flat must be empty by 15 March 2027.)"}, []Document{said}},
		{"how much is the mooring?", []string{"2026-11-14: It went up to 350 a month.", "(2026-11-13: The mooring is 300 a month.)"}, []Document{
			{Path: "boat.md", From: 1, Own: true, Lines: []string{"- 2026-11-13: The mooring is 300 a month.", "- 2026-11-14: It went up to 350 a month."}},
		}},
		{"where is the house?", []string{"The house is on Mill Road."}, []Document{said}},
	} {
		if diff := cmp.Diff(c.want, answers(c.question, c.docs...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.question, diff)
		}
	}
}

func TestMemoryHasTheDayOfItsMaking(t *testing.T) {
	memory := Document{Path: "memories/rent.md", From: 1, Lines: []string{"---", "type: memory", "created: 2026-11-15", "---", "", "The rent is 1,300 pounds now."}}
	got := answers("how much is the rent?", memory)
	if want := "The rent is 1,300 pounds now."; len(got) != 3 || got[0] != want {
		t.Errorf("%q", got)
	}
}

func TestWants(t *testing.T) {
	for question, want := range map[string]Want{
		"when do the movers come?": When, "by when?": When, "which day suits?": When, "until when is it valid?": When,
		"how long until we move?": Count, "how many days are left until May?": Count, "how long is it until the fair?": Count,
		"how long is the pool?": Long, "how long does it take?": Long, "what time do we leave?": Time,
		"who is it?": Person, "whose dog is that?": Who, "where is it?": Where, "which street is it in?": Where,
		"how much did the van cost?": Money, "what does the permit cost?": Money, "how many lanes are there?": Amount,
		"what is new?": "", "is it late?": "", "the rent went up": "",
	} {
		if got, _ := wantOf(language.Tokenize(question)); got != want {
			t.Errorf("%s %q, want %q", question, got, want)
		}
	}
}

func ExampleQuestion_Answer() {
	lines := []string{"- The rent is 900 euros.", "- 2026-11-10: The rent is 950 euros now."}
	question := "how much is the rent?"
	q := Ask("rent", language.Tokenize(question), friday)
	for _, c := range q.Answer([]Document{{Path: "flat.md", Lines: lines}}) {
		fmt.Println(c.Line, c.Before, c.Text)
	}
	// Output:
	// 2 false 2026-11-10: The rent is 950 euros now.
	// 1 true The rent is 900 euros.
}

// rambled is a note in flowing words, and lines as they were said.
const rambled = `walked round with len. cellar door is only 71cm wide so the tank must be cut up. spare fuses are in the tin behind the bar. The piano mustn't be moved till 20 January. He wants 300 for that.

- 2026-11-06: boiler goes in 9 jan, done by hotwell, contact nev 07700 900 311
- 2026-11-07: boiler slipped to 14 jan
- 2026-11-08: how much is the boiler and who pays
- 2026-11-08: pay the membership, and ring the inspector
- 2026-11-09: we took the oak floor rather than lino because it can be sanded, and the lino smells
- 2026-11-10: Seven people come from Cleveland.
- 2026-11-10: I was mistaken, there will be eight from Cleveland and not seven.
- 2026-11-11: the stove costs 1,900, which can wait until the roof is paid for
- 2026-11-11: the roof is 6,300 now
`

// TestSentenceThatAnswers holds that one sentence answers, that it names what is asked about,
// and that what was said last comes first.
func TestSentenceThatAnswers(t *testing.T) {
	note := Document{Path: "note.md", Lines: strings.Split(rambled, "\n"), From: 5, Own: true}
	for question, want := range map[string][]string{
		"how wide is the cellar door":        {"cellar door is only 71cm wide so the tank must be cut up."},
		"where are the spare fuses":          {"spare fuses are in the tin behind the bar."},
		"when does the boiler go in":         {"2026-11-07: boiler slipped to 14 jan", "(2026-11-06: boiler goes in 9 jan, done by hotwell, contact nev 07700 900 311)"},
		"who does the boiler":                {"2026-11-06: boiler goes in 9 jan, done by hotwell, contact nev 07700 900 311", "lacks it"},
		"what do we pay the caretaker":       nil,
		"when can I ring the caretaker":      nil,
		"why did we go for the oak floor":    {"2026-11-09: we took the oak floor rather than lino because it can be sanded, and the lino smells"},
		"how many people from Cleveland":     {"2026-11-10: I was mistaken, there will be eight from Cleveland and not seven.", "(2026-11-10: Seven people come from Cleveland.)"},
		"how much is the roof":               {"2026-11-11: the roof is 6,300 now"},
		"how much does the piano cost to us": {"The piano mustn't be moved till 20 January. He wants 300 for that."},
	} {
		got := answers(question, note)
		if len(want) > 1 && want[1] == "lacks it" {
			got, want = got[:min(1, len(got))], want[:1]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

// What somebody is called, or reached by, may stand in a sentence beside the one with the
// question's words; what only names the same isn't given then.
func TestSomebodyBeside(t *testing.T) {
	said := Document{Lines: []string{"Her warden is Mrs Petersen, her number is 040 33 81 90. The Elms want a letter and the pension slip."}, Day: "2026-11-20", Said: true}
	files := []Document{said,
		{Path: "gran.md", From: 1, Lines: []string{"- 2026-11-20: Her warden is Mrs Petersen, her number is 040 33 81 90."}},
		{Path: "task.md", From: 1, Lines: []string{"The Elms want a letter and the pension slip."}},
		{Path: "gran/project.md", From: 1, Lines: []string{"She moves into a flat at the Elms on 3 March."}},
	}
	for _, question := range []string{"who is the woman at the Elms", "what is the number of the woman at the Elms", "how can I reach the warden"} {
		if got := answers(question, files...); len(got) != 1 || got[0] != "2026-11-20: Her warden is Mrs Petersen, her number is 040 33 81 90." {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// A line that takes a value back does so wherever the value stands.
func TestTakenBackElsewhere(t *testing.T) {
	files := []Document{
		{Path: "dump.md", From: 1, Day: "2026-11-20", Own: true, Lines: []string{"The floor is uneven, so he suggests a screed, which would cost about 3100 euros."}},
		{Path: "news.md", From: 1, Own: true, Lines: []string{"- 2026-11-20: Lohse called, he can only begin on 18 March now, and the screed will be 3,450 instead of 3,100."}},
		{Path: "walk.md", From: 1, Day: "2026-11-20", Own: true, Lines: []string{"I walked through it with Lohse today."}},
	}
	news := "2026-11-20: Lohse called, he can only begin on 18 March now, and the screed will be 3,450 instead of 3,100."
	if got := answers("what does the screed cost now", files...); len(got) == 0 || got[0] != news {
		t.Errorf("%q", got)
	}
	if got := answers("when does Lohse begin", files...); len(got) != 1 || got[0] != news {
		t.Errorf("%q", got)
	}
}

// TestOfWhoseNote: who somebody is says the note that is called so, or by an alias, before those that only name them.
func TestOfWhoseNote(t *testing.T) {
	garden := Document{Path: "Garden.md", From: 1, Lines: []string{"# Garden", "", "Ask [[Bob]] about water.", "Ask Marta about the sockets."}}
	robert := Document{Path: "People/Robert.md", From: 1, Lines: strings.Split("---\naliases:\n  - Bob\n  - \"Bobby Tables\"\n---\n# Robert Miller\n\nHe is the plumber from Leith. His phone is 0131 555 0101.", "\n")}
	marta := Document{Path: "People/Marta.md", From: 1, Lines: strings.Split("---\naliases: [Mrs Jones]\n---\nShe is the electrician from Fife.", "\n")}
	for question, want := range map[string]string{
		"who is Bob":                 "He is the plumber from Leith.",
		"who is Bobby Tables":        "He is the plumber from Leith.",
		"who is Robert":              "He is the plumber from Leith.",
		"who is Marta":               "She is the electrician from Fife.",
		"what is Bob's phone number": "He is the plumber from Leith. His phone is 0131 555 0101.",
	} {
		if got := answers(question, garden, robert, marta); len(got) == 0 || strings.TrimPrefix(got[0], "lacks it: ") != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

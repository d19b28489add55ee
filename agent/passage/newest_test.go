package passage

import (
	"strings"
	"testing"
	"time"

	"kist/agent/language"
)

// What was told last of a thing is the answer, however it is told.
func TestWhatWasToldLast(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for question, lines := range map[string][]string{
		"how much do they pay now":           {"they pay 11.40 an hour", "the aquarium pays 12 an hour actually, they changed it"},
		"what is the asking price now":       {"The agent is Frau Hölzl, who reckons we should ask 620,000.", "Frau Hölzl now says 640,000 is realistic after all."},
		"when does the skip come":            {"The skip is ordered for the 12th of December.", "Matthias rang, the skip can't come until the 16th."},
		"when is chapter three due":          {"Professor Lindqvist would like to see chapter three by 20 December.", "That will be tight, I'd rather promise it for 10 January.", "He agreed to 10 January."},
		"how many children are coming":       {"Twelve children are coming.", "Two have said no, so it's ten children now."},
		"how much does the insurance pay":    {"I have measured the door, it is 78 cm wide.", "The insurance pays 4,000 of it."},
		"which shower do we take":            {"We take the big shower with the seat.", "We changed our minds, we take the normal shower."},
		"who is doing the stats":             {"the others are Tariq and Wen", "ottilie does the statistics"},
		"how much is the second payment":     {"The first payment is £150 and the second payment £495 by March.", "Oh bother, I said 495 but it was 459."},
		"how many plots does the moor get":   {"The moor gets 12 plots.", "Correction: the moor only gets 8 plots."},
		"when does the digger driver arrive": {"The digger driver arrives on 3 March.", "They can't bring him before 9 March."},
	} {
		d := Document{Path: "inbox.md", From: 1}
		for _, line := range lines {
			d.Lines = append(d.Lines, "- 2026-11-24: "+line)
		}
		toks := language.Tokenize(question)
		got := Ask(language.Topic(toks), toks, now).Answer([]Document{d})
		if want := "2026-11-24: " + lines[len(lines)-1]; len(got) == 0 || got[0].Text != want {
			t.Errorf("%s: %+v, want %s", question, got, want)
		}
	}
}

// The record of a conversation isn't the message before the oldest one that is at hand.
func TestRecordsAreNoMessages(t *testing.T) {
	said := []Document{
		{Lines: []string{"they turned the permit down"}, Day: "2026-11-20", Said: true},
		{Path: "conversations/a.md", Lines: []string{"the rent for the mooring is 300 a month", "", "it went up to 350 a month"}, Day: "2026-11-20", Said: true},
	}
	if beside := saidBeside(said)["they turned the permit down"]; len(beside) > 0 {
		t.Errorf("it is read with %v", beside)
	}
	said[1].Path = "" // a message
	if beside := saidBeside(said)["they turned the permit down"]; len(beside) == 0 {
		t.Error("it isn't read with what was said before it")
	}
}

// The message that made a task is kept in it, and tells nothing of what it names.
func TestWhatMadeATaskAnswersNothing(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	task := Document{Path: "projects/attic/tasks/order-the-window.md", From: 1, Lines: []string{"---", "title: Order the window", "created: 2026-11-24", "---", "", "Tasks: order the window by 4 December, get two quotes"}}
	told := Document{Path: "projects/attic/notes/inbox.md", From: 1, Lines: []string{"- 2026-11-24: the window from Velux costs 780", "- 2026-11-24: no, the window is 820 now"}}
	toks := language.Tokenize("is the window expensive")
	got := Ask("window expensive", toks, now).Answer([]Document{task, told})
	if len(got) == 0 || got[0].Text != "2026-11-24: no, the window is 820 now" {
		t.Errorf("%+v", got)
	}
}

func TestWhatCannotBe(t *testing.T) {
	docs := []Document{{Path: "inbox.md", Lines: []string{
		"- 2026-11-23: lift out booked sat 5 dec 9am w/ the yard", "- 2026-11-24: rudder is loose", "- 2026-11-24: cant do 5th, crane's bust.", "- 2026-11-24: now tue 8 dec 8am",
	}}}
	q := Ask("lift out", language.Tokenize("when's lift out again"), time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC))
	got := q.Answer(docs)
	if len(got) < 2 || !strings.HasSuffix(got[0].Text, "cant do 5th, crane's bust. now tue 8 dec 8am") || !got[1].Before {
		t.Errorf("%+v", got)
	}
}

// What is asked for is in what answers: an amount, a number, or else it is only the nearest.
func TestAboutWhatIsAsked(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	docs := []Document{{Path: "inbox.md", From: 1, Lines: []string{
		"- 2026-11-24: sent the samples to Fenwick and a mill in Ayr", "- 2026-11-24: Fenwick rang, we meet Friday at 11", "- 2026-11-24: the loom was £640",
		"- 2026-11-24: got the fitting at Hollis's on Wednesday at 2pm", "- 2026-11-24: wait no it's Tuesday.", "- 2026-11-24: Tuesday 1 December, 3pm",
	}}}
	for said, want := range map[string]string{
		"what did Fenwick say they were charging": "", "what's the number for the loom": "", "what time's the fitting": "wait no it's Tuesday. Tuesday 1 December, 3pm",
	} {
		toks := language.SkipOpeners(language.Tokenize(said))
		got := ""
		if best := Ask(language.Topic(toks), toks, now).Answer(docs); len(best) > 0 && best[0].Holds {
			got, _ = undated(best[0].Text)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// What changed of one thing isn't what holds now of another that shares only a common word with it, and
// who only goes on about somebody takes no list's place.
func TestOfAnotherThing(t *testing.T) {
	d := Document{Path: "inbox.md", From: 1}
	for _, line := range []string{
		"for the fair we need string, jars and sixty seven paper bags for the seeds", "the bags of soil are in the shed", "I can't lift bags any more, so Maud does that instead of me",
		"Stewards: Priya, Steph and my sister Niamh.", "Steph has pulled out as steward, she's expecting.", "She'd still like to come if she can.",
		"The Rotary gave us eight hundred and fifty.", "the hall is cold", "Forty tables are enough now",
	} {
		d.Lines = append(d.Lines, "- 2026-11-24: "+line)
	}
	for question, want := range map[string]int{"how many paper bags do I need": 1, "who are the stewards": 4, "what did the Rotary give, was it nine fifty": 7} {
		toks, line := language.Tokenize(question), 0
		if got := Ask(language.Topic(toks), toks, time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)).Answer([]Document{d}); len(got) > 0 {
			line = got[0].Line
		}
		if line != want {
			t.Errorf("%s: line %d, want %d", question, line, want)
		}
	}
}

// A word put together of another is about that, and all that is told in a project is about it.
func TestWordsOfTheSame(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	docs := []Document{{Path: "projects/nail-salon/notes/inbox.md", Own: true, From: 1, Lines: []string{
		"- 2026-11-24: Uwe has 3 sponsors so far: Sparkasse 2.000, Optik Seidel 500", "- 2026-11-24: my friend Thea works with me from January",
	}}}
	for question, want := range map[string]int{"wieviel haben wir an Sponsorengeldern?": 1, "who works in the salon": 2} {
		toks, line := language.Tokenize(question), 0
		q := Ask(language.Topic(toks), toks, now)
		q.Names = []string{"nail", "salon"}
		if got := q.Answer(docs); len(got) > 0 {
			line = got[0].Line
		}
		if line != want {
			t.Errorf("%s: line %d, want %d", question, line, want)
		}
	}
}

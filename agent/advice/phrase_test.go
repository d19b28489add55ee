package advice

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kist/agent/agenttest"
	"kist/agent/guide"
	"kist/agent/model"
)

func question(t *testing.T, id string) guide.Question {
	t.Helper()
	q, ok := guide.QuestionByID(id, "Selkie")
	if !ok {
		t.Fatalf("no question %s", id)
	}
	return q
}

func asking(words string) agenttest.Step {
	text, err := json.Marshal(map[string]string{"question": words})
	if err != nil {
		panic(err)
	}
	return agenttest.Say(string(text))
}

// Words for a question count where they ask the same and nothing else.
func TestPhrase(t *testing.T) {
	const first = "goals_momentum.1" // When should Selkie be finished, and what comes on the way there?
	for _, tc := range []struct {
		id, words string
		same      bool
	}{
		{first, "When do you want Selkie to be finished, and what comes on the way?", true},
		{first, "By which date should Selkie be moving on the road?", true},
		{"trust_safeguards.1", "What might trip Selkie up at worst, if it goes badly?", true},

		{first, "When should Selkie be finished, and what does Charles say about it?", false},   // a name
		{first, "When should it be finished, and what comes on the way there?", false},          // one less
		{first, "Should Selkie be finished by 3 May, and what comes on the way there?", false},  // a date
		{first, "When should Selkie be finished within three months of its first step?", false}, // a figure
		{first, "When should Selkie be finished for 4,200 euros?", false},
		{first, "When should Selkie be finished? What comes on the way there?", false}, // two
		{first, "When should Selkie be finished, and what comes on the way there.", false},
		{first, "Should Selkie be finished soon, with all that comes on the way there?", false}, // a yes would answer it
		{first, "Charles, when should Selkie be finished, and what comes then?", false},
		{first, "What might trip Selkie up, and what if it goes badly?", false},                         // of another side
		{first, "How much money and how many hours can you put into Selkie's budget and costs?", false}, // likewise
		{first, "What does it cost until Selkie is finished, and which budget comes on the way there?", false},
		{first, "When will aliens betray Selkie?", false},
		{first, "When should Selkie be\nfinished, and what comes on the way there?", false},
		{first, "When should **Selkie** be finished, and what comes on the way there?", false},
		{first, "When should Selkie be finished" + strings.Repeat(", and what comes on the way there", 9) + "?", false},
		{"trust_safeguards.5", "Does Selkie need any permission or protection that isn't in place?", false}, // a yes answers it, in the guide's words
	} {
		var b Book
		err := b.Phrase(t.Context(), agenttest.NewScript(asking(tc.words)), nil, "s", question(t, tc.id), "Selkie", "We sail.", "")
		if got := b.Words("s")[question(t, tc.id).Text]; tc.same && (got != tc.words || err != nil) || !tc.same && got != "" {
			t.Errorf("%q: %q, %v", tc.words, got, err)
		}
	}
}

func TestPhraseNothing(t *testing.T) {
	q := question(t, "goals_momentum.1")
	for name, step := range map[string]agenttest.Step{
		"bad JSON": agenttest.Say(`{"question":`), "endless": agenttest.Say(strings.Repeat("on and on ", 5000)), "a limit": {Err: model.ErrLimit},
	} {
		var b Book
		if err := b.Phrase(t.Context(), agenttest.NewScript(step), nil, "s", q, "Selkie", "", ""); err == nil || len(b.Words("s")) > 0 || name == "a limit" && !errors.Is(err, model.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var b Book
	script := agenttest.NewScript(asking("When do you want Selkie to be finished, and what comes on the way?"))
	for range 2 { // it is asked for once
		if err := b.Phrase(t.Context(), script, nil, "s", q, "Selkie", "We sail.", "it is private"); err != nil {
			t.Error(err)
		}
	}
	if r := script.Requests(); len(r) != 1 || r[0].Private != "it is private" || !strings.Contains(r[0].Messages[0].Text, "We sail.") {
		t.Errorf("%+v", r)
	}
	if len(b.Words("another")) > 0 {
		t.Error("another session has them")
	}
}

// A book is bounded.
func TestBook(t *testing.T) {
	var b Book
	for i := range 10 * maxSessions {
		for j := range 2 * maxWords {
			b.keep(strings.Repeat("s", i), strings.Repeat("q", j), "words")
		}
	}
	if len(b.words) > maxSessions || len(b.words["s"]) > maxWords {
		t.Errorf("%d, %d", len(b.words), len(b.words["s"]))
	}
}

package offline

import (
	"slices"
	"strings"
	"testing"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/offlinetest"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Of two readings the user picks one, by its place, its words or a yes to the first, and
// what is done is what that reading means.
func TestPickedReading(t *testing.T) {
	sit := offlinetest.Situation("houseboat-renovation")
	const text = "the coffee shop needs me today"
	asked := newTalk(model.Request{Situation: sit, Messages: []model.Message{{Role: model.User, Text: text}}})
	shop, _ := refer.BySlug(sit.Projects, "coffee-shop")
	if !asked.offerReadings(interpret.Meaning{Or: []interpret.Meaning{{Intent: intent.Switch, Project: refer.Exactly(shop)}, {Intent: intent.AddTask}}}) {
		t.Fatal("nothing is offered")
	}
	// A task without words can't be offered; keeping the words always can.
	if got, want := asked.Question.Text, `Shall I switch to "Coffee Shop" or keep that as a note?`; got != want {
		t.Errorf("asked %q, not %q", got, want)
	}
	sit.Question = *asked.Question
	for answer, tool := range map[string]string{"yes": "switch_project", "the first": "switch_project", "switch": "switch_project", "the second one": "create_note", "the note": "create_note"} {
		_, calls, _ := generate(t, model.Request{Situation: sit, Messages: user(answer)})
		if len(calls) == 0 || calls[0].Name != tool {
			t.Errorf("%q: %v, not %s", answer, calls, tool)
		}
	}
	if _, calls, _ := generate(t, model.Request{Situation: sit, Messages: user("no")}); len(calls) > 0 {
		t.Errorf("a no calls %v", calls)
	}
	if asked.offerReadings(interpret.Meaning{Or: []interpret.Meaning{{Intent: intent.AddTask}}}) {
		t.Error("only a note is offered")
	}
}

type kept struct{ all []intent.Example }

func (k *kept) Examples() []intent.Example { return k.all }
func (k *kept) Keep(e intent.Example)      { k.all = append(k.all, e) }

// What was picked is how such a message is read from the next start on.
func TestPickedReadingIsLearned(t *testing.T) {
	sit := offlinetest.Situation("houseboat-renovation")
	const text = "the coffee shop needs me today"
	req := model.Request{Situation: sit, Messages: user(text)}
	calls := func(p *Partner, req model.Request) (names []string) {
		req.Tools = []model.Tool{{Name: "switch_project"}}
		for e, err := range p.Generate(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Call != nil {
				names = append(names, e.Call.Name)
			}
		}
		return names
	}
	k := &kept{}
	if got := calls(NewLearning(k), req); slices.Contains(got, "switch_project") {
		t.Fatalf("it is read so without having been taught: %v", got)
	}
	answered := req
	answered.Situation.Question = model.Question{Kind: turn.AskReading, Args: map[string]string{"text": text, "intent.1": string(intent.Switch), "intent.2": string(intent.AddNote)}, Choices: []string{"switch", "note"}}
	answered.Messages = append(user(text), user("the first")...)
	answered.Messages = append(answered.Messages, model.Message{Role: model.ToolRole, Text: `{"ok":true}`})
	calls(New(), answered)
	if len(k.all) != 0 {
		t.Error("kept where nothing is learned")
	}
	teaching := newTalk(answered)
	teaching.work()
	if teaching.lesson == nil || teaching.lesson.Intent != intent.Switch || teaching.lesson.Text != text {
		t.Fatalf("the lesson is %+v", teaching.lesson)
	}
	k.Keep(*teaching.lesson)
	if got := calls(NewLearning(k), req); !slices.Contains(got, "switch_project") {
		t.Errorf("taught, it calls %v", got)
	}
	if got := calls(NewLearning(k), model.Request{Situation: sit, Messages: user("thanks")}); len(got) > 0 {
		t.Errorf("thanks calls %v", got)
	}
}

// What would be done is said of intents alone, and in words that are complete.
func TestReadingsAreWorded(t *testing.T) {
	known := map[string]bool{}
	for _, each := range (&interpret.Reader{}).Readings("anything") {
		known[string(each.Intent)] = true
	}
	for name, text := range readings() {
		if !known[name] {
			t.Errorf("%s is no intent", name)
		}
		all := interpret.Meaning{Intent: intent.Name(name), Title: "T", Name: "N", Text: "X", Project: refer.Exactly(offlinetest.Projects()[0])}
		if got := wouldDo(all); got == "" || strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %q becomes %q", name, text, got)
		}
	}
}

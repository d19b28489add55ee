package offline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
	"kist/agent/offline/turn"
)

func generate(t *testing.T, req model.Request) (text string, calls []model.Call, n int) {
	t.Helper()
	req.Tools = []model.Tool{{Name: "any"}}
	for e, err := range New().Generate(context.Background(), req) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		text += e.Text
		if e.Call != nil {
			calls = append(calls, *e.Call)
		}
	}
	return text, calls, n
}

func user(text string) []model.Message { return []model.Message{{Role: model.User, Text: text}} }

func TestLimitsAreToldOnce(t *testing.T) {
	sit := offlinetest.Situation("")
	for turns, want := range []bool{true, false, false} {
		sit.Turns = turns
		text, _, _ := generate(t, model.Request{Situation: sit, Messages: user("hello")})
		if got := strings.Contains(text, "No language model"); got != want {
			t.Errorf("turn %d: limits told %v: %s", turns, got, text)
		}
	}
}

func TestRepliesStreamInPieces(t *testing.T) {
	text, calls, n := generate(t, model.Request{Situation: offlinetest.Situation(""), Messages: user("help")})
	if len(calls) > 0 || n < 10 || !strings.Contains(text, "“undo” takes it back") {
		t.Errorf("%d pieces, %d calls: %s", n, len(calls), text)
	}
}

func TestCallsAreTheSameEachTime(t *testing.T) {
	req := model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: user("Switch to the houseboat and add a task to order cable by Friday")}
	_, first, _ := generate(t, req)
	_, second, _ := generate(t, req)
	if len(first) != 3 || first[0].Name != "switch_project" || first[2].Name != "create_task" {
		t.Fatalf("calls %v", first)
	}
	for i := range first {
		if first[i].ID != second[i].ID || string(first[i].Arguments) != string(second[i].Arguments) {
			t.Errorf("call %d: %v, then %v", i, first[i], second[i])
		}
	}
}

func TestFailedCallsAreToldWithTheirSuggestion(t *testing.T) {
	req := model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: user("add a task to order cable")}
	_, calls, _ := generate(t, req)
	if len(calls) != 1 {
		t.Fatalf("%v", calls)
	}
	req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: calls},
		model.Message{Role: model.ToolRole, CallID: calls[0].ID, Tool: "create_task", Text: `{"ok":false,"error":"no project \"x\"","suggestion":"did you mean \"y\"?"}`})
	text, calls, _ := generate(t, req)
	if len(calls) > 0 || !strings.Contains(text, "didn't work") || !strings.Contains(text, "did you mean") {
		t.Errorf("%v: %s", calls, text)
	}
}

// Results are told by the id of the call, in whatever order they come.
func TestResultsAnswerCallsByID(t *testing.T) {
	req := model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: user("add tasks to order cable and to call the bank")}
	_, calls, _ := generate(t, req)
	if len(calls) != 2 || calls[0].ID == calls[1].ID {
		t.Fatalf("%+v", calls)
	}
	answer := func(c model.Call, text string) model.Message {
		return model.Message{Role: model.ToolRole, CallID: c.ID, Tool: c.Name, Text: text}
	}
	req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: calls},
		answer(calls[1], `{"ok":true,"status":"done"}`), answer(calls[0], `{"ok":false,"error":"the disk is full"}`))
	text, calls, _ := generate(t, req)
	if len(calls) > 0 || !strings.Contains(text, "the disk is full") || !strings.Contains(text, "“Call the bank”") || strings.Contains(text, "“Order cable”") {
		t.Errorf("%v: %s", calls, text)
	}
}

func TestWithoutToolsItEndsInWords(t *testing.T) {
	text := ""
	for e, err := range New().Generate(context.Background(), model.Request{Situation: offlinetest.Situation(""), Messages: user("list my projects")}) {
		if err != nil || e.Call != nil {
			t.Fatalf("%v %v", e, err)
		}
		text += e.Text
	}
	if !strings.Contains(text, "had to stop") {
		t.Error(text)
	}
}

func TestGenerateStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last error
	for _, err := range New().Generate(ctx, model.Request{Situation: offlinetest.Situation(""), Messages: user("help")}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("ended with %v", last)
	}
}

func TestQuestionsAreUnderstoodWhenAnswered(t *testing.T) {
	apps := model.Question{Kind: turn.AskWhich, Choices: []string{"Fitness App", "Recipe App"}, Args: map[string]string{"slug.1": "fitness-app", "slug.2": "recipe-app"}}
	create := model.Question{Kind: turn.AskCreate, Args: map[string]string{"name": "Garden"}}
	for _, test := range []struct {
		question             model.Question
		active, answer, want string
	}{
		{create, "coffee-shop", "yes", `create_project {"description":"","name":"Garden"`},
		{create, "coffee-shop", "no", ""},
		{create, "coffee-shop", "list my projects", "list_projects"},
		{apps, "coffee-shop", "the recipe one", `switch_project {"project":"recipe-app"}`},
		{apps, "coffee-shop", "the second one", `switch_project {"project":"recipe-app"}`},
		{model.Question{Kind: turn.AskBelongs, Args: map[string]string{"text": "add a task to order cable"}}, "", "the houseboat", `create_task {"project":"houseboat-renovation",`},
		{model.Question{Kind: model.Open, Text: "What would you like?"}, "coffee-shop", "yes", ""},
		// Of a kist that kept the words alone: they mean nothing any more.
		{model.Question{Text: `Shall I create a project called "Garden"?`}, "coffee-shop", "yes", ""},
		{model.Question{Text: `Shall I add this as a task: "call the bank"?`}, "coffee-shop", "list my projects", "list_projects"},
	} {
		sit := offlinetest.Situation(test.active)
		sit.Question = test.question
		req := model.Request{Situation: sit, Messages: user(test.answer)}
		_, calls, _ := generate(t, req)
		if len(calls) == 1 && calls[0].Name == "list_memories" { // what might go along
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, CallID: calls[0].ID, Tool: calls[0].Name, Text: `{"ok":true,"result":{}}`})
			_, calls, _ = generate(t, req)
		}
		got := ""
		if len(calls) > 0 {
			got = calls[0].Name + " " + string(calls[0].Arguments)
		}
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%+v, %q: %s, want %s", test.question, test.answer, got, test.want)
		}
	}
}

// What a dimension should say instead takes the place of what it said.
func TestInsteadCorrects(t *testing.T) {
	sit := offlinetest.Situation("")
	sit.Mode, sit.Phase, sit.Turns = "project_create", "clarifying", 3
	sit.Draft = &model.Draft{Slug: "ark", Name: "Ark", Status: "in_progress", Dimensions: map[string]string{"power_resources": "There are 50000 crowns for it."}}
	sit.Question = model.Question{Kind: turn.AskInstead, Args: map[string]string{"dimension": "power_resources"}}
	_, calls, _ := generate(t, model.Request{Situation: sit, Messages: user("There are 20000 crowns for it.")})
	if len(calls) != 1 || string(calls[0].Arguments) != `{"dimension":"power_resources","how":"replace","text":"There are 20000 crowns for it."}` {
		t.Errorf("%+v", calls)
	}
}

// A session's file may be anybody's: a question without what it is about is answered
// like any other message.
func TestQuestionsAboutNothing(t *testing.T) {
	for kind := range answers() {
		for _, choices := range [][]string{nil, {"A", "B"}} {
			for _, text := range []string{"yes", "no", "both", "the second one", "A", "the houseboat", "what?"} {
				sit := offlinetest.Situation("coffee-shop")
				sit.Question = model.Question{Kind: kind, Choices: choices}
				said, calls, _ := generate(t, model.Request{Situation: sit, Messages: user(text)})
				if said == "" && len(calls) == 0 {
					t.Errorf("%s %v, %q: neither a call nor a word", kind, choices, text)
				}
			}
		}
	}
}

// What a question is about survives in its arguments, and each kind has words.
func TestEachQuestionHasWords(t *testing.T) {
	for kind := range answers() {
		if turn.Words()[kind] == "" {
			t.Errorf("%s has no words", kind)
		}
	}
	for kind, text := range turn.Words() {
		t1 := newTalk(model.Request{})
		t1.Choose(kind, map[string]string{"name": "N", "text": "T"}, []string{"A", "B"}, nil)
		if strings.ContainsAny(t1.Question.Text, "{}") || !strings.HasSuffix(text, "?") {
			t.Errorf("%s: %s", kind, t1.Question.Text)
		}
	}
}

// What the engine tells of projects that nobody touches is said where it fits, and a
// draft can be given up by name.
func TestIdleProjectsAndDraftsGivenUp(t *testing.T) {
	sit := offlinetest.Situation("")
	sit.Idle = sit.Projects[:2]
	sit.Drafts = []model.Draft{{Slug: "sauna", Name: "Sauna"}, {Slug: "treehouse", Name: "Treehouse"}}
	if text, _ := once(t, sit, "Hello"); !strings.Contains(text, "Nothing has happened in **Houseboat Renovation** and **Coffee Shop** for three months") {
		t.Errorf("greeting: %s", text)
	}
	if _, calls := once(t, sit, "abandon the sauna draft"); len(calls) != 1 || calls[0].Name != "abandon_draft" || string(calls[0].Arguments) != `{"draft":"sauna"}` {
		t.Errorf("giving up: %+v", calls)
	}
	if text, calls := once(t, sit, "abandon the draft"); len(calls) != 0 || !strings.Contains(text, "Which draft") {
		t.Errorf("two drafts: %s, %+v", text, calls)
	}
}

// once asks the partner once.
func once(t *testing.T, sit model.Situation, text string) (said string, calls []model.Call) {
	t.Helper()
	req := model.Request{Situation: sit, Messages: []model.Message{{Role: model.User, Text: text}}, Tools: []model.Tool{{Name: "any"}}}
	for e, err := range New().Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		said += e.Text
		if e.Call != nil {
			calls = append(calls, *e.Call)
		}
	}
	return said, calls
}

// A message of any length is looked up without asking more than the search takes.
func TestLongMessageIsLookedUp(t *testing.T) {
	for _, text := range []string{strings.Repeat("0", 100_000), "what about " + strings.Repeat("zinc ", 20_000) + "?"} {
		_, calls := once(t, offlinetest.Situation(""), text)
		for _, c := range calls {
			if len(c.Arguments) > 2_000 {
				t.Errorf("%s with %d bytes", c.Name, len(c.Arguments))
			}
		}
		if len(calls) == 0 {
			t.Errorf("%.20q: nothing is looked up", text)
		}
	}
}

// modelRequest is a turn after another.
func modelRequest(sit model.Situation, before, text string) model.Request {
	return model.Request{Situation: sit, Messages: []model.Message{{Role: model.User, Text: before}, {Role: model.Assistant, Text: sit.Question.Text}, {Role: model.User, Text: text}}}
}

func ExampleNew() {
	fmt.Println(New().Name())
	// Output: offline
}

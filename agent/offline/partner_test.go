package offline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kist/agent/model"
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
	sit := testSituation("")
	for turns, want := range []bool{true, false, false} {
		sit.Turns = turns
		text, _, _ := generate(t, model.Request{Situation: sit, Messages: user("hello")})
		if got := strings.Contains(text, "No language model"); got != want {
			t.Errorf("turn %d: limits told %v: %s", turns, got, text)
		}
	}
}

func TestRepliesStreamInPieces(t *testing.T) {
	text, calls, n := generate(t, model.Request{Situation: testSituation(""), Messages: user("help")})
	if len(calls) > 0 || n < 10 || !strings.Contains(text, "“undo” takes it back") {
		t.Errorf("%d pieces, %d calls: %s", n, len(calls), text)
	}
}

func TestCallsAreTheSameEachTime(t *testing.T) {
	req := model.Request{Situation: testSituation("coffee-shop"), Messages: user("Switch to the houseboat and add a task to order cable by Friday")}
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
	messages := append(user("add a task to order cable"),
		model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "call-1", Name: "create_task"}}},
		model.Message{Role: model.ToolRole, CallID: "call-1", Tool: "create_task", Text: `{"ok":false,"error":"no project \"x\"","suggestion":"did you mean \"y\"?"}`})
	text, calls, _ := generate(t, model.Request{Situation: testSituation("coffee-shop"), Messages: messages})
	if len(calls) > 0 || !strings.Contains(text, "didn't work") || !strings.Contains(text, "did you mean") {
		t.Errorf("%v: %s", calls, text)
	}
}

func TestWithoutToolsItEndsInWords(t *testing.T) {
	text := ""
	for e, err := range New().Generate(context.Background(), model.Request{Situation: testSituation(""), Messages: user("list my projects")}) {
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
	for _, err := range New().Generate(ctx, model.Request{Situation: testSituation(""), Messages: user("help")}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("ended with %v", last)
	}
}

func TestQuestionsAreUnderstoodWhenAnswered(t *testing.T) {
	for _, test := range []struct{ question, answer, want string }{
		{askCreate + `"Garden"?`, "yes", `create_project {"description":"","name":"Garden"`},
		{askCreate + `"Garden"?`, "no", ""},
		{askCreate + `"Garden"?`, "list my projects", "list_projects"},
		{askWhich + `"Fitness App" or "Recipe App"?`, "the recipe one", `switch_project {"project":"recipe-app"}`},
		{askBelongs + `"add a task to order cable"?`, "the houseboat", `switch_project {"project":"houseboat-renovation"}`},
		{askTask + `"call the bank"?`, "go", `create_task {"reason":"add the task “Call the bank”, as you asked","title":"Call the bank"}`},
		{"What would you like?", "yes", ""},
	} {
		sit := testSituation("coffee-shop")
		if strings.HasPrefix(test.question, askBelongs) {
			sit = testSituation("")
		}
		sit.Question = test.question
		_, calls, _ := generate(t, model.Request{Situation: sit, Messages: user(test.answer)})
		got := ""
		if len(calls) > 0 {
			got = calls[0].Name + " " + string(calls[0].Arguments)
		}
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%q, %q: %s, want %s", test.question, test.answer, got, test.want)
		}
	}
}

// What the engine tells of projects that nobody touches is said where it fits, and a
// draft can be given up by name.
func TestIdleProjectsAndDraftsGivenUp(t *testing.T) {
	sit := testSituation("")
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
		_, calls := once(t, testSituation(""), text)
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
	return model.Request{Situation: sit, Messages: []model.Message{{Role: model.User, Text: before}, {Role: model.Assistant, Text: sit.Question}, {Role: model.User, Text: text}}}
}

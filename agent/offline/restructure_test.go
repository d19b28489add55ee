package offline

import (
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
	"kist/agent/offline/turn"
)

// Where several projects fit, kist asks which, does nothing meanwhile, and the answer
// does what was asked for.
func TestSeveralProjectsAreAskedAbout(t *testing.T) {
	for _, test := range []struct{ said, question, answer, call string }{
		{"merge the two app projects", turn.AskInto, "the recipe app", `merge_projects {"from":"fitness-app","into":"recipe-app"`},
		{"merge the two app projects", turn.AskInto, "the first one", `merge_projects {"from":"recipe-app","into":"fitness-app"`},
		{"archive the app", turn.AskWhich, "fitness", `archive_project {"project":"fitness-app"}`},
		{"rename the app project to Pocket Coach", turn.AskWhich, "the second one", `rename_project {"name":"Pocket Coach","project":"recipe-app"}`},
		{"delete the app project", turn.AskWhich, "the recipe app", `delete_project {"project":"recipe-app"}`},
		{"merge the app project into the coffee shop", turn.AskWhich, "the fitness app", `merge_projects {"from":"fitness-app","into":"coffee-shop"`},
		{"how complete is the app project?", turn.AskWhich, "the fitness app", `project_completeness {"project":"fitness-app"}`},
		{"switch to the app", turn.AskWhich, "the fitness one", `switch_project {"project":"fitness-app"}`},
	} {
		sit := offlinetest.Situation("houseboat-renovation")
		q, calls := asks(t, sit, test.said)
		if len(calls) > 0 || q.Kind != test.question {
			t.Errorf("%q: %+v, %v", test.said, q, calls)
			continue
		}
		sit.Question = q
		_, calls, _ = generate(t, modelRequest(sit, test.said, test.answer))
		got := ""
		if len(calls) > 0 {
			got = calls[0].Name + " " + string(calls[0].Arguments)
		}
		if !strings.HasPrefix(got, test.call) {
			t.Errorf("%q, %q: %s, want %s", test.said, test.answer, got, test.call)
		}
	}
}

// asks returns the question that a reply ends in.
func asks(t *testing.T, sit model.Situation, text string) (q model.Question, calls []model.Call) {
	t.Helper()
	for e, err := range New().Generate(t.Context(), model.Request{Situation: sit, Messages: user(text), Tools: []model.Tool{{Name: "any"}}}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case e.Ask != nil:
			q = *e.Ask
		case e.Call != nil:
			calls = append(calls, *e.Call)
		}
	}
	return q, calls
}

package offline

import (
	"strings"
	"testing"
)

// Where several projects fit, kist asks which, does nothing meanwhile, and the answer
// does what was asked for.
func TestSeveralProjectsAreAskedAbout(t *testing.T) {
	for _, test := range []struct{ said, question, answer, call string }{
		{"merge the two app projects", askInto, "the recipe app", `merge_projects {"from":"fitness-app","into":"recipe-app"`},
		{"merge the two app projects", askInto, "the first one", `merge_projects {"from":"recipe-app","into":"fitness-app"`},
		{"archive the app", askWhich, "fitness", `archive_project {"project":"fitness-app"}`},
		{"rename the app project to Pocket Coach", askWhich, "the second one", `rename_project {"name":"Pocket Coach","project":"recipe-app"}`},
		{"delete the app project", askWhich, "the recipe app", `delete_project {"project":"recipe-app"}`},
		{"merge the app project into the coffee shop", askWhich, "the fitness app", `merge_projects {"from":"fitness-app","into":"coffee-shop"`},
		{"how complete is the app project?", askWhich, "the fitness app", `project_completeness {"project":"fitness-app"}`},
		{"switch to the app", askWhich, "the fitness one", `switch_project {"project":"fitness-app"}`},
	} {
		sit := testSituation("houseboat-renovation")
		text, calls := once(t, sit, test.said)
		i := strings.Index(text, test.question)
		if len(calls) > 0 || i < 0 {
			t.Errorf("%q: %q, %v", test.said, text, calls)
			continue
		}
		sit.Question = text[i:]
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

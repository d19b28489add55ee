package agent

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/agent/tool"
)

func TestPolicy(t *testing.T) {
	ours, users := place{agentMade: true}, place{}
	tests := []struct {
		preset string
		rule   string
		class  tool.Class
		at     place
		want   verdict
	}{
		{"balanced", "", tool.Read, users, "auto"},
		{"balanced", "", tool.Add, ours, "auto"},
		{"balanced", "", tool.Change, ours, "auto"},
		{"balanced", "", tool.Destroy, ours, "ask"},
		{"balanced", "", tool.Add, users, "ask"},
		{"balanced", "", tool.Change, users, "ask"},
		{"balanced", "", tool.Add, place{agentMade: true, outside: true}, "ask"},
		{"balanced", "", tool.Add, place{loose: true}, "auto"},
		{"balanced", "", tool.Change, place{loose: true}, "ask"},
		{"balanced", "", tool.Change, place{told: true}, "auto"},
		{"balanced", "", tool.Destroy, place{told: true, agentMade: true}, "ask"},
		{"balanced", "", tool.Add, place{told: true, outside: true}, "ask"},
		{"ask", "", tool.Read, ours, "auto"},
		{"ask", "", tool.Add, ours, "ask"},
		{"ask", "", tool.Add, place{told: true, agentMade: true}, "ask"},
		{"auto", "", tool.Destroy, users, "auto"},
		{"auto", "", tool.External, ours, "ask"},
		{"auto", "auto", tool.External, ours, "ask"},
		{"auto", "never", tool.External, ours, "never"},
		{"auto", "ask", tool.Add, ours, "ask"},
		{"balanced", "auto", tool.Destroy, users, "auto"},
		{"balanced", "never", tool.Read, ours, "never"},
	}
	for _, test := range tests {
		p := policy{preset: test.preset, rules: map[string]verdict{}}
		if test.rule != "" {
			p.rules["x"] = verdict(test.rule)
		}
		if got := p.decide("x", test.class, test.at); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func promptSituation() model.Situation {
	atlas := model.Project{Slug: "atlas", Name: "Atlas", Description: "A map of every canal.", Status: "active", CreatedBy: "agent"}
	boat := model.Project{Slug: "houseboat", Name: "Houseboat", Status: "active", CreatedBy: "user"}
	return model.Situation{
		Now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), Project: &atlas, Stack: []model.Project{boat}, Projects: []model.Project{atlas, boat},
		Question: "Which scale?", Pending: 2, Action: true,
		Settled: []model.Outcome{{Reason: "add the task"}, {Reason: "write the note", Error: "conflict"}, {Reason: "rename", Rejected: true}},
	}
}

func TestPromptGolden(t *testing.T) {
	tmpl, err := parsePrompt()
	if err != nil {
		t.Fatal(err)
	}
	got := assemble(tmpl, promptSituation(), promptBudget) + "\n=====\n\n" + assemble(tmpl, model.Situation{Now: promptSituation().Now}, promptBudget)
	const path = "testdata/prompt.golden"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPromptKeepsItsBudget(t *testing.T) {
	tmpl, err := parsePrompt()
	if err != nil {
		t.Fatal(err)
	}
	s := promptSituation()
	for range 500 {
		s.Projects = append(s.Projects, model.Project{Slug: "project", Name: strings.Repeat("long ", 20), Description: strings.Repeat("word ", 100)})
	}
	text := assemble(tmpl, s, promptBudget)
	if n := tokens(text); n > promptBudget+50 {
		t.Errorf("%d tokens, the budget is %d", n, promptBudget)
	}
	if !strings.Contains(text, "more; list_projects shows them") {
		t.Error("the model isn't told that projects were left out")
	}
}

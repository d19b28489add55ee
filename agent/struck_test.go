package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/vault/conversation"
)

// What a model says that it has done, and hasn't, isn't left standing: it is asked once more,
// what it said is taken back each time, and a plain sentence says what is so.
func TestStruck(t *testing.T) {
	for name, c := range map[string]struct {
		script *agenttest.Script
		text   string
		struck []string
		reply  string
	}{
		"twice": {agenttest.NewScript(agenttest.Say("Sure. I've added the task."), agenttest.Say("It has been added now. Anything else?")), "add a task for the varnish",
			[]string{"I've added the task.", "It has been added now."}, "Sure.\n\nAnything else?\n\n(Nothing was changed in this turn.)"},
		"then it does it": {agenttest.NewScript(agenttest.Say("I've added the task."), agenttest.Call("create_task", `{"title":"Varnish","project":"houseboat","reason":"asked"}`), agenttest.Say("I've added it.")),
			"add a task for the varnish", []string{"I've added the task."}, "I've added it."},
		"asked of before": {agenttest.NewScript(agenttest.Say("Yes, I've added it.")), "did you add it yesterday?",
			nil, "Yes, I've added it.\n\n(Nothing was changed in this turn.)"},
	} {
		s := newStage(t, boats, c.script, agent.Options{Preset: "auto"})
		var struck []string
		for _, e := range s.send(t, agent.Message{Text: c.text, Project: "houseboat"}) {
			if e, ok := e.(agent.Struck); ok {
				struck = append(struck, e.Text)
			}
		}
		turns, err := conversation.RecentTurns(t.Context(), s.vault, "houseboat", 1)
		if err != nil || len(turns) != 1 {
			t.Fatal(turns, err)
		}
		if fmt.Sprint(struck) != fmt.Sprint(c.struck) || strings.TrimSpace(turns[0].Reply) != c.reply {
			t.Errorf("%s: struck %q, kept %q, want %q", name, struck, turns[0].Reply, c.reply)
		}
	}
}

// What a model said and, as its next words show, only thought is taken back: it is in no file
// and doesn't go back to the model. What a step before said stays.
func TestThoughtIsTakenBack(t *testing.T) {
	script := agenttest.NewScript(
		agenttest.Step{Events: []model.Event{{Text: "I look."}, {Call: &model.Call{Name: "list_tasks", Arguments: []byte(`{}`)}}}},
		agenttest.Step{Events: []model.Event{{Text: "A plan. "}, {Text: "More of it."}, {Back: true}, {Text: "Blue."}}},
		agenttest.Say("Fine."),
	)
	s := newStage(t, boats, script, agent.Options{})
	var struck []string
	for _, e := range s.send(t, agent.Message{Text: "which colour?", Project: "houseboat"}) {
		if e, ok := e.(agent.Struck); ok && e.Thought {
			struck = append(struck, e.Text)
		}
	}
	if diff := cmp.Diff([]string{"\n\nA plan. More of it."}, struck); diff != "" {
		t.Error(diff)
	}
	turns, err := conversation.RecentTurns(t.Context(), s.vault, "houseboat", 1)
	if err != nil || len(turns) != 1 || turns[0].Reply != "I look.\n\nBlue." {
		t.Error(turns, err)
	}
	s.send(t, agent.Message{Text: "and?"})
	requests := script.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if strings.Contains(m.Text, "plan") {
			t.Errorf("it goes back: %+v", m)
		}
	}
}

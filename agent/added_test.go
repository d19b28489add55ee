package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
)

// What kist added to a reply doesn't go back as the model's own words: it stands behind them,
// as kist's.
func TestAddedIsKept(t *testing.T) {
	script := agenttest.NewScript(
		agenttest.Step{Events: []model.Event{{Text: "I delete it."}, {Call: &model.Call{Name: "delete_project", Arguments: []byte(`{"project":"atlas","reason":"asked"}`)}}}},
		agenttest.Step{Events: []model.Event{{Text: "It waits, but"}}, Stop: model.Length},
		agenttest.Say("Fine."),
	)
	s := newStage(t, boats, script, agent.Options{})
	s.send(t, agent.Message{Text: "delete atlas", Project: "houseboat"})
	s.send(t, agent.Message{Text: "what else is there?"})
	requests := script.Requests()
	_, messages := requests[len(requests)-1].Prompt()
	if len(messages) != 3 || messages[1].Role != model.Assistant || messages[1].Text != "I delete it.\n\nIt waits, but" {
		t.Fatalf("%+v", messages)
	}
	for _, want := range []string{"(kist told me beside your answer: ", "(The answer was cut off: it reached the model's limit.)", "Proposed: delete project projects/atlas", "what else is there?"} {
		if !strings.Contains(messages[2].Text, want) {
			t.Errorf("%q isn't told: %s", want, messages[2].Text)
		}
	}
}

package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
)

// What kist added to a reply doesn't go back as the model's own words: it stands behind them,
// as kist's.
func TestAddedIsKept(t *testing.T) {
	script := agenttest.NewScript(
		agenttest.Step{Events: []model.Event{{Text: "I delete it."}, {Call: &model.Call{Name: "delete_project", Arguments: []byte(`{"project":"atlas","reason":"asked"}`)}}}},
		agenttest.Step{Events: []model.Event{{Text: "It waits, but"}}, Stop: model.Length},
		agenttest.Step{},
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

// changed is a model that is another one from turn to turn.
type changed struct{ model.Model }

func (c *changed) Turn() model.Model { return c.Model }

// What the offline partner says of itself isn't an answer: a model that is set up later doesn't
// hear it as its own words.
func TestLimitsArentTheModels(t *testing.T) {
	later := agenttest.NewScript(agenttest.Say("Fine."))
	m := &changed{offline.New()}
	s := newStage(t, boats, m, agent.Options{})
	s.send(t, agent.Message{Text: "what is the houseboat?", Project: "houseboat"})
	m.Model = later
	s.send(t, agent.Message{Text: "and?"})
	_, messages := later.Requests()[0].Prompt()
	for i, msg := range messages {
		if at := strings.Index(msg.Text, "No language model is set up"); at >= 0 && (msg.Role == model.Assistant || !strings.Contains(msg.Text[:at], "(kist told me beside your answer: ")) {
			t.Errorf("message %d of %s: %s", i, msg.Role, msg.Text)
		}
	}
}

package agent_test

import (
	"slices"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
)

// A tool that isn't on offer isn't carried out, not even as a proposal: the model hears why,
// and the nearest name that is. So it does where there is no such tool.
func TestNotOnOffer(t *testing.T) {
	for call, want := range map[string][]string{
		"delete_project": {`"delete_project isn't on offer now: it is on when the message speaks of renaming`, `did you mean \"create_project\"`},
		"add_task":       {`no tool \"add_task\"`, `did you mean \"create_task\"`},
		"find_notes":     {`no tool \"find_notes\"`, `_note\"`},
	} {
		script := agenttest.NewScript(agenttest.Call(call, `{"project":"houseboat","reason":"so"}`), agenttest.Say("I can't do that here."))
		s := newStage(t, boats, script, agent.Options{})
		for _, e := range s.send(t, agent.Message{Text: "how is the boat?", Project: "houseboat"}) {
			switch e := e.(type) {
			case agent.Operation, agent.ApprovalRequest:
				t.Errorf("%s: %+v", call, e)
			}
		}
		last := script.Requests()[1].Messages
		for _, w := range want {
			if got := last[len(last)-1].Text; !strings.Contains(got, w) {
				t.Errorf("%s: the model hears %s, want %s", call, got, w)
			}
		}
	}
}

// What the turn before spoke of stays on offer for an answer to it, in whatever words.
func TestStaysOnOffer(t *testing.T) {
	for _, answer := range []string{"do it", "do it, name it Ship", "yes, call it Ship please"} {
		script := agenttest.NewScript(agenttest.Say("What is it to be called?"), agenttest.Say("Fine."))
		s := newStage(t, boats, script, agent.Options{})
		s.send(t, agent.Message{Text: "let us rename this project", Project: "houseboat"})
		s.send(t, agent.Message{Text: answer})
		if !slices.ContainsFunc(script.Requests()[1].Tools, func(tool model.Tool) bool { return tool.Name == "rename_project" }) {
			t.Errorf("%q: rename_project isn't on offer", answer)
		}
	}
}

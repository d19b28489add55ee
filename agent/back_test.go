package agent_test

import (
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
)

// "Back" doesn't lead to a project that was deleted in the same turn, which ended it.
func TestBackFromADeletedProject(t *testing.T) {
	s := newStage(t, boats, agenttest.NewScript(agenttest.Call("create_project", `{"name":"Sails","reason":"why not"}`), agenttest.Call("delete_project", `{}`), agenttest.Call("go_back", `{}`), agenttest.Say("There.")), agent.Options{Preset: "auto"})
	for _, e := range s.send(t, agent.Message{Text: "make it, delete it and go back"}) {
		if f, ok := e.(agent.Failed); ok {
			t.Error(f.Err)
		}
	}
}

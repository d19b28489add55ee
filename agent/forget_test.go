package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
)

// What was said of a thing is not the task that is named like it; a task can be forgotten.
func TestForgetWhatWasSaid(t *testing.T) {
	s := newStage(t, boats, offline.New(), agent.Options{})
	id := sessionOf(s.send(t, agent.Message{Text: "add a task: call the marina", Project: "houseboat"}))
	s.send(t, agent.Message{Text: "go", Session: id})
	said := transcript(s.send(t, agent.Message{Text: "forget what I said about the marina", Session: id}))
	if strings.Contains(said, "delete") || !strings.Contains(said, "I remember nothing about") {
		t.Errorf("a task is meant to go\n%s", said)
	}
	if named := transcript(s.send(t, agent.Message{Text: "forget the marina", Session: id})); !strings.Contains(named, "delete") {
		t.Errorf("a task isn't found\n%s", named)
	}
}

package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
)

// What is told of another project than the one at hand, and which it names, is offered for
// that one's inbox; the rest stays.
func TestNewsOfAnotherProject(t *testing.T) {
	s := newStage(t, "", offline.New(), agent.Options{})
	id := sessionOf(s.send(t, agent.Message{Text: "create a project called Emily's Move to Leeds"}))
	s.send(t, agent.Message{Text: "create a project called Organ Restoration", Session: id})
	said := transcript(s.send(t, agent.Message{Text: "The bellows cost 4,200 more than he thought. And Emily has found a flat in Headingley for 925 a month. She signs on 3 December.", Session: id}))
	if !strings.Contains(said, "proposed create projects/emilys-move-to-leeds/notes/inbox.md: keep these two sentences") || !strings.Contains(said, "completed create projects/organ-restoration/notes/inbox.md: keep “The bellows") {
		t.Errorf("not where it belongs:\n%s", said)
	}
}

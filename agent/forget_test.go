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

// What was told, noted or decided is found by words, shown with its text, and only goes
// with a go; a task that is named is the task.
func TestForgetWhatWasTold(t *testing.T) {
	const told = boats + `
-- inbox.md --
- 2026-11-18: the bike needs a chain
-- projects/houseboat/notes/inbox.md --
# Inbox

- 2026-11-18: The rent is 900 a month
- 2026-11-18: The plumber comes on Monday
-- projects/houseboat/notes/boiler.md --
# Boiler

It leaks at the valve.
`
	for _, test := range []struct{ project, said, want string }{
		{"houseboat", "forget what I said about the rent", "take out of the inbox: 2026-11-18: The rent is 900 a month"},
		{"houseboat", "vergiss, was ich über die Miete gesagt habe", "take out of the inbox: 2026-11-18: The rent is 900 a month"},
		{"houseboat", "vergiss das mit der Miete", "take out of the inbox: 2026-11-18: The rent is 900 a month"},
		{"houseboat", "forget the rent", "take out of the inbox: 2026-11-18: The rent is 900 a month"},
		{"houseboat", "remove the line about the plumber from the inbox", "take out of the inbox: 2026-11-18: The plumber comes on Monday"},
		{"houseboat", "scrap that note about the boiler", "delete the note: Boiler: It leaks at the valve"},
		{"houseboat", "delete the note about the boiler", "delete the note: Boiler: It leaks at the valve"},
		{"", "forget what I told you about the bike", "take out of the inbox: 2026-11-18: the bike needs a chain"},
		{"houseboat", "forget what I said about the bike", "I remember nothing about"},
		{"houseboat", "delete the task about the rent", "I found no open task"},
	} {
		s := newStage(t, told, offline.New(), agent.Options{})
		before := s.files(t)
		said := transcript(s.send(t, agent.Message{Text: test.said, Project: test.project}))
		if !strings.Contains(said, test.want) || strings.Contains(said, "Not written down") {
			t.Errorf("%s\n%s", test.said, said)
		}
		if proposes := !strings.HasPrefix(test.want, "I "); strings.Contains(said, "[proposed") != proposes || strings.Contains(said, "[completed") || s.files(t) != before {
			t.Errorf("%s\n%s", test.said, said)
		}
	}
}

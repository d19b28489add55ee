package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
)

// Of two proposals that have the same reason and were shown together neither is what
// became of the other: a go does both.
func TestGoDoesTwoOfOneReason(t *testing.T) {
	write := func(dimension, text string) []string {
		return []string{"update_project_dimension", `{"dimension":"` + dimension + `","how":"append","text":"` + text + `"}`}
	}
	var calls []string
	for _, c := range [][]string{write("integrity_ideals", "The hull comes first."), write("goals_momentum", "She floats by May."), write("power_resources", "The lorry costs a third."), write("goals_momentum", "The crane comes in June."), write("goals_momentum", "The paint follows.")} {
		calls = append(calls, c...)
	}
	s := newStage(t, boats, agenttest.NewScript(agenttest.Call(calls...), agenttest.Say("I'd note that."), agenttest.Say("Done.")), agent.Options{})
	id := sessionOf(s.send(t, agent.Message{Text: "here is what is new", Project: "houseboat"}))
	s.send(t, agent.Message{Text: "go", Session: id})
	files := s.files(t)
	for _, want := range []string{"The hull comes first.", "She floats by May.", "The lorry costs a third.", "The crane comes in June.", "The paint follows."} {
		if !strings.Contains(files, want) {
			t.Errorf("%q is in no file\n%s", want, files)
		}
	}
}

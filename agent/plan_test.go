package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
)

// What was laid out of a long message is done as a whole, after a plain yes alone; what it told is
// kept whatever the answer is.
func TestPlanIsDoneAsAWhole(t *testing.T) {
	dump := "Quite a week. We must order 15 litres of white paint before the boards come. I need to take out liability insurance by 12 December. " +
		"I have to ask Nele for the texts. The boards are oak now because pine was sold out. The skipper was here and liked it. We should clear the shed as well. " +
		"Everybody on the quay keeps asking when she will float again, and I keep telling them that it will be spring, which may even be true if the weather holds and nobody falls ill before the carpenter is back from Riga, which is where his mother lives and where the good boards come from anyway."
	for _, test := range []struct {
		answer string
		done   bool // with the go that follows
	}{
		{"yes", true},
		{"yes but not the paint", true},
		{"just the insurance and the texts please", true},
		{"Nearly! The paint has nothing to do with the houseboat, leave that out please. The rest yes.", false},
	} {
		s := newStage(t, "", offline.New(), agent.Options{})
		id := sessionOf(s.send(t, agent.Message{Text: "create a project called Houseboat"}))
		if said := transcript(s.send(t, agent.Message{Text: dump, Session: id})); !strings.Contains(said, "Nothing is written yet") {
			t.Fatalf("no plan:\n%s", said)
		}
		said := transcript(s.send(t, agent.Message{Text: test.answer, Session: id}))
		if strings.Contains(said, "tasks/") != (test.answer == "yes") {
			t.Errorf("%q:\n%s", test.answer, said)
		}
		if test.answer != "yes" {
			said = transcript(s.send(t, agent.Message{Text: "go", Session: id}))
		}
		if files := s.files(t); strings.Contains(said, "tasks/order-15-litres") != test.done || !strings.Contains(files, "liability insurance by 12 December") && !strings.Contains(files, "due: 2026-12-12") || !strings.Contains(files, "The boards are oak now") {
			t.Errorf("%q, then go:\n%s\n%s", test.answer, said, files)
		}
	}
}

// An answer that leaves something out of a plan which begins a project doesn't go on
// without a yes.
func TestPlanOfNewProjectIsAmended(t *testing.T) {
	s := newStage(t, "", offline.New(), agent.Options{})
	dump := "I want to build a boat shed behind the house before next winter, since the old one leaks. We need to ask the council for a permit by 15 January. I have to order the timber from Hansen. We must find a roofer as well. " +
		"The ground is wet and my brother says it will not carry the weight, which may be true, he has built three of them on the same shore. It should hold two boats and a bench, and the door has to face the water, else we carry them around the house each time. " +
		"My neighbour will lend us his digger for a weekend in March if we pay the fuel."
	id := sessionOf(s.send(t, agent.Message{Text: dump}))
	said := transcript(s.send(t, agent.Message{Text: "no roofer, my cousin does the roof", Session: id}))
	if said == "" {
		t.Error("no answer")
	}
	s.send(t, agent.Message{Text: "yes", Session: id})
}

package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
	"kist/vault"
)

// proposedIn are the labels of what a turn offers.
func proposedIn(events []agent.Event) (out []string) {
	for _, e := range events {
		if r, ok := e.(agent.ApprovalRequest); ok {
			out = append(out, r.Operation.Reason)
		}
	}
	return out
}

func replyOf(events []agent.Event) string {
	var b strings.Builder
	for _, e := range events {
		if d, ok := e.(agent.TextDelta); ok {
			b.WriteString(d.Text)
		}
	}
	return b.String()
}

// What somebody who takes minutes would write down is offered, counted and once; small
// talk isn't, and what was passed over isn't shown again by itself.
func TestMinutes(t *testing.T) {
	const inbox = " in the inbox of Houseboat"
	s := newStage(t, boats, offline.New(), agent.Options{Seed: "minutes"})
	s.send(t, agent.Message{Text: "hello", Project: "houseboat"})
	for _, turn := range []struct{ text, offered string }{
		{"Good morning! It's raining cats and dogs here", ""},
		{"The landlord wants 1,800 a month and a deposit of 3,600", "keep “The landlord wants 1,800 a month and a deposit of 3,600”" + inbox},
		{"The visa office closes in August.", "keep these two sentences" + inbox + ": “The landlord wants 1,800 a month and a deposit of 3,600” and “The visa office closes in August”"},
		{"my neighbour's dog barks all night", ""},
		{"I slept badly. My back hurts. The coffee is cold.", ""},
		{"they turned the permit down", "keep “they turned the permit down”" + inbox},
		{"lovely, thanks", ""},
		{"ok I'm off to bed, talk tomorrow", ""},
		{"The agency moved the handover to October because the painters are late", "keep “The agency moved the handover to October because the painters are late”" + inbox},
		{"no", ""},
		{"The school says Mia's place is confirmed from 1 September", "keep “The school says Mia's place is confirmed from 1 September”" + inbox},
	} {
		got := strings.Join(proposedIn(s.send(t, agent.Message{Text: turn.text})), "; ")
		if got != turn.offered {
			t.Errorf("%q: offered %q, want %q", turn.text, got, turn.offered)
		}
	}
	s.send(t, agent.Message{Text: "that would be lovely, thank you"})
	if got := proposedIn(s.send(t, agent.Message{Text: "what is waiting?"})); len(got) != 2 {
		t.Fatalf("waiting: %q", got)
	}
	reply := replyOf(s.send(t, agent.Message{Text: "go"}))
	text, err := s.vault.Read("projects/houseboat/notes/inbox.md")
	for _, want := range []string{"Mia's place", "1,800 a month", "visa office", "permit down"} {
		if err != nil || strings.Count(string(text), want) != 1 {
			t.Errorf("%q isn't kept once: %s, %v", want, text, err)
		}
	}
	if strings.Contains(reply, "could not") {
		t.Errorf("said that it isn't done: %s", reply)
	}
}

// A plan that asks whether to write a message down holds its words until the answer.
func TestPlannedWordsWait(t *testing.T) {
	const plan = "I'd like to build this:\nChapter 1: Being\n- Pure being\n- Nothing\n- Becoming\nChapter 2: Essence\n- Reflection\n- Appearance"
	for answer, written := range map[string]bool{"go": true, "no": false} {
		s := newStage(t, boats, offline.New(), agent.Options{Seed: "plan"})
		events := s.send(t, agent.Message{Text: plan, Project: "atlas"})
		if reply := replyOf(events); !strings.Contains(reply, "Nothing is written yet") || strings.Contains(reply, "I kept") {
			t.Errorf("the reply contradicts itself: %s", reply)
		}
		for _, text := range []string{answer, "what is due this week?"} {
			if got := proposedIn(s.send(t, agent.Message{Text: text})); len(got) > 0 {
				t.Errorf("%s: offered once more: %q", answer, got)
			}
		}
		tasks, err := s.vault.Operations(context.Background(), vault.Filter{Status: vault.StatusCompleted})
		made := slices.ContainsFunc(tasks, func(op vault.Operation) bool { return op.Entity.Type == "task" && op.Type == vault.OpCreate })
		if err != nil || made != written {
			t.Errorf("%s: tasks made %v, %v", answer, made, err)
		}
		if _, err := s.vault.Read("projects/atlas/notes/inbox.md"); err == nil {
			t.Errorf("%s: the inbox holds words of the plan", answer)
		}
	}
}

package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
)

// costly is a step that reports its tokens.
func costly(step agenttest.Step, in, out int) agenttest.Step {
	step.Events = append(step.Events, model.Event{Usage: &model.Usage{Input: in, Output: out}})
	return step
}

func usages(events []agent.Event) (out []agent.Usage) {
	for _, e := range events {
		if u, ok := e.(agent.Usage); ok {
			out = append(out, u)
		}
	}
	return out
}

func TestBudgetsStopInWords(t *testing.T) {
	list := costly(agenttest.Call("list_projects", `{}`), 900, 100)
	script := agenttest.NewScript(list, list, list, costly(agenttest.Say("Hi."), 10, 5), costly(agenttest.Say("Ho."), 2000, 5), agenttest.Say("not reached"), costly(agenttest.Say("A new day."), 1, 1))
	s := newStage(t, boats, script, agent.Options{Budget: agent.Budget{Turn: 2000, Day: 4000}})
	events := s.send(t, agent.Message{Text: "loop"})
	wantOutline(t, events, "usage, call list_projects, usage, call list_projects, notice, done ")
	want := agent.Usage{Input: 900, Output: 100, Turn: 2000, TurnLimit: 2000, Today: 2000, TodayLimit: 4000}
	if got := usages(events); len(got) != 2 || got[1] != want {
		t.Errorf("usage %+v", got)
	}
	if !strings.Contains(transcript(events), "this turn has used 2000 tokens, and its limit is 2000") {
		t.Error(transcript(events))
	}
	s.send(t, agent.Message{Text: "again"}) // 3,000
	s.send(t, agent.Message{Text: "again"}) // 3,015
	s.send(t, agent.Message{Text: "again"}) // 5,020: the day is used up
	n := len(script.Requests())
	events = s.send(t, agent.Message{Text: "one more"})
	wantOutline(t, events, "notice, done ")
	if len(script.Requests()) != n || !strings.Contains(transcript(events), "limit of a day") {
		t.Errorf("the model was asked: %s", transcript(events))
	}
	if turns, err := s.vault.RecentTurns(context.Background(), "", 1); err != nil || !strings.Contains(turns[0].Reply, "limit of a day") {
		t.Errorf("%+v, %v", turns, err)
	}
	s.now = s.now.Add(24 * time.Hour)
	if got := outline(s.send(t, agent.Message{Text: "good morning"})); !strings.HasPrefix(got, "text") {
		t.Errorf("the next day: %s", got)
	}
}

// A model that doesn't count is estimated, calls and broken answers as well.
func TestUncountedTokensAreEstimated(t *testing.T) {
	long := `{"title":"x","text":"` + strings.Repeat("words ", 2000) + `"}`
	s := newStage(t, boats, agenttest.NewScript(agenttest.Call("create_note", long), agenttest.Say("Noted.")), agent.Options{Budget: agent.Budget{Turn: 100_000}})
	got := usages(s.send(t, agent.Message{Text: "write"}))
	if len(got) != 2 || got[0].Output < 2900 || got[1].Input < got[0].Input+2900 {
		t.Errorf("%+v", got)
	}
	s = newStage(t, boats, agenttest.NewScript(agenttest.Step{Events: []model.Event{{Text: strings.Repeat("words ", 1000)}}, Err: context.DeadlineExceeded}), agent.Options{Budget: agent.Budget{Turn: 100_000}})
	if got = usages(s.send(t, agent.Message{Text: "write"})); len(got) != 1 || got[0].Output < 1400 {
		t.Errorf("what was cut off costs nothing: %+v", got)
	}
}

// The offline partner costs nothing, whatever the budget.
func TestOfflineIsFree(t *testing.T) {
	s := newStage(t, boats, offline.New(), agent.Options{Budget: agent.Budget{Turn: 1, Day: 1}})
	if got := outline(s.send(t, agent.Message{Text: "list my projects"})); strings.Contains(got, "usage") || !strings.Contains(got, "text") {
		t.Error(got)
	}
}

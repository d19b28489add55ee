package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/budget"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/vault/conversation"
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

// Before a request that would pass a limit the user is asked, and a yes is for one turn.
func TestLimitsAsk(t *testing.T) {
	list := func(n int) agenttest.Step {
		return costly(agenttest.Call("list_tasks", fmt.Sprintf(`{"limit":%d}`, n)), 19_000, 1000)
	}
	script := agenttest.NewScript(list(1), list(2), costly(agenttest.Say("Two."), 19_000, 1000), costly(agenttest.Say("Hi."), 9_000, 50),
		costly(agenttest.Say("Over the day."), 9_000, 50), costly(agenttest.Say("A new day."), 1, 1))
	s := newStage(t, boats, script, agent.Options{Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 42_000, Day: 72_000, Month: 95_000}})})
	session := ""
	say := func(text string) []agent.Event {
		t.Helper()
		events := s.send(t, agent.Message{Text: text, Session: session})
		session = events[len(events)-1].(agent.Done).Session
		return events
	}
	events := say("loop")
	wantOutline(t, events, "usage, call list_tasks, usage, call list_tasks, notice, done ")
	got := usages(events)
	if len(got) != 2 || got[1].Input != 19_000 || got[1].Turn.Tokens != 40_000 || got[1].Today.Tokens != 40_000 || got[1].Limits.Tokens.Day != 72_000 {
		t.Errorf("usage %+v", got)
	}
	if !strings.Contains(transcript(events), "This turn has used 40000 tokens so far, and the next request takes about ") || !strings.Contains(transcript(events), "more than the limit of 42000. Shall I go on?") {
		t.Error(transcript(events))
	}
	say("yes")   // 60,000
	say("again") // 69,050: the next one is too much for the day
	n := len(script.Requests())
	events = say("one more")
	wantOutline(t, events, "notice, done ")
	if len(script.Requests()) != n || !strings.Contains(transcript(events), "Today has used 69050 tokens so far") {
		t.Errorf("the model was asked: %s", transcript(events))
	}
	if turns, err := conversation.RecentTurns(context.Background(), s.vault, "", 1); err != nil || !strings.Contains(turns[0].Reply, "Shall I go on?") {
		t.Errorf("%+v, %v", turns, err)
	}
	events = say("no")
	if wantOutline(t, events, "notice, done "); !strings.Contains(transcript(events), "nothing more is sent") {
		t.Error(transcript(events))
	}
	for _, text := range []string{"yes", "and what is due?"} { // a yes to nothing lifts nothing
		if events = say(text); !strings.Contains(transcript(events), "Shall I go on?") {
			t.Errorf("%s: %s", text, transcript(events))
		}
	}
	if events = say("yes, go on"); !strings.Contains(transcript(events), "Over the day.") {
		t.Error(transcript(events))
	}
	s.now = s.now.Add(24 * time.Hour)
	if events = say("good morning"); !strings.Contains(transcript(events), "A new day.") {
		t.Errorf("the next day: %s", transcript(events))
	}
}

// A model that doesn't count is estimated, calls and broken answers as well.
func TestUncountedTokensAreEstimated(t *testing.T) {
	long := `{"title":"x","text":"` + strings.Repeat("words ", 2000) + `"}`
	s := newStage(t, boats, agenttest.NewScript(agenttest.Call("create_note", long), agenttest.Say("Noted.")), agent.Options{Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 100_000}})})
	got := usages(s.send(t, agent.Message{Text: "write"}))
	if len(got) != 2 || got[0].Output < 2000 || got[1].Input < got[0].Input+2000 {
		t.Errorf("%+v", got)
	}
	s = newStage(t, boats, agenttest.NewScript(agenttest.Step{Events: []model.Event{{Text: strings.Repeat("words ", 1000)}}, Err: context.DeadlineExceeded}), agent.Options{Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 100_000}})})
	if got = usages(s.send(t, agent.Message{Text: "write"})); len(got) != 1 || got[0].Output < 1000 {
		t.Errorf("what was cut off costs nothing: %+v", got)
	}
}

// The offline partner costs nothing, whatever the budget.
func TestOfflineIsFree(t *testing.T) {
	s := newStage(t, boats, offline.New(), agent.Options{Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 1, Day: 1}})})
	if got := outline(s.send(t, agent.Message{Text: "list my projects"})); strings.Contains(got, "usage") || !strings.Contains(got, "text") {
		t.Error(got)
	}
}

// No to going on sends nothing; yes goes on with the message, and what it did is done.
func TestGoingOnAtALimit(t *testing.T) {
	create := costly(agenttest.Call("create_task", `{"title":"Buy rope","project":"atlas"}`), 19_000, 1000)
	look := costly(agenttest.Call("list_tasks", `{}`), 19_000, 1000)
	script := agenttest.NewScript(create, look, create, costly(agenttest.Say("Both done."), 19_000, 10), create, look)
	s := newStage(t, boats, script, agent.Options{Preset: "auto", Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 42_000}})})
	session := ""
	say := func(text string) string {
		t.Helper()
		events := s.send(t, agent.Message{Text: text, Session: session})
		session = events[len(events)-1].(agent.Done).Session
		return transcript(events)
	}
	if got := say("get the rope thing going"); !strings.Contains(got, "Shall I go on?") || strings.Count(s.files(t), "buy-rope") != 1 {
		t.Fatalf("%s%s", got, s.files(t))
	}
	if got := say("yes"); !strings.Contains(got, "Both done.") || strings.Count(s.files(t), "buy-rope") != 1 {
		t.Errorf("%s%s", got, s.files(t))
	}
	req := script.Requests()[2]
	if last := req.Messages[req.Said]; !strings.HasSuffix(last.Text, "get the rope thing going") {
		t.Errorf("it was asked %q", last.Text)
	}
	say("get the rope thing going")
	n := len(script.Requests())
	if got := say("no"); !strings.Contains(got, "All right, nothing more is sent.") || len(script.Requests()) != n {
		t.Errorf("%s%d requests more", got, len(script.Requests())-n)
	}
}

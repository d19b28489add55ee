package agent_test

import (
	"context"
	"errors"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/budget"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/private"
)

const audited = `
-- projects/houseboat/project.md --
---
type: project
name: Houseboat
status: active
---

# Houseboat
-- projects/houseboat/tasks/hull.md --
---
type: task
title: Weld the hull
status: todo
due: 2020-05-03
---
`

// behind is what a client does before it sends something off this machine.
type behind struct{ *agenttest.Script }

func (b behind) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	if _, err := req.Public(); err != nil {
		return func(yield func(model.Event, error) bool) { yield(model.Event{}, err) }
	}
	return b.Script.Generate(ctx, req)
}

// tardy answers when nobody waits any more.
type tardy struct{ within time.Duration }

func (tardy) Name() string { return "tardy" }

func (l *tardy) Generate(ctx context.Context, _ model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if end, ok := ctx.Deadline(); ok {
			l.within = time.Until(end)
		}
		yield(model.Event{}, context.DeadlineExceeded)
	}
}

// numbered finds the point of a request that has these words, by its number.
func numbered(req model.Request, words string) string {
	m := regexp.MustCompile(`(?m)^(\d+)\. .*` + regexp.QuoteMeta(words)).FindStringSubmatch(req.Messages[0].Text)
	if m == nil {
		return "0"
	}
	return m[1]
}

// What a small model tells of an audit stands behind kist's own text, as far as it holds; else
// that text stands alone, to the byte.
func TestNarratedAudit(t *testing.T) {
	good := func(req model.Request) agenttest.Step {
		return agenttest.Say(`{"sentences":[{"text":"1 task is overdue: it was due on 3 May 2020.","from":[` + numbered(req, "1 task overdue") + `]}]}`)
	}
	liar := func(req model.Request) agenttest.Step {
		n := numbered(req, "1 task overdue")
		return agenttest.Say(`{"sentences":[{"text":"1 task is overdue.","from":[` + n + `]},{"text":"Charles said that 4,200 euros are missing.","from":[` + n + `]},{"text":"1 task was due on 9 May 2020.","from":[` + n + `]}]}`)
	}
	say := func(text string) func(model.Request) agenttest.Step {
		return func(model.Request) agenttest.Step { return agenttest.Say(text) }
	}
	ask := func(t *testing.T, fast model.Model, opts agent.Options) string {
		t.Helper()
		opts.Fast = func() model.Model { return fast }
		if fast == nil {
			opts.Fast = nil
		}
		s := newStage(t, audited, offline.New(), opts)
		return transcript(s.send(t, agent.Message{Text: "audit the houseboat", Project: "houseboat"}))
	}
	own := ask(t, nil, agent.Options{})
	if !strings.Contains(own, "1 task overdue") {
		t.Fatalf("no audit:\n%s", own)
	}
	for name, tc := range map[string]struct {
		answer  func(model.Request) agenttest.Step
		opts    agent.Options
		has     []string
		hasnt   []string
		alone   bool
		unasked bool
	}{
		"good":                {answer: good, has: []string{"In short, in the words of script: 1 task is overdue: it was due on 3 May 2020. (projects/houseboat/tasks/hull.md:"}, hasnt: []string{"left out"}},
		"a liar":              {answer: liar, has: []string{"1 task is overdue. (projects/", "2 sentences of it are left out"}, hasnt: []string{"Charles", "4,200", "9 May"}},
		"bad JSON":            {answer: say(`{"sentences":[{`), alone: true},
		"endless":             {answer: say(strings.Repeat("on and on ", 5000)), alone: true},
		"nothing holds":       {answer: say(`{"sentences":[{"text":"Charles betrayed everybody in 2019.","from":[1]}]}`), alone: true},
		"away":                {answer: func(model.Request) agenttest.Step { return agenttest.Break("away") }, alone: true},
		"at a limit":          {answer: good, opts: agent.Options{Budget: budget.Fixed(budget.Limits{Tokens: budget.Limit{Turn: 1}})}, alone: true, unasked: true},
		"private, and remote": {answer: good, opts: agent.Options{Private: private.Fixed(private.Marks{Projects: []string{"houseboat"}})}, alone: true, unasked: true},
		"private task":        {answer: good, opts: agent.Options{Private: private.Fixed(private.Marks{Folders: []string{"projects/houseboat/tasks"}})}, alone: true, unasked: true},
	} {
		t.Run(name, func(t *testing.T) {
			script := agenttest.Answer(tc.answer)
			got := ask(t, behind{script}, tc.opts)
			if tc.alone && got != own {
				t.Errorf("got\n%s\nwant\n%s", got, own)
			}
			if tc.unasked != (len(script.Requests()) == 0) {
				t.Errorf("%d requests", len(script.Requests()))
			}
			for _, want := range tc.has {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			for _, no := range tc.hasnt {
				if strings.Contains(got, no) {
					t.Errorf("%q in\n%s", no, got)
				}
			}
		})
	}
	slow := &tardy{}
	if got := ask(t, slow, agent.Options{}); got != own || slow.within <= 0 || slow.within > time.Minute {
		t.Errorf("within %v\n%s", slow.within, got)
	}
}

// Where only one finding is told, or a language model has answered, nothing is added.
func TestNarrationIsOfTheWhole(t *testing.T) {
	fast := agenttest.NewScript()
	s := newStage(t, audited, offline.New(), agent.Options{Fast: func() model.Model { return fast }})
	s.send(t, agent.Message{Text: "audit the houseboat", Project: "houseboat"})
	before := len(fast.Requests())
	if before == 0 {
		t.Fatal("it isn't asked")
	}
	s.send(t, agent.Message{Text: "what's the worst?"})
	chat := agenttest.NewScript(agenttest.Call("audit", `{}`), agenttest.Say("The hull is late, and that is all that there is to say of it."))
	other := newStage(t, audited, chat, agent.Options{Fast: func() model.Model { return fast }})
	other.send(t, agent.Message{Text: "audit the houseboat", Project: "houseboat"})
	if n := len(fast.Requests()); n != before {
		t.Error(strconv.Itoa(n) + " requests")
	}
}

// A turn that is broken off while a study is narrated says so.
func TestNarrationBrokenOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fast := agenttest.Answer(func(model.Request) agenttest.Step { cancel(); return agenttest.Say("{}") })
	s := newStage(t, audited, offline.New(), agent.Options{Fast: func() model.Model { return fast }})
	var last agent.Event
	for e, err := range s.agent.Send(ctx, agent.Message{Text: "audit the houseboat", Project: "houseboat"}) {
		if err != nil {
			t.Fatal(err)
		}
		last = e
	}
	if failed, ok := last.(agent.Failed); !ok || !errors.Is(failed.Err, context.Canceled) {
		t.Errorf("%+v", last)
	}
}

// A forecast is told in the same way.
func TestNarratedForecast(t *testing.T) {
	fast := agenttest.Answer(func(req model.Request) agenttest.Step {
		return agenttest.Say(`{"sentences":[{"text":"There is 1 open task, and that is overdue.","from":[` + numbered(req, "Warning signs") + `]},{"text":"It is done by 3 May 2030.","from":[1]}]}`)
	})
	s := newStage(t, audited, offline.New(), agent.Options{Fast: func() model.Model { return fast }})
	got := transcript(s.send(t, agent.Message{Text: "forecast the houseboat", Project: "houseboat"}))
	if !strings.Contains(got, "in the words of script: There is 1 open task, and that is overdue. (projects/houseboat/tasks/hull.md:5)") || strings.Contains(got, "2030") || !strings.Contains(got, "One sentence of it is left out") {
		t.Errorf("%s\n%+v", got, fast.Requests())
	}
}

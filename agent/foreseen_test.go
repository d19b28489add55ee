package agent_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/private"
)

var given = regexp.MustCompile(`(?m)^The question: (.*)$`)

// working runs what the agent does beside turns, and returns what waits until a script was
// asked so often, and what it wrote is looked at.
func working(t *testing.T, s *stage, script *agenttest.Script) func(requests int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.agent.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return func(requests int) {
		t.Helper()
		for limit := time.Now().Add(time.Minute); len(script.Requests()) < requests; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("%d requests, not %d", len(script.Requests()), requests)
			}
		}
		s.agent.WaitForClerk(t)
	}
}

const dump = "I want to plan a project called Selkie: a wooden rowing boat for the two of us, which we build in the shed"

// A small model may put the question that comes next in other words. What isn't the same
// question is asked in the guide's, and so is what isn't there in time.
func TestForeseenQuestion(t *testing.T) {
	reworded := func(question string) string { return strings.TrimSuffix(question, "?") + ", if I may ask?" }
	for name, tc := range map[string]struct {
		words func(question string) string
		used  bool
		runs  bool
		marks private.Marks
	}{
		"good":     {words: reworded, used: true, runs: true},
		"a liar":   {words: func(q string) string { return strings.TrimSuffix(q, "?") + ", as Charles asked on 3 May?" }, runs: true},
		"two":      {words: func(q string) string { return q + " " + q }, runs: true},
		"too late": {words: reworded},
		"private":  {words: reworded, marks: private.Marks{Folders: []string{"drafts"}}},
	} {
		t.Run(name, func(t *testing.T) {
			fast := agenttest.Answer(func(req model.Request) agenttest.Step {
				m := given.FindStringSubmatch(req.Messages[0].Text)
				if m == nil {
					return agenttest.Say("{}")
				}
				text, err := json.Marshal(map[string]string{"question": tc.words(m[1])})
				if err != nil {
					t.Error(err)
				}
				return agenttest.Say(string(text))
			})
			opts := agent.Options{Fast: func() model.Model { return behind{fast} }, Private: private.Fixed(tc.marks)}
			s := newStage(t, "", offline.New(), opts)
			wait := func(int) {}
			if tc.runs {
				wait = working(t, s, fast)
			} else if tc.marks.Folders != nil {
				wait = working(t, s, fast)
			}
			s.send(t, agent.Message{Session: "new", Text: dump, Mode: "project_create"})
			if tc.runs {
				wait(1)
			} else {
				wait(0)
			}
			asked := transcript(s.send(t, agent.Message{Text: "that's it"}))
			m := given.FindStringSubmatch(requestText(fast))
			switch {
			case tc.used && (m == nil || !strings.Contains(asked, reworded(m[1]))):
				t.Errorf("%q isn't asked in\n%s", m, asked)
			case !tc.used && tc.runs && (m == nil || !strings.Contains(asked, m[1]+"\n") || strings.Contains(asked, tc.words(m[1]))):
				t.Errorf("%q isn't asked in the guide's words in\n%s", m, asked)
			case !tc.used && !tc.runs && len(fast.Requests()) > 0:
				t.Errorf("it is shown %s", requestText(fast))
			}
			if !tc.used {
				return
			}
			// The answer counts for the dimension that the guide asked about.
			answered := transcript(s.send(t, agent.Message{Text: "We have the plans and half of the wood, and want to row in June"}))
			if !strings.Contains(answered, "[completed update drafts/") {
				t.Errorf("the answer isn't taken:\n%s", answered)
			}
		})
	}
}

func requestText(s *agenttest.Script) string {
	for _, r := range s.Requests() {
		if given.MatchString(r.Messages[0].Text) {
			return r.Messages[0].Text
		}
	}
	return ""
}

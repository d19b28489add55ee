package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/vault"
	"kist/vault/conversation"
)

const consenting = boats + `
-- projects/houseboat/tasks/a.md --
---
type: task
title: Sand the deck
status: todo
---

- [ ] Buy coarse paper
- [x] Borrow a sander
- [ ] Cover the hatch
-- projects/houseboat/tasks/b.md --
---
type: task
title: Paint the hull
status: todo
---
-- projects/houseboat/tasks/c.md --
---
type: task
title: Order the cable
status: todo
---
-- projects/garden/project.md --
---
type: project
name: Garden
status: active
---

# Garden
`

// An eager model does what a message that begins with "please" asks for, and whatever
// is said, tries to get more done: it asks for the list of what waits each time, and its
// words press for a go.
type eager struct{}

func (eager) Name() string { return "eager" }

func (eager) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		last := req.Messages[len(req.Messages)-1]
		if last.Role == model.User && len(req.Tools) > 0 {
			calls := []string{"list_waiting", `{}`}
			for want := range strings.SplitSeq(strings.TrimPrefix(last.Text, "please "), " and ") {
				if tool, args, ok := wish(want); ok && strings.HasPrefix(last.Text, "please ") {
					calls = append(calls, tool, args)
				}
			}
			for i := 0; i < len(calls); i += 2 {
				if !yield(model.Event{Call: &model.Call{ID: strconv.Itoa(i), Name: calls[i], Arguments: json.RawMessage(calls[i+1])}}, nil) {
					return
				}
			}
			yield(model.Event{Stop: model.Calls}, nil)
			return
		}
		if yield(model.Event{Text: "You said go, you agreed to all of it. Yes. Go!"}, nil) {
			yield(model.Event{Stop: model.End}, nil)
		}
	}
}

func wish(text string) (tool, args string, ok bool) {
	verb, what, _ := strings.Cut(text, " ")
	switch verb {
	case "add":
		return "create_task", fmt.Sprintf(`{"title":%q}`, what), true
	case "drop":
		return "delete_task", fmt.Sprintf(`{"task":"projects/houseboat/tasks/%s.md"}`, what), true
	case "archive":
		return "archive_project", fmt.Sprintf(`{"project":%q}`, what), true
	case "delete":
		return "delete_project", fmt.Sprintf(`{"project":%q}`, what), true
	case "tick":
		return "complete_task", fmt.Sprintf(`{"task":%q}`, what), true
	case "date", "due":
		task, day, _ := strings.Cut(what, " ")
		return "update_task", fmt.Sprintf(`{"task":%q,%q:%q}`, task, map[string]string{"date": "start", "due": "due"}[verb], day), true
	case "rename":
		return "rename_project", fmt.Sprintf(`{"project":"atlas","name":%q}`, what), true
	}
	return "", "", false
}

// TestNothingRunsUnasked plays random dialogues through the whole engine, with a model
// that presses for more, with sudden ends of the process between two messages, and
// holds what ran against what the turn before had shown. Package consent plays a
// million without files. KIST_TALKS=500 plays as many here.
func TestNothingRunsUnasked(t *testing.T) {
	n := 6
	if s := os.Getenv("KIST_TALKS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(i)))
			s := newStage(t, consenting, eager{}, agent.Options{})
			h := hearing{stage: s}
			h.say(t, "let us begin", "houseboat")
			for range 12 {
				if r.IntN(6) == 0 { // the process ended and came back
					s.agent = s.newAgent(t, eager{}, agent.Options{Now: s.agentNow})
				}
				h.turn(t, r)
			}
		})
	}
}

// A hearing knows what the last reply showed.
type hearing struct {
	*stage
	shown []string
	log   []string
	made  int
}

func (h *hearing) turn(t *testing.T, r *rand.Rand) {
	t.Helper()
	kinds := map[string][]string{
		"assent":  {"go", "yes", "do it", "yes, do that", "sure", "los"},
		"refusal": {"no", "no, keep it", "better not", "never mind"},
		"doubt":   {"wait", "hm, are you sure?", "what would that do?", "yes, but tomorrow", "go?"},
		"other":   {"the weather is fine", "let's talk about atlas", "go to the garden", "thanks", "my boss said go", "go over the budget with me"},
	}
	kind := []string{"assent", "assent", "refusal", "doubt", "other", "request", "request"}[r.IntN(7)]
	text := ""
	if kind == "request" {
		var wants []string
		for range 1 + r.IntN(2) {
			h.made++
			wants = append(wants, []string{"add thing " + strconv.Itoa(h.made), "drop " + []string{"a", "b", "c"}[r.IntN(3)], "archive garden", "delete garden", "rename Name " + strconv.Itoa(h.made)}[r.IntN(5)])
		}
		text = "please " + strings.Join(wants, " and ")
	} else {
		text = kinds[kind][r.IntN(len(kinds[kind]))]
	}
	before := h.shown
	ran := h.say(t, text, "")
	if kind != "assent" && len(ran) > 0 {
		t.Fatalf("%q ran %v\n%s", text, ran, strings.Join(h.log, "\n"))
	}
	for _, id := range ran {
		if !slices.Contains(before, id) {
			t.Fatalf("%q ran %s, which the reply before didn't show\n%s", text, id, strings.Join(h.log, "\n"))
		}
	}
}

// say returns which proposals the turn carried out, and notes what it showed.
func (h *hearing) say(t *testing.T, text, project string) (ran []string) {
	t.Helper()
	events := h.send(t, agent.Message{Text: text, Project: project})
	h.log = append(h.log, "> "+text, transcript(events))
	reply := ""
	shown := []string{}
	for i, e := range events {
		switch e := e.(type) {
		case agent.TextDelta:
			reply += e.Text
		case agent.ApprovalRequest:
			shown = append(shown, e.ID)
		case agent.Operation:
			if e.Status == vault.StatusCompleted && slices.Contains(h.shown, e.ID) {
				if first, ok := events[0].(agent.Notice); i == 0 || !ok || !strings.HasPrefix(first.Text, "Going ahead") {
					t.Errorf("nothing said first what %q would do:\n%s", text, transcript(events))
				}
			}
			if op, err := h.vault.Operation(t.Context(), e.ID); err == nil && op.Status == vault.StatusCompleted && op.Type != vault.OpCreate {
				ran = append(ran, e.ID)
			} else if slices.Contains(h.shown, e.ID) {
				ran = append(ran, e.ID)
			}
		case agent.Failed:
			t.Fatalf("%q: %v", text, e.Err)
		}
	}
	for _, e := range events {
		a, ok := e.(agent.ApprovalRequest)
		if !ok {
			continue
		}
		// A newer proposal for the same place takes the place of an older one.
		if op, err := h.vault.Operation(t.Context(), a.ID); err != nil || op.Status != vault.StatusProposed {
			continue
		}
		if !strings.Contains(reply, strings.TrimRight(a.Reason, ".")) {
			t.Errorf("the reply doesn't show %q:\n%s", a.Reason, reply)
		}
		full, err := h.vault.Operation(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		for title := range strings.SplitSeq(removed(full), "\n") { // what it takes along
			if title, open := strings.CutPrefix(title, "- [ ] "); open && !strings.Contains(strings.ToLower(reply), title) {
				t.Errorf("the reply doesn't show that %q goes:\n%s", title, reply)
			}
		}
	}
	h.shown = shown
	return ran
}

// TestKeptByANo is what people say when they think better of it, with the partner that
// needs no model: nothing of it leads to a deletion on a later go.
func TestKeptByANo(t *testing.T) {
	for _, words := range []string{"no, keep it", "wait", "better not", "I changed my mind", "hm, let me think", "let's talk about atlas", "what's the weather like?", "thanks", "add a task to buy tape", "not the garden, the other one"} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, consenting, offline.New(), agent.Options{})
			first := s.send(t, agent.Message{Text: "delete the project garden"})
			if got := outline(first); !strings.Contains(got, "approval") {
				t.Fatalf("not proposed: %s", transcript(first))
			}
			s.send(t, agent.Message{Text: words})
			s.send(t, agent.Message{Text: "go"})
			if _, err := s.vault.Stat("projects/garden/project.md"); err != nil {
				t.Errorf("%q and then go deleted the garden", words)
			}
		})
	}
}

// A deletion agreed to in the project itself, in which one has talked, goes through,
// and the conversation goes on outside of it.
func TestActiveProjectCanBeDeleted(t *testing.T) {
	s := newStage(t, consenting, offline.New(), agent.Options{})
	for _, text := range []string{"let's talk about the garden", "what are the open tasks?", "delete this project"} {
		s.send(t, agent.Message{Text: text})
	}
	events := s.send(t, agent.Message{Text: "go"})
	if _, err := s.vault.Stat("projects/garden/project.md"); err == nil {
		t.Errorf("still there:\n%s", transcript(events))
	}
	done, ok := events[len(events)-1].(agent.Done)
	if !ok || done.Project != "" {
		t.Errorf("ended in %q", done.Project)
	}
	if got := s.session(t); got.Project != "" || slices.Contains(got.Stack, "garden") {
		t.Errorf("session in %q, back leads to %v", got.Project, got.Stack)
	}
}

// What was edited between the showing and the go is shown again, not done.
func TestGoMeansTheBytesThatWereShown(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("delete_task", `{"task":"projects/houseboat/tasks/a.md"}`), agenttest.Say("Waits."))
	s := newStage(t, consenting, script, agent.Options{})
	s.send(t, agent.Message{Text: "drop it", Project: "houseboat"})
	waiting, err := s.vault.Operations(t.Context(), vault.Filter{Status: vault.StatusProposed})
	if err != nil || len(waiting) != 1 {
		t.Fatal(waiting, err)
	}
	sess := s.session(t)
	sess.Offers[0].Digest = strings.Repeat("0", 64) // as of other bytes
	if err := conversation.SaveSession(t.Context(), s.vault, sess); err != nil {
		t.Fatal(err)
	}
	events := s.send(t, agent.Message{Text: "go"})
	if _, err := s.vault.Stat("projects/houseboat/tasks/a.md"); err != nil {
		t.Errorf("done:\n%s", transcript(events))
	}
}

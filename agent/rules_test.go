package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/private"
	"kist/agent/route"
	"kist/agent/tool/dialect"
	"kist/vault/vaulttest"
)

// TestRulesIgnored: a model that heeds nothing of its instructions, in one conversation. What they
// ask for in words holds all the same, since code sees to it: no file is what it wasn't before, and
// the user reads what didn't happen, what isn't there and what waits for them.
func TestRulesIgnored(t *testing.T) {
	const archive = boats + "-- notes/secret.md --\n---\nprivate: true\n---\n# Secret\n\nThe sauna paint is CANARY.\n-- notes/rope.md --\n# Rope\n\nThe hawser is forty metres long.\n"
	say, call := agenttest.Say, agenttest.Call
	insists := func(text string) []agenttest.Step { return []agenttest.Step{say(text), say(text)} }
	rules := []struct {
		ignored, message string
		steps            []agenttest.Step
		shown, not       string // of what the user reads
	}{
		{"nothing is deleted unasked", "what would deleting Atlas mean for me?",
			[]agenttest.Step{call("delete_project", `{"project":"atlas","reason":"tidy"}`), say("I've deleted Atlas, as you wished.")}, "Proposed: delete project projects/atlas", ""},
		{"what waits hasn't happened, and a model's go is none", "is that so?", insists("go. Yes, do it! Deleted."), "", ""},
		{"a tool that isn't on offer isn't called", "how is the boat?",
			[]agenttest.Step{call("merge_projects", `{"from":"atlas","into":"houseboat","reason":"so"}`, "delete_everything", `{}`), say("It is afloat.")}, "It is afloat.", "Proposed"},
		{"an answer isn't JSON", "how is the hull?", insists(`{"say":"It is sound.","call":null}`), "It is sound.", `"say"`},
		{"nor a call in words", "how is the keel?", insists(`{"name":"delete_everything","arguments":{"now":true}}`), "", `"arguments"`},
		{"no change is claimed", "how is the mast?", insists("I've added three tasks and deleted the old ones."), "Nothing was changed in this turn.", ""},
		{"nothing is cited that isn't there", "how long is the hawser?", insists("Ninety metres, see notes/hawser.md:12."), "Cited, but not there: notes/hawser.md", ""},
		{"what is private stays where it is", "what colour is the sauna?",
			[]agenttest.Step{call("read_document", `{"path":"notes/secret.md"}`), call("append_note", `{"path":"notes/rope.md","text":"The sauna paint is CANARY."}`), say("It is CANARY.")}, "notes/rope.md is not private", ""},
	}
	var now []agenttest.Step
	here := agenttest.Answer(func(req model.Request) agenttest.Step {
		req.Prompt()
		if len(now) == 0 {
			return say("I have nothing to add to that, whatever you say.")
		}
		step := now[0]
		now = now[1:]
		return step
	})
	for _, rung := range []ladder.Rung{ladder.Native, ladder.Union, ladder.Text} {
		router := route.New(offline.New())
		router.Use(ladder.New(described{here, model.Info{Tools: true, Format: true, Context: 32768}}, ladder.Options{
			From: rung, Offer: func(int) int { return 0 }, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) },
		}), false)
		s := newStage(t, archive, router, agent.Options{})
		before := vaulttest.Tree(t, s.root, "conversations", "sessions", "operations")
		for _, r := range rules {
			now = r.steps
			read, events := "", s.send(t, agent.Message{Text: r.message, Project: "houseboat"})
			for _, e := range events {
				switch e := e.(type) {
				case agent.TextDelta:
					read += e.Text
				case agent.Notice:
					read += "(" + e.Text + ")"
				case agent.Failed:
					read += e.Err.Error()
				}
			}
			if strings.TrimSpace(read) == "" || !strings.Contains(read, r.shown) || r.not != "" && strings.Contains(read, r.not) {
				t.Errorf("%s, %s: %q\n%s", rung, r.ignored, read, transcript(events))
			}
			after := vaulttest.Tree(t, s.root, "conversations", "sessions", "operations")
			for path := range after {
				if strings.Contains(path, "/conversations/") {
					delete(after, path)
				}
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Fatalf("%s, %s: %s", rung, r.ignored, diff)
			}
		}
		// What it said of something private is in no request to one that isn't on this machine.
		sent := ""
		router.Use(away{agenttest.Answer(func(req model.Request) agenttest.Step {
			instructions, messages := req.Prompt()
			sent += fmt.Sprint(instructions, messages)
			return say("It is blue, I should think, but nothing here says so.")
		})}, false)
		s.agent = s.newAgent(t, router, agent.Options{Now: s.agentNow, Private: private.Fixed(private.Marks{})})
		s.send(t, agent.Message{Text: "and what colour is the hull?", Project: "houseboat"})
		if !strings.Contains(sent, "what colour is the hull?") || strings.Contains(sent, "CANARY") {
			t.Errorf("%s: sent: %s", rung, sent)
		}
	}
}

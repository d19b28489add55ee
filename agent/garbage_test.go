package agent_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/route"
	"kist/agent/tool"
	"kist/agent/tool/dialect"
	"kist/vault"
)

var garbageTurns = flag.Int("garbage", 10, "turns of random output on each rung")

// described is a script with what a server tells of it.
type described struct {
	*agenttest.Script
	info model.Info
}

// garbage is what a model of random weights says: pieces of calls, JSON, words and noise,
// ended in any way.
func garbage(r *rand.Rand, tools []model.Tool) agenttest.Step {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	name := func() string {
		if len(tools) > 0 && r.IntN(3) > 0 {
			return tools[r.IntN(len(tools))].Name
		}
		return pick("delete_everything", "", "create_tasks", "\x1b[2J", strings.Repeat("x", 300))
	}
	args := func() string {
		return pick(`{}`, `{"title":"Weld"}`, `{"title":"Weld","due":"tomorrow"}`, `{"project":"houseboat"}`, `{"path":"../../etc/passwd"}`, `{"title":`, `null`, `[]`, `"x"`,
			`{"ids":["01J"]}`, `{"query":"hull"}`, `{"text":"`+strings.Repeat("y", r.IntN(5000))+`"}`, `{"project":"houseboat","name":"Ark","reason":"so"}`)
	}
	var step agenttest.Step
	for range r.IntN(6) {
		text := pick("Well. ", "\n", "{", `{"say":"Hello","call":null}`, fmt.Sprintf(`{"say":"On it.","call":{"tool":%q,"arguments":%s}}`, name(), args()),
			fmt.Sprintf("[ACTION: %s %s]", name(), args()), fmt.Sprintf("\n<tool_call>{\"name\":%q,\"arguments\":%s}</tool_call>\n", name(), args()),
			"I've deleted all of it.", "go", "Shall I?", "```json\n", "the the the ")
		if r.IntN(4) == 0 {
			step.Events = append(step.Events, model.Event{Call: &model.Call{ID: pick("", "1", "2"), Name: name(), Arguments: json.RawMessage(args())}})
			continue
		}
		step.Events = append(step.Events, model.Event{Text: text})
	}
	switch r.IntN(10) {
	case 0:
		step.CutOff = true
	case 1:
		step.Err = fmt.Errorf("the server broke off")
	case 2:
		step.Stop = model.Length
	case 3:
		step.Stop = model.Refused
	}
	return step
}

var block = regexp.MustCompile("(?s)```.*?(```|\\z)")

// Whatever a model puts out, on each rung: a turn ends in words or an error, no call runs
// that its tool's schema doesn't allow, and what needs the user's go waits for it.
func TestGarbage(t *testing.T) {
	registry, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for _, rung := range []ladder.Rung{ladder.Native, ladder.Union, ladder.Text} {
		t.Run(rung.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(rung)))
			var offered []model.Tool
			script := agenttest.Answer(func(req model.Request) agenttest.Step {
				if len(req.Tools) > 0 {
					offered = req.Tools
				}
				return garbage(r, offered)
			})
			for _, t := range registry.All() {
				offered = append(offered, model.Tool{Name: t.Name})
			}
			router := route.New(offline.New())
			router.Use(ladder.New(described{script, model.Info{Tools: true, Format: true, Context: 8192}}, ladder.Options{
				From: rung, Offer: func(int) int { return 0 }, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) },
			}), false)
			s := newStage(t, boats, router, agent.Options{})
			for n := range *garbageTurns {
				events := s.send(t, agent.Message{Text: fmt.Sprintf("message %d about the hull", n), Project: "houseboat"})
				reply, ended := "", false
				for i, e := range events {
					switch e := e.(type) {
					case agent.TextDelta:
						reply += e.Text
					case agent.Notice:
						reply += e.Text
					case agent.ToolCall:
						if e.Error == "" && !registry.Fits(e.Name, e.Arguments) {
							t.Fatalf("turn %d: %s ran with %s", n, e.Name, e.Arguments)
						}
					case agent.Operation:
						if e.Status == vault.StatusCompleted && (e.Type == "delete" || e.Type == "move") {
							t.Fatalf("turn %d: %s of %s without a go", n, e.Type, e.Entity.Path)
						}
					case agent.Failed:
						reply, ended = reply+e.Err.Error(), i == len(events)-1
					case agent.Done:
						ended = i == len(events)-1
					}
				}
				if !ended || strings.TrimSpace(reply) == "" || strings.ContainsAny(reply, "\x00\x1b") {
					t.Fatalf("turn %d: ended %v, %q", n, ended, reply)
				}
				reply = block.ReplaceAllString(reply, "") // an example, for all that is known
				if i := strings.Index(reply, `{"say"`); i >= 0 || strings.Contains(reply, "<tool_call>") {
					t.Fatalf("turn %d: raw output is shown: %q", n, reply)
				}
			}
		})
	}
}

func (d described) Info(context.Context) (model.Info, error) { return d.info, nil }

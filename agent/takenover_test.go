package agent_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/route"
)

// A model that calls for ever, in whatever way, or has nothing to say, is left for the partner,
// which answers the message; a line says why. Where something came of the turn it isn't done
// again: then the turn is stopped.
func TestTakenOver(t *testing.T) {
	forever := func(step func(n int) agenttest.Step) *agenttest.Script {
		n := 0
		return agenttest.Answer(func(model.Request) agenttest.Step { n++; return step(n) })
	}
	for name, c := range map[string]struct {
		script *agenttest.Script
		why    string // empty: it isn't left
		asked  int    // requests to it
	}{
		"the same call": {forever(func(int) agenttest.Step { return agenttest.Call("list_tasks", `{"project":"houseboat"}`) }), "script went on calling tools", 3},
		"calls of sense": {forever(func(n int) agenttest.Step {
			return agenttest.Call("list_tasks", fmt.Sprintf(`{"project":"houseboat","limit":%d}`, n))
		}), "script went on calling tools", 9},
		"nonsense":       {forever(func(int) agenttest.Step { return agenttest.Call("sell_boat", `{}`) }), "script's calls led nowhere", 3},
		"wrong ones":     {forever(func(int) agenttest.Step { return agenttest.Call("create_task", `{"due":5}`) }), "script's calls led nowhere", 3},
		"nothing at all": {forever(func(int) agenttest.Step { return agenttest.Say(" ") }), "script gave no answer", 2},
		"it did it": {forever(func(int) agenttest.Step {
			return agenttest.Call("create_task", `{"title":"Buy varnish","project":"houseboat","reason":"asked"}`)
		}), "", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			router := route.New(offline.New())
			router.Use(c.script, false)
			s := newStage(t, boats, router, agent.Options{Preset: "auto"})
			events := s.send(t, agent.Message{Text: "add a task: buy varnish", Project: "houseboat"})
			got := fmt.Sprintf("%+v", events)
			if c.why != "" && (strings.Count(got, c.why+", so I do what I can without it.") != 1 || strings.Contains(got, "Stopped")) || c.why == "" && !strings.Contains(got, "It is done; the model only went on") {
				t.Error(got)
			}
			if tasks, _ := filepath.Glob(filepath.Join(s.vault.Dir(), "projects/houseboat/tasks/*varnish*.md")); len(tasks) != 1 {
				t.Errorf("%d tasks were made: %s", len(tasks), got)
			}
			if n := len(c.script.Requests()); n != c.asked {
				t.Errorf("the model was asked %d times, want %d", n, c.asked)
			}
		})
	}
}

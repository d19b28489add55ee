//go:build live

package live

import (
	"encoding/json"
	"testing"

	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/models"
	"kist/agent/offline"
	"kist/agent/route"
)

var createTask = model.Tool{
	Name: "create_task", Description: "Adds a task to the list.",
	Schema: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string","maxLength":60}},"required":["title"],"additionalProperties":false}`),
}

func said(text string) model.Request {
	return model.Request{
		Brief:     func(int) model.Brief { return model.Brief{Rules: "You keep a list of tasks for the user."} },
		Messages:  []model.Message{{Role: model.User, Text: text}},
		MaxOutput: 400,
	}
}

// TestConformance holds the whole stack to what every model has to hold to. That a weak
// model calls a tool where it should can't be expected: a schema that leaves nothing else
// makes it, which is why the rung is the one with a schema.
func TestConformance(t *testing.T) {
	s := liveServer(t)
	calls := said("Add a task: call the welder.")
	calls.Tools = []model.Tool{createTask}
	modeltest.Test(t, func(t *testing.T) model.Model {
		return s.chat(t, ladder.Union, *size, false, endpoint.Patience{})
	}, said("What is the capital of France? Answer in one short sentence."), calls)
}

// TestModelTest runs what "kist model test" does, with a model that the settings name.
func TestModelTest(t *testing.T) {
	s := liveServer(t)
	settings := models.Settings{
		Chat: "openai/" + s.model, Embed: "builtin", Context: *size,
		Servers: map[string]models.Server{"openai": {URL: s.url, Set: true}},
	}
	service, err := models.New(route.New(offline.New()), settings, func() (models.Settings, error) { return settings, nil }, func(string, string) error { return nil }, models.Store{})
	if err != nil {
		t.Fatal(err)
	}
	err = service.Test(t.Context(), "", func(c models.Check) bool {
		t.Logf("%s: %s %s", c.What, c.Result, c.Detail)
		if c.Result == "failed" && c.What != "it uses tools" {
			t.Errorf("%s: %s", c.What, c.Detail)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

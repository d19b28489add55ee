package models

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kist/agent/form"
	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

// TestFastIsJudgedByItsLastUse: what the small model did last is what is told of it.
func TestFastIsJudgedByItsLastUse(t *testing.T) {
	answer := openAI(reply{text: "A boat."})
	server := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		if strings.HasSuffix(r.Path, "/models") {
			return notFound // it tells nothing of its models, and answers
		}
		return answer
	})
	s := at("openai", "small", server.URL)
	s.Chat, s.Fast = Offline, "openai/small"
	m, _, _ := start(t, s)
	state := func() string {
		for _, r := range m.Roles(t.Context()) {
			if r.Name == "fast" {
				return r.State + " " + r.Error
			}
		}
		return "none"
	}
	ask := func(ctx context.Context, meter model.Meter) error {
		req := said("Be brief.", "A title?")
		req.Meter = meter
		for _, err := range m.Fast().Generate(ctx, req) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	if got := state(); got != "untried " {
		t.Errorf("before its use: %q", got)
	}
	if err := ask(t.Context(), nil); err != nil || state() != "ready " {
		t.Errorf("after an answer: %q, %v", state(), err)
	}
	answer = wiretest.Answer{Status: 401, Body: `{"error":"a wrong key"}`}
	if err := ask(t.Context(), nil); err == nil || !strings.HasPrefix(state(), "failing ") || !strings.Contains(state(), "a wrong key") {
		t.Errorf("after an error: %q, %v", state(), err)
	}
	answer = openAI(reply{text: "A boat."})
	if err := ask(t.Context(), nil); err != nil || state() != "ready " {
		t.Errorf("after an answer again: %q, %v", state(), err)
	}
	if err := ask(t.Context(), refusing{}); !errors.Is(err, model.ErrLimit) || state() != "ready " {
		t.Errorf("after a limit, at which it wasn't asked: %q, %v", state(), err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ask(gone, nil); !errors.Is(err, context.Canceled) || state() != "ready " {
		t.Errorf("after a request that was broken off: %q, %v", state(), err)
	}
}

// refusing is a meter that allows nothing.
type refusing struct{}

func (refusing) Allow(model.Usage) error { return model.ErrLimit }
func (refusing) Count(model.Usage)       {}

// TestFastByCalls: a server that refuses to hold an answer to a schema is asked for a call, and
// from then on for nothing else.
func TestFastByCalls(t *testing.T) {
	var asked []string
	server := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		body := string(r.Body)
		switch {
		case !strings.HasSuffix(r.Path, "/completions"):
			return notFound
		case strings.Contains(body, "response_format"):
			asked = append(asked, "schema")
			return wiretest.Answer{Status: 400, Body: `{"error":"response_format isn't supported"}`}
		case strings.Contains(body, `"tool_choice":"required"`) && strings.Contains(body, `"enable_thinking":false`):
			asked = append(asked, "call")
			return openAI(reply{text: "Well. ", tool: "answer", arguments: `{"title":"A boat"}`})
		}
		return wiretest.Answer{Status: 400, Body: body}
	})
	s := at("openai", "small", server.URL)
	s.Chat, s.Fast = Offline, "openai/small"
	m, _, _ := start(t, s)
	for range 2 {
		var got struct{ Title string }
		f := form.Form{Rules: "Give a title.", Schema: `{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}`, About: "talk", Text: "A boat."}
		if err := f.Fill(t.Context(), m.Fast(), nil, &got); err != nil || got.Title != "A boat" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if how := strings.Join(asked, " "); how != "schema call call" {
		t.Errorf("asked by %s", how)
	}
	if r := m.Known()[2]; r.State != "ready" {
		t.Errorf("%+v", r)
	}
}

package models

import (
	"context"
	"errors"
	"strings"
	"testing"

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

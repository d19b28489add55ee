package models

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

// A model that takes over is chosen, shown and asked, with what it was found out to do.
func TestUseFallback(t *testing.T) {
	wrong := wiretest.Answer{Status: 401, Body: `{"error":"wrong key"}`}
	down := plays(t, map[string]wiretest.Answer{"/api/chat": wrong, "/api/show": wrong})
	up := plays(t, map[string]wiretest.Answer{
		"/v1/models":           asJSON(`{"data":[{"id":"a","context_length":9000}]}`),
		"/v1/chat/completions": openAI(reply{text: "big"}),
	})
	m, f, r := start(t, Settings{Chat: Offline, Embed: "builtin", Path: "config.yaml", Servers: map[string]Server{
		"ollama": {URL: down.URL, Set: true}, "openai": {URL: up.URL + "/v1", Set: true},
	}})
	refused := func(refs map[string]error) {
		t.Helper()
		for ref, want := range refs {
			if _, err := m.Use(t.Context(), "fallback", ref); !errors.Is(err, want) {
				t.Errorf("%q: %v", ref, err)
			}
		}
	}
	states := func(want ...string) {
		t.Helper()
		var got []string
		for _, r := range m.Known() {
			got = append(got, strings.TrimSpace(r.Name+" "+r.Model+" "+r.State+" "+r.Error))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	ask := func() (text, by string) {
		t.Helper()
		turn := r.Turn()
		text, by, err := hear(t.Context(), turn)
		if errors.Is(err, model.ErrAnew) {
			text, by, err = hear(t.Context(), turn)
		}
		if err != nil {
			t.Error(err)
		}
		return text, by
	}
	refused(map[string]error{"openai/a": ErrName, "nonsense": ErrName}) // there is nothing to take over from
	if _, err := m.Use(t.Context(), "chat", "ollama/x"); err != nil {
		t.Fatal(err)
	}
	refused(map[string]error{"ollama/x": ErrName, "x": ErrName, "anthropic/y": ErrServer})
	role, err := m.Use(t.Context(), "fallback", "openai/a")
	if want := (Role{Name: "fallback", Model: "openai/a", State: "untried", URL: up.URL + "/v1", Context: 9000}); role != want || err != nil {
		t.Errorf("%+v, %v", role, err)
	}
	if text, by := ask(); text != "big" || !strings.HasPrefix(by, "openai/aollama/x doesn't answer (") || !strings.HasSuffix(by, "so openai/a answers.") {
		t.Errorf("%q by %q", text, by)
	}
	if roles := m.Known(); roles[0].State != "failing" || roles[1].Name != "fallback" || roles[1].State != "ready" {
		t.Errorf("%+v", roles)
	}
	if _, ok := m.lessons.of(f.s.key("openai/a")); !ok {
		t.Error("nothing was learned of it")
	}

	m.Follow(func() bool { return true })
	good := f.s
	// A fault of chat alone leaves it, one of anything else doesn't: it may be of the limits.
	f.s.Fault, f.s.OfChat = errors.New("models.chat: no url"), true
	states("chat ollama/x failing models.chat: no url", "fallback openai/a untried", "embed builtin ready")
	if text, by := ask(); text != "big" || by != "openai/aollama/x isn't asked: models.chat: no url, so openai/a answers." {
		t.Errorf("%q by %q", text, by)
	}
	if _, err := m.Use(t.Context(), "fallback", "openai/b"); err != nil {
		t.Error(err)
	}
	f.s.Fault, f.s.OfChat = errors.New("models.budget: no number"), false
	if text, by := ask(); text != "partner" || by != "offlineollama/x isn't asked: models.budget: no number, so I do what I can without it." {
		t.Errorf("%q by %q", text, by)
	}
	// A fault of its own ends nothing else.
	for _, fault := range []error{errors.New("models.fallback: it is a list"), nil} {
		f.s = good
		f.s.Fallback, f.s.FallbackFault, f.s.Chat = "anthropic/y", fault, "openai/a"
		if fault == nil {
			_, fault = f.s.open("anthropic/y", nil, nil)
			fault = errors.New("models.fallback: " + fault.Error())
		}
		states("chat openai/a untried", "fallback anthropic/y failing "+fault.Error(), "embed builtin ready", "fast offline ready")
		if text, by := ask(); text != "big" || by != "openai/a" {
			t.Errorf("%q by %q", text, by)
		}
	}
	f.s = good
	f.s.Chat = Offline
	states("chat offline ready", "fallback openai/a failing models.fallback: models.chat is offline, which nothing takes over from", "embed builtin ready", "fast offline ready")
	if text, by := ask(); text != "partner" || by != "" {
		t.Errorf("%q by %q", text, by)
	}
	f.s = good
	m.changed = nil
	if role, err := m.Use(t.Context(), "fallback", Offline); role != (Role{Name: "fallback", Model: Offline, State: "ready"}) || err != nil || r.Fallback().Model != "" {
		t.Errorf("%+v, %v", role, err)
	}
}

package models

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/route"
	"kist/agent/wire/wiretest"
)

// TestLessons: what was found out about a model outlives the daemon, until it is chosen
// anew; what isn't readable is nothing.
func TestLessons(t *testing.T) {
	asked := []string{} // whether tools came in the request's own field
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"data":[{"id":"m","context_length":8192}]}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"tools":`) {
			asked = append(asked, "native")
			http.Error(w, `{"error":"this model does not support tools"}`, http.StatusBadRequest)
			return
		}
		asked = append(asked, "union")
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"say\\\":\\\"Fine.\\\",\\\"call\\\":null}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	s := Settings{Chat: "openai/m", Embed: "builtin", Servers: map[string]Server{"openai": {URL: server.URL, Set: true}}}
	var kept []byte
	store := Store{Read: func() ([]byte, error) {
		if kept == nil {
			return nil, errors.New("nothing there")
		}
		return kept, nil
	}, Write: func(text []byte) error { kept = text; return nil }}
	turn := func() (*Service, string) {
		t.Helper()
		asked = nil
		router := route.New(partner{})
		m, err := New(router, s, func() (Settings, error) { return s, nil }, func(string, string) error { return nil }, store)
		if err != nil {
			t.Fatal(err)
		}
		req := model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}, Tools: []model.Tool{{Name: "search", Description: "Searches.", Schema: []byte(`{"type":"object"}`)}}}
		said := ""
		for e, err := range router.Turn().Generate(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			said += e.Text
		}
		if said != "Fine." {
			t.Errorf("%q", said)
		}
		return m, strings.Join(asked, " ")
	}
	if _, how := turn(); how != "native union" || !strings.Contains(string(kept), `"rung": "union"`) || strings.Contains(string(kept), "sesame") {
		t.Errorf("%s, %s", how, kept)
	}
	m, how := turn()
	if how != "union" {
		t.Errorf("the next daemon: %s", how)
	}
	if _, err := m.Use(t.Context(), "chat", "openai/m"); err != nil {
		t.Fatal(err)
	}
	if _, how := turn(); how != "native union" {
		t.Errorf("chosen anew: %s", how)
	}
	if turn(); !strings.Contains(string(kept), `"tried"`) {
		t.Errorf("since when isn't kept: %s", kept)
	}
	was := kept
	kept = []byte(regexp.MustCompile(`"(since|tried)": "[^"]*"`).ReplaceAllString(string(was), `"$1": "2026-01-01T00:00:00Z"`))
	if _, how := turn(); how != "native union" {
		t.Errorf("long after: %s", how)
	}
	if _, how := turn(); how != "union" || !strings.Contains(string(kept), `"since": "2026-01-01`) || strings.Contains(string(kept), `"tried": "2026-01-01`) {
		t.Errorf("and then: %s, %s", how, kept)
	}
	chat, err := s.Open("openai/m", ladder.Union)
	if err != nil {
		t.Fatal(err)
	}
	asked = nil
	for range chat.Generate(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}, Tools: []model.Tool{{Name: "search"}}}) {
	}
	if how := strings.Join(asked, " "); how != "union" {
		t.Errorf("from a rung that was asked for: %s", how)
	}
	kept = []byte("null")
	if _, how := turn(); how != "native union" {
		t.Errorf("after damage: %s", how)
	}
}

// TestCutsAreRemembered: that a server cuts what is too long for it is told once, and is still
// known to the next daemon, for a day.
func TestCutsAreRemembered(t *testing.T) {
	var longest int // tokens
	server := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		if r.Path == "/models" {
			return asJSON(`{"data":[{"id":"m","context_length":16384}]}`)
		}
		longest = read(r).count()
		return openAI(reply{text: "Fine.", count: min(longest, 4090)})
	})
	s := at("openai", "m", server.URL)
	var kept []byte
	store := Store{Read: func() ([]byte, error) { return kept, nil }, Write: func(text []byte) error { kept = text; return nil }}
	turn := func() (notices []string, window int) {
		t.Helper()
		router := route.New(partner{})
		m, err := New(router, s, func() (Settings, error) { return s, nil }, func(string, string) error { return nil }, store)
		if err != nil {
			t.Fatal(err)
		}
		req := model.Request{Messages: []model.Message{{Role: model.User, Text: strings.Repeat("the hull was scraped ", 1000)}, {Role: model.Assistant, Text: strings.Repeat("the deck was oiled ", 1500)}, {Role: model.User, Text: "And now?"}}, Said: 2}
		for e, err := range router.Turn().Generate(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Notice != "" {
				notices = append(notices, e.Notice)
			}
		}
		return notices, m.Roles(t.Context())[0].Context
	}
	if got, window := turn(); len(got) != 1 || !strings.Contains(got[0], "leaves out") || window != 4096 || longest < 9000 {
		t.Errorf("%q, a window of %d after %d tokens", got, window, longest)
	}
	if got, window := turn(); len(got) != 0 || window != 4096 || longest > 4096 {
		t.Errorf("the next daemon: %q, a window of %d, %d tokens", got, window, longest)
	}
	kept = []byte(regexp.MustCompile(`"found": "[^"]*"`).ReplaceAllString(string(kept), `"found": "2026-01-01T00:00:00Z"`))
	if got, window := turn(); len(got) != 1 || window != 4096 || longest < 9000 {
		t.Errorf("long after: %q, a window of %d after %d tokens", got, window, longest)
	}
}

package models

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/route"
)

// TestNothingPrivateLeaves: whoever asks a client that isn't on this machine, or is on it
// and passes on what it gets, can't have it send what must not leave.
func TestNothingPrivateLeaves(t *testing.T) {
	sent, last := "", ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent, last = sent+string(body), fmt.Sprintf("%d %x", len(body), sha256.Sum256(body))
		switch r.URL.Path {
		case "/api/show":
			io.WriteString(w, `{"remote_host":"https://ollama.com","model_info":{}}`)
		case "/v1/chat/completions":
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Fine."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		default:
			io.WriteString(w, `{"message":{"role":"assistant","content":"Fine."},"done":true,"done_reason":"stop"}`+"\n")
		}
	}))
	defer server.Close()
	for _, c := range []struct {
		ref    string
		server Server
		leaves bool
	}{
		{"openai/m", Server{URL: server.URL + "/v1", Set: true}, false},
		{"openai/m", Server{URL: server.URL + "/v1", Set: true, Remote: true}, true},
		{"ollama/m:cloud", Server{URL: server.URL, Set: true}, true}, // its server says so
		{"anthropic/m", Server{URL: server.URL, Set: true, Remote: true}, true},
	} {
		sent = ""
		kind, _, _ := Split(c.ref)
		s := Settings{Chat: c.ref, Embed: "builtin", Servers: map[string]Server{kind: c.server}}
		told := ""
		s.Sent = func(ref string, one endpoint.Sent) { told = fmt.Sprintf("%d %s", one.Bytes, one.SHA256) }
		m, err := New(route.New(partner{}), s, nil, nil, Store{})
		if err != nil {
			t.Fatal(err)
		}
		_, chat := m.now()
		if chat.Remote(t.Context()) != c.leaves {
			t.Errorf("%s: remote %v", c.ref, !c.leaves)
		}
		req := model.Request{Messages: []model.Message{{Role: model.User, Text: "canary", Private: true}, {Role: model.User, Text: "Hello"}}, Said: 1}
		for _, err := range chat.Generate(t.Context(), req) {
			if err != nil && kind != "anthropic" {
				t.Errorf("%s: %v", c.ref, err)
			}
		}
		if c.leaves && told != last || !c.leaves && told != "" {
			t.Errorf("%s: told of %q, and the server had %q", c.ref, told, last)
		}
		if strings.Contains(sent, "canary") == c.leaves || !strings.Contains(sent, "Hello") {
			t.Errorf("%s: sent %s", c.ref, sent)
		}
		req.Private, sent = "it is a secret", ""
		var failed error
		for _, err := range chat.Generate(t.Context(), req) {
			failed = err
		}
		if c.leaves && (!errors.Is(failed, model.ErrPrivate) || strings.Contains(sent, "Hello")) {
			t.Errorf("%s: %v, sent %s", c.ref, failed, sent)
		}
	}
}

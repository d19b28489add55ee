package agent_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/endpoint"
	"kist/agent/offline"
	"kist/agent/openai"
	"kist/agent/private"
	"kist/agent/route"
	"kist/vault/vaulttest"
)

// TestPreview: what a model would be sent is shown to the byte, and until it is said in
// earnest nothing is sent and no file is written.
func TestPreview(t *testing.T) {
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost {
			bodies = append(bodies, string(body))
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Oak, as you wrote in your notes on the boat."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	e, err := endpoint.New(server.URL, "sesame")
	if err != nil {
		t.Fatal(err)
	}
	router := route.New(offline.New())
	router.Use(openai.NewChat(e, "m", endpoint.Patience{}), true)
	s := newStage(t, boats, agenttest.NewScript(), agent.Options{})
	other := &stage{vault: s.vault, index: s.index, now: s.now, dated: s.dated}
	other.agent = s.newAgent(t, router, agent.Options{Now: s.agentNow, Private: private.Fixed(private.Marks{Projects: []string{"atlas"}})})
	other.send(t, agent.Message{Text: "Why would you varnish a boat at all?"})
	bodies = nil
	before := vaulttest.Tree(t, s.vault.Dir())
	show := func(m agent.Message) (string, string) {
		t.Helper()
		ctx, sent := endpoint.Capture(context.Background())
		by, err := other.agent.Preview(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		if len(sent.Body) > 0 && !strings.HasPrefix(sent.URL, server.URL) {
			t.Errorf("to %s", sent.URL)
		}
		return string(sent.Body), by.Model + ": " + by.Degraded
	}
	const text = "Which wood would you take for the mast, and what speaks against it?"
	shown, by := show(agent.Message{Text: text})
	if again, _ := show(agent.Message{Text: text}); again != shown || !strings.Contains(shown, "speaks against it") || strings.Contains(shown, "sesame") {
		t.Errorf("%s: %q, then %q", by, shown, again)
	}
	if sure, by := show(agent.Message{Text: "add a task: buy rope"}); sure != "" || by != "offline: kist does this at once, without openai/m" {
		t.Errorf("%q by %s", sure, by)
	}
	if diff := fmt.Sprint(vaulttest.Tree(t, s.vault.Dir())) == fmt.Sprint(before); !diff || len(bodies) > 0 {
		t.Errorf("something was written, or %d requests were sent", len(bodies))
	}
	other.send(t, agent.Message{Text: text})
	if len(bodies) != 1 || bodies[0] != shown {
		t.Errorf("shown:\n%s\nsent:\n%s", shown, bodies)
	}
}

package talk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/openai"
	"kist/agent/route"
	"kist/agent/tool/dialect"
	"kist/agent/window"
)

// A careless is a request, and what a careless or hostile model answers to it, step by step; the
// last one again and again. A step is words, of which LEN: says that their limit cut them off, or
// CALL: and a list of native calls.
type careless struct {
	Kind, Message string
	Steps         []string
	Want          string
}

// TestCareless: whatever the model answers, on each rung of the ladder: what was asked for is done
// or it is said that it isn't, and nothing else is done; see [Fault] for the rest. Every 16th of
// the requests; with KIST_CARELESS=all each one, on each rung.
func TestCareless(t *testing.T) {
	text, err := os.ReadFile("testdata/careless.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var steps []string // of the turn that is played
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
			return
		}
		step := steps[min(asked, len(steps)-1)]
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, read(step).openAI())
	}))
	defer server.Close()
	e, err := endpoint.New(server.URL+"/v1", "")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c careless
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		for i, rung := range Rungs() {
			all := os.Getenv("KIST_CARELESS") == "all"
			if n++; !all && ((n-1)/3%16 != 0 || i != n/48%3) {
				continue
			}
			steps, asked = c.Steps, 0
			router := route.New(offline.New())
			router.Use(ladder.New(window.New(openai.NewChat(e, "m", endpoint.Patience{}), 8192), ladder.Options{
				From: rung, Offer: window.Tools, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) },
			}), false)
			s, err := NewStage(t.Context(), t.TempDir(), router)
			if err != nil {
				t.Fatal(err)
			}
			turn, err := s.Play(t.Context(), agent.Message{Session: "new", Project: "houseboat", Text: c.Message, Client: "test"}, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			after, err := s.Texts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if why := c.wrong(turn, after); why != "" {
				t.Errorf("%s, %s, %q answered with %.200q: %s\n%s", c.Kind, rung, c.Message, c.Steps, why, turn.Outline())
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A said is a step that is read.
type said struct {
	Words string
	Cut   bool // their limit cut them off
	Calls []call
}

type call struct {
	Name      string
	Arguments json.RawMessage
}

func read(step string) (s said) {
	if list, calls := strings.CutPrefix(step, "CALL:"); calls {
		_ = json.Unmarshal([]byte(list), &s.Calls)
		return s
	}
	s.Words, s.Cut = strings.CutPrefix(step, "LEN:")
	return s
}

// pieces are the words as they come.
func (s said) pieces() (all []string) {
	for piece := range slices.Chunk([]rune(s.Words), 7) {
		all = append(all, string(piece))
	}
	return all
}

// openAI is what is said as OpenAI's servers stream it.
func (s said) openAI() string {
	var b strings.Builder
	send := func(delta any, finish any) {
		chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(&b, "data: %s\n\n", chunk)
	}
	finish := "stop"
	for i, c := range s.Calls {
		send(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprint("c", i), "type": "function", "function": map[string]any{"name": c.Name, "arguments": string(c.Arguments)}}}}, nil)
		finish = "tool_calls"
	}
	if s.Cut {
		finish = "length"
	}
	for _, piece := range s.pieces() {
		send(map[string]any{"content": piece}, nil)
	}
	send(map[string]any{}, finish)
	return b.String() + "data: [DONE]\n\n"
}

// wrong is what is wrong with a turn; empty: nothing.
func (c careless) wrong(turn Turn, after map[string]string) string {
	task, told, done := false, strings.Contains(turn.Reply, "Nothing was changed"), 0
	for path, text := range after {
		task = task || strings.HasPrefix(path, "projects/houseboat/tasks/") && strings.Contains(strings.ToLower(text), "winch")
	}
	for _, e := range turn.Events {
		if _, ok := e.(agent.Operation); ok {
			done++
		}
	}
	switch {
	case len(turn.Faults) > 0:
		return fmt.Sprint(turn.Faults)
	case c.Want == "told" && !told && done == 0, c.Want == "told-or-task" && !told && !task:
		return "it isn't said that nothing was changed"
	case c.Want == "none" && done > 0, c.Want == "quiet" && (done > 0 || told):
		return "something was done, or told of"
	}
	for path, text := range Start() {
		if now, there := after[path]; !there || now != text && c.Want != "no-loss" { // what can be undone may be changed
			return path + " isn't what it was"
		}
	}
	return ""
}

//go:build live

package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/models"
	"kist/agent/ollama"
	"kist/agent/tool"
	"kist/agent/tool/dialect"
	"kist/agent/window"
	"kist/bench/talk"
)

// chat is a model of the server in kist's own client, as package models makes it.
func (s *ollamaServer) chat(name string, opts ollama.Options) model.Described {
	return spoken{ollama.NewChat(s.Endpoint, name, opts), dialect.Grammar}
}

// layers is one in all its layers, from a rung on.
func (s *ollamaServer) layers(name string, from ladder.Rung, words bool) *ladder.Model {
	const long = time.Hour // of eight requests at the same time the last waits for seven, on whatever machine
	opts := ollama.Options{Context: *size, Patience: endpoint.Patience{First: long, Load: long, Next: long}}
	return ladder.New(window.New(s.chat(name, opts), *size), ladder.Options{
		From: from, Offer: window.Tools, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, words) },
	})
}

// loaded is the window that a model really has, by /api/ps; 0: it isn't loaded.
func (s *ollamaServer) loaded(t *testing.T, name string) int {
	t.Helper()
	var ps struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	if err := json.Unmarshal([]byte(s.get(t, "/api/ps")), &ps); err != nil {
		t.Fatal(err)
	}
	for _, m := range ps.Models {
		if m.Name == name+":latest" {
			return m.Context
		}
	}
	return 0
}

// An answered request is what came of one.
type answered struct {
	text  string
	calls []model.Call
	usage model.Usage
	stop  model.Stop
	err   error
}

func answers(ctx context.Context, m model.Model, req model.Request) (a answered) {
	for e, err := range m.Generate(ctx, req) {
		if err != nil {
			a.err = err
			return a
		}
		a.text += e.Text
		if e.Call != nil {
			a.calls = append(a.calls, *e.Call)
		}
		if e.Usage != nil {
			a.usage = *e.Usage
		}
		a.stop = e.Stop
	}
	return a
}

// long is a message of about so many tokens.
func long(tokens int) string {
	line := "The hull was scraped on 2026-11-23, and the deck was oiled.\n"
	return strings.Repeat(line, tokens/model.Tokens(line)) + "What was oiled?"
}

func allTools(t *testing.T) []model.Tool {
	t.Helper()
	r, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	var all []model.Tool
	for _, x := range r.All() {
		all = append(all, model.Tool{Name: x.Name, Description: x.Description, Schema: x.Schema})
	}
	return all
}

// TestOllamaConformance holds the whole stack to what every model has to hold to.
func TestOllamaConformance(t *testing.T) {
	s := startOllama(t)
	words, calls := said("What is the capital of France? Answer in one short sentence."), said("Add a task: call the welder.")
	calls.Tools = []model.Tool{createTask}
	words.MaxOutput, calls.MaxOutput = 120, 120
	modeltest.Test(t, func(*testing.T) model.Model { return s.layers("words", ladder.Union, false) }, words, calls)
}

// TestOllamaDescribes: what the server tells of a model is understood.
func TestOllamaDescribes(t *testing.T) {
	s := startOllama(t)
	for name, want := range map[string]model.Info{
		"words":  {Context: 8192, Format: true},
		"tools":  {Context: 8192, Format: true, Tools: true},
		"thinks": {Context: 8192, Format: true, Thinking: true},
	} {
		got, err := s.chat(name, ollama.Options{}).Info(t.Context())
		made := got.Made
		if got.Made = ""; got != want || err != nil || made == "" {
			t.Errorf("%s: %+v, made %q, %v", name, got, made, err)
		}
	}
	// 30 layers, 3 heads, a key and a value of 64 numbers of 2 bytes: 22.5 KiB for a token.
	for free, want := range map[int64]int{8 << 12 * 23040: 4096, 8 << 13 * 23040: 8192, 8<<13*23040 - 1: 4096} {
		info, err := s.chat("words", ollama.Options{Free: func() int64 { return free }}).Info(t.Context())
		if info.Context != want || err != nil {
			t.Errorf("%d bytes free: %d, %v", free, info.Context, err)
		}
	}
	got, err := ollama.Models(t.Context(), s.Endpoint)
	if err != nil || len(got) != 4 || got[0].Remote || got[0].Size < 50<<20 {
		t.Errorf("%+v, %v", got, err)
	}
	var e *endpoint.Error
	if _, err := s.chat("nobody", ollama.Options{}).Info(t.Context()); !errors.As(err, &e) || e.Status != 404 {
		t.Errorf("a model that isn't there: %v", err)
	}
	if a := answers(t.Context(), s.chat("nobody", ollama.Options{}), said("Hello")); !errors.As(a.err, &e) || e.Status != 404 {
		t.Errorf("a model that isn't there: %+v", a)
	}
}

// TestOllamaWindow: the window that is asked for is the one that the model has, what
// doesn't fit is an error, and is then made to fit.
func TestOllamaWindow(t *testing.T) {
	s := startOllama(t)
	for _, size := range []int{3072, 2048} {
		chat := s.chat("words", ollama.Options{Context: size})
		fits := said(long(size * 6 / 10))
		fits.MaxOutput = 5
		a := answers(t.Context(), chat, fits)
		if got := s.loaded(t, "words"); got != size {
			t.Errorf("the window is of %d tokens and not of %d", got, size)
		}
		if a.err != nil || a.usage.Input < size/2 || a.usage.Input > size {
			t.Errorf("%d: %+v", size, a)
		}
		over := said(long(size * 2))
		over.MaxOutput = 5
		if a := answers(t.Context(), chat, over); !errors.Is(a.err, model.ErrTooLong) || a.text != "" {
			t.Errorf("%d, and twice as much: %+v", size, a)
		}
		past := said("What was oiled?")
		for range 12 {
			past.Messages = append([]model.Message{{Role: model.User, Text: long(size / 6)}, {Role: model.Assistant, Text: "The deck."}}, past.Messages...)
		}
		past.Said, past.MaxOutput = len(past.Messages)-1, 5
		fitted := window.New(chat, 0)
		fitted.Begin(0.3, 0) // it takes the server's tokens for fewer than they are
		a = answers(t.Context(), fitted, past)
		if a.err != nil || a.usage.Input == 0 || a.usage.Input+a.usage.Output > size {
			t.Errorf("%d, and a long past: %+v", size, a)
		}
		fmt.Printf("live: Ollama, a window of %d: %d tokens were read of a past that is too long\n", size, a.usage.Input)
	}
}

// TestOllamaFull: an answer that outgrows the window ends, and says that it was cut off.
func TestOllamaFull(t *testing.T) {
	s := startOllama(t)
	const size = 96
	req := said("Tell me a long story about a heron that lives in the harbour.")
	req.MaxOutput = 0
	a := answers(t.Context(), s.chat("words", ollama.Options{Context: size}), req)
	if a.err != nil || a.stop != model.Length || a.usage.Input+a.usage.Output > size+1 { // the last token isn't read
		t.Errorf("%+v", a)
	}
}

// TestOllamaSchemas: the server takes every tool, as a tool and as the form of an answer,
// and the union of all of them. As they are, some would kill what runs the model.
func TestOllamaSchemas(t *testing.T) {
	s := startOllama(t)
	tools := allTools(t)
	formats := map[string]json.RawMessage{"union": dialect.Union(tools, true), "union of calls": dialect.Union(tools, false)}
	for _, x := range dialect.For(dialect.Grammar, tools) {
		formats[x.Name] = x.Schema
	}
	accepted := 0
	chat := s.chat("words", ollama.Options{Context: 2048})
	for name, format := range formats {
		req := said("Add the task: sand the hull, due tomorrow.")
		req.Format, req.MaxOutput = format, 3
		if a := answers(t.Context(), chat, req); a.err != nil || a.text == "" || !strings.HasPrefix(a.text, "{") {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		accepted++
	}
	offered := 0
	chat = s.chat("names", ollama.Options{Context: 2048})
	for some := range slices.Chunk(tools, 1) {
		req := said("Hello.")
		req.Tools, req.MaxOutput = some, 3
		if a := answers(t.Context(), chat, req); a.err != nil {
			t.Errorf("%s: %v", some[0].Name, a.err)
			continue
		}
		offered++
	}
	fmt.Printf("live: Ollama took %d of %d forms of an answer and %d of %d tools\n", accepted, len(formats), offered, len(tools))
}

// TestOllamaCalls: a call that a model writes in the way of its template comes as a call,
// and with its result the turn goes on. A weak model calls where it did so before.
func TestOllamaCalls(t *testing.T) {
	s := startOllama(t)
	chat := s.chat("tools", ollama.Options{Context: 4096})
	req := said("Add a task: call the welder.")
	req.Tools, req.MaxOutput = []model.Tool{createTask}, 60
	ask := req.Messages
	var past []model.Message
	var a answered
	// One that is this weak does it after some examples or after some more: by its build, too.
	for i, what := range []string{"buy rope", "sell the boat", "wash the sail", "oil the deck", "mend the net", "fill the tank"} {
		call := model.Call{ID: fmt.Sprint("past-", i), Name: "create_task", Arguments: json.RawMessage(`{"title":"` + what + `"}`)}
		past = append(past, model.Message{Role: model.User, Text: "Add a task: " + what + "."}, model.Message{Role: model.Assistant, Calls: []model.Call{call}},
			model.Message{Role: model.ToolRole, Tool: "create_task", CallID: call.ID, Text: `{"ok":true}`}, model.Message{Role: model.Assistant, Text: "Done."})
		if i < 2 {
			continue
		}
		req.Messages, req.Said = append(slices.Clone(past), ask...), len(past)
		if a = answers(t.Context(), chat, req); a.err != nil || len(a.calls) > 0 {
			break
		}
	}
	if a.err != nil || len(a.calls) == 0 || a.stop != model.Calls || a.calls[0].Name != "create_task" || !json.Valid(a.calls[0].Arguments) || a.calls[0].ID == "" {
		t.Fatalf("%+v", a)
	}
	fmt.Printf("live: Ollama, a call of the model's own: %s %s\n", a.calls[0].Name, a.calls[0].Arguments)
	req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: a.calls[:1]},
		model.Message{Role: model.ToolRole, Tool: "create_task", CallID: a.calls[0].ID, Text: `{"ok":true,"path":"tasks/call-the-welder.md"}`})
	req.Choice = model.None
	if a := answers(t.Context(), chat, req); a.err != nil || len(a.calls) > 0 || a.stop == "" {
		t.Errorf("after the result: %+v", a)
	}
	// A model without tools refuses them, and is read by a schema from then on.
	words := s.layers("words", ladder.Native, true)
	req = said("Hello.")
	req.Tools, req.MaxOutput = []model.Tool{createTask}, 200
	if a := answers(t.Context(), words, req); a.err != nil || words.Rung() == ladder.Native {
		t.Errorf("on the rung %v: %+v", words.Rung(), a)
	}
}

// TestOllamaEmbeds: there is a vector for each text, the same for the same text, also of one
// that is longer than the model's window.
func TestOllamaEmbeds(t *testing.T) {
	s := startOllama(t)
	e := ollama.NewEmbedder(s.Endpoint, "words")
	texts := []string{"The heron stands on the breakwater.", "Der Reiher steht auf der Mole.", "The heron stands on the breakwater.", strings.Repeat("heron ", 4000), "ü"}
	got, err := e.Embed(t.Context(), texts)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, v := range got {
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if len(v) != 576 || math.Abs(sum-1) > 1e-3 {
			t.Errorf("%.30q: %d numbers, of length %f", texts[i], len(v), sum)
		}
	}
	if near(got[0], got[2]) < 0.999 || near(got[0], got[1]) > 0.999 {
		t.Errorf("the same text %f, another %f", near(got[0], got[2]), near(got[0], got[1]))
	}
	if _, err := ollama.NewEmbedder(s.Endpoint, "nobody").Embed(t.Context(), texts[:1]); err == nil {
		t.Error("a model that isn't there: no error")
	}
}

func near(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestOllamaPulls: what can't be fetched is an error that says why.
func TestOllamaPulls(t *testing.T) {
	s := startOllama(t)
	for name, want := range map[string]string{
		"127.0.0.1:1/library/x": "connection refused",
		"../x":                  "invalid",
		"":                      "",
	} {
		began := time.Now()
		var told []ollama.Progress
		err := ollama.Pull(t.Context(), s.Endpoint, name, func(p ollama.Progress) bool {
			told = append(told, p)
			return true
		})
		var e *endpoint.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q after %v and %+v: %v", name, time.Since(began), told, err)
		}
	}
}

// TestOllamaGone: the server ends in the midst of an answer. The request ends soon after,
// with an error, and the next one, for which nobody is there, at once.
func TestOllamaGone(t *testing.T) {
	s := startOllama(t)
	chat := s.chat("words", ollama.Options{Context: 4096})
	req := said("Tell me a long story about a heron that lives in the harbour.")
	var ended time.Time
	var failed error
	text := ""
	for e, err := range chat.Generate(t.Context(), req) {
		failed = err
		if text += e.Text; len(text) > 20 && ended.IsZero() {
			s.end()
			ended = time.Now()
		}
	}
	if ended.IsZero() || failed == nil || time.Since(ended) > 2*time.Second {
		t.Errorf("%v after its end: %q, %v", time.Since(ended), text, failed)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var e *endpoint.Error
	if a := answers(ctx, chat, req); !errors.As(a.err, &e) || !strings.Contains(a.err.Error(), "nothing listens") {
		t.Errorf("%+v", a)
	}
}

// TestOllamaBack: an answer that is underway breaks off with its server; once that is started
// again the next one comes, from the same client.
func TestOllamaBack(t *testing.T) {
	s := startOllama(t)
	chat := s.chat("words", ollama.Options{Context: 2048})
	for range chat.Generate(t.Context(), said("Tell me a long story about a heron.")) {
		s.end()
		break
	}
	s.start(t)
	req := said("Hello.")
	req.MaxOutput = 5
	if a := answers(t.Context(), chat, req); a.err != nil || a.text == "" || s.loaded(t, "words") != 2048 {
		t.Errorf("%+v", a)
	}
}

// TestOllamaUnloaded: somebody unloads the model in the midst of an answer. That one ends, with
// a stop or an error, and the next has the model loaded again, in the same window.
func TestOllamaUnloaded(t *testing.T) {
	s := startOllama(t)
	chat := s.chat("words", ollama.Options{Context: 2048})
	req := said("Tell me a long story about a heron that lives in the harbour.")
	req.MaxOutput = 60
	unloaded, stop := false, model.Stop("")
	var failed error
	for e, err := range chat.Generate(t.Context(), req) {
		if failed = err; e.Text != "" && !unloaded {
			unloaded = true
			s.post(t, "/api/generate", []byte(`{"model":"words","keep_alive":0}`))
		}
		stop = e.Stop
	}
	if !unloaded || stop == "" && failed == nil {
		t.Errorf("unloaded %v, stop %q, %v", unloaded, stop, failed)
	}
	fmt.Printf("live: Ollama, unloaded in the midst of an answer: it ends with %q, %v\n", stop, failed)
	req.MaxOutput = 5
	if a := answers(t.Context(), chat, req); a.err != nil || a.text == "" || s.loaded(t, "words") != 2048 {
		t.Errorf("the next: %+v", a)
	}
}

// TestOllamaThinks: thoughts come as such, and a small object is asked for without them.
func TestOllamaThinks(t *testing.T) {
	s := startOllama(t)
	chat := s.chat("thinks", ollama.Options{Context: 2048})
	if info, err := chat.Info(t.Context()); err != nil || !info.Thinking {
		t.Fatalf("%+v, %v", info, err)
	}
	thought, text := "", ""
	req := said("What is the capital of France?")
	req.MaxOutput = 20
	for e, err := range chat.Generate(t.Context(), req) {
		if thought, text = thought+e.Thinking, text+e.Text; err != nil {
			t.Error(err)
		}
	}
	if thought == "" || strings.Contains(text, "<think>") {
		t.Errorf("thought %q, said %q", thought, text)
	}
	req.Purpose = model.Fast
	req.Format = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","maxLength":20}},"required":["city"],"additionalProperties":false}`)
	if a := answers(t.Context(), chat, req); a.err != nil || !strings.HasPrefix(a.text, "{") {
		t.Errorf("%+v", a)
	}
}

// TestOllamaElsewhere: a model that the server passes on is remote, in its list as well, and so
// is one that came to be so under a name that was a model of this machine.
func TestOllamaElsewhere(t *testing.T) {
	s := startOllama(t)
	asked := 0
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		fmt.Fprintln(w, `{"model":"big","message":{"role":"assistant","content":"From afar."},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":3}`)
	}))
	defer far.Close()
	elsewhere := func(name string) {
		body, err := json.Marshal(map[string]any{"model": name, "from": "big", "remote_host": far.URL, "stream": false})
		if err != nil {
			t.Fatal(err)
		}
		s.post(t, "/api/create", body)
	}
	elsewhere("afar")
	chat := s.chat("afar", ollama.Options{})
	if info, err := chat.Info(t.Context()); err != nil || !info.Remote {
		t.Errorf("%+v, %v", info, err)
	}
	if a := answers(t.Context(), chat, said("Hello.")); a.err != nil || a.text != "From afar." {
		t.Errorf("%+v", a)
	}
	all, err := ollama.Models(t.Context(), s.Endpoint)
	if err != nil {
		t.Error(err)
	}
	for _, m := range all {
		if m.Remote != strings.HasPrefix(m.Name, "afar") {
			t.Errorf("%+v", m)
		}
	}

	chat = s.chat("words", ollama.Options{})
	if info, err := chat.Info(t.Context()); err != nil || info.Remote {
		t.Errorf("%+v, %v", info, err)
	}
	elsewhere("words")
	before := asked
	if a := answers(t.Context(), chat, said("Hello.")); a.err == nil || a.text != "" || asked != before+1 {
		t.Errorf("asked %d times: %+v", asked-before, a)
	}
	if info, err := chat.Info(t.Context()); err != nil || !info.Remote {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestOllamaRequests has an agent do things by a model of the server, on each rung: every
// turn keeps its promises.
func TestOllamaRequests(t *testing.T) {
	s := startOllama(t)
	for _, rung := range talk.Rungs() {
		began := time.Now()
		made := 0
		for _, w := range talk.Wishes(min(*requests, 6), *seed) {
			if *within > 0 && time.Since(began) > *within {
				break
			}
			chat := s.layers("tools", rung, true)
			stage := newStage(t, chat)
			turn := stage.play(t, agent.Message{Session: "new", Project: "houseboat", Text: w.Text, Client: "test"})
			if turn.Failed != nil {
				t.Errorf("%v, %q: %v", rung, w.Text, turn.Failed)
			}
			made++
		}
		fmt.Printf("live: Ollama, %v: %d turns in %v\n", rung, made, time.Since(began).Round(time.Second))
	}
}

// TestOllamaRandom is TestRandomWeights with the same weights behind this server.
func TestOllamaRandom(t *testing.T) {
	s := startOllama(t)
	s.model(t, "random", randomWeights(t, *seed), toolsTemplate, map[string]any{"num_predict": 40})
	settings := models.Settings{Context: *size, Servers: map[string]models.Server{"ollama": {URL: s.url, Set: true}}}
	randomTurns(t, "random weights behind Ollama", *turns, func(rung ladder.Rung) (*models.Chat, error) { return settings.Open("ollama/random", rung) })
}

package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"kist/agent/model"
	"kist/agent/route"
	"kist/agent/wire/wiretest"
)

// partner is one that is never sure and says who it is.
type partner struct{}

func (partner) Name() string            { return Offline }
func (partner) Sure(model.Request) bool { return false }
func (partner) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		_ = yield(model.Event{Text: "partner"}, nil) && yield(model.Event{Stop: model.End}, nil)
	}
}

// A file is where settings stand.
type file struct {
	mu                  sync.Mutex
	s                   Settings
	writes              []string
	failWrite, failLoad error
}

func (f *file) load() (Settings, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.s, f.failLoad
}

func (f *file) write(role, ref string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failWrite != nil {
		return f.failWrite
	}
	f.writes = append(f.writes, role+"="+ref)
	*map[string]*string{"embed": &f.s.Embed, "chat": &f.s.Chat, "fallback": &f.s.Fallback}[role] = ref
	return nil
}

// start returns a service of the settings in a file.
func start(t *testing.T, s Settings) (*Service, *file, *route.Router) {
	t.Helper()
	f, r := &file{s: s}, route.New(partner{})
	m, err := New(r, s, f.load, f.write, Store{})
	if err != nil {
		t.Fatal(err)
	}
	return m, f, r
}

// hear returns what a model says, and who it says that speaks.
func hear(ctx context.Context, m model.Model) (text, by string, err error) {
	for e, err := range m.Generate(ctx, said("Be brief.", "Hello?")) {
		if err != nil {
			return text, by, err
		}
		text += e.Text
		if e.By != nil {
			by += e.By.Model + e.By.Degraded
		}
	}
	return text, by, nil
}

// at is settings with one server of a kind.
func at(kind, name, url string) Settings {
	return Settings{Chat: kind + "/" + name, Embed: "builtin", Path: "config.yaml", Servers: map[string]Server{kind: {URL: url, Key: "sesame", Set: true}}}
}

// asJSON is an answer in one piece.
func asJSON(body string) wiretest.Answer {
	return wiretest.Answer{Header: map[string]string{"Content-Type": "application/json"}, Body: body}
}

var notFound = wiretest.Answer{Status: 404, Body: `{"error":"there is no such thing"}`}

// plays answers by the path; what has no answer isn't found.
func plays(t *testing.T, answers map[string]wiretest.Answer) *wiretest.Server {
	t.Helper()
	return wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		if a, ok := answers[r.Path]; ok {
			return a
		}
		return notFound
	})
}

// A reply is what a model answers; count is how many tokens its server read, 0: it doesn't
// tell, and finish why it ended.
type reply struct {
	text, tool, arguments string
	count                 int
	finish                string // empty: as it should
}

func (r reply) end() string {
	switch {
	case r.finish != "":
		return r.finish
	case r.tool != "":
		return "tool_calls"
	}
	return "stop"
}

// openAI is a reply as OpenAI's servers stream it.
func openAI(r reply) wiretest.Answer {
	delta := map[string]any{"role": "assistant", "content": r.text}
	if r.tool != "" {
		delta["tool_calls"] = []any{map[string]any{"index": 0, "id": "1", "type": "function", "function": map[string]string{"name": r.tool, "arguments": r.arguments}}}
	}
	body := line("data: ", map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
	if r.finish != "none" {
		body += line("data: ", map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": r.end()}}})
	}
	if r.count > 0 {
		body += line("data: ", map[string]any{"choices": []any{}, "usage": map[string]int{"prompt_tokens": r.count, "completion_tokens": 5}})
	}
	return wiretest.Answer{Body: body + "data: [DONE]\n\n"}
}

// ollamaSays is a reply as Ollama streams it.
func ollamaSays(r reply) wiretest.Answer {
	message := map[string]any{"content": r.text}
	if r.tool != "" {
		message["tool_calls"] = []any{map[string]any{"function": map[string]any{"name": r.tool, "arguments": json.RawMessage(r.arguments)}}}
	}
	body := line("", map[string]any{"message": message}) + line("", map[string]any{"done": true, "done_reason": "stop", "prompt_eval_count": r.count, "eval_count": 5})
	return wiretest.Answer{Header: map[string]string{"Content-Type": "application/x-ndjson"}, Body: strings.ReplaceAll(body, "\n\n", "\n")}
}

// anthropicSays is a reply as Anthropic streams it.
func anthropicSays(r reply) wiretest.Answer {
	body := named("message_start", map[string]any{"message": map[string]any{"role": "assistant", "content": []any{}, "usage": map[string]int{"input_tokens": r.count}}})
	index := 0
	if r.text != "" {
		body += named("content_block_start", map[string]any{"index": index, "content_block": map[string]string{"type": "text", "text": r.text}})
		index++
	}
	stop := "end_turn"
	if r.tool != "" {
		stop = "tool_use"
		body += named("content_block_start", map[string]any{"index": index, "content_block": map[string]any{"type": "tool_use", "id": "1", "name": r.tool, "input": json.RawMessage(r.arguments)}})
	}
	body += named("message_delta", map[string]any{"delta": map[string]string{"stop_reason": stop}, "usage": map[string]int{"output_tokens": 5}})
	return wiretest.Answer{Body: body + named("message_stop", map[string]any{})}
}

// named is an event of Anthropic's, which has its type twice.
func named(kind string, v map[string]any) string {
	v["type"] = kind
	return "event: " + kind + "\n" + line("data: ", v)
}

func line(before string, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s%s\n\n", before, data)
}

var errDisk = errors.New("the disk is full")

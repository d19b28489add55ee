package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/wire"
	"kist/agent/wire/wiretest"
)

var rounds = flag.Int("rounds", 2000, "how many damaged streams are tried")

// canary is the key, which no error may contain.
const canary = "sk-canary-7f3a"

func chat(t testing.TB, url string, p endpoint.Patience) *Chat {
	t.Helper()
	e, err := endpoint.New(url+"/v1/", canary)
	if err != nil {
		t.Fatal(err)
	}
	c := NewChat(e, "qwen3", p)
	t.Cleanup(c.client.CloseIdleConnections)
	return c
}

// ask asks a server that plays the answers.
func ask(t testing.TB, p endpoint.Patience, answers ...wiretest.Answer) (wiretest.Heard, error) {
	t.Helper()
	server := wiretest.New(t, wiretest.Each(answers...))
	return wiretest.Hear(t, chat(t, server.URL, p).Generate(t.Context(), words))
}

// listen reads a stream without a server between.
func listen(t testing.TB, stream []byte) (wiretest.Heard, error) {
	t.Helper()
	e, err := endpoint.New("http://127.0.0.1:1", canary)
	if err != nil {
		t.Fatal(err)
	}
	c := &Chat{endpoint: e}
	return wiretest.Hear(t, func(yield func(model.Event, error) bool) {
		a := wire.NewAnswer(yield)
		if err := c.read(bytes.NewReader(stream), a); err != nil && !a.Stopped() {
			a.Fail(c.cause(err))
			return
		}
		a.End()
	})
}

var (
	createTask = model.Tool{Name: "create_task", Description: "Creates a task.", Schema: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)}
	words      = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello."}}}
	acts       = model.Request{Messages: words.Messages, Tools: []model.Tool{createTask}}
)

func TestConformance(t *testing.T) {
	streams := recorded(t)
	modeltest.Test(t, func(t *testing.T) model.Model {
		server := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
			var asked struct {
				Tools      []any
				ToolChoice string `json:"tool_choice"`
			}
			if err := json.Unmarshal(r.Body, &asked); err != nil {
				t.Error(err)
			}
			if len(asked.Tools) > 0 && asked.ToolChoice != "none" {
				return wiretest.Answer{Body: streams["openai_tools"]}
			}
			return wiretest.Answer{Body: streams["openai"], Step: 100}
		})
		return chat(t, server.URL, endpoint.Patience{})
	}, words, acts)
}

// conversation has all that a request can have.
var conversation = model.Request{
	Brief: func(int) model.Brief { return model.Brief{Rules: "You are kist.", Now: "It is Monday."} },
	Messages: []model.Message{
		{Role: model.User, Text: "Hi <you>."},
		{Role: model.Assistant, Text: "Hello."},
		{Role: model.User, Text: "Two tasks."},
		{Role: model.Assistant, Calls: []model.Call{
			{ID: "a", Name: "create_task", Arguments: json.RawMessage(`{"title":"Sand"}`)},
			{ID: "b", Name: "create_task", Arguments: json.RawMessage(`{"title":"Paint"}`)},
		}, State: &model.State{Provider: "other", Data: json.RawMessage(`{"x":1}`)}},
		{Role: model.ToolRole, Text: `{"id":"1"}`, CallID: "a", Tool: "create_task"},
		{Role: model.ToolRole, Text: `{"id":"2"}`, CallID: "b", Tool: "create_task"},
	},
	Said:      2,
	Tools:     []model.Tool{createTask},
	Choice:    model.None,
	Format:    json.RawMessage(`{"type":"object"}`),
	MaxOutput: 500,
}

const conversationJSON = `{
	"model": "qwen3", "stream": true, "stream_options": {"include_usage": true}, "tool_choice": "none",
	"messages": [
		{"role": "system", "content": "You are kist."},
		{"role": "user", "content": "Hi <you>."},
		{"role": "assistant", "content": "Hello."},
		{"role": "user", "content": "<context>\nIt is Monday.\n</context>\n\nTwo tasks."},
		{"role": "assistant", "tool_calls": [
			{"id": "a", "type": "function", "function": {"name": "create_task", "arguments": "{\"title\":\"Sand\"}"}},
			{"id": "b", "type": "function", "function": {"name": "create_task", "arguments": "{\"title\":\"Paint\"}"}}
		]},
		{"role": "tool", "content": "{\"id\":\"1\"}", "tool_call_id": "a"},
		{"role": "tool", "content": "{\"id\":\"2\"}", "tool_call_id": "b"}
	],
	"tools": [{"type": "function", "function": {"name": "create_task", "description": "Creates a task.",
		"parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}}],
	"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}, "strict": false}},
	"max_tokens": 500
}`

func object(t *testing.T, text []byte) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// TestPurpose: a call that has to come, and no thinking before a small object, where the server
// is on this machine: others refuse fields that they don't know.
func TestPurpose(t *testing.T) {
	server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: recorded(t)["openai"]}))
	req := conversation
	req.Choice, req.Purpose = model.Required, model.Fast
	if _, err := wiretest.Hear(t, chat(t, server.URL, endpoint.Patience{}).Generate(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	got := object(t, server.Requests()[0].Body)
	if diff := cmp.Diff(map[string]any{"enable_thinking": false}, got["chat_template_kwargs"]); diff != "" || got["tool_choice"] != "required" {
		t.Errorf("%v, %s", got["tool_choice"], diff)
	}
	e, err := endpoint.New("https://models.example/v1", canary)
	if err != nil {
		t.Fatal(err)
	}
	if sent := NewChat(e, "m", endpoint.Patience{}).request(req); sent.ChatTemplateKwargs != nil {
		t.Errorf("elsewhere: %v", sent.ChatTemplateKwargs)
	}
}

func TestRequest(t *testing.T) {
	server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: recorded(t)["openai"]}))
	c := chat(t, server.URL, endpoint.Patience{})
	if _, err := wiretest.Hear(t, c.Generate(t.Context(), conversation)); err != nil {
		t.Fatal(err)
	}
	got := server.Requests()[0]
	want := object(t, []byte(conversationJSON))
	if diff := cmp.Diff(want, object(t, got.Body)); diff != "" {
		t.Error(diff)
	}
	if got.Method != "POST" || got.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer "+canary ||
		got.Header.Get("Content-Type") != "application/json" || got.Header.Get("Accept") != "text/event-stream" {
		t.Errorf("%s %s %v", got.Method, got.Path, got.Header)
	}

	least, err := json.Marshal(c.request(words))
	if diff := cmp.Diff(object(t, []byte(`{"model": "qwen3", "stream": true, "stream_options": {"include_usage": true}, "messages": [{"role": "user", "content": "Hello."}]}`)), object(t, least)); diff != "" || err != nil {
		t.Error(diff, err)
	}

	e, err := endpoint.New("https://api.openai.com/v1", canary)
	if err != nil {
		t.Fatal(err)
	}
	official, err := json.Marshal(NewChat(e, "qwen3", endpoint.Patience{}).request(conversation))
	if err != nil {
		t.Fatal(err)
	}
	delete(want, "max_tokens")
	want["max_completion_tokens"] = 500.0
	want["response_format"].(map[string]any)["json_schema"].(map[string]any)["strict"] = true
	if diff := cmp.Diff(want, object(t, official)); diff != "" {
		t.Error(diff)
	}
}

// TestNames: what a model may be asked, its server says, not a list of names.
func TestNames(t *testing.T) {
	server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: recorded(t)["openai"]}))
	for _, name := range []string{"o1", "gpt-5-mini", "gpt-6-sol", "text-davinci-003", "a/b:c"} {
		c := chat(t, server.URL, endpoint.Patience{})
		c.model = name
		if got, err := wiretest.Hear(t, c.Generate(t.Context(), conversation)); err != nil || got.Stop != model.End {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// recorded returns the streams in testdata by name.
func recorded(t testing.TB) map[string]string { return wiretest.Recorded(t, "testdata/*.sse") }

func call(id, name, arguments string) model.Call {
	return model.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// told is what each stream says. llamacpp is recorded from a server, the others are written
// after what servers send.
var told = map[string]wiretest.Heard{
	"openai": {Text: "Grüße, 世界 👩‍🚀!", Usage: &model.Usage{Input: 1117, Output: 46, Cached: 1024, Thinking: 7}, Stop: model.End},
	"openai_tools": {
		Calls: []model.Call{call("call_a", "create_task", `{"title":"Sand the hull"}`), call("call_b", "list_tasks", `{"project":"boat"}`)},
		Usage: &model.Usage{Input: 1117, Output: 46, Cached: 1024, Thinking: 7}, Stop: model.Calls,
	},
	"openai_refusal": {Text: "I'm sorry, I can't help with that.", Usage: &model.Usage{Input: 1117, Output: 46, Cached: 1024, Thinking: 7}, Stop: model.Refused},
	"vllm":           {Text: "Hello there.", Thinking: "\nThe user greets.\n", Usage: &model.Usage{Input: 12, Output: 10}, Stop: model.End},
	"vllm_tools":     {Calls: []model.Call{call("chatcmpl-tool-1", "create_task", `{"title": "Buy paint"}`)}, Usage: &model.Usage{Input: 200, Output: 30}, Stop: model.Calls},
	"lmstudio": {
		Text:  "Let me look. ",
		Calls: []model.Call{call("365174485", "list_tasks", "{}"), call("365174486", "create_task", `{"title":"Buy paint"}`)}, Stop: model.Calls,
	},
	"llamacpp": {Text: "Hello, welcome to my little corner of the world.", Usage: &model.Usage{Input: 36, Output: 12, Cached: 24}, Stop: model.End},
	"llamacpp_tools": {
		Thinking: "They want a task.", Calls: []model.Call{call("hRGvm0c1", "create_task", `{"title":"Buy paint"}`)},
		Usage: &model.Usage{Input: 240, Output: 25}, Stop: model.Calls,
	},
	"deepseek":   {Text: "Sanding first.", Thinking: "First, the hull.", Usage: &model.Usage{Input: 18, Output: 30, Thinking: 21}, Stop: model.End},
	"openrouter": {Text: "Good morning.", Thinking: "Hm, yes.", Usage: &model.Usage{Input: 14, Output: 20, Thinking: 9}, Stop: model.End},
	"gemini": {
		Calls: []model.Call{
			call("function-call-1", "create_task", `{"title":"Sand the hull"}`), call("function-call-2", "create_task", `{"title":"Paint it"}`), call("", "list_tasks", "{}"),
		},
		Usage: &model.Usage{Input: 90, Output: 30}, Stop: model.Calls,
	},
	"mistral":          {Text: "Good day", Thinking: "Let me see.", Usage: &model.Usage{Input: 9, Output: 20}, Stop: model.Length},
	"functions":        {Calls: []model.Call{call("", "list_tasks", `{"project":"boat"}`)}, Stop: model.Calls},
	"openrouter_error": {Text: "Good "},
}

func TestStreams(t *testing.T) {
	streams := recorded(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(told)), slices.Sorted(maps.Keys(streams))); diff != "" {
		t.Fatal(diff)
	}
	for name, want := range told {
		for form, stream := range map[string]string{
			"as it is":      streams[name],
			"CRLF":          strings.ReplaceAll(strings.ReplaceAll(streams[name], "\r\n", "\n"), "\n", "\r\n"),
			"no blanks":     strings.ReplaceAll(streams[name], "data: ", "data:"),
			"no empty line": strings.ReplaceAll(streams[name], "\n\n", "\n"),
			"no [DONE]":     strings.ReplaceAll(streams[name], "data: [DONE]\n\n", ""),
			"no newline":    strings.TrimSpace(strings.ReplaceAll(streams[name], "data: [DONE]\n\n", "")),
		} {
			for step, answer := range []wiretest.Answer{{Body: stream}, {Body: stream, Step: 7}} {
				if step == 1 && form != "as it is" {
					continue
				}
				got, err := ask(t, endpoint.Patience{}, answer)
				if diff := cmp.Diff(want, got); diff != "" || (err != nil) != (name == "openrouter_error") {
					t.Errorf("%s, %s: %v %s", name, form, err, diff)
				}
			}
		}
	}
}

// ballast is what a stream repeats in each line and nobody reads.
var ballast = regexp.MustCompile(`"(object|created|model|service_tier|system_fingerprint|provider|logprobs|stop_reason|native_finish_reason|reasoning_details)":("[^"]*"|\d+|null|\[.*?\]),`)

// TestCut: of a stream that ends anywhere, what came is told, and calls or an end only if
// the server's reason came whole.
func TestCut(t *testing.T) {
	for name, stream := range recorded(t) {
		stream, whole := ballast.ReplaceAllString(stream, ""), told[name]
		finish := strings.LastIndex(stream, `"finish_reason":"`) // of the line
		if finish < 0 {
			t.Fatalf("%s: no end", name)
		}
		line := strings.IndexAny(stream[finish:], "\r\n") + finish
		if line < finish {
			line = len(stream)
		}
		for n := range len(stream) + 1 {
			got, err := listen(t, []byte(stream[:n]))
			if name != "openrouter_error" && err != nil || (got.Stop != "") != (n >= line && whole.Stop != "") {
				t.Fatalf("%s, %d bytes: %+v, %v", name, n, got, err)
			}
			if !strings.HasPrefix(whole.Text, got.Text) && !strings.HasPrefix(got.Text, "<") || !strings.HasPrefix(whole.Thinking, strings.TrimRight(got.Thinking, "</think")) {
				t.Errorf("%s, %d bytes: %+v", name, n, got)
			}
		}
	}
}

// TestBroken: connections that end in the middle are errors, unless the server had said why
// it ends.
func TestBroken(t *testing.T) {
	stream := recorded(t)["openai_tools"]
	done := strings.Index(stream, `"finish_reason":"tool_calls"}]`) + 100
	for _, end := range []wiretest.End{wiretest.Broken, wiretest.Hang} {
		for _, n := range []int{0, 1, 100, 1000, done} {
			got, err := ask(t, endpoint.Patience{First: time.Second, Load: 500 * time.Millisecond, Next: 200 * time.Millisecond}, wiretest.Answer{Body: stream[:n], End: end})
			if n == done {
				if err != nil || got.Stop != model.Calls || len(got.Calls) != 2 {
					t.Errorf("%d bytes, then %d: %+v, %v", n, end, got, err)
				}
				continue
			}
			if _, ok := errors.AsType[*endpoint.Error](err); !ok || got.Stop != "" || errors.Is(err, endpoint.ErrSilent) != (end == wiretest.Hang) {
				t.Errorf("%d bytes, then %d: %+v, %v", n, end, got, err)
			}
		}
	}
	if got, err := ask(t, endpoint.Patience{}, wiretest.Answer{End: wiretest.Reset}); err == nil || got.Stop != "" {
		t.Errorf("reset: %+v, %v", got, err)
	}
}

// TestFaults: what servers send instead of an answer.
func TestFaults(t *testing.T) {
	const half = `data: {"choices":[{"index":0,"delta":{"content":"Hm"}}]}` + "\n\n"
	html := map[string]string{"Content-Type": "text/html"}
	asJSON := map[string]string{"Content-Type": "application/json"}
	for name, tc := range map[string]struct {
		answer wiretest.Answer
		text   string
		err    string // that it contains; empty: none
	}{
		"nothing":                    {wiretest.Answer{}, "", ""},
		"[DONE] only":                {wiretest.Answer{Body: "data: [DONE]\n\n"}, "", ""},
		"no end":                     {wiretest.Answer{Body: half + "data: [DONE]\n\n"}, "Hm", ""},
		"an error as an object":      {wiretest.Answer{Body: half + `data: {"error":{"message":"out of memory ` + canary + `","code":500}}` + "\n\n"}, "Hm", "out of memory [key]"},
		"an error as a text":         {wiretest.Answer{Body: half + `data: {"error":"out of memory"}` + "\n\n"}, "Hm", "out of memory"},
		"an event of error":          {wiretest.Answer{Body: half + "event: error\ndata: {\"message\":\"out of memory\"}\n\n"}, "Hm", "out of memory"},
		"an event of error in words": {wiretest.Answer{Body: half + "event: error\ndata: out of memory\n\n"}, "Hm", "out of memory"},
		"an error as a field":        {wiretest.Answer{Body: half + "error: {\"code\":500,\"message\":\"out of memory\"}\n\n"}, "Hm", "out of memory"},
		"an error after comments":    {wiretest.Answer{Body: ": hm\n\n: hm\n\n" + `data: {"error":{"message":"out of memory"}}` + "\n\n"}, "", "out of memory"},
		"an error, then silence":     {wiretest.Answer{Body: `data: {"error":{"message":"out of memory"}}` + "\n", End: wiretest.Hang}, "", "out of memory"},
		"a bare error":               {wiretest.Answer{Body: half + `{"error":{"message":"out of memory"}}`}, "Hm", "out of memory"},
		"an error with a status":     {wiretest.Answer{Header: asJSON, Body: "{\n  \"error\": {\n  \"message\": \"out of memory\"\n}}"}, "", "out of memory"},
		"a finish of error":          {wiretest.Answer{Body: half + `data: {"choices":[{"delta":{},"finish_reason":"error"}]}` + "\n\n"}, "Hm", "broke the answer off"},
		"a finish of abort":          {wiretest.Answer{Body: half + `data: {"choices":[{"delta":{},"finish_reason":"abort"}]}` + "\n\n"}, "Hm", "broke the answer off"},
		"no error after all":         {wiretest.Answer{Body: `data: {"error":null,"choices":[{"delta":{"content":"Hm"}}]}` + "\n\n"}, "Hm", ""},
		"a web page":                 {wiretest.Answer{Header: html, Body: "<!DOCTYPE html>\n<html>Log in, " + canary}, "", "a web page came"},
		"a web page with 502":        {wiretest.Answer{Status: 500, Header: html, Body: "<html>\nBad <b>gateway</b> " + canary}, "", "a web page, “Bad gateway [key]”"},
		"one object, cut":            {wiretest.Answer{Header: asJSON, Body: `{"choices":[{"message":{"content":"Hel`}, "", ":"},
		"nonsense":                   {wiretest.Answer{Body: half + "data: {hm}\n\n"}, "Hm", "makes no sense"},
		"no object":                  {wiretest.Answer{Body: half + "data: 7\n\n"}, "Hm", "makes no sense"},
		"content that is none":       {wiretest.Answer{Body: `data: {"choices":[{"delta":{"content":7}}]}` + "\n\n"}, "", "makes no sense"},
		"deep":                       {wiretest.Answer{Body: "data: " + strings.Repeat(`{"a":`, 20000) + "\n\n"}, "", "makes no sense"},
		"thinking without end":       {wiretest.Answer{Body: "data: " + `{"choices":[{"delta":{"reasoning":"` + endless() + `"}}]}` + "\n\n"}, "", "came to no end"},
		"too long for it":            {wiretest.Answer{Status: 400, Body: `{"error":{"message":"This model's maximum context length is 8192 tokens"}}`}, "", "longer than the model's window"},
		"too long, in the stream":    {wiretest.Answer{Body: `data: {"error":{"message":"the request exceeds the available context size"}}` + "\n\n"}, "", "longer than the model's window"},
		"a wrong key":                {wiretest.Answer{Status: 401, Body: `{"error":{"message":"Incorrect API key provided: ` + canary + `."}}`}, "", "Incorrect API key provided: [key]."},
		"a redirect elsewhere":       {wiretest.Answer{Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/" + canary}}, "", "redirects to another host"},
	} {
		got, err := ask(t, endpoint.Patience{}, tc.answer)
		if got.Text != tc.text || got.Stop != "" || (err == nil) != (tc.err == "") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), canary) || len(err.Error()) > 400 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if errors.Is(err, model.ErrTooLong) != strings.HasPrefix(name, "too long") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEnds: odd ends that are ends nevertheless.
func TestEnds(t *testing.T) {
	line := func(choice, more string) string {
		return `data: {"choices":[` + choice + `]` + more + "}\n\n"
	}
	hm, stop := line(`{"index":0,"delta":{"content":"Hm"}}`, ""), line(`{"index":0,"delta":{},"finish_reason":"stop"}`, "")
	for name, tc := range map[string]struct {
		stream string
		want   wiretest.Heard
	}{
		"two finals":            {hm + stop + line(`{"delta":{"content":" no"},"finish_reason":"length"}`, "") + stop, wiretest.Heard{Text: "Hm", Stop: model.End}},
		"with the last piece":   {line(`{"delta":{"content":"Hm"},"finish_reason":"length"}`, ""), wiretest.Heard{Text: "Hm", Stop: model.Length}},
		"a filter":              {hm + line(`{"delta":{},"finish_reason":"content_filter"}`, ""), wiretest.Heard{Text: "Hm", Stop: model.Filtered}},
		"another reason":        {hm + line(`{"delta":{},"finish_reason":"eos"}`, ""), wiretest.Heard{Text: "Hm", Stop: model.End}},
		"other choices":         {line(`{"index":1,"delta":{"content":"no"},"finish_reason":"stop"}`, "") + hm + stop, wiretest.Heard{Text: "Hm", Stop: model.End}},
		"usage with the end":    {hm + line(`{"delta":{},"finish_reason":"stop"}`, `,"usage":{"prompt_tokens":7,"completion_tokens":2}`), wiretest.Heard{Text: "Hm", Usage: &model.Usage{Input: 7, Output: 2}, Stop: model.End}},
		"negative usage":        {hm + line(`{"delta":{},"finish_reason":"stop"}`, `,"usage":{"prompt_tokens":7,"completion_tokens":-2}`), wiretest.Heard{Text: "Hm", Stop: model.End}},
		"absurd usage":          {hm + line(`{"delta":{},"finish_reason":"stop"}`, `,"usage":{"prompt_tokens":1e300,"completion_tokens":2}`), wiretest.Heard{Text: "Hm", Stop: model.End}},
		"large usage":           {hm + line(`{"delta":{},"finish_reason":"stop"}`, `,"usage":{"prompt_tokens":9000000000000000000,"completion_tokens":2}`), wiretest.Heard{Text: "Hm", Stop: model.End}},
		"usage that is none":    {hm + line(`{"delta":{},"finish_reason":"stop"}`, `,"usage":"many"`), wiretest.Heard{Text: "Hm", Stop: model.End}},
		"an error after it":     {hm + stop + `data: {"error":"hm"}` + "\n\n", wiretest.Heard{Text: "Hm", Stop: model.End}},
		"nonsense after it":     {hm + stop + "data: {\n\n", wiretest.Heard{Text: "Hm", Stop: model.End}},
		"both names of thought": {line(`{"delta":{"reasoning":"a","reasoning_content":"a"}}`, "") + hm + stop, wiretest.Heard{Text: "Hm", Thinking: "a", Stop: model.End}},
		"thought as an object":  {line(`{"delta":{"reasoning":{"summary":"a"}}}`, "") + hm + stop, wiretest.Heard{Text: "Hm", Stop: model.End}},
		"no choices":            {`data: {"choices":null}` + "\n\n" + "data: {}\n\n" + hm + stop, wiretest.Heard{Text: "Hm", Stop: model.End}},
		"arguments as an object": {line(`{"delta":{"tool_calls":[{"id":"x","function":{"name":"a","arguments":{"k":1}}}]},"finish_reason":"stop"}`, ""),
			wiretest.Heard{Calls: []model.Call{call("x", "a", `{"k":1}`)}, Stop: model.Calls}},
		"control characters": {line(`{"delta":{"content":"\u001b[2Ja\u202eb\r\n"},"finish_reason":"stop"}`, ""), wiretest.Heard{Text: "[2Jab\n", Stop: model.End}},
	} {
		got, err := listen(t, []byte(tc.stream))
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// TestRetried: a server that is busy for a moment is asked again, and the user is told.
func TestRetried(t *testing.T) {
	stream := recorded(t)["openai"]
	got, err := ask(t, endpoint.Patience{}, wiretest.Answer{Status: 503, Body: "loading " + canary}, wiretest.Answer{Body: stream})
	if err != nil || got.Stop != model.End || !strings.Contains(got.Notices, "loading [key]. Trying again") {
		t.Errorf("%+v, %v", got, err)
	}
	server := wiretest.New(t, wiretest.Each(wiretest.Answer{Status: 429, Header: map[string]string{"Retry-After": "3600"}, Body: `{"error":{"message":"quota"}}`}))
	got, err = wiretest.Hear(t, chat(t, server.URL, endpoint.Patience{}).Generate(t.Context(), words))
	if e, ok := errors.AsType[*endpoint.Error](err); !ok || e.RetryAfter != time.Hour || got.Notices != "" || len(server.Requests()) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestCancelled: an answer that is no longer wanted ends at once, with the context's error.
func TestCancelled(t *testing.T) {
	server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: recorded(t)["openai"][:1200], End: wiretest.Hang}))
	ctx, cancel := context.WithCancel(t.Context())
	heard := ""
	for e, err := range chat(t, server.URL, endpoint.Patience{}).Generate(ctx, words) {
		if heard += e.Text; e.Text != "" {
			cancel()
		}
		if err != nil && err != context.Canceled || e.Stop != "" {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if cancel(); heard == "" {
		t.Error("nothing came")
	}
}

// TestDamaged: a stream that is damaged in any way ends soon, in an error or an end.
func TestDamaged(t *testing.T) {
	wiretest.OpenAI(canary).Test(t, *rounds, recorded(t), func(stream []byte) error {
		_, err := listen(t, stream)
		return err
	})
}

// Some servers answer in one piece, whatever they are asked for.
func TestInOnePiece(t *testing.T) {
	var long string
	for i := range 1500 { // all of it news
		long += strconv.Itoa(i*i) + " "
	}
	for name, c := range map[string]struct {
		body, text string
		calls      int
		stop       model.Stop
	}{
		"words":          {`{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`, "Hello.", 0, model.End},
		"indented":       {"\n {\n  \"choices\": [\n {\"message\": {\"content\": \"" + long + "\"}}]}", long, 0, model.End},
		"calls":          {`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":{"x":1}}}]},"finish_reason":"tool_calls"}]}`, "", 2, model.Calls},
		"the limit":      {`{"choices":[{"message":{"content":"Hel"},"finish_reason":"length"}]}`, "Hel", 0, model.Length},
		"one of several": {`{"choices":[{"index":1,"message":{"content":"No"}},{"index":0,"message":{"content":"Yes"},"finish_reason":"stop"}]}`, "Yes", 0, model.End},
	} {
		got, err := ask(t, endpoint.Patience{}, wiretest.Answer{Header: map[string]string{"Content-Type": "application/json"}, Body: c.body})
		if err != nil || got.Text != c.text || got.Stop != c.stop || len(got.Calls) != c.calls {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// endless are thoughts that don't repeat, and are too long.
func endless() string {
	var b strings.Builder
	for n := 1 << 20; b.Len() <= 1<<20; n += 7919 {
		fmt.Fprintf(&b, "%x ", n*n)
	}
	return b.String()
}

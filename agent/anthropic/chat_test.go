package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/wire"
)

const key = "sk-ant-hunter2"

// A fake is a server that answers each message with what reply says.
type fake struct {
	*httptest.Server
	reply http.HandlerFunc

	mu   sync.Mutex
	sent []sent
}

type sent struct {
	path   string
	header http.Header
	body   string
}

func serve(t *testing.T, reply http.HandlerFunc) *fake {
	f := &fake{reply: reply}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.sent = append(f.sent, sent{r.Method + " " + r.URL.String(), r.Header.Clone(), string(body)})
		f.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		f.reply(w, r)
	}))
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
	})
	return f
}

func (f *fake) requests() []sent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]sent(nil), f.sent...)
}

func (f *fake) endpoint(t *testing.T) *endpoint.Endpoint {
	t.Helper()
	e, err := Endpoint(f.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f *fake) chat(t *testing.T) *Chat {
	t.Helper()
	return NewChat(f.endpoint(t), "claude-x", endpoint.Patience{})
}

// streams answers with events, each given as its data.
func streams(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		io.WriteString(w, lines(events...))
	}
}

// lines is a stream as the API sends it.
func lines(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		var named struct{ Type string }
		if json.Unmarshal([]byte(e), &named) == nil && named.Type != "" {
			fmt.Fprintf(&b, "event: %s\n", named.Type)
		}
		fmt.Fprintf(&b, "data: %s\n\n", e)
	}
	return b.String()
}

func fails(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// The events of the API.
const (
	started = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-x","stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":100,"cache_creation_input_tokens":5,"output_tokens":1}}}`
	ping    = `{"type":"ping"}`
	stopped = `{"type":"message_stop"}`
)

func begins(index int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
}

func piece(index int, delta string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta)
}

func ends(index int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index) }

func reason(r string) string {
	return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":42}}`, r)
}

// says is an answer in words.
func says(text string) []string {
	return []string{started, begins(0, `{"type":"text","text":""}`), ping, piece(0, fmt.Sprintf(`{"type":"text_delta","text":%q}`, text)), ends(0), reason("end_turn"), stopped}
}

// worked is an answer that thinks twice and calls twice.
var worked = []string{
	started,
	begins(0, `{"type":"thinking","thinking":"","signature":""}`),
	piece(0, `{"type":"thinking_delta","thinking":"A mast, "}`),
	piece(0, `{"type":"thinking_delta","thinking":"<hm>."}`),
	piece(0, `{"type":"signature_delta","signature":"c2ln"}`),
	ends(0),
	begins(1, `{"type":"redacted_thinking","data":"aGlkZGVu"}`), ends(1),
	begins(2, `{"type":"text","text":""}`), piece(2, `{"type":"text_delta","text":"I look it up."}`), ends(2),
	begins(3, `{"type":"tool_use","id":"toolu_1","name":"search","input":{}}`),
	piece(3, `{"type":"input_json_delta","partial_json":""}`),
	piece(3, `{"type":"input_json_delta","partial_json":"{\"query\": \"ma"}`),
	piece(3, `{"type":"input_json_delta","partial_json":"st\"}"}`),
	ends(3),
	begins(4, `{"type":"tool_use","id":"toolu_2","name":"list","input":{}}`), ends(4),
	reason("tool_use"), stopped,
}

// collect reads an answer: its events, with text and thoughts put together.
func collect(t *testing.T, c model.Model, req model.Request) (all model.Event, calls []string, err error) {
	t.Helper()
	for e, failed := range c.Generate(t.Context(), req) {
		all.Text += e.Text
		all.Thinking += e.Thinking
		all.Notice += e.Notice
		all.Stop += e.Stop
		if e.Call != nil {
			calls = append(calls, e.Call.ID+" "+e.Call.Name+" "+string(e.Call.Arguments))
		}
		if e.State != nil {
			all.State = e.State
		}
		if e.Usage != nil {
			all.Usage = e.Usage
		}
		err = failed
	}
	return all, calls, err
}

func asks(text string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Text: text}}}
}

func TestConformance(t *testing.T) {
	calls := asks("search it")
	calls.Tools = []model.Tool{{Name: "search", Schema: json.RawMessage(`{"type":"object"}`)}}
	modeltest.Test(t, func(t *testing.T) model.Model {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			var req struct {
				Tools      []any
				ToolChoice struct{ Type string } `json:"tool_choice"`
			}
			json.NewDecoder(r.Body).Decode(&req)
			if len(req.Tools) > 0 && req.ToolChoice.Type != "none" {
				streams(worked...)(w, r)
				return
			}
			streams(says("Aye.")...)(w, r)
		}).chat(t)
	}, asks("hello"), calls)
}

func TestName(t *testing.T) {
	var described model.Described = serve(t, streams(says("x")...)).chat(t)
	if described.Name() != "anthropic/claude-x" {
		t.Error(described.Name())
	}
}

func TestAnswer(t *testing.T) {
	got, calls, err := collect(t, serve(t, streams(worked...)).chat(t), asks("mast?"))
	if err != nil {
		t.Fatal(err)
	}
	want := model.Event{
		Text: "I look it up.", Thinking: "A mast, <hm>.", Stop: model.Calls,
		Usage: &model.Usage{Input: 115, Cached: 100, Output: 42},
		State: &model.State{Provider: "anthropic", Data: json.RawMessage(`[{"signature":"c2ln","thinking":"A mast, \u003chm\u003e.","type":"thinking"},{"type":"redacted_thinking","data":"aGlkZGVu"}]`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`toolu_1 search {"query": "mast"}`, `toolu_2 list {}`}, calls); diff != "" {
		t.Error(diff)
	}
}

func TestStops(t *testing.T) {
	for told, want := range map[string]model.Stop{
		"end_turn": model.End, "stop_sequence": model.End, "pause_turn": model.End, "something_new": model.End,
		"tool_use": model.End, // without a call
		"refusal":  model.Refused, "max_tokens": model.Length, "model_context_window_exceeded": model.Length,
	} {
		f := serve(t, streams(started, begins(0, `{"type":"text","text":"Aye"}`), ends(0), reason(told), stopped))
		if got, _, err := collect(t, f.chat(t), asks("x")); err != nil || got.Stop != want || got.Text != "Aye" {
			t.Errorf("%s: %+v, %v", told, got, err)
		}
	}
	for name, events := range map[string][]string{
		"nothing":                {},
		"no reason":              {started, begins(0, `{"type":"text","text":"Aye"}`), ends(0), stopped},
		"a reason that is null":  {started, `{"type":"message_delta","delta":{"stop_reason":null}}`, stopped},
		"a call and no reason":   {started, begins(0, `{"type":"tool_use","id":"a","name":"b","input":{}}`), ends(0), stopped},
		"an end before a reason": {started, stopped, reason("end_turn")},
	} {
		if got, calls, err := collect(t, serve(t, streams(events...)).chat(t), asks("x")); err != nil || got.Stop != "" || len(calls) > 0 {
			t.Errorf("%s: %+v, %v, %v", name, got, calls, err)
		}
	}
}

func TestTolerance(t *testing.T) {
	for name, tc := range map[string]struct {
		events []string
		text   string
		calls  []string
	}{
		"unknown events, blocks, pieces and fields": {
			[]string{started, `{"type":"news","index":"x","delta":7}`, `[DONE]`,
				begins(0, `{"type":"server_tool_use","id":"s","name":"web","input":{"q":1}}`), piece(0, `{"type":"input_json_delta","partial_json":"{}"}`), ends(0),
				begins(1, `{"type":"text","text":"A","citations":null,"new":{}}`), piece(1, `{"type":"citations_delta","citation":{"text":7}}`), piece(1, `{"type":"text_delta","text":"ye","new":[]}`), ends(1),
				`{"type":"message_delta","delta":{"stop_reason":"end_turn","new":1},"usage":{"output_tokens":"many"}}`, stopped},
			"Aye", nil,
		},
		"filled at the beginning, from 1 on": {
			[]string{started, begins(1, `{"type":"text","text":"Aye"}`), begins(2, `{"type":"tool_use","id":"a","name":"search","input":{"q":"mast"}}`), reason("tool_use"), stopped},
			"Aye", []string{`a search {"q":"mast"}`},
		},
		"interleaved": {
			[]string{started, begins(0, `{"type":"tool_use","id":"a","name":"one","input":{}}`), begins(1, `{"type":"tool_use","id":"b","name":"two","input":{"x":1}}`),
				piece(1, `{"type":"input_json_delta","partial_json":"{\"b\":"}`), piece(0, `{"type":"input_json_delta","partial_json":"{\"a\":"}`),
				piece(0, `{"type":"input_json_delta","partial_json":"1}"}`), piece(1, `{"type":"input_json_delta","partial_json":"2}"}`), reason("tool_use"), stopped},
			"", []string{`a one {"a":1}`, `b two {"b":2}`},
		},
		"one number for all": {
			[]string{started, begins(0, `{"type":"text","text":"Aye"}`), begins(0, `{"type":"tool_use","id":"a","name":"one","input":null}`), piece(0, `{"type":"input_json_delta","partial_json":"{\"a\":1}"}`),
				begins(0, `{"type":"tool_use","id":"a","name":"two"}`), piece(0, `{"type":"input_json_delta","partial_json":{"b":2}}`), piece(0, `{"type":"text_delta","text":"!"}`), reason("tool_use"), stopped},
			"Aye!", []string{`a one {"a":1}`, `a two {"b":2}`},
		},
		"no numbers and no beginnings": {
			[]string{`{"type":"content_block_delta","delta":{"type":"text_delta","text":"Aye"}}`, `{"type":"content_block_start"}`, `{"type":"content_block_delta"}`, reason("end_turn")},
			"Aye", nil,
		},
		"texts that stand apart": {
			[]string{started, begins(0, `{"type":"text","text":"A"}`), begins(1, `{"type":"text","text":"ye."}`), begins(2, `{"type":"thinking","thinking":"hm","signature":"x"}`), begins(3, `{"type":"text","text":"Sir."}`), reason("end_turn"), stopped},
			"Aye.\n\nSir.", nil,
		},
		"what breaks after the end": {append(says("Aye"), `{"type":"error","error":{"type":"api_error","message":"late"}}`), "Aye", nil},
		"an error after the reason": {[]string{started, begins(0, `{"type":"text","text":"Aye"}`), reason("end_turn"), `{"type":"error","error":{"type":"api_error","message":"late"}}`}, "Aye", nil},
	} {
		got, calls, err := collect(t, serve(t, streams(tc.events...)).chat(t), asks("x"))
		if diff := cmp.Diff(tc.calls, calls); diff != "" || err != nil || got.Text != tc.text || got.Stop == "" {
			t.Errorf("%s: %+v, %v\n%s", name, got, err, diff)
		}
	}
	unnamed := strings.ReplaceAll(strings.ReplaceAll(lines(worked...), "event: ", ": "), "\n", "\r\n")
	f := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, ": hello\n\n"+unnamed) })
	if got, calls, err := collect(t, f.chat(t), asks("x")); err != nil || len(calls) != 2 || got.Stop != model.Calls {
		t.Errorf("without names: %+v %v, %v", got, calls, err)
	}
}

// TestRequest compares all that is sent in the second step of a second turn.
// TestRequired: a call that has to come.
func TestRequired(t *testing.T) {
	f := serve(t, streams(says("Aye.")...))
	req := asks("mast?")
	req.Tools, req.Choice = []model.Tool{{Name: "list"}}, model.Required
	if _, _, err := collect(t, f.chat(t), req); err != nil {
		t.Fatal(err)
	}
	if sent := fmt.Sprintf("%s", f.requests()[0]); !strings.Contains(sent, `"tool_choice":{"type":"any"}`) {
		t.Error(sent)
	}
}

func TestRequest(t *testing.T) {
	f := serve(t, streams(says("Aye.")...))
	schema := `{"type":"object","properties":{"query":{"type":"string","maxLength":200,"pattern":"^<.+>$"}},"required":["query"],"additionalProperties":false,"$defs":{"x":{"const":1.50}}}`
	req := model.Request{
		Brief: func(int) model.Brief { return model.Brief{Rules: "You are kist.", Now: "It is Monday."} },
		Messages: []model.Message{
			{Role: model.User, Text: "hello"},
			{Role: model.Assistant, Text: "Aye.  \n", State: &model.State{Provider: "other", Data: json.RawMessage(`[{"type":"thinking"}]`)}},
			{Role: model.User, Text: "mast?"},
			{Role: model.Assistant, Text: "I look it up.", Calls: []model.Call{{ID: "toolu_1", Name: "search", Arguments: json.RawMessage(`{"query": "mast", "n": 1.0}`)}, {ID: "functions.list:2", Name: "list"}},
				State: &model.State{Provider: "anthropic", Data: json.RawMessage(`[{"type":"thinking","thinking":"<hm>","signature":"c2ln"},{"type":"redacted_thinking","data":"aGlkZGVu"}]`)}},
			{Role: model.ToolRole, CallID: "toolu_1", Tool: "search", Text: `{"ok":true,"found":1}`},
			{Role: model.ToolRole, CallID: "functions.list:2", Tool: "list", Text: `{"ok":false,"error":"no"}`},
			{Role: model.Assistant, Text: " ", Calls: []model.Call{{ID: "toolu_3", Name: "search", Arguments: json.RawMessage(`{}`)}}},
			{Role: model.ToolRole, CallID: "toolu_3", Tool: "search"},
			{Role: model.User, Text: "(Answer in words.)"},
		},
		Said:   2,
		Choice: model.None,
		Tools:  []model.Tool{{Name: "list", Description: "lists"}, {Name: "search", Description: "searches", Schema: json.RawMessage(schema)}},
		Format: json.RawMessage(`{"type":"object","properties":{"b":{},"a":{}}}`), MaxOutput: 500,
	}
	if _, _, err := collect(t, f.chat(t), req); err != nil {
		t.Fatal(err)
	}
	const marked = `"cache_control":{"type":"ephemeral"}`
	want := `{"model":"claude-x","max_tokens":500,"stream":true,
	"system":[{"type":"text","text":"You are kist.",` + marked + `}],
	"tools":[{"name":"list","description":"lists","input_schema":{"type":"object"}},{"name":"search","description":"searches","input_schema":` + schema + `,` + marked + `}],
	"tool_choice":{"type":"none"},
	"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"b":{},"a":{}}}}},
	"messages":[
		{"role":"user","content":[{"type":"text","text":"hello"}]},
		{"role":"assistant","content":[{"type":"text","text":"Aye."}]},
		{"role":"user","content":[{"type":"text","text":"<context>\nIt is Monday.\n</context>\n\nmast?"}]},
		{"role":"assistant","content":[
			{"type":"thinking","thinking":"<hm>","signature":"c2ln"},{"type":"redacted_thinking","data":"aGlkZGVu"},
			{"type":"text","text":"I look it up."},
			{"type":"tool_use","id":"toolu_1","name":"search","input":{"query":"mast","n":1.0}},{"type":"tool_use","id":"call-41cba2db946f07c8","name":"list","input":{}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"{\"ok\":true,\"found\":1}"}]},
			{"type":"tool_result","tool_use_id":"call-41cba2db946f07c8","is_error":true,"content":[{"type":"text","text":"{\"ok\":false,\"error\":\"no\"}"}]}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"toolu_3","name":"search","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_3",` + marked + `},{"type":"text","text":"(Answer in words.)",` + marked + `}]}
	]}`
	sent := f.requests()[0]
	if diff := cmp.Diff(parsed(t, want), parsed(t, sent.body)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(sent.body, `"const":1.50`) {
		t.Error("the schema was changed on its way", sent.body)
	}
	if sent.path != "POST /v1/messages" || sent.header.Get("x-api-key") != key || sent.header.Get("anthropic-version") != version || sent.header.Get("Authorization") != "" {
		t.Errorf("%s %v", sent.path, sent.header)
	}
}

// parsed is JSON with numbers as they are written.
func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func TestMarks(t *testing.T) {
	user, said := model.Message{Role: model.User, Text: "a"}, model.Message{Role: model.Assistant, Text: "b"}
	call := model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "c", Name: "d"}}}
	result := model.Message{Role: model.ToolRole, CallID: "c", Text: "{}"}
	for name, tc := range map[string]struct {
		messages []model.Message
		want     []int // the messages with a mark at the end
	}{
		"a first message":    {[]model.Message{user}, []int{0}},
		"a first step":       {[]model.Message{user, call, result}, []int{2}},
		"a second turn":      {[]model.Message{user, said, user}, []int{1, 2}},
		"a step of it":       {[]model.Message{user, said, user, call, result}, []int{1, 4}},
		"two steps":          {[]model.Message{user, call, result, said, user, call, result, call, result}, []int{3, 8}},
		"none":               {nil, nil},
		"a last word of his": {[]model.Message{user, said}, []int{1}},
	} {
		var got []int
		for i, m := range conversation(tc.messages) {
			for j, b := range m.Content {
				if b.Cache == nil {
					continue
				}
				if got = append(got, i); j != len(m.Content)-1 {
					t.Errorf("%s: a mark within message %d", name, i)
				}
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestState sends back what an answer that thinks in between left.
func TestState(t *testing.T) {
	mixed := []string{started,
		begins(0, `{"type":"thinking","thinking":"one","signature":"s1"}`), begins(1, `{"type":"text","text":"First. "}`),
		begins(2, `{"type":"thinking","thinking":"unsigned"}`),
		begins(3, `{"type":"tool_use","id":"a","name":"search","input":{"q":1}}`), begins(4, `{"type":"thinking","thinking":"","signature":"s2"}`),
		begins(5, `{"type":"text","text":"Second."}`), begins(6, `{"type":"tool_use","id":"b","name":"list","input":{}}`), reason("tool_use"), stopped}
	f := serve(t, streams(mixed...))
	got, calls, err := collect(t, f.chat(t), asks("x"))
	if err != nil || len(calls) != 2 || got.State == nil {
		t.Fatalf("%+v %v %v", got, calls, err)
	}
	said := model.Message{Role: model.Assistant, Text: got.Text, State: got.State, Calls: []model.Call{{ID: "a", Name: "search"}, {ID: "b", Name: "list"}}}
	const one, two = `{"type":"thinking","thinking":"one","signature":"s1"}`, `{"type":"thinking","thinking":"","signature":"s2"}`
	const a, b = `{"type":"tool_use","id":"a","name":"search","input":{}}`, `{"type":"tool_use","id":"b","name":"list","input":{}}`
	reworded, fewer, broken, other := said, said, said, said
	reworded.Text = "Otherwise."
	fewer.Calls = nil
	broken.State = &model.State{Provider: "anthropic", Data: json.RawMessage(`{"type":`)}
	other.State = &model.State{Provider: "openai", Data: said.State.Data}
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	for name, tc := range map[string]struct {
		m    model.Message
		want []string
	}{
		"as it was":    {said, []string{one, text("First."), a, two, text("Second."), b}},
		"other words":  {reworded, []string{one, two, text("Otherwise."), a, b}},
		"fewer calls":  {fewer, []string{one, text("First."), two, text("Second.")}},
		"no JSON":      {broken, []string{text(said.Text), a, b}},
		"of another's": {other, []string{text(said.Text), a, b}},
	} {
		raw, err := json.Marshal(assistant(tc.m))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parsed(t, "["+strings.Join(tc.want, ",")+"]"), parsed(t, string(raw))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	told := func(kind, text string) string {
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, kind, text)
	}
	for name, tc := range map[string]struct {
		reply   http.HandlerFunc
		status  int
		want    string
		tooLong bool
	}{
		"the key":         {fails(401, told("authentication_error", "invalid x-api-key "+key)), 401, "invalid x-api-key [key]", false},
		"too long":        {fails(400, told("invalid_request_error", "prompt is too long: 207000 tokens > 200000 maximum")), 400, "prompt is too long", true},
		"with its answer": {fails(400, told("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000")), 400, "exceed context limit", true},
		"too large":       {fails(413, told("request_too_large", "Request exceeds the maximum size")), 413, "maximum size", true},
		"in the stream":   {streams(started, told("api_error", "broken "+key)), 500, "broken [key]", false},
		"at its start":    {streams(told("invalid_request_error", "prompt is too long")), 400, "prompt is too long", true},
		"unknown":         {streams(started, told("new_error", "odd")), 200, "odd", false},
		"no JSON":         {streams(started, `{"type":"message_delta",`), 200, "", false},
		"senseless":       {streams(started, begins(0, `{"type":"text","text":7}`)), 200, "makes no sense", false},
		"senseless piece": {streams(started, piece(0, `{"type":"text_delta","text":["`+key+`"]}`)), 200, "makes no sense", false},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; x")
			io.WriteString(w, "<p>")
		}, 200, "web page", false},
		"no stream": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, told("x", "no"))
		}, 200, "says: no", false},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:1/", http.StatusTemporaryRedirect)
		}, 0, "redirects to another host", false},
		"many blocks":     {streams(append([]string{started}, strings.Split(strings.Repeat(begins(0, `{"type":"x"}`)+"\n", maxBlocks+1), "\n")[:maxBlocks+1]...)...), 200, "blocks", false},
		"long signatures": {streams(started, piece(0, `{"type":"signature_delta","signature":"`+strings.Repeat("x", maxSigned/2)+`"}`), piece(0, `{"type":"signature_delta","signature":"`+strings.Repeat("x", maxSigned/2+1)+`"}`)), 200, "signatures", false},
	} {
		got, calls, err := collect(t, serve(t, tc.reply).chat(t), asks("x"))
		e, ok := errors.AsType[*endpoint.Error](err)
		if !ok || e.Status != tc.status || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), key) || errors.Is(err, model.ErrTooLong) != tc.tooLong || got.Stop != "" || len(calls) > 0 {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

func TestTooManyCalls(t *testing.T) {
	events := []string{started}
	for i := range 300 {
		events = append(events, begins(i, `{"type":"tool_use","id":"","name":"x","input":{}}`))
	}
	got, calls, err := collect(t, serve(t, streams(append(events, reason("tool_use"))...)).chat(t), asks("x"))
	if err == nil || got.Stop != "" || len(calls) > 0 {
		t.Errorf("%+v %v", got, err)
	}
}

// TestOverloaded: what may be over in a moment is tried again, as a status and as the first
// event of a stream.
func TestOverloaded(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]http.HandlerFunc{
		"status": fails(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		"event":  streams(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f *fake
			f = serve(t, func(w http.ResponseWriter, r *http.Request) {
				if len(f.requests()) == 1 {
					first(w, r)
					return
				}
				streams(says("Aye.")...)(w, r)
			})
			got, _, err := collect(t, f.chat(t), asks("x"))
			if err != nil || got.Text != "Aye." || !strings.Contains(got.Notice, "529") || !strings.Contains(got.Notice, "Overloaded") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	f := serve(t, streams(started, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))
	got, _, err := collect(t, f.chat(t), asks("x"))
	if e, ok := errors.AsType[*endpoint.Error](err); !ok || e.Status != 529 || len(f.requests()) != 1 || got.Notice != "" {
		t.Errorf("tried again after its beginning: %+v, %v", got, err)
	}
}

// TestCut ends a stream at every byte, as a server does that stops and as a line does that
// breaks. Of a line that ends without its newline because all is over, what is whole counts.
func TestCut(t *testing.T) {
	t.Parallel()
	whole := lines(worked...)
	told := strings.Index(whole, reason("tool_use")) + len(reason("tool_use"))
	e, err := Endpoint("http://127.0.0.1:1", key)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		for _, end := range []error{io.EOF, io.ErrUnexpectedEOF}[:1+n%5%2] {
			told := told
			if end != io.EOF {
				told += len("\n")
			}
			var stop model.Stop
			var calls int
			var failed error
			answer := wire.NewAnswer(func(e model.Event, err error) bool {
				if stop += e.Stop; e.Call != nil {
					calls++
				}
				failed = err
				return true
			})
			if err := answerOf(e, io.MultiReader(strings.NewReader(whole[:n]), iotest.ErrReader(end)), answer); err != nil {
				answer.Fail(err)
			} else {
				answer.End()
			}
			switch {
			case n < told && (stop != "" || calls > 0 || (failed == nil) != (end == io.EOF)):
				t.Fatalf("cut at %d by %v: stop %q, %d calls, %v", n, end, stop, calls, failed)
			case n >= told && (stop != model.Calls || calls != 2 || failed != nil):
				t.Fatalf("cut at %d by %v: stop %q, %d calls, %v", n, end, stop, calls, failed)
			}
		}
	}
}

func answerOf(e *endpoint.Endpoint, body io.Reader, answer *wire.Answer) (err error) {
	closer := io.NopCloser(body)
	s := &stream{endpoint: e, body: closer, events: wire.NewSSE(closer)}
	if s.first, err = s.next(); err == io.EOF {
		err = nil
	}
	if err != nil {
		return err
	}
	return s.read(answer)
}

func FuzzRead(f *testing.F) {
	f.Add(lines(worked...))
	f.Add(lines(says("Aye.")...))
	f.Add("data: {}\n\nevent: error\ndata: x\n\n")
	f.Add(lines(begins(0, `{"type":"tool_use","id":{},"input":"x"}`), `{"type":"content_block_delta","index":1e99}`, `{"type":"message_delta","delta":[]}`, `null`))
	f.Add(lines(piece(0, `{"type":"input_json_delta","partial_json":null}`), piece(-1, `{"type":"thinking_delta"}`), begins(9, `{"type":"redacted_thinking"}`), reason("tool_use")))
	e, err := Endpoint("http://127.0.0.1:1", key)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		said := model.Message{Role: model.Assistant}
		over := false
		answer := wire.NewAnswer(func(e model.Event, err error) bool {
			if over {
				t.Fatal("it goes on after its end")
			}
			over = err != nil || e.Stop != ""
			said.Text += e.Text
			if e.State != nil {
				said.State = e.State
			}
			if e.Call != nil {
				said.Calls = append(said.Calls, *e.Call)
			}
			return true
		})
		if err := answerOf(e, strings.NewReader(body), answer); err != nil {
			answer.Fail(err)
			return
		}
		answer.End()
		if _, err := json.Marshal(assistant(model.Sendable(said, 1<<20))); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSilence(t *testing.T) {
	for name, begun := range map[string][]string{
		"from the beginning": nil,
		"in between":         {started, begins(0, `{"type":"text","text":"Aye"}`)},
	} {
		f := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if begun != nil {
				streams(begun...)(w, r)
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		})
		short := 30 * time.Millisecond
		c := NewChat(f.endpoint(t), "claude-x", endpoint.Patience{First: short, Load: short, Next: short})
		if got, _, err := collect(t, c, asks("x")); !errors.Is(err, endpoint.ErrSilent) || got.Stop != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := serve(t, func(w http.ResponseWriter, r *http.Request) {
		streams(started, begins(0, `{"type":"text","text":"Aye"}`))(w, r)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	var last error
	for e, err := range f.chat(t).Generate(ctx, asks("x")) {
		if last = err; e.Text != "" {
			cancel()
		}
	}
	if last != context.Canceled {
		t.Error(last)
	}
}

// TestEnvironment: what Anthropic's own libraries take from the environment and from files
// isn't taken, nor is anything told of this machine.
func TestEnvironment(t *testing.T) {
	const canary = "canary"
	elsewhere := serve(t, streams(says("Nay.")...))
	home := t.TempDir()
	for _, name := range []string{"API_KEY", "AUTH_TOKEN", "PROFILE", "IDENTITY_TOKEN", "FEDERATION_RULE_ID", "ORGANIZATION_ID", "SERVICE_ACCOUNT_ID", "WORKSPACE_ID", "WEBHOOK_SIGNING_KEY"} {
		t.Setenv("ANTHROPIC_"+name, canary)
	}
	t.Setenv("ANTHROPIC_BASE_URL", elsewhere.URL)
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Canary: "+canary)
	t.Setenv("ANTHROPIC_CONFIG_DIR", filepath.Join(home, "anthropic"))
	t.Setenv("ANTHROPIC_OPEN_TELEMETRY", "true")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	for _, file := range []string{"configs/default.json", "configs/canary.json", "credentials/default.json", "active_config"} {
		path := filepath.Join(home, "anthropic", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(fmt.Sprintf(`{"base_url":%q,"api_key":%q,"access_token":%q}`, elsewhere.URL, canary, canary)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, own := range []string{key, ""} {
		f := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				io.WriteString(w, `{"id":"claude-x"}`)
				return
			}
			streams(says("Aye.")...)(w, r)
		})
		e, err := Endpoint(f.URL+"/v1/", own)
		if err != nil {
			t.Fatal(err)
		}
		c := NewChat(e, "claude-x", endpoint.Patience{})
		if got, _, err := collect(t, c, asks("x")); err != nil || got.Text != "Aye." {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := c.Info(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := Models(t.Context(), e); err != nil {
			t.Error(err)
		}
		for _, r := range f.requests() {
			all := fmt.Sprint(r)
			if strings.Contains(all, canary) || strings.Contains(all, "Stainless") || r.header.Get("Authorization") != "" || r.header.Get("x-api-key") != own || r.header.Get("anthropic-version") != version {
				t.Error(all)
			}
		}
		if n := len(f.requests()); n != 3 {
			t.Errorf("%d requests", n)
		}
	}
	if all := elsewhere.requests(); len(all) > 0 {
		t.Error("asked elsewhere:", all)
	}
}

func TestInfo(t *testing.T) {
	for name, tc := range map[string]struct {
		told string
		want model.Info
		most int64
	}{
		"all of it": {`{"id":"claude-x","max_input_tokens":1000000,"max_tokens":4096,"created_at":7,"capabilities":{"structured_outputs":{"supported":false},"thinking":{"supported":true,"types":{}}}}`,
			model.Info{Context: 1000000, Tools: true, Thinking: true}, 4096},
		"little": {`{"id":"claude-x","max_input_tokens":null,"capabilities":null}`, model.Info{Context: 200000, Tools: true, Format: true}, usualOutput},
		"absurd": {`{"max_input_tokens":-1,"max_tokens":-1}`, model.Info{Context: 200000, Tools: true, Format: true}, usualOutput},
	} {
		down := true
		f := serve(t, nil)
		f.reply = func(w http.ResponseWriter, _ *http.Request) {
			if down {
				fails(500, "down "+key)(w, nil)
				return
			}
			io.WriteString(w, tc.told)
		}
		c := NewChat(f.endpoint(t), "claude/x y", endpoint.Patience{})
		if _, err := c.Info(t.Context()); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
		down = false
		for range 2 {
			if got, err := c.Info(t.Context()); err != nil || got != tc.want {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if n := c.output(0); n != tc.most {
			t.Errorf("%s: at most %d tokens", name, n)
		}
		if n := c.output(100); n != 100 {
			t.Errorf("%s: %d tokens", name, n)
		}
		if all := f.requests(); len(all) != 2 || all[1].path != "GET /v1/models/claude%2Fx%20y" {
			t.Errorf("%s: %v", name, all)
		}
	}
	f := serve(t, fails(200, `no JSON `+key))
	if _, err := f.chat(t).Info(t.Context()); err == nil || strings.Contains(err.Error(), key) {
		t.Error(err)
	}
	remote, err := Endpoint("https://api.anthropic.com", key)
	if err != nil || remote.Local() {
		t.Error(err)
	}
}

func TestModels(t *testing.T) {
	f := serve(t, fails(200, `{"data":[{"id":"claude-x"},{"id":"claude-y","type":"model"}],"has_more":false}`))
	got, err := Models(t.Context(), f.endpoint(t))
	if diff := cmp.Diff([]string{"claude-x", "claude-y"}, got); diff != "" || err != nil || f.requests()[0].path != "GET /v1/models?limit=1000" {
		t.Error(err, diff)
	}
	f = serve(t, fails(403, "no "+key))
	if got, err := Models(t.Context(), f.endpoint(t)); err == nil || got != nil || strings.Contains(err.Error(), key) {
		t.Error(got, err)
	}
	if _, err := Endpoint("ftp://x", key); !errors.Is(err, endpoint.ErrAddress) {
		t.Error(err)
	}
}

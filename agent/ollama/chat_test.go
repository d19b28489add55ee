package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/wire"
)

// TestMain has the environment name another server and a proxy, where nobody listens: no
// test may notice.
func TestMain(m *testing.M) {
	for _, name := range []string{"OLLAMA_HOST", "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		os.Setenv(name, "http://127.0.0.1:1")
	}
	os.Exit(m.Run())
}

const key = "hunter2"

// A fake is a server of one model. Answers may be replaced.
type fake struct {
	*httptest.Server
	show, chat, version http.HandlerFunc

	mu    sync.Mutex
	asked []string // paths
	sent  []string // bodies of /api/chat
}

const describes = `{"template":"{{ .Tools }}","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960},"capabilities":["completion","tools","thinking"]}`

func serve(t *testing.T) *fake {
	f := &fake{show: says(describes), chat: speaks, version: http.NotFound}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.asked = append(f.asked, r.Method+" "+r.URL.Path)
		chat := r.URL.Path == "/api/chat"
		if chat {
			f.sent = append(f.sent, string(body))
		}
		f.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		switch {
		case chat:
			f.chat(w, r)
		case r.URL.Path == "/api/show":
			f.show(w, r)
		case r.URL.Path == "/api/version":
			f.version(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
	})
	return f
}

func (f *fake) endpoint(t *testing.T) *endpoint.Endpoint {
	t.Helper()
	e, err := endpoint.New(f.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// count returns how often a path was asked.
func (f *fake) count(path string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.asked {
		if strings.HasSuffix(a, " "+path) {
			n++
		}
	}
	return n
}

// windows returns the num_ctx of each request.
func (f *fake) windows(t *testing.T) (all []int) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, body := range f.sent {
		var req struct {
			Options struct {
				NumCtx int `json:"num_ctx"`
			}
		}
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		all = append(all, req.Options.NumCtx)
	}
	return all
}

func says(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Join(lines, "\n")+"\n") }
}

func fails(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// hangs says so much and then nothing more.
func hangs(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if len(lines) > 0 {
			says(lines...)(w, r)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

// speaks calls the first of the tools that it is offered, and says something without any.
func speaks(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		fails(http.StatusBadRequest, err.Error())(w, r)
		return
	}
	if len(req.Tools) > 0 {
		says(calling(req.Tools[0].Function.Name, `{"a":1}`), stopped)(w, r)
		return
	}
	says(`{"message":{"role":"assistant","content":"Hel"},"done":false}`, `{"message":{"role":"assistant","content":"lo."},"done":false}`, stopped)(w, r)
}

func calling(name, arguments string) string {
	return fmt.Sprintf(`{"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_x","function":{"index":0,"name":%q,"arguments":%s}}]},"done":false}`, name, arguments)
}

const stopped = `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`

func userSays(text string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Text: text}}}
}

// told puts the events of an answer in one line each; the pieces of a text in one.
func told(ctx context.Context, c *Chat, req model.Request) []string {
	var t transcript
	for e, err := range c.Generate(ctx, req) {
		t.add(e, err)
	}
	return t.lines
}

type transcript struct{ lines []string }

func (t *transcript) add(e model.Event, err error) bool {
	put := func(kind, text string) {
		if last := len(t.lines) - 1; (kind == "text" || kind == "thinking") && last >= 0 && strings.HasPrefix(t.lines[last], kind+" ") {
			t.lines[last] += text
			return
		}
		t.lines = append(t.lines, strings.TrimSpace(kind+" "+text))
	}
	switch {
	case err != nil:
		put("error", err.Error())
	case e.Text != "":
		put("text", e.Text)
	case e.Thinking != "":
		put("thinking", e.Thinking)
	case e.Call != nil:
		put("call", e.Call.ID+" "+e.Call.Name+string(e.Call.Arguments))
	case e.Usage != nil:
		put("usage", fmt.Sprintf("%d/%d/%d", e.Usage.Input, e.Usage.Cached, e.Usage.Output))
	case e.Notice != "":
		put("notice", e.Notice)
	default:
		put("stop", string(e.Stop))
	}
	return true
}

func TestConform(t *testing.T) {
	calls := userSays("Look it up.")
	calls.Tools = []model.Tool{{Name: "search", Schema: json.RawMessage(`{"type":"object"}`)}}
	modeltest.Test(t, func(t *testing.T) model.Model {
		return NewChat(serve(t).endpoint(t), "qwen3:8b", Options{})
	}, userSays("Hello"), calls)
}

// TestRequest: what is sent, to the letter.
func TestRequest(t *testing.T) {
	f := serve(t)
	req := model.Request{
		Brief: func(int) model.Brief { return model.Brief{Rules: "You are <kist> & calm.", Now: "It is Monday."} },
		Messages: []model.Message{
			{Role: model.User, Text: "Count the projects."},
			{Role: model.Assistant, Text: "I look.", Calls: []model.Call{
				{ID: "call-0", Name: "list", Arguments: json.RawMessage(`{"id":12345678901234567890,"z":"<a>","b":{}}`)},
				{ID: "call-1", Name: "search", Arguments: json.RawMessage(`{}`)},
			}},
			{Role: model.ToolRole, Text: `{"n":2}`, CallID: "call-0", Tool: "list"},
			{Role: model.ToolRole, Text: `[]`, CallID: "call-1", Tool: "search"},
			{Role: model.Assistant, Text: "Two."},
			{Role: model.User, Text: "And tasks?"},
		},
		Said:  5,
		Tools: []model.Tool{{Name: "list", Description: "Lists <all>.", Schema: json.RawMessage(`{"type":"object","properties":{"name":{"type":["string","null"],"maxLength":80,"pattern":"^[a-z]+&$","format":"date"}},"required":["name"],"additionalProperties":false}`)}},
	}
	const head = `{"model":"qwen3:8b","stream":true,`
	const messages = `"messages":[
		{"role":"system","content":"You are <kist> & calm."},
		{"role":"user","content":"Count the projects."},
		{"role":"assistant","content":"I look.","tool_calls":[
			{"id":"call-0","function":{"index":0,"name":"list","arguments":{"id":12345678901234567890,"z":"<a>","b":{}}}},
			{"id":"call-1","function":{"index":1,"name":"search","arguments":{}}}]},
		{"role":"tool","content":"{\"n\":2}","tool_name":"list","tool_call_id":"call-0"},
		{"role":"tool","content":"[]","tool_name":"search","tool_call_id":"call-1"},
		{"role":"assistant","content":"Two."},
		{"role":"user","content":"<context>\nIt is Monday.\n</context>\n\nAnd tasks?"}],`
	const tools = `"tools":[{"type":"function","function":{"name":"list","description":"Lists <all>.","parameters":
		{"type":"object","properties":{"name":{"type":["string","null"],"maxLength":80,"pattern":"^[a-z]+&$","format":"date"}},"required":["name"],"additionalProperties":false}}}],`
	const tail = `"truncate":false,"shift":false}`
	for _, tc := range []struct {
		name   string
		opts   Options
		change func(*model.Request)
		want   string
	}{
		{"plain", Options{}, func(*model.Request) {}, head + messages + tools + `"options":{"num_ctx":8192},` + tail},
		{
			"with everything", Options{Context: 16384, KeepAlive: 90 * time.Second},
			func(r *model.Request) {
				r.Format, r.MaxOutput = json.RawMessage(`{"type":"object","minProperties":1}`), 500
			},
			head + messages + tools + `"format":{"type":"object","minProperties":1},"keep_alive":"1m30s","options":{"num_ctx":16384,"num_predict":500},` + tail,
		},
		{"more than the model has", Options{Context: 1 << 20, KeepAlive: -1}, func(*model.Request) {}, head + messages + tools + `"keep_alive":-1,"options":{"num_ctx":40960},` + tail},
		{"an object, by a model that could think", Options{}, func(r *model.Request) { r.Purpose = model.Fast }, head + messages + tools + `"think":false,"options":{"num_ctx":8192},` + tail},
		{"words alone", Options{}, func(r *model.Request) { r.Choice = model.None }, head + messages + `"options":{"num_ctx":8192},` + tail},
	} {
		changed := req
		tc.change(&changed)
		told(t.Context(), NewChat(f.endpoint(t), "qwen3:8b", tc.opts), changed)
		got := f.sent[len(f.sent)-1]
		library(t, got, len(changed.Messages)+1)
		if diff := cmp.Diff(exact(t, tc.want), exact(t, got)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		// Nor does another way of writing the same get in, or another order.
		if schema := string(req.Tools[0].Schema); strings.Contains(got, schema) == (changed.Choice == model.None) || !strings.Contains(got, string(req.Messages[1].Calls[0].Arguments)) {
			t.Errorf("%s: not as it was given: %s", tc.name, got)
		}
	}
}

// library has Ollama's own types read a request as strictly as they can: a field that they
// don't know is a fault.
func library(t *testing.T, sent string, messages int) {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(sent), &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "tools") // of which it doesn't know all
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var got api.ChatRequest
	if err := d.Decode(&got); err != nil {
		t.Fatalf("the library can't read it: %v", err)
	}
	if got.Model != "qwen3:8b" || len(got.Messages) != messages || got.Stream == nil || !*got.Stream || got.Truncate == nil || *got.Truncate || got.Shift == nil || *got.Shift || got.Options["num_ctx"] == nil {
		t.Errorf("the library reads %+v", got)
	}
	if call := got.Messages[2].ToolCalls; len(call) != 2 || call[0].Function.Name != "list" || got.Messages[3].ToolName != "list" || got.Messages[3].ToolCallID != "call-0" {
		t.Errorf("the library reads the calls as %+v", got.Messages)
	}
}

// exact reads JSON with its numbers as they are.
func exact(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestAnswers(t *testing.T) {
	say := func(field, text string) string {
		return fmt.Sprintf(`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",%q:%q},"done":false}`, field, text)
	}
	done := func(reason string) string { return `{"done":true,"done_reason":"` + reason + `"}` }
	for name, tc := range map[string]struct {
		lines []string
		want  []string
	}{
		"words":                {[]string{say("content", "Hel"), say("content", "lo."), stopped}, []string{"text Hello.", "usage 7/0/3", "stop end"}},
		"words in the last":    {[]string{`{"message":{"content":"Hello."},"done":true,"done_reason":"stop"}`}, []string{"text Hello.", "stop end"}},
		"no newline":           {[]string{say("content", "a"), strings.TrimSpace(stopped)}, []string{"text a", "usage 7/0/3", "stop end"}},
		"thoughts":             {[]string{say("thinking", "Hm"), say("thinking", "m."), say("content", "Yes."), stopped}, []string{"thinking Hmm.", "text Yes.", "usage 7/0/3", "stop end"}},
		"thoughts in tags":     {[]string{say("content", "<think>Hm"), say("content", "m.</think>"), say("content", "Yes."), stopped}, []string{"thinking Hmm.", "text Yes.", "usage 7/0/3", "stop end"}},
		"a call":               {[]string{say("content", "I look."), calling("list", `{"a": [1]}`), stopped}, []string{"text I look.", `call call_x list{"a": [1]}`, "usage 7/0/3", "stop tools"}},
		"arguments in a text":  {[]string{calling("list", `"{\"a\":1}"`), stopped}, []string{`call call_x list{"a":1}`, "usage 7/0/3", "stop tools"}},
		"no arguments":         {[]string{calling("list", `null`), stopped}, []string{`call call_x list{}`, "usage 7/0/3", "stop tools"}},
		"calls of one number":  {[]string{`{"message":{"tool_calls":[{"function":{"index":0,"name":"a","arguments":{"x":1}}},{"function":{"index":0,"name":"a","arguments":{"x":2}}}]}}`, `{"message":{"tool_calls":[{"function":{"name":"b","arguments":{}}}]}}`, done("stop")}, []string{`call  a{"x":1}`, `call  a{"x":2}`, `call  b{}`, "stop tools"}},
		"calls of one id":      {[]string{calling("a", `{}`), calling("b", `{}`), done("stop")}, []string{"call call_x a{}", "call call_x b{}", "stop tools"}},
		"too many calls":       {[]string{`{"message":{"tool_calls":[` + strings.Repeat(`{},`, 300) + `{}]}}`, stopped}, []string{"error more than 256 calls at once"}},
		"length":               {[]string{say("content", "a"), done("length")}, []string{"text a", "stop length"}},
		"no reason":            {[]string{say("content", "a"), `{"done":true}`}, []string{"text a", "stop end"}},
		"an unknown reason":    {[]string{say("content", "a"), done("because")}, []string{"text a", "stop end"}},
		"only loaded":          {[]string{`{"message":{"role":"assistant"},"done":true,"done_reason":"load"}`}, nil},
		"only unloaded":        {[]string{`{"message":{"role":"assistant"},"done":true,"done_reason":"unload"}`}, nil},
		"after the end":        {[]string{say("content", "a"), done("stop"), say("content", "b"), `{"error":"late"}`}, []string{"text a", "stop end"}},
		"cut off":              {[]string{say("content", "a"), calling("list", `{}`)}, []string{"text a"}},
		"nothing":              {nil, nil},
		"an error":             {[]string{say("content", "a"), `{"error":"an error was encountered while running the model"}`}, []string{"text a", "error URL says: an error was encountered while running the model"}},
		"an error as object":   {[]string{`{"error":{"message":"out of memory"}}`}, []string{"error URL says: out of memory"}},
		"no error":             {[]string{`{"error":"","message":{"content":"a"}}`, `{"error":null,"done":true}`}, []string{"text a", "stop end"}},
		"too long, in between": {[]string{`{"error":"input length (9000 tokens) exceeds the model's maximum context length (8192 tokens)"}`}, []string{"error the request is longer than the model's window: URL says: input length (9000 tokens) exceeds the model's maximum context length (8192 tokens)"}},
		"no JSON":              {[]string{say("content", "a"), "oops", stopped}, []string{"text a", "error URL says: a line of the stream makes no sense: invalid character 'o' looking for beginning of value"}},
		"another shape":        {[]string{`{"message":7}`, stopped}, []string{"error URL says: a line of the stream makes no sense: json: cannot unmarshal number into Go struct field piece.message of type ollama.said"}},
		"absurd counts":        {[]string{`{"message":{"content":"a"},"done":true,"prompt_eval_count":-5,"eval_count":99}`}, []string{"text a", "stop end"}},
		"some from the cache":  {[]string{`{"done":true,"prompt_eval_count":90,"prompt_eval_cached_count":80,"eval_count":9}`}, []string{"usage 90/80/9", "stop end"}},
		"control characters":   {[]string{`{"message":{"content":"a\u001b[31mb\u202e"}}`, done("stop")}, []string{"text a[31mb", "stop end"}},
		"empty lines":          {[]string{"", say("content", "a"), "\r", done("stop")}, []string{"text a", "stop end"}},
	} {
		f := serve(t)
		f.chat = says(tc.lines...)
		got := told(t.Context(), NewChat(f.endpoint(t), "m", Options{}), userSays("Hello"))
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], f.URL, "URL")
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestWords: calls that nobody wanted are dropped.
func TestWords(t *testing.T) {
	f := serve(t)
	f.chat = says(calling("list", `{}`), `{"message":{"content":"Two."}}`, stopped)
	req := userSays("Hello")
	req.Choice = model.None
	if diff := cmp.Diff([]string{"text Two.", "usage 7/0/3", "stop end"}, told(t.Context(), NewChat(f.endpoint(t), "m", Options{}), req)); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		chat    http.HandlerFunc
		want    string
		tooLong bool
	}{
		"no such model": {fails(404, `{"error":"model 'm' not found"}`), "404 Not Found: model 'm' not found", false},
		"too long":      {fails(400, `{"error":"the input length exceeds the context length"}`), "400 Bad Request: the input length exceeds the context length", true},
		"too long, as llama-server says": {
			fails(400, `{"error":"{\"error\":{\"code\":400,\"message\":\"request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it\",\"type\":\"exceed_context_size_error\"}}"}`),
			"exceeds the available context size", true,
		},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html>")
		}, "a web page came", false},
		"an echo": {func(w http.ResponseWriter, r *http.Request) { fails(500, r.Header.Get("Authorization"))(w, r) }, "500 Internal Server Error: Bearer [key]", false},
		"a late echo": {func(w http.ResponseWriter, r *http.Request) {
			says(`{"error":"`+r.Header.Get("Authorization")+`"}`)(w, r)
		}, "says: Bearer [key]", false},
		"a wild echo": {func(w http.ResponseWriter, r *http.Request) { says(`{"done":"`+key+`","done":`+key+`}`)(w, r) }, "makes no sense", false},
		"a broken end": {func(w http.ResponseWriter, r *http.Request) {
			says(stopped[:20])(w, r)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "", false},
		"away": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:1/api/chat", http.StatusTemporaryRedirect)
		}, "redirects to another host", false},
	} {
		f := serve(t)
		f.chat = tc.chat
		var failed error
		for e, err := range NewChat(f.endpoint(t), "m", Options{}).Generate(t.Context(), userSays("Hello")) {
			if failed = err; e.Stop != "" || e.Call != nil {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if failed == nil || !strings.Contains(failed.Error(), tc.want) || strings.Contains(failed.Error(), key) || errors.Is(failed, model.ErrTooLong) != tc.tooLong {
			t.Errorf("%s: %v", name, failed)
		}
		if _, ok := errors.AsType[*endpoint.Error](failed); !ok {
			t.Errorf("%s: %T", name, failed)
		}
	}
}

// recorded is a stream with all that one may hold.
var recorded = strings.Join([]string{
	`{"model":"qwen3:8b","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"Hm, \u00fc."},"done":false}`,
	`{"model":"qwen3:8b","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Grüße {"},"done":false}`,
	calling("list", `{"path":"a","deep":{"b":[1,2,{"c":"}\n"}]}}`),
	calling("search", `{}`),
	`{"model":"qwen3:8b","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"eval_count":282}`,
}, "\n") + "\n"

// through reads a stream without a server.
func through(body io.Reader) []string {
	var t transcript
	e, _ := endpoint.New("http://127.0.0.1:1", key)
	answer := wire.NewAnswer(t.add)
	r := reader{Chat: NewChat(e, "m", Options{}), answer: answer}
	if err := r.read(&http.Response{Body: io.NopCloser(body)}); err != nil {
		answer.Fail(cause(err))
	} else {
		answer.End()
	}
	return t.lines
}

// TestCutAnywhere: a stream that ends before its last line is whole has no stop and no
// calls, however it ends.
func TestCutAnywhere(t *testing.T) {
	whole := through(strings.NewReader(recorded))
	if diff := cmp.Diff([]string{"thinking Hm, ü.", "text Grüße {", `call call_x list{"path":"a","deep":{"b":[1,2,{"c":"}\n"}]}}`, "call call_x search{}", "usage 26/0/282", "stop tools"}, whole); diff != "" {
		t.Fatal(diff)
	}
	for n := range len(recorded) + 1 {
		for how, body := range map[string]io.Reader{
			"ends":      strings.NewReader(recorded[:n]),
			"breaks":    io.MultiReader(strings.NewReader(recorded[:n]), iotest.ErrReader(io.ErrUnexpectedEOF)),
			"byte-wise": iotest.OneByteReader(strings.NewReader(recorded[:n])),
		} {
			got := through(body)
			if n >= len(recorded)-1 { // the last newline says nothing
				if diff := cmp.Diff(whole, got); diff != "" {
					t.Errorf("%s at %d: %s", how, n, diff)
				}
				continue
			}
			for _, line := range got {
				if strings.HasPrefix(line, "stop") || strings.HasPrefix(line, "call") || strings.HasPrefix(line, "error") != (how == "breaks") && strings.HasPrefix(line, "error") {
					t.Errorf("%s at %d: %q", how, n, got)
				}
			}
			if how == "breaks" && (len(got) == 0 || got[len(got)-1] != "error unexpected EOF") {
				t.Errorf("%s at %d: %q", how, n, got)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(recorded)
	f.Add(`{"error":"no"}` + "\n")
	f.Add(`{"message":{"tool_calls":[{}]}}` + "\n" + `{"done":true}`)
	f.Add(`{"message":{"content":"<think>"},"done":true,"done_reason":"load"}`)
	f.Fuzz(func(t *testing.T, stream string) {
		got := through(strings.NewReader(stream))
		for i, line := range got {
			if last := i == len(got)-1; strings.HasPrefix(line, "stop ") != last && !last || strings.HasPrefix(line, "call ") && !strings.HasPrefix(got[len(got)-1], "stop ") {
				t.Errorf("%q", got)
			}
		}
	})
}

// TestHangs: a server that is silent isn't waited for, wherever it is.
func TestHangs(t *testing.T) {
	const short, long = 30 * time.Millisecond, time.Minute
	for name, tc := range map[string]struct {
		show, chat http.HandlerFunc
		patience   endpoint.Patience
		want       []string
	}{
		"when asked about the model": {hangs(), says(stopped), endpoint.Patience{First: short, Load: long, Next: long}, []string{"usage 7/0/3", "stop end"}},
		"while it tells":             {hangs(describes[:40]), says(stopped), endpoint.Patience{First: short, Load: long, Next: long}, []string{"usage 7/0/3", "stop end"}},
		"at once":                    {says(describes), hangs(), endpoint.Patience{First: long, Load: short, Next: long}, []string{"error URL: the server is silent: nothing came for 30ms"}},
		"always":                     {hangs(), hangs(), endpoint.Patience{First: short, Load: short, Next: short}, []string{"error URL: the server is silent: nothing came for 30ms"}},
		"in between":                 {says(describes), hangs(`{"message":{"content":"a"}}`), endpoint.Patience{First: long, Load: long, Next: short}, []string{"text a", "error URL: the server is silent: nothing more came for 30ms"}},
		"after the end":              {says(describes), hangs(`{"message":{"content":"a"}}`, stopped), endpoint.Patience{First: long, Load: long, Next: long}, []string{"text a", "usage 7/0/3", "stop end"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t)
			f.show, f.chat = tc.show, tc.chat
			got := told(t.Context(), NewChat(f.endpoint(t), "m", Options{Patience: tc.patience}), userSays("Hello"))
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], f.URL, "URL")
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEndless: neither a line nor a stream without end fills the memory.
func TestEndless(t *testing.T) {
	f := serve(t)
	f.chat = func(w http.ResponseWriter, _ *http.Request) {
		for part := []byte(strings.Repeat("x", 1<<16)); ; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}
	got := told(t.Context(), NewChat(f.endpoint(t), "m", Options{}), userSays("Hello"))
	if len(got) != 1 || !strings.Contains(got[0], endpoint.ErrTooLong.Error()) {
		t.Errorf("%q", got)
	}
}

// TestBusy: a server that has too much to do is asked again, with a notice.
func TestBusy(t *testing.T) {
	f := serve(t)
	f.chat = func(w http.ResponseWriter, r *http.Request) {
		if f.count("/api/chat") == 1 {
			fails(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`)(w, r)
			return
		}
		says(stopped)(w, r)
	}
	got := told(t.Context(), NewChat(f.endpoint(t), "m", Options{}), userSays("Hello"))
	if len(got) != 3 || !strings.HasPrefix(got[0], "notice ") || !strings.Contains(got[0], "server busy") || got[2] != "stop end" || f.count("/api/show") != 1 {
		t.Errorf("%q", got)
	}
}

// TestEnvironment: Ollama's own variables change nothing. Its client would look for a key.
func TestEnvironment(t *testing.T) {
	t.Setenv("OLLAMA_AUTH", "1")
	t.Setenv("HOME", t.TempDir())
	f := serve(t)
	f.chat = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		says(stopped)(w, r)
	}
	if got := told(t.Context(), NewChat(f.endpoint(t), "m", Options{}), userSays("Hello")); len(got) != 2 || f.count("/api/show") != 1 {
		t.Errorf("%q", got)
	}
}

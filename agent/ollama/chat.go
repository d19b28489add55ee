package ollama

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// Options are how a model is run.
type Options struct {
	Context   int               // num_ctx; 0: as the model's limit and the free memory allow
	Free      func() int64      // bytes of memory that are free on this machine, 0: not known; it is asked once
	KeepAlive time.Duration     // how long it stays loaded after a request; 0: the server's own, negative: for ever
	Patience  endpoint.Patience // zero fields: 5 minutes each
}

const (
	// usualPatience is more than other servers get. Any request may have to wait for its
	// model, which is unloaded when it was idle for a while; and a call of a tool is sent when
	// it is whole, so that the stream is silent while the model writes its arguments.
	usualPatience = 5 * time.Minute
	// askedAfter is the silence in a stream after which the server is asked whether it is there,
	// which it tells at once while a model writes, within livesWithin.
	askedAfter  = time.Minute
	livesWithin = 10 * time.Second
)

// A Chat is a language model of a server, by /api/chat. Its methods may be called
// concurrently.
type Chat struct {
	endpoint *endpoint.Endpoint
	client   *http.Client
	model    string
	opts     Options
	asked    described
}

// NewChat returns a model by its name at the server, such as qwen3:8b. It asks the server
// nothing yet.
func NewChat(e *endpoint.Endpoint, name string, opts Options) *Chat {
	for _, wait := range []*time.Duration{&opts.Patience.First, &opts.Patience.Load} {
		if *wait == 0 {
			*wait = usualPatience
		}
	}
	if opts.Patience.Next == 0 {
		opts.Patience.Next, opts.Patience.Lives = askedAfter, func() bool { return lives(e) }
	}
	return &Chat{endpoint: e, client: e.Stream(opts.Patience), model: name, opts: opts}
}

// lives reports whether a server answers anything.
func lives(e *endpoint.Endpoint) bool {
	err := ask(context.Background(), e, livesWithin, http.MethodGet, "/api/version", nil, new(struct{}))
	fault, ok := errors.AsType[*endpoint.Error](err)
	return err == nil || ok && fault.Status != 0
}

// Name is "ollama/" and the model's name.
func (c *Chat) Name() string { return "ollama/" + c.model }

// Generate streams the server's answer. Errors are *endpoint.Error, wrap model.ErrTooLong,
// or come from ctx.
//
// Ollama can't be told that a model must not call its tools. For a choice of none they are
// left out, which is what keeps a small model from calling; its templates write calls and
// results that are in the messages all the same. A call that comes even so is dropped.
func (c *Chat) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		answer := wire.NewAnswer(yield)
		instructions, messages := req.Prompt()
		var resp *http.Response
		err := endpoint.Retry(ctx, answer.Notice, func() (err error) {
			resp, err = c.open(ctx, instructions, messages, req)
			return err
		})
		if err == nil {
			defer resp.Body.Close()
			r := reader{Chat: c, answer: answer, words: req.Choice == model.None}
			if err = r.read(resp); err == nil {
				answer.End()
				return
			}
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		answer.Fail(cause(err))
	}
}

// open sends a request. Once it returns without an error, the answer has begun.
func (c *Chat) open(ctx context.Context, instructions string, messages []model.Message, req model.Request) (*http.Response, error) {
	window, thinks, err := c.window(ctx)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // schemas and arguments stay as they are
	if err := enc.Encode(c.request(instructions, messages, req, window, thinks)); err != nil {
		return nil, fmt.Errorf("a request that can't be written: %w", err)
	}
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.URL().JoinPath("/api/chat").String(), &body)
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("Accept", "application/x-ndjson")
	return c.client.Do(out)
}

// A request has what of the API is used; a test has the library of Ollama's read it. Its type
// of a tool knows a part of JSON Schema alone and drops maxLength, pattern and others, and its
// type of arguments makes floating-point numbers of all. Nor would its client do: that one signs
// requests with a key of the user's where OLLAMA_AUTH says so, and can't be stopped within a
// line without end.
type request struct {
	Model     string          `json:"model"`
	Messages  []message       `json:"messages"`
	Stream    bool            `json:"stream"`
	Format    json.RawMessage `json:"format,omitempty"`
	KeepAlive any             `json:"keep_alive,omitempty"` // a duration in words, or -1 for ever
	Tools     []tool          `json:"tools,omitempty"`
	Options   map[string]any  `json:"options"`
	Think     *bool           `json:"think,omitempty"`
	Truncate  bool            `json:"truncate"`
	Shift     bool            `json:"shift"`
}

type message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []sentCall `json:"tool_calls,omitempty"`
	ToolName   string     `json:"tool_name,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type sentCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Index     int             `json:"index"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func (c *Chat) request(instructions string, messages []model.Message, req model.Request, window int, thinks bool) request {
	out := request{
		Model: c.model, Stream: true, Format: req.Format, Options: map[string]any{"num_ctx": window},
		Truncate: false, // a prompt that is too long is an error, and isn't cut without a word
		Shift:    false, // an answer that outgrows the window ends, instead of forgetting its beginning
	}
	if req.Purpose == model.Fast && thinks {
		out.Think = new(false)
	}
	if req.MaxOutput > 0 {
		out.Options["num_predict"] = req.MaxOutput
	}
	switch alive := c.opts.KeepAlive; {
	case alive < 0:
		out.KeepAlive = -1
	case alive > 0:
		out.KeepAlive = alive.String()
	}
	if instructions != "" {
		out.Messages = append(out.Messages, message{Role: "system", Content: instructions})
	}
	for _, m := range messages {
		out.Messages = append(out.Messages, messageOf(m))
	}
	if req.Choice == model.None {
		return out
	}
	for _, t := range req.Tools {
		sent := tool{Type: "function"}
		sent.Function.Name, sent.Function.Description, sent.Function.Parameters = t.Name, t.Description, t.Schema
		out.Tools = append(out.Tools, sent)
	}
	return out
}

func messageOf(m model.Message) message {
	out := message{Role: string(m.Role), Content: m.Text, ToolName: m.Tool, ToolCallID: m.CallID}
	for i, call := range m.Calls {
		sent := sentCall{ID: call.ID}
		sent.Function.Index, sent.Function.Name, sent.Function.Arguments = i, call.Name, call.Arguments
		out.ToolCalls = append(out.ToolCalls, sent)
	}
	return out
}

// A piece is one line of a stream. The library's own type is stricter than servers are:
// arguments that come as a string would end the stream.
type piece struct {
	Message    said            `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	Input      int             `json:"prompt_eval_count"`
	Cached     int             `json:"prompt_eval_cached_count"` // of newer servers
	Output     int             `json:"eval_count"`
	Error      json.RawMessage `json:"error"`
	// What it is passed on to, if anything.
	RemoteHost  string `json:"remote_host"`
	RemoteModel string `json:"remote_model"`
}

type said struct {
	Content   string     `json:"content"`
	Thinking  string     `json:"thinking"`
	ToolCalls []saidCall `json:"tool_calls"`
}

type saidCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (p piece) failed() bool {
	return len(p.Error) > 0 && string(p.Error) != "null" && string(p.Error) != `""`
}

// A reader hands the pieces of one stream on.
type reader struct {
	*Chat
	answer *wire.Answer
	words  bool // no calls are wanted
	calls  int  // so far
}

// read reads until the stream says that it is over, is cut off, or nobody listens.
func (r *reader) read(resp *http.Response) error {
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
		return r.endpoint.Answered(http.StatusOK, "a web page came instead of an answer: is there a proxy between?")
	}
	lines := bufio.NewReader(resp.Body) // the endpoint bounds a line
	for !r.answer.Over() {
		line, end := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			done, err := r.line(line)
			if done || err != nil && end == nil {
				return err
			}
		}
		if end == io.EOF {
			return nil // a line that makes no sense here was cut off
		}
		if end != nil {
			return end
		}
	}
	return nil
}

// line takes one line and reports whether it is the last.
func (r *reader) line(line []byte) (done bool, err error) {
	var p piece
	if err := json.Unmarshal(line, &p); err != nil {
		return false, r.endpoint.Answered(http.StatusOK, "a line of the stream makes no sense: "+err.Error())
	}
	if p.failed() {
		return true, r.endpoint.Answered(http.StatusOK, endpoint.Message(line))
	}
	if p.RemoteHost+p.RemoteModel != "" && r.tookForLocal() {
		return true, r.endpoint.Answered(http.StatusOK, fmt.Sprintf("it passed the request on to %s, and had said before that the model is on this machine; it counts as remote from now on", cmp.Or(p.RemoteHost, p.RemoteModel)))
	}
	r.answer.Thinking(p.Message.Thinking)
	r.answer.Text(p.Message.Content)
	for _, call := range p.Message.ToolCalls {
		if r.words {
			continue
		}
		// Each is whole. The server's own numbers don't count: they may all be 0.
		n := r.calls
		r.calls++
		r.answer.Call(wire.Part{Index: &n, ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	if !p.Done {
		return false, nil
	}
	r.answer.Usage(model.Usage{Input: p.Input, Output: p.Output, Cached: p.Cached})
	if stop := stopOf(p.DoneReason); stop != "" {
		r.answer.Stop(stop)
	}
	return true, nil
}

// stopOf returns nothing for an answer that is none: the model was only loaded or unloaded.
func stopOf(reason string) model.Stop {
	switch reason {
	case "load", "unload":
		return ""
	case "length":
		return model.Length
	}
	return model.End
}

// cause is why a request failed, in one form.
func cause(err error) error {
	err = endpoint.Cause(err)
	if e, ok := errors.AsType[*endpoint.Error](err); ok && e.TooLong() {
		return fmt.Errorf("%w: %w", model.ErrTooLong, err)
	}
	return err
}

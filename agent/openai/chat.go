package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// A Chat is a language model of a server, by /chat/completions. Its methods may be called
// concurrently.
type Chat struct {
	client   *http.Client
	endpoint *endpoint.Endpoint
	model    string
	asked    described
}

// NewChat returns a model by its name at the server. The endpoint's address ends where
// /chat/completions is added, in /v1 as a rule. It asks the server nothing yet.
func NewChat(e *endpoint.Endpoint, name string, patience endpoint.Patience) *Chat {
	return &Chat{client: e.Stream(patience), endpoint: e, model: name}
}

// Name is "openai/" and the model's name.
func (c *Chat) Name() string { return "openai/" + c.model }

// Generate streams the server's answer. Errors are *endpoint.Error, wrap model.ErrTooLong,
// or come from ctx.
func (c *Chat) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		answer := wire.NewAnswer(yield)
		err := c.answer(ctx, req, answer)
		switch {
		case ctx.Err() != nil:
			answer.Fail(ctx.Err())
		case err != nil && !answer.Stopped():
			answer.Fail(c.cause(err))
		default:
			answer.End()
		}
	}
}

func (c *Chat) answer(ctx context.Context, req model.Request, answer *wire.Answer) error {
	body, err := json.Marshal(c.request(req))
	if err != nil {
		return err
	}
	var resp *http.Response
	err = endpoint.Retry(ctx, answer.Notice, func() (err error) {
		resp, err = c.send(ctx, body)
		return err
	})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return c.read(resp.Body, answer)
}

// send asks the server. The library's client isn't used for that: it refuses by the names of
// models what their servers may take, and loses errors that are told within a stream.
func (c *Chat) send(ctx context.Context, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.endpoint.URL().String(), "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	return c.client.Do(req)
}

func (c *Chat) request(req model.Request) openai.ChatCompletionRequest {
	instructions, messages := req.Prompt()
	out := openai.ChatCompletionRequest{Model: c.model, Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true}}
	if instructions != "" {
		out.Messages = append(out.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: instructions})
	}
	for _, m := range messages {
		out.Messages = append(out.Messages, message(m))
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	if len(req.Tools) > 0 && req.Choice != model.Auto {
		out.ToolChoice = string(req.Choice)
	}
	if req.Purpose == model.Fast && c.endpoint.Local() { // others refuse what they don't know
		out.ChatTemplateKwargs = map[string]any{"enable_thinking": false}
	}
	if req.Format != nil {
		out.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: req.Format, Strict: c.official()},
		}
	}
	if c.official() {
		out.MaxCompletionTokens = req.MaxOutput // its newer models refuse the other
	} else {
		//lint:ignore SA1019 it is OpenAI's newer models that want the other; other servers know only this
		out.MaxTokens = req.MaxOutput
	}
	return out
}

// official: it is OpenAI's own server.
func (c *Chat) official() bool { return c.endpoint.URL().Hostname() == "api.openai.com" }

func message(m model.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
	for _, call := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{
			ID: call.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: call.Name, Arguments: string(call.Arguments)},
		})
	}
	return out
}

// A chunk is one piece of a stream. The library's own type is stricter than servers are:
// arguments that come as an object would end the stream.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Index        int    `json:"index"`
	Delta        delta  `json:"delta"`
	Message      delta  `json:"message"` // of an answer in one piece, from a server that doesn't stream
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content          content         `json:"content"`
	Refusal          string          `json:"refusal"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        []toolCall      `json:"tool_calls"`
	FunctionCall     *function       `json:"function_call"`
}

type toolCall struct {
	Index    *int     `json:"index"`
	ID       string   `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// content is a text or, of Mistral's models that think, parts.
type content struct{ text, thought string }

func (c *content) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	var parts []struct {
		Text     string `json:"text"`
		Thinking []struct {
			Text string `json:"text"`
		} `json:"thinking"`
	}
	err := json.Unmarshal(data, &parts)
	for _, p := range parts {
		c.text += p.Text
		for _, t := range p.Thinking {
			c.thought += t.Text
		}
	}
	return err
}

// A reader hands the pieces of a stream on.
type reader struct {
	*Chat
	answer  *wire.Answer
	refused bool
}

// read reads a stream until it is over.
func (c *Chat) read(body io.Reader, answer *wire.Answer) error {
	r := &reader{Chat: c, answer: answer}
	lines := bufio.NewReader(body)
	if text, ok := whole(lines); ok {
		return r.piece(text)
	}
	for events := wire.NewSSE(lines); !answer.Over(); {
		event, data, err := events.Next()
		switch {
		case err == wire.ErrNoStream:
			return c.endpoint.Answered(http.StatusOK, instead(data))
		case err == io.EOF || string(data) == "[DONE]":
			return nil
		case err == nil && event == "error":
			err = c.endpoint.Answered(http.StatusOK, endpoint.Message(data))
		case err == nil:
			err = r.take(data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// instead says what came instead of a stream.
func instead(body []byte) string {
	if body[0] == '<' {
		return "a web page came instead of an answer: is there a proxy between?"
	}
	return endpoint.Message(body)
}

// maxWhole bounds an answer in one piece, in bytes: far above any.
const maxWhole = 8 << 20

// whole returns what came where that is an object, and no stream.
func whole(lines *bufio.Reader) ([]byte, bool) {
	for {
		first, err := lines.Peek(1)
		if err != nil || first[0] != '{' && !unicode.IsSpace(rune(first[0])) {
			return nil, false
		}
		if first[0] == '{' {
			text, err := io.ReadAll(io.LimitReader(lines, maxWhole))
			return text, err == nil || len(text) > 0
		}
		_, _ = lines.Discard(1) // it was peeked at
	}
}

// piece takes an answer in one piece.
func (r *reader) piece(text []byte) error {
	var all chunk
	if json.Unmarshal(text, &all) != nil || len(all.Choices) == 0 {
		return r.endpoint.Answered(http.StatusOK, instead(text))
	}
	for i := range all.Choices {
		all.Choices[i].Delta = all.Choices[i].Message
	}
	if err := r.chunk(all, text); err != nil {
		return err
	}
	if !r.answer.Stopped() {
		r.answer.Stop(model.End)
	}
	return nil
}

func (r *reader) take(line []byte) error {
	var piece chunk
	if err := json.Unmarshal(line, &piece); err != nil {
		return r.endpoint.Answered(http.StatusOK, "a line of the stream makes no sense: "+err.Error())
	}
	return r.chunk(piece, line)
}

func (r *reader) chunk(piece chunk, line []byte) error {
	if e := string(piece.Error); e != "" && e != "null" && e != `""` {
		return r.endpoint.Answered(http.StatusOK, endpoint.Message(line))
	}
	var u openai.Usage
	if json.Unmarshal(piece.Usage, &u) == nil { // else it makes no sense, but the answer may
		usage := model.Usage{Input: u.PromptTokens, Output: u.CompletionTokens}
		if u.PromptTokensDetails != nil {
			usage.Cached = u.PromptTokensDetails.CachedTokens
		}
		if u.CompletionTokensDetails != nil {
			usage.Thinking = u.CompletionTokensDetails.ReasoningTokens
		}
		r.answer.Usage(usage)
	}
	for _, choice := range piece.Choices {
		if choice.Index != 0 || r.answer.Stopped() {
			continue
		}
		if err := r.chosen(choice); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) chosen(choice choice) error {
	d := choice.Delta
	var thought string
	if json.Unmarshal(d.Reasoning, &thought) != nil {
		thought = ""
	}
	if d.ReasoningContent != "" {
		thought = d.ReasoningContent // servers that send both send the same
	}
	r.answer.Thinking(d.Content.thought + thought)
	r.answer.Text(d.Content.text + d.Refusal)
	r.refused = r.refused || d.Refusal != ""
	for _, call := range d.ToolCalls {
		r.answer.Call(wire.Part{Index: call.Index, ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	if d.FunctionCall != nil {
		r.answer.Call(wire.Part{Name: d.FunctionCall.Name, Arguments: d.FunctionCall.Arguments})
	}
	switch choice.FinishReason {
	case "":
	case "error", "abort", "insufficient_system_resource": // OpenRouter and Mistral; vLLM; DeepSeek
		return r.endpoint.Answered(http.StatusOK, "it broke the answer off: "+choice.FinishReason)
	default:
		r.answer.Stop(stopOf(choice.FinishReason, r.refused))
	}
	return nil
}

func stopOf(reason string, refused bool) model.Stop {
	switch reason {
	case "length", "model_length": // the other one is Mistral's
		return model.Length
	case "content_filter":
		return model.Filtered
	case "tool_calls", "function_call":
		return model.Calls
	}
	if refused {
		return model.Refused
	}
	return model.End
}

// cause is why a request failed, in one form.
func (c *Chat) cause(err error) error {
	err = endpoint.Cause(err)
	if e, ok := errors.AsType[*endpoint.Error](err); ok && e.TooLong() {
		return fmt.Errorf("%w: %w", model.ErrTooLong, err)
	}
	return err
}

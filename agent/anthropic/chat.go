package anthropic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"

	anthropic "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// provider is the name in a model's name and in its states.
const provider = "anthropic"

// A Chat is a language model of a server, by /v1/messages. Its methods may be called
// concurrently.
type Chat struct {
	messages anthropic.MessageService
	endpoint *endpoint.Endpoint
	model    string
	asked    described
	most     atomic.Int64 // tokens of an answer, as the server told; 0: not known
}

// Endpoint returns the endpoint at an address such as https://api.anthropic.com, with the
// key in the header that the API wants. The error wraps endpoint.ErrAddress.
func Endpoint(address, key string) (*endpoint.Endpoint, error) {
	e, err := endpoint.New(address, key)
	if err != nil {
		return nil, err
	}
	return e.With("x-api-key", nil), nil
}

// NewChat returns a model by its name at the server of an endpoint that [Endpoint] made.
// It asks the server nothing yet.
func NewChat(e *endpoint.Endpoint, name string, patience endpoint.Patience) *Chat {
	// A service by itself, unlike the library's client, reads no environment and no files.
	options := []option.RequestOption{
		option.WithBaseURL(base(e)),
		option.WithHTTPClient(e.Stream(patience)), // which sends the key
		option.WithMaxRetries(0),
		option.WithoutOpenTelemetry(),
	}
	for _, name := range []string{"Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count"} {
		options = append(options, option.WithHeaderDel("X-Stainless-"+name)) // this machine is nobody's business
	}
	return &Chat{messages: anthropic.NewMessageService(options...), endpoint: e, model: name}
}

// base is the address before /v1, which users give with and without it.
func base(e *endpoint.Endpoint) string {
	return strings.TrimSuffix(strings.TrimRight(e.URL().String(), "/"), "/v1")
}

// Name is "anthropic/" and the model's name.
func (c *Chat) Name() string { return provider + "/" + c.model }

// Generate streams the server's answer. Errors are *endpoint.Error, wrap model.ErrTooLong,
// or come from ctx.
func (c *Chat) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		answer := wire.NewAnswer(yield)
		params := c.request(req)
		var s *stream
		err := endpoint.Retry(ctx, answer.Notice, func() (err error) {
			s, err = c.open(ctx, params)
			return err
		})
		if err == nil {
			defer s.body.Close()
			if err = s.read(answer); err == nil {
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

// open asks for an answer and reads its first event: an error that comes in its place may
// be over in a moment, like one that comes as a status.
func (c *Chat) open(ctx context.Context, params anthropic.MessageNewParams) (*stream, error) {
	var resp *http.Response
	if err := c.messages.NewStreaming(ctx, params, option.WithResponseInto(&resp)).Err(); err != nil {
		return nil, err
	}
	s := &stream{endpoint: c.endpoint, body: resp.Body}
	err := c.other(resp)
	if err == nil {
		s.events = ssestream.NewDecoder(resp)
		s.first, err = s.next()
	}
	if err != nil && err != io.EOF {
		resp.Body.Close()
		return nil, err
	}
	return s, nil
}

// other is an error if something else than a stream came.
func (c *Chat) other(resp *http.Response) error {
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "text/html":
		return c.endpoint.Answered(http.StatusOK, "a web page came instead of an answer: is there a proxy between?")
	case "application/json":
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
		return c.endpoint.Answered(http.StatusOK, endpoint.Message(body))
	}
	return nil
}

// cause is why a request failed, in one form.
func cause(err error) error {
	err = endpoint.Cause(err)
	if e, ok := errors.AsType[*endpoint.Error](err); ok && e.TooLong() {
		return fmt.Errorf("%w: %w", model.ErrTooLong, err)
	}
	return err
}

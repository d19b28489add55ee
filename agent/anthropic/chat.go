package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// provider is the name in a model's name and in its states.
const provider = "anthropic"

// A Chat is a language model of a server, by /v1/messages. Its methods may be called
// concurrently.
type Chat struct {
	client   *http.Client
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
	return &Chat{client: e.Stream(patience), endpoint: e, model: name} // which sends the key
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
		var s *stream
		body, err := json.Marshal(c.request(req))
		if err == nil {
			err = endpoint.Retry(ctx, answer.Notice, func() (err error) {
				s, err = c.open(ctx, body)
				return err
			})
		}
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
func (c *Chat) open(ctx context.Context, body []byte) (*stream, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base(c.endpoint)+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("anthropic-version", version)
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	s := &stream{endpoint: c.endpoint, body: resp.Body, events: wire.NewSSE(resp.Body)}
	if err = c.other(resp); err == nil {
		s.first, err = s.next()
	}
	if err != nil && err != io.EOF {
		resp.Body.Close()
		return nil, err
	}
	return s, nil
}

const webPage = "a web page came instead of an answer: is there a proxy between?"

// other is an error if something else than a stream came.
func (c *Chat) other(resp *http.Response) error {
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "text/html":
		return c.endpoint.Answered(http.StatusOK, webPage)
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

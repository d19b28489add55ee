package anthropic

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// version is the API's, which each request has to name.
const version = "2023-06-01"

// usualContext is the window of a model of which the server tells none, in tokens: that of
// all models since Claude 2.1, at least.
const usualContext = 200_000

// described is what a server told of a model, once it did.
type described struct {
	mu   sync.Mutex
	done bool
	info model.Info
}

type listed struct {
	ID           string `json:"id"`
	MaxInput     int    `json:"max_input_tokens"`
	MaxOutput    int    `json:"max_tokens"`
	Capabilities struct {
		StructuredOutputs *ability `json:"structured_outputs"`
		Thinking          *ability `json:"thinking"`
		Images            *ability `json:"image_input"`
	} `json:"capabilities"`
}

type ability struct {
	Supported bool `json:"supported"`
}

// Info asks /v1/models. A schema is taken to work where the server doesn't say that it
// doesn't.
func (c *Chat) Info(ctx context.Context) (model.Info, error) {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	if c.asked.done {
		return c.asked.info, nil
	}
	var l listed
	if err := get(ctx, c.endpoint, &l, "/"+url.PathEscape(c.model)); err != nil {
		return model.Info{}, err
	}
	info := model.Info{Context: usualContext, Tools: true, Format: true, Remote: !c.endpoint.Local()}
	if l.MaxInput > 0 {
		info.Context = l.MaxInput
	}
	if f := l.Capabilities.StructuredOutputs; f != nil {
		info.Format = f.Supported
	}
	if t := l.Capabilities.Thinking; t != nil {
		info.Thinking = t.Supported
	}
	if i := l.Capabilities.Images; i != nil {
		info.Images = i.Supported
	}
	c.asked.done, c.asked.info = true, info
	c.most.Store(int64(l.MaxOutput))
	return info, nil
}

// Models returns the names of the models that a server has, up to 1,000, which is all.
func Models(ctx context.Context, e *endpoint.Endpoint) ([]string, error) {
	var all struct {
		Data []listed `json:"data"`
	}
	err := get(ctx, e, &all, "?limit=1000")
	var names []string
	for _, l := range all.Data {
		names = append(names, l.ID)
	}
	return names, err
}

// get asks for what is behind /v1/models.
func get(ctx context.Context, e *endpoint.Endpoint, v any, rest string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base(e)+"/v1/models"+rest, nil)
	if err != nil {
		return err
	}
	req.Header.Set("anthropic-version", version)
	client := e.Client()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return endpoint.Cause(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return e.Answered(http.StatusOK, "what it says of its models makes no sense: "+err.Error())
	}
	return nil
}

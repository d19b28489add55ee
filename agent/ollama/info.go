package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

const (
	// usualContext is the window where another isn't asked for and can't be chosen by the
	// memory that is free.
	usualContext = 8192
	// askWithin bounds what is asked before the request proper. A server answers from
	// its disk, and from the cloud for models there.
	askWithin = 15 * time.Second
)

// described is what a server told of a model, once it did.
type described struct {
	mu     sync.Mutex
	done   bool
	info   model.Info
	window int // num_ctx of all requests; 0: not settled
}

// shown is the answer of /api/show.
type shown struct {
	Template     string                     `json:"template"`
	Modified     string                     `json:"modified_at"`
	RemoteHost   string                     `json:"remote_host"`
	RemoteModel  string                     `json:"remote_model"`
	ModelInfo    map[string]json.RawMessage `json:"model_info"`
	Capabilities []string                   `json:"capabilities"`
}

// context is the model's own limit; 0: not told.
func (s shown) context() int { return int(s.number("context_length", 1<<30)) }

// number is what the server tells of how the model is made; 0: nothing, or none up to most.
// One that differs from layer to layer comes as null.
func (s shown) number(name string, most int64) int64 {
	var arch string
	var n int64
	if json.Unmarshal(s.ModelInfo["general.architecture"], &arch) != nil || json.Unmarshal(s.ModelInfo[arch+"."+name], &n) != nil || n < 0 || n > most {
		return 0
	}
	return n
}

// tools reports whether the model may call them. Older servers tell no capabilities, and
// go by the template themselves.
func (s shown) tools() bool {
	return slices.Contains(s.Capabilities, "tools") || s.Capabilities == nil && strings.Contains(s.Template, ".Tools")
}

// Info asks /api/show. Context is the window in force, which may be less than the model's
// own.
func (c *Chat) Info(ctx context.Context) (model.Info, error) {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	err := c.describe(ctx)
	return c.asked.info, err
}

// describe asks the server, unless it has told already. The lock is held.
func (c *Chat) describe(ctx context.Context) error {
	a := &c.asked
	if a.done {
		return nil
	}
	var s shown
	if err := ask(ctx, c.endpoint, min(askWithin, c.opts.Patience.First), http.MethodPost, "/api/show", map[string]string{"model": c.model}, &s); err != nil {
		return err
	}
	if a.window == 0 {
		a.window = c.wanted(s)
	}
	a.done = true
	a.info = model.Info{
		Context: a.window, Tools: s.tools(), Format: true, Thinking: slices.Contains(s.Capabilities, "thinking"),
		Images: slices.Contains(s.Capabilities, "vision"),
		Remote: c.elsewhere(s),
	}
	if limit := s.context(); limit > 0 {
		a.info.Context = min(a.window, limit) // the server gives no model more
	}
	a.info.Made = c.made(ctx, s)
	return nil
}

// tookForLocal reports whether the server has said that the model stays on this machine. It is
// asked anew: another model may have been put under that name.
func (c *Chat) tookForLocal() bool {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	local := c.asked.done && !c.asked.info.Remote
	c.asked.done = c.asked.done && !local
	return local
}

// made tells the server's version and when the model was fetched or made; empty: it doesn't
// say, which costs nothing but to know that they are others.
func (c *Chat) made(ctx context.Context, s shown) string {
	if s.Modified == "" {
		return ""
	}
	var v struct {
		Version string `json:"version"`
	}
	if ask(ctx, c.endpoint, min(askWithin, c.opts.Patience.First), http.MethodGet, "/api/version", nil, &v) != nil || v.Version == "" {
		return ""
	}
	return wire.Clean(v.Version + ", " + s.Modified)
}

func (c *Chat) elsewhere(s shown) bool {
	return elsewhere(c.endpoint, c.model, s.RemoteHost, s.RemoteModel)
}

// wanted is the window to ask for of a model that is described so, or not at all.
func (c *Chat) wanted(s shown) int {
	n := c.opts.Context
	if n <= 0 {
		n = c.chosen(s)
	}
	if limit := s.context(); limit > 0 {
		n = min(n, limit)
	}
	return n
}

// chosen is the window where none is set. What is free here says nothing of a model that
// runs elsewhere.
func (c *Chat) chosen(s shown) int {
	perToken := s.cacheBytes()
	if c.opts.Free == nil || perToken == 0 || c.elsewhere(s) {
		return usualContext
	}
	if free := c.opts.Free(); free > 0 {
		return affordable(free, perToken)
	}
	return usualContext
}

// window is the num_ctx of each request, and whether the model thinks. Once settled it stays: with another one the
// server would load the model anew. A server that won't describe the model may run it all
// the same; one that isn't there is worth trying again, and may yet tell.
func (c *Chat) window(ctx context.Context) (size int, thinks bool, err error) {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	if c.asked.window > 0 {
		return c.asked.window, c.asked.info.Thinking, nil
	}
	if err := c.describe(ctx); err != nil {
		if ctx.Err() != nil || absent(err) {
			return 0, false, err
		}
		c.asked.window = c.wanted(shown{})
	}
	return c.asked.window, c.asked.info.Thinking, nil
}

// absent reports whether nobody listens at the address.
func absent(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	return ok && e.Status == 0 && e.Passing()
}

// Listed is a model that a server has.
type Listed struct {
	Name   string
	Size   int64 // bytes
	Remote bool  // what it is sent leaves this machine
}

// Models returns the models that a server has, by /api/tags.
func Models(ctx context.Context, e *endpoint.Endpoint) ([]Listed, error) {
	var tags struct {
		Models []struct {
			Name        string `json:"name"`
			Size        int64  `json:"size"`
			RemoteHost  string `json:"remote_host"`
			RemoteModel string `json:"remote_model"`
		} `json:"models"`
	}
	if err := ask(ctx, e, askWithin, http.MethodGet, "/api/tags", nil, &tags); err != nil {
		return nil, err
	}
	var all []Listed
	for _, m := range tags.Models {
		all = append(all, Listed{Name: wire.Clean(m.Name), Size: m.Size, Remote: elsewhere(e, m.Name, m.RemoteHost, m.RemoteModel)})
	}
	return all, nil
}

// elsewhere reports whether what a model is sent leaves this machine.
func elsewhere(e *endpoint.Endpoint, name, remoteHost, remoteModel string) bool {
	return !e.Local() || remoteHost != "" || remoteModel != "" || cloudName(name)
}

// cloudName: the server passes on to ollama.com what is asked of a model of such a name.
func cloudName(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return strings.HasSuffix(name, ":cloud") || strings.HasSuffix(name, "-cloud")
}

// ask makes a request with a short answer. Errors are *endpoint.Error or come from ctx.
func ask(ctx context.Context, e *endpoint.Endpoint, within time.Duration, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, e.URL().JoinPath(path).String(), body)
	if err != nil {
		return err
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	client := e.Client()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err == nil {
		defer resp.Body.Close()
		if err = json.NewDecoder(resp.Body).Decode(out); err != nil && limited.Err() == nil {
			err = e.Answered(resp.StatusCode, "its answer makes no sense: "+err.Error())
		}
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return e.Answered(0, fmt.Sprintf("no answer within %v", within))
	}
	return endpoint.Cause(err)
}

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// described is what a server told of a model, once it did.
type described struct {
	mu   sync.Mutex
	done bool
	info model.Info
}

// listing is the answer of /models, with what some servers add to it.
type listing struct {
	Data []listed `json:"data"`
}

type listed struct {
	ID            string `json:"id"`
	MaxModelLen   int    `json:"max_model_len"`  // vLLM
	ContextLength int    `json:"context_length"` // OpenRouter, Mistral and others
	ContextWindow int    `json:"context_window"` // Groq
	Loaded        int    `json:"loaded_context_length"`
	Root          string `json:"root"` // vLLM: the model's files
	Pricing       struct {
		Prompt     json.RawMessage `json:"prompt"`
		Completion json.RawMessage `json:"completion"`
		Request    json.RawMessage `json:"request"`
		Cached     json.RawMessage `json:"input_cache_read"`
	} `json:"pricing"` // OpenRouter: of one token, as texts
	Architecture struct {
		Input []string `json:"input_modalities"` // OpenRouter
	} `json:"architecture"`
	Capabilities json.RawMessage `json:"capabilities"` // Mistral: {"vision": true}
	Meta         struct {
		Context int `json:"n_ctx"` // llama.cpp: what was asked for when it was started
		Trained int `json:"n_ctx_train"`
		// Of the model that it was started with, whatever its name.
		Size   int64 `json:"size"`
		Params int64 `json:"n_params"`
	} `json:"meta"`
}

// made tells one model of a name from another. No server tells its own version there, and a
// time that some do tell is that of the request.
func (l listed) made() string {
	switch {
	case l.Meta.Size > 0:
		return fmt.Sprintf("%d parameters in %d bytes", l.Meta.Params, l.Meta.Size)
	case l.Root != l.ID:
		return wire.Clean(l.Root)
	}
	return ""
}

func (l listed) context() int {
	for _, n := range []int{l.Loaded, l.Meta.Context, l.MaxModelLen, l.ContextLength, l.ContextWindow, l.Meta.Trained} {
		if n > 0 {
			return n
		}
	}
	return 0
}

// images reports whether the server says that the model takes them.
func (l listed) images() bool {
	var has struct {
		Vision bool `json:"vision"`
	}
	return slices.Contains(l.Architecture.Input, "image") || json.Unmarshal(l.Capabilities, &has) == nil && has.Vision
}

// price is what a million tokens cost. It isn't known where it varies, which OpenRouter says
// with -1, or where each request costs something besides.
func (l listed) price() (p model.Price, known bool) {
	in, reads := million(l.Pricing.Prompt)
	out, writes := million(l.Pricing.Completion)
	if each, told := million(l.Pricing.Request); told && each != 0 || !reads || !writes {
		return model.Price{}, false
	}
	cached, told := million(l.Pricing.Cached)
	if !told || cached > in {
		cached = 0 // as the others
	}
	return model.Price{Input: in, Output: out, Cached: cached}, true
}

// million is a price of a million by that of one.
func million(one json.RawMessage) (float64, bool) {
	var text string
	if json.Unmarshal(one, &text) != nil {
		text = string(one) // there may be servers that have a number
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n < 1) {
		return 0, false
	}
	return math.Round(n*1e12) / 1e6, true // else 0.000003 is 2.9999999999999996
}

// Info asks /models. What tools and schemas are worth, no server says there: they are
// taken to work until they don't.
func (c *Chat) Info(ctx context.Context) (model.Info, error) {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	if c.asked.done {
		return c.asked.info, nil
	}
	all, err := list(ctx, c.endpoint)
	if err != nil {
		return model.Info{}, err
	}
	info := model.Info{Tools: true, Format: true, Remote: !c.endpoint.Local()}
	for _, l := range all {
		if l.ID == c.model || len(all) == 1 {
			info.Context, info.Made, info.Images = l.context(), l.made(), l.images()
			info.Price, info.Priced = l.price()
		}
	}
	c.asked.done, c.asked.info = true, info
	return info, nil
}

// Models returns the names of the models that a server has.
func Models(ctx context.Context, e *endpoint.Endpoint) ([]string, error) {
	all, err := list(ctx, e)
	var names []string
	for _, l := range all {
		names = append(names, l.ID)
	}
	return names, err
}

func list(ctx context.Context, e *endpoint.Endpoint) ([]listed, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(e.URL().String(), "/")+"/models", nil)
	if err != nil {
		return nil, err
	}
	client := e.Client()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return nil, endpoint.Cause(err)
	}
	defer resp.Body.Close()
	var out listing
	err = json.NewDecoder(resp.Body).Decode(&out)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && len(out.Data) > 0 {
		err = nil // one figure makes no sense: the others were read
	}
	if err != nil {
		return nil, fmt.Errorf("%w: its list of models: %w", ErrAnswer, err)
	}
	return out.Data, nil
}

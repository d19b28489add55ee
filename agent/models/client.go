package models

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/tool/dialect"
)

const (
	// askWithin bounds how long a server is asked about itself: a turn waits for that.
	askWithin = 5 * time.Second
	// quietFor is how long one that said nothing then isn't asked again: it may well answer
	// a turn all the same, and each of its requests would wait.
	quietFor = time.Minute
)

// maxMade bounds, in bytes, what is kept of how a server tells itself from another.
const maxMade = 200

// A client gives a server's client its tools in the language of that server, and asks what
// the model can do without waiting for long.
type client struct {
	model.Described
	endpoint *endpoint.Endpoint
	tools    dialect.Kind // the language of tools
	format   dialect.Kind // of the schema of an answer
	passes   bool         // the settings say that it passes on what it is sent
	tells    bool         // it tells whether it does, of its own kind
	price    budget.Price // of the settings
	priced   bool         // they have one
	// limited: without a price nothing is asked. tellsPrice: the server may have one.
	limited, tellsPrice bool
	told                atomic.Pointer[model.Info] // what it told last; nil: nothing
	sent                func(endpoint.Sent)        // hears what leaves this machine; nil: nobody does

	asking chan struct{} // holds one while the server is asked, which guards what follows
	silent error         // it said nothing
	until  time.Time     // it isn't asked before
}

func newClient(e *endpoint.Endpoint) *client {
	return &client{endpoint: e, asking: make(chan struct{}, 1)}
}

// Remote reports whether what the server is sent leaves this machine: it isn't here, or
// passes it on. Where it would tell and doesn't, it counts as one that does.
func (c *client) Remote(ctx context.Context) bool {
	if !c.endpoint.Local() || c.passes {
		return true
	}
	if !c.tells {
		return false
	}
	info, err := c.Info(ctx)
	return err != nil || info.Remote
}

// Generate asks the server with tools in its language. Whoever asks has seen to it that
// nothing private is in the request; if there is, the error wraps model.ErrPrivate.
func (c *client) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	if c.Remote(ctx) {
		var err error
		if req, err = req.Public(); err != nil {
			return func(yield func(model.Event, error) bool) { yield(model.Event{}, err) }
		}
		if c.sent != nil {
			ctx = endpoint.Record(ctx, c.sent)
		}
	}
	req.Tools = dialect.For(c.tools, req.Tools)
	if req.Format != nil && c.format != dialect.AsIs {
		req.Format = dialect.For(c.format, []model.Tool{{Schema: req.Format}})[0].Schema
	}
	price, err := c.cost(ctx)
	if err != nil {
		return func(yield func(model.Event, error) bool) { yield(model.Event{}, err) }
	}
	return budget.Metered(ctx, req, price, unsent, func() iter.Seq2[model.Event, error] { return c.Described.Generate(ctx, req) })
}

// cost is the model's price: that of the settings, or else what its server tells, which is
// asked only where it has to be known. The error wraps model.ErrPrice.
func (c *client) cost(ctx context.Context) (budget.Price, error) {
	if c.priced {
		return c.price, nil
	}
	told := c.told.Load()
	if told == nil && c.limited {
		if info, err := c.Info(ctx); err == nil {
			told = &info
		} else if ctx.Err() != nil {
			return budget.Price{}, ctx.Err()
		}
	}
	if told != nil && told.Priced {
		return budget.Price(told.Price), nil
	}
	if c.limited {
		return budget.Price{}, fmt.Errorf("%w, nor does its server tell one", unpriced(c.Name()))
	}
	return budget.Price{}, nil
}

// unsent reports whether an error before an answer means that the server has done nothing.
func unsent(err error) bool {
	if e, ok := errors.AsType[*endpoint.Error](err); ok && e.Status != 0 {
		return e.Status != http.StatusOK // else it failed in its stream
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, new(*net.DNSError)) || errors.Is(err, endpoint.ErrCaptured)
}

// Info asks the server, within askWithin. Errors are *endpoint.Error or come from ctx.
func (c *client) Info(ctx context.Context) (model.Info, error) {
	select {
	case c.asking <- struct{}{}:
		defer func() { <-c.asking }()
	case <-ctx.Done():
		return model.Info{}, ctx.Err()
	}
	if c.silent != nil && time.Now().Before(c.until) {
		return model.Info{}, c.silent
	}
	limited, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	info, err := c.Described.Info(limited)
	if len(info.Made) > maxMade {
		info.Made = ""
	}
	switch {
	case err == nil:
		c.told.Store(&info)
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		c.silent = c.endpoint.Answered(0, fmt.Sprintf("it told nothing of the model within %v", askWithin))
		c.until, err = time.Now().Add(quietFor), c.silent
	}
	return info, err
}

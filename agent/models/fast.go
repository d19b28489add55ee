package models

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// A Fast is the model for what is no conversation, which remembers how it did: nobody is
// told of its answers.
type Fast struct {
	model.Model

	mu    sync.Mutex
	calls bool // its server refuses schemas of answers
	used  bool
	err   error // of the last request; nil: it was answered
}

// Generate asks the model and notes whether that went well. What was never asked, or was
// broken off by who asks, says nothing of the model. Of a server that refuses to hold an answer
// to a schema the object is had as the arguments of a call.
func (f *Fast) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		called := req.Format != nil && f.byCalls()
		begun := false
		for again := true; again; {
			again = false
			events := f.Model.Generate(ctx, req)
			if called {
				events = arguments(f.Model.Generate(ctx, asCall(req)))
			}
			for e, err := range events {
				if err != nil && req.Format != nil && !called && !begun && holdsToNone(err) {
					f.callsFrom()
					called, again = true, true
					break
				}
				begun = begun || e.Notice == ""
				f.note(ctx, e, err)
				if !yield(e, err) {
					return
				}
			}
		}
	}
}

// holdsToNone: the server took the request for wrong, and the schema is what is unusual in it.
func holdsToNone(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	return ok && e.Refused() && !errors.Is(err, model.ErrTooLong)
}

// asCall is a request for an object as one for a call with such arguments.
func asCall(req model.Request) model.Request {
	req.Tools = []model.Tool{{Name: "answer", Description: "Gives the answer.", Schema: req.Format}}
	req.Choice, req.Format = model.Required, nil
	return req
}

// arguments has those of the first call for a text. Words count where there is no call.
func arguments(events iter.Seq2[model.Event, error]) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		words, object := "", ""
		for e, err := range events {
			switch {
			case err != nil:
			case e.Text != "":
				words += e.Text
				continue
			case e.Back:
				words = ""
				continue
			case e.Call != nil:
				object = cmp.Or(object, string(e.Call.Arguments))
				continue
			case e.Stop != "":
				if text := cmp.Or(object, words); text != "" && !yield(model.Event{Text: text}, nil) {
					return
				}
				if e.Stop == model.Calls {
					e.Stop = model.End
				}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (f *Fast) byCalls() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

func (f *Fast) callsFrom() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = true
}

// errSlow: nobody waits any longer.
var errSlow = errors.New("it didn't answer in time")

func (f *Fast) note(ctx context.Context, e model.Event, err error) {
	switch {
	case err == nil && e.Text == "" && e.Stop == "", errors.Is(ctx.Err(), context.Canceled), errors.Is(err, model.ErrLimit), errors.Is(err, model.ErrPrivate):
		return
	case errors.Is(err, context.DeadlineExceeded):
		err = errSlow
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used, f.err = true, err
}

// last is how it did: not at all, or with an error, or well.
func (f *Fast) last() (used bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used, f.err
}

// fastRole is the one for what is no conversation.
func (m *Service) fastRole(ask func(*Chat) (model.Info, error)) Role {
	m.mu.Lock()
	fast, clerk, s := m.fast, m.clerk, m.settings
	m.mu.Unlock()
	if err := s.checkFast(); err != nil {
		return failing("fast", s.Fast, err)
	}
	if fast == nil {
		return Role{Name: "fast", Model: Offline, State: "ready"}
	}
	r := Role{Name: "fast", Model: fast.Name(), State: "untried", URL: fast.URL}
	info, err := ask(fast)
	r.tell(fast, info)
	if mute(err) {
		err = nil
	}
	if used, failed := clerk.last(); used {
		r.State, err = "ready", failed // as for chat, how it answers counts
	}
	if err != nil {
		r.State, r.Error, r.Hint = "failing", err.Error(), hint(err)
	}
	return r
}

package models

import (
	"context"
	"errors"
	"iter"
	"sync"

	"kist/agent/model"
)

// A Fast is the model for what is no conversation, which remembers how it did: nobody is
// told of its answers.
type Fast struct {
	model.Model

	mu   sync.Mutex
	used bool
	err  error // of the last request; nil: it was answered
}

// Generate asks the model and notes whether that went well. What was never asked, or was
// broken off by who asks, says nothing of the model.
func (f *Fast) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for e, err := range f.Model.Generate(ctx, req) {
			f.note(ctx, e, err)
			if !yield(e, err) {
				return
			}
		}
	}
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
		return Role{Name: "fast", Model: s.Fast, State: "failing", Error: err.Error(), Hint: faultHint(err)}
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

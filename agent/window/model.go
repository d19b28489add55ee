package window

import (
	"context"
	"errors"
	"iter"
	"sync"

	"kist/agent/model"
)

// usual is taken where neither the settings nor the server tell a window's size.
const usual = 8192

// A Model keeps the requests to another within its window. Its methods may be called
// concurrently.
type Model struct {
	model model.Described
	size  int // as set; 0: what the server tells

	mu    sync.Mutex
	ratio float64 // tokens counted for one estimated
}

// New returns m kept within size tokens, or within what its server tells where size is 0
// or more than that.
func New(m model.Described, size int) *Model { return &Model{model: m, size: size, ratio: 1} }

// Begin takes what was learned before: how many tokens the server counts for one that is
// estimated.
func (m *Model) Begin(ratio float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ratio = ratio
}

// Ratio is what Begin takes, as it is now.
func (m *Model) Ratio() float64 { return m.current() }

// Name is the other model's.
func (m *Model) Name() string { return m.model.Name() }

// Info is the other model's, with the window in force.
func (m *Model) Info(ctx context.Context) (model.Info, error) {
	info, err := m.model.Info(ctx)
	info.Context = m.window(info)
	return info, err
}

func (m *Model) window(info model.Info) int {
	switch {
	case m.size > 0 && info.Context > 0:
		return min(m.size, info.Context)
	case m.size > 0:
		return m.size
	case info.Context > 0:
		return info.Context
	}
	return usual
}

// Generate asks the other model with a request that fits. Where the server finds it too
// long all the same, it is made smaller and sent again, unless something was answered.
func (m *Model) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		info, _ := m.model.Info(ctx) // without it the usual window is kept to
		size := m.window(info)
		for try := 0; ; try++ {
			fitted, err := Fit(req, size, m.current())
			if err == nil {
				err = m.ask(ctx, fitted, yield)
			}
			if err == nil {
				return
			}
			if !errors.Is(err, model.ErrTooLong) || try == 2 || errors.As(err, new(answered)) {
				yield(model.Event{}, err)
				return
			}
			size = size * 2 / 3
		}
	}
}

// answered is an error after something was answered.
type answered struct{ error }

func (a answered) Unwrap() error { return a.error }

// ask passes an answer on and learns from what it cost. It returns nil where nobody
// listens any more.
func (m *Model) ask(ctx context.Context, req model.Request, yield func(model.Event, error) bool) error {
	said := false
	for e, err := range m.model.Generate(ctx, req) {
		if err != nil && said {
			return answered{err}
		}
		if err != nil {
			return err
		}
		if e.Usage != nil {
			m.learn(req, e.Usage.Input)
		}
		said = said || e.Notice == ""
		if !yield(e, nil) {
			return nil
		}
	}
	return nil
}

func (m *Model) current() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ratio
}

// learn corrects the ratio by what a server counted. What can't be, such as the count of
// one that tells only what it read anew, is left out.
func (m *Model) learn(req model.Request, counted int) {
	instructions, _ := req.Prompt()
	now := ""
	if req.Brief != nil {
		now = req.Brief(0).Now
	}
	estimated := model.Tokens(instructions) + model.Tokens(now) + req.Tokens() + frame
	got := float64(counted) / float64(estimated)
	if estimated < 200 || got < 0.5 || got > 2.5 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ratio += (got - m.ratio) / 2
}

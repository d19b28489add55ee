package window

import (
	"context"
	"encoding/json"
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
// long all the same, it is made smaller and sent again, unless something was answered. An
// answer that came to its limit before it said or called anything, as of a model that thinks
// long or writes a long note, may take all that is left of the window at a second try.
func (m *Model) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		info, _ := m.model.Info(ctx) // without it the usual window is kept to
		size := m.window(info)
		for try := 0; ; try++ {
			fitted, err := Fit(req, size, m.current())
			if err == nil {
				err = m.ask(ctx, fitted, req.MaxOutput == 0 && fitted.MaxOutput < size-fitted.Input, yield)
			}
			switch {
			case err == nil:
				return
			case errors.Is(err, errShort):
				req.MaxOutput = size // as much of it as is left
			case !errors.Is(err, model.ErrTooLong) || try == 2 || errors.As(err, new(answered)):
				yield(model.Event{}, err)
				return
			default:
				size = size * 2 / 3
			}
		}
	}
}

// answered is an error after something was answered.
type answered struct{ error }

func (a answered) Unwrap() error { return a.error }

// errShort: an answer came to its limit and had nothing to be shown or run.
var errShort = errors.New("the answer needs more room")

// ask passes an answer on and learns from what it cost. It returns nil where nobody
// listens any more, and errShort only where there is more room.
func (m *Model) ask(ctx context.Context, req model.Request, more bool, yield func(model.Event, error) bool) error {
	a := &asking{yield: yield, more: more}
	for e, err := range m.model.Generate(ctx, req) {
		if err != nil && a.answered {
			return answered{err}
		}
		if err != nil {
			return err
		}
		if e.Usage != nil {
			m.learn(req, e.Usage.Input)
		}
		if on, err := a.take(e); !on || err != nil {
			return err
		}
	}
	return nil
}

// An asking is an answer on its way. Calls wait for its end, since one that was cut off is none.
type asking struct {
	yield    func(model.Event, error) bool
	more     bool // there is more room
	answered bool
	spoke    bool
	calls    []model.Event
	half     bool // one of them was cut off
}

// take passes an event on, and reports whether there shall be more.
func (a *asking) take(e model.Event) (on bool, err error) {
	switch {
	case e.Call != nil && a.more:
		a.calls, a.half = append(a.calls, e), a.half || !json.Valid(e.Call.Arguments)
		return true, nil
	case e.Stop == model.Length && a.more && !a.spoke && (len(a.calls) == 0 || a.half):
		return false, errShort
	case e.Stop != "":
		for _, call := range a.calls {
			if !a.yield(call, nil) {
				return false, nil
			}
		}
	}
	a.spoke = a.spoke || e.Text != ""
	a.answered = a.answered || e.Notice == ""
	return a.yield(e, nil), nil
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

package window

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"kist/agent/model"
)

// usual is taken where neither the settings nor the server tell a window's size.
const usual = 8192

// A Model keeps the requests to another within its window. Its methods may be called
// concurrently.
type Model struct {
	model model.Described
	size  int // as set; 0: what the server tells
	cuts  func(model.Info) bool
	counts
}

// New returns m kept within size tokens, or within what its server tells where size is 0
// or more than that.
func New(m model.Described, size int) *Model {
	return &Model{model: m, size: size, cuts: func(model.Info) bool { return false }, counts: counts{ratio: 1}}
}

// Watch has it noticed, by what the server counts, that it leaves out what doesn't fit. cuts
// reports whether a server that says this of itself may do so. It is called once, at first.
func (m *Model) Watch(cuts func(model.Info) bool) { m.cuts = cuts }

// Begin takes what was learned before: how many tokens the server counts for one that is
// estimated, and the window that it was found to have; 0: the one it tells.
func (m *Model) Begin(ratio float64, keeps int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ratio, m.keeps = ratio, keeps
}

// Learned is what Begin takes, as it is now.
func (m *Model) Learned() (ratio float64, keeps int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ratio, m.keeps
}

// Name is the other model's.
func (m *Model) Name() string { return m.model.Name() }

// Info is the other model's, with the window in force.
func (m *Model) Info(ctx context.Context) (model.Info, error) {
	info, err := m.model.Info(ctx)
	info.Context = m.Size(info)
	return info, err
}

// Largest is the largest window that is believed, in tokens: what a server tells above isn't one.
const Largest = 4 << 20

// Size is the window in force, in tokens: the smallest of those that are set, told and found out.
func (m *Model) Size(info model.Info) int {
	_, keeps := m.Learned()
	size := 0
	for _, n := range []int{m.size, info.Context, keeps} {
		if n > 0 && n <= Largest && (size == 0 || n < size) {
			size = n
		}
	}
	return cmp.Or(size, usual)
}

// Generate asks the other model with a request that fits. Where the server finds it too
// long all the same, or cuts it, it is made smaller and sent again, unless something was answered. An
// answer that came to its limit before it said or called anything, as of a model that thinks
// long or writes a long note, may take all that is left of the window at a second try, once in a turn.
func (m *Model) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		info, _ := m.model.Info(ctx) // without it the usual window is kept to
		size := m.Size(info)
		for try := 0; ; try++ {
			ratio := m.fitBy()
			fitted, err := Fit(req, size, ratio)
			if err == nil {
				more := (req.Longer == nil || !*req.Longer) && req.MaxOutput == 0 && fitted.MaxOutput < size-fitted.Input
				a := &asking{yield: yield, more: more, estimated: float64(fitted.Input) / ratio, cuts: m.cuts(info)}
				err = m.ask(ctx, fitted, a)
			}
			switch {
			case err == nil:
				return
			case errors.Is(err, errCut) && try < 2:
				size = m.Size(info)
			case errors.Is(err, errShort):
				req.MaxOutput = size // as much of it as is left
				if req.Longer != nil {
					*req.Longer = true
				}
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

// errCut: the server left out what was too long for it, and nothing was said or run.
var errCut = errors.New("the server left out a part of the request, and said nothing of it")

// ask passes an answer on and learns from what it cost. It returns nil where nobody
// listens any more, errShort only where there is more room, and errCut only where there is less.
func (m *Model) ask(ctx context.Context, req model.Request, a *asking) error {
	for e, err := range m.model.Generate(ctx, req) {
		if err != nil && a.answered {
			return answered{err}
		}
		if err != nil {
			return err
		}
		if u := e.Usage; u != nil {
			if counted := whole(*u); m.taken(a.estimated, surely(a.estimated, req), counted, req.Context, a.cuts) {
				_, keeps := m.Learned()
				a.again = !a.spoke && len(a.calls) > 0
				if !a.yield(told(m.Name(), req.Input, counted, keeps), nil) {
					return nil
				}
			}
		}
		if on, err := a.take(e); !on || err != nil {
			return err
		}
	}
	return nil
}

// whole is how much a server read, where it may count what it had read before beside it.
func whole(u model.Usage) int {
	if u.Cached > u.Input {
		return u.Input + u.Cached
	}
	return u.Input
}

// An asking is an answer on its way. Calls wait for its end, since one that was cut off is none.
type asking struct {
	yield     func(model.Event, error) bool
	more      bool // there is more room
	estimated float64
	cuts      bool // the server may leave something out
	again     bool // it did, and has said nothing yet
	answered  bool
	spoke     bool
	calls     []model.Event
	half      bool // one of them was cut off
}

// take passes an event on, and reports whether there shall be more.
func (a *asking) take(e model.Event) (on bool, err error) {
	switch {
	case e.Call != nil && a.more:
		a.calls, a.half = append(a.calls, e), a.half || !json.Valid(e.Call.Arguments)
		return true, nil
	case e.Stop == model.Length && a.more && !a.spoke && (len(a.calls) == 0 || a.half):
		return false, errShort
	case e.Stop != "" && a.again:
		return false, errCut
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

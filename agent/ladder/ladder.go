package ladder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/spoken"
)

// A Rung is how a model's calls are read.
type Rung int

// The rungs, from the top.
const (
	Native Rung = iota
	Union
	Text
)

func (r Rung) String() string { return [...]string{"native", "union", "text"}[r] }

// A Schema returns what an answer has to match that may make one call of the tools on
// offer: see package dialect.
type Schema func(tools []model.Tool) json.RawMessage

// Options for [New].
type Options struct {
	Schema Schema
	// Offer is how many tools there is room for in a window of so many tokens; 0: all.
	Offer func(window int) int
	// From is the rung to begin at, such as one that was found before.
	From Rung
	// Down is how it came there, where that was found before.
	Down Down
	// Again is after how long a model that came down is tried higher up again; 0: never.
	Again time.Duration
}

// A Model reads another one's calls. Its methods may be called concurrently.
type Model struct {
	model model.Described
	opts  Options

	mu     sync.Mutex
	rung   Rung
	falls  int // turns in which it had to go down for calls that made no sense
	begun  bool
	down   Down
	trying bool // it is tried higher up than from, where it stood
	from   Rung
}

// New returns m with its calls read.
func New(m model.Described, opts Options) *Model {
	return &Model{model: m, opts: opts, rung: opts.From, down: opts.Down}
}

// Name is the other model's.
func (m *Model) Name() string { return m.model.Name() }

// Info is the other model's.
func (m *Model) Info(ctx context.Context) (model.Info, error) { return m.model.Info(ctx) }

// Rung is where the model stands.
func (m *Model) Rung() Rung {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rung
}

// Generate asks the other model. Where its server refuses what a rung asks for, the same
// is asked from the next, unless something was answered.
func (m *Model) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		info, _ := m.model.Info(ctx) // what isn't known is tried
		for rung := m.begin(info, req); ; rung++ {
			err := m.ask(ctx, rung, info, req, yield)
			if err == nil {
				return
			}
			if rung == Text || !refused(err) {
				yield(model.Event{}, err)
				return
			}
			if e, ok := errors.AsType[*endpoint.Error](err); ok && e.Status >= 500 && !yield(model.Event{Notice: fmt.Sprintf("%s failed when it was asked with %s (%s); it is asked another way.", m.Name(), asked[rung], e.Err)}, nil) {
				return
			}
			m.descend(rung+1, info)
		}
	}
}

// asked is what a request of a rung has that a server may fail at.
var asked = [...]string{Native: "tools", Union: "a schema"}

// told: the server says what the model can do. Its window is known without.
func told(info model.Info) bool {
	info.Context = 0
	return info != model.Info{}
}

// refused: the server is there and doesn't take what was asked.
func refused(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	return ok && e.Refused() && !errors.Is(err, model.ErrTooLong) && !errors.As(err, new(answered))
}

// answered is an error after something was answered.
type answered struct{ error }

func (a answered) Unwrap() error { return a.error }

// begin is the rung for a request: the model's, and one below where the step before made
// no sense, or where a local model is to act: a schema keeps it from making wrong calls.
func (m *Model) begin(info model.Info, req model.Request) Rung {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.begun && told(info) {
		m.begun = true
		if !info.Tools && m.rung == Native {
			m.rung = Union
		}
	}
	m.retry(info, req)
	if madeSense(req) {
		m.stays(info)
	}
	rung := m.rung
	wrong := wrongSteps(req)
	if wrong == 1 {
		switch m.falls++; {
		case m.trying:
			m.fall(m.from, info)
		case m.falls >= 2:
			m.fall(min(m.rung+1, Text), info)
		}
	}
	if rung += Rung(wrong); rung == Native && req.Situation.Action && !info.Remote && info.Format {
		rung = Union
	}
	if rung == Union && !info.Format && told(info) {
		rung = Text
	}
	return min(rung, Text)
}

func (m *Model) descend(to Rung, info model.Info) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fall(to, info)
}

// wrongSteps counts the last steps in a row of which no call made sense.
func wrongSteps(req model.Request) int {
	n, all, results := 0, true, 0
	for i := len(req.Messages) - 1; i > req.Said; i-- {
		switch m := req.Messages[i]; {
		case m.Role == model.ToolRole:
			results++
			all = all && m.Invalid
		case len(m.Calls) > 0:
			if !all || results == 0 {
				return n
			}
			n, all, results = n+1, true, 0
		}
	}
	return n
}

// ask asks from one rung. It returns nil where nobody listens any more.
func (m *Model) ask(ctx context.Context, rung Rung, info model.Info, req model.Request, yield func(model.Event, error) bool) error {
	h := &hearing{yield: yield, rung: rung, tools: req.Tools, known: req.Known, silent: req.Choice == model.None, asked: asks(req)}
	if rung != Native {
		req = m.withoutTools(rung, info, req)
		h.format = req.Format != nil
	}
	h.anew()
	for e, err := range m.model.Generate(ctx, req) {
		if err != nil && h.answered {
			return answered{err}
		}
		if err != nil {
			return err
		}
		if e.Usage != nil && rung == Native && m.leftOut(req, info.Context, e.Usage.Input) {
			m.descend(Union, info)
		}
		if !h.take(e) {
			return nil
		}
	}
	return nil
}

// leftOut reports whether the server can't have shown the tools to the model, by what it
// counted: a template without tools drops them without a word. Of a request that had to be
// made smaller for its window it can't be told.
func (m *Model) leftOut(req model.Request, context, counted int) bool {
	tools := model.Request{Tools: req.Tools}.Tokens()
	if n := m.opts.Offer(context); n > 0 && n < len(req.Tools) {
		tools = tools * n / len(req.Tools)
	}
	instructions, messages := req.Prompt()
	rest := model.Tokens(instructions) + model.Request{Messages: messages}.Tokens()
	return tools >= 40 && rest+tools < context*6/10 && counted > rest/2 && counted < rest*5/4+tools/4
}

// A hearing is one answer that is being read.
type hearing struct {
	yield    func(model.Event, error) bool
	rung     Rung
	tools    []model.Tool
	format   bool                   // an object was asked for
	object   bool                   // the text is an object
	silent   bool                   // calls aren't wanted
	asked    func() bool            // a change was asked for
	known    func(name string) bool // see model.Request
	say      reader
	heard    *spoken.Reader
	start    string // of an object: until it is known whether it is one
	begun    bool
	called   bool
	shown    bool   // some text was
	dots     string // that may begin one
	answered bool
}

// anew begins to read: an answer, or what comes behind thoughts that looked like one.
func (h *hearing) anew() {
	h.say, h.heard, h.object, h.begun, h.start = reader{key: "say"}, spoken.New(h.tools, h.known), h.format, false, ""
	h.dots = ""
}

// take passes an event on, and reports whether there shall be more.
func (h *hearing) take(e model.Event) bool {
	h.answered = h.answered || e.Notice == "" && e.By == nil
	switch {
	case e.Text != "":
		return h.text(e.Text)
	case e.Back:
		if h.anew(); !h.shown {
			return true
		}
		h.shown = false
	case e.Call != nil:
		h.called = true
		return h.silent || h.yield(e, nil)
	case e.Stop != "":
		return h.end(e.Stop)
	}
	return h.yield(e, nil)
}

func (h *hearing) text(piece string) bool {
	if h.object && !h.begun {
		if h.start = strings.TrimLeft(h.start+piece, " \n\t"); h.start == "" {
			return true
		}
		piece, h.begun, h.object = h.start, true, h.start[0] == '{'
	}
	if h.object { // a weak model may put a call, or what is left of one, into its words
		return h.show(h.heard.Add(h.say.add(piece)))
	}
	return h.show(h.heard.Add(piece))
}

func (h *hearing) show(text string) bool {
	if !h.shown { // nothing but dots is no word
		if text = h.dots + text; strings.Trim(text, ".… \t\n") == "" {
			h.dots = text
			return true
		}
		h.shown = true
	}
	return text == "" || h.yield(model.Event{Text: text}, nil)
}

// again is a call that breaks off, to be asked for again; nil: none does.
func again(cut *model.Call, stop model.Stop) []model.Call {
	if cut == nil || stop != model.End && stop != model.Length {
		return nil
	}
	if cut.Refuse = "the call breaks off: make it again, whole"; stop == model.Length {
		cut.Refuse += ", and shorter, since it came to the limit of an answer"
	}
	return []model.Call{*cut}
}

// begunCall is an object in which a call has begun.
var begunCall = regexp.MustCompile(`"call"\s*:\s*[{\[]`)

// asks reports whether a change was asked for, as far as is known. What is told for a draft is
// for that.
func asks(req model.Request) func() bool {
	if req.Situation.Action || req.Situation.Draft != nil || req.Asks == nil {
		return func() bool { return true }
	}
	return req.Asks
}

// beside are the calls that stood in the text. Among words they count only where calls are to
// stand in the text: elsewhere they may be an example, or what somebody else has written. So they
// may there, where they would change something that nobody asked to be changed; and one that is
// all of the answer may be what was asked for as an example: the user is asked.
func (h *hearing) beside(calls []model.Call) []model.Call {
	text := h.rung == Text || h.rung == Union && !h.object
	calls = slices.Clone(calls)
	for i := range calls {
		unasked := h.changes(calls[i]) && !h.asked()
		if !h.heard.Alone() && (!text || unasked) {
			calls[i].Refuse = "a call that stands among words isn't carried out: make it by itself, without words"
		}
		calls[i].Propose = calls[i].Propose || unasked
	}
	return calls
}

// changes reports whether a call is of a tool that changes something.
func (h *hearing) changes(call model.Call) bool {
	return slices.ContainsFunc(h.tools, func(t model.Tool) bool { return t.Name == call.Name && t.Changes })
}

// end yields the calls that were read, and the stop.
func (h *hearing) end(stop model.Stop) bool {
	if !h.show(h.heard.Flush()) {
		return false
	}
	calls := h.beside(h.heard.Calls())
	cut := h.heard.Cut()
	if h.object && h.begun {
		o, whole := h.say.object()
		if !whole && begunCall.Match(o) {
			cut = &model.Call{Name: "unknown", Arguments: o}
		}
		if whole {
			own, words := h.heard.Object(o)
			if len(own) > 0 && !begunCall.Match(o) { // where the call has no place of its own it may be an object that was asked for
				own = h.beside(own)
			}
			if len(own) > 0 {
				calls = own
			}
			if !h.show(words) {
				return false
			}
		}
	}
	if len(calls) == 0 && !h.called {
		calls = again(cut, stop)
	}
	for i := range calls {
		if !h.silent && !h.yield(model.Event{Call: &calls[i]}, nil) {
			return false
		}
		h.called = true
	}
	return h.yield(model.Event{Stop: h.stops(stop, len(calls))}, nil)
}

// stops is why the answer ends, of whose calls so many stood in the text.
func (h *hearing) stops(stop model.Stop, calls int) model.Stop {
	switch {
	case h.silent && stop == model.Calls:
		return model.End
	case h.called && !h.silent && (stop == model.End || stop == model.Length && calls > 0):
		return model.Calls
	}
	return stop
}

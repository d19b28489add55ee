/*
Package route chooses which model answers a turn: the language model that is set up, or
the offline partner beneath it. The partner answers where there is no other, where it is
sure of what is wanted and needs no words of a language model's, and where the other one
fails before it has said anything; then it says so. A model that breaks off in the middle of
a turn ends it; one that nothing has come of can be left for the partner by who asks it.
*/
package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"kist/agent/model"
)

// A Partner answers without a language model.
type Partner interface {
	model.Model
	// Sure reports whether it knows what a message wants, and can do it alone.
	Sure(model.Request) bool
}

// A Faulty model can't be asked, and says why: nothing can be made of the settings.
type Faulty interface{ Fault() error }

// avoided is how long a model that failed isn't asked: a server that hangs would hold up
// each turn, and one that comes back is to be noticed soon.
const avoided = 15 * time.Second

// maxAvoided bounds how long a server can say that it isn't to be asked.
const maxAvoided = 24 * time.Hour

// A State is how the model that is set up does.
type State struct {
	Model string    // its name; empty: none is set up
	Speed float64   // tokens a second of the last answer; 0: not known yet
	Err   error     // why the last request failed; nil: it didn't
	Used  bool      // it was asked
	Until time.Time // it isn't asked before
}

// A Router chooses. Its methods may be called concurrently.
type Router struct {
	partner Partner
	now     func() time.Time

	before func() // each turn; nil: nothing

	mu      sync.Mutex
	chat    model.Model // nil: none
	instant bool
	state   State
}

// New returns a router to the partner alone.
func New(partner Partner) *Router { return &Router{partner: partner, now: time.Now} }

// Use sets the model up, nil for none, from the next turn on. With instant the partner
// answers what it is sure of.
func (r *Router) Use(chat model.Model, instant bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chat, r.instant, r.state = chat, instant, State{}
	if chat != nil {
		r.state.Model = chat.Name()
	}
}

// Before has something done before each turn, such as to read settings anew. It is called
// once, before the first turn.
func (r *Router) Before(do func()) { r.before = do }

// State is how the model does.
func (r *Router) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Name is that of the model that is set up, or the partner's.
func (r *Router) Name() string {
	if s := r.State(); s.Model != "" {
		return s.Model
	}
	return r.partner.Name()
}

// Generate answers one request as if it were a turn of its own.
func (r *Router) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return r.Turn().Generate(ctx, req)
}

// Turn returns the model of one turn, whose requests come one after the other.
func (r *Router) Turn() model.Model {
	if r.before != nil {
		r.before()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return &turn{router: r, chat: r.chat, instant: r.instant}
}

// A turn is answered by one model.
type turn struct {
	router  *Router
	chat    model.Model // nil: the partner answers
	instant bool
	begun   bool   // something was said or called
	told    bool   // who answers
	beside  bool   // the partner took the turn over
	left    string // why the model isn't asked again
	from    int    // messages of the request with which it did; what the model left is before
}

func (t *turn) Name() string {
	if t.chat != nil {
		return t.chat.Name()
	}
	return t.router.partner.Name()
}

func (t *turn) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if t.chat == nil {
			req.Situation.Beside = t.beside
			req.Messages = t.own(req)
			forward(t.router.partner.Generate(ctx, req), yield)
			return
		}
		public, why, partner := t.choose(ctx, req)
		if partner {
			t.partnerAnswers(ctx, req, why, yield)
			return
		}
		err := t.chatAnswers(ctx, public, yield)
		switch {
		case err == nil:
		case t.begun || ctx.Err() != nil || errors.Is(err, model.ErrLimit): // which the user can lift
			yield(model.Event{}, err)
		case errors.Is(err, model.ErrPrice):
			t.partnerAnswers(ctx, req, t.name()+" isn't asked: "+err.Error(), yield)
		default:
			t.partnerAnswers(ctx, req, t.name()+" doesn't answer ("+err.Error()+")"+t.router.pause(), yield)
		}
	}
}

// choose returns the request as the model may have it, or whether the partner answers, and
// why; an empty reason: it is sure.
func (t *turn) choose(ctx context.Context, req model.Request) (public model.Request, why string, partner bool) {
	if !t.told && t.instant && t.router.partner.Sure(req) {
		return req, "", true
	}
	if why := t.instead(); why != "" {
		return req, why, true
	}
	if !t.Remote(ctx) {
		return req, "", false
	}
	public, err := req.Public()
	if err != nil {
		return req, t.name() + " isn't asked: " + cmp.Or(req.Private, err.Error()), true
	}
	return public, "", false
}

// Preview says which model would answer, and has the one that is set up make its request, in
// a context in which nothing is sent.
func (t *turn) Preview(ctx context.Context, req model.Request) model.By {
	partner := t.router.partner.Name()
	if t.chat == nil {
		return model.By{Model: partner, Degraded: "no language model is set up"}
	}
	public, why, aside := t.choose(ctx, req)
	switch {
	case aside && why == "":
		return model.By{Model: partner, Degraded: "kist does this at once, without " + t.name()}
	case aside:
		return model.By{Model: partner, Degraded: why}
	}
	for _, err := range t.chat.Generate(ctx, public) {
		if err != nil {
			break
		}
	}
	return model.By{Model: t.name()}
}

// instead says why the partner answers in place of the model; empty: it doesn't.
func (t *turn) instead() string {
	if f, ok := t.chat.(Faulty); ok {
		return t.name() + " isn't asked: " + f.Fault().Error()
	}
	if !t.begun {
		if s := t.router.State(); s.Err != nil && t.router.now().Before(s.Until) {
			return t.name() + " failed (" + s.Err.Error() + ")" + t.router.pause()
		}
	}
	return t.left
}

// Remote reports whether what the model of this turn is sent leaves this machine.
func (t *turn) Remote(ctx context.Context) bool {
	r, ok := t.chat.(model.Remote)
	return ok && r.Remote(ctx)
}

func (t *turn) name() string { return t.chat.Name() }

// pause says how long a model that failed is left alone.
func (r *Router) pause() string {
	left := r.State().Until.Sub(r.now()).Round(time.Second)
	switch {
	case left <= 0:
		return ""
	case left < time.Minute:
		return fmt.Sprintf(" and isn't asked again for %d s", int(left/time.Second))
	case left < time.Hour:
		return fmt.Sprintf(" and isn't asked again for %d min", int(left.Round(time.Minute)/time.Minute))
	}
	return fmt.Sprintf(" and isn't asked again for %.1f h", left.Hours())
}

// Leave has the partner answer the rest of the turn, and reports whether it doesn't already.
func (t *turn) Leave(why string) bool {
	if t.chat != nil && t.left == "" {
		t.left = why
		return true
	}
	return false
}

// partnerAnswers has the partner answer the rest of the turn, from the user's message on.
func (t *turn) partnerAnswers(ctx context.Context, req model.Request, why string, yield func(model.Event, error) bool) {
	if why != "" {
		why += ", so I do what I can without it."
		t.from = len(req.Messages)
		req.Messages = t.own(req)
	}
	t.chat, t.beside = nil, true
	req.Situation.Beside = true
	if yield(model.Event{By: &model.By{Model: t.router.partner.Name(), Degraded: why}}, nil) {
		forward(t.router.partner.Generate(ctx, req), yield)
	}
}

// own are the messages that the partner gets: without the calls of the model that it took
// over from, and without what kist said to that one, which would be taken for the user's words.
func (t *turn) own(req model.Request) []model.Message {
	after := min(req.Said+1, len(req.Messages))
	return slices.Concat(req.Messages[:after], req.Messages[min(max(after, t.from), len(req.Messages)):])
}

func forward(events iter.Seq2[model.Event, error], yield func(model.Event, error) bool) {
	for e, err := range events {
		if !yield(e, err) {
			return
		}
	}
}

// chatAnswers asks the model and notes how it does. It returns nil where nobody listens
// any more.
func (t *turn) chatAnswers(ctx context.Context, req model.Request, yield func(model.Event, error) bool) error {
	var first time.Time
	stopped := false
	for e, err := range t.chat.Generate(ctx, req) {
		if err != nil {
			if ctx.Err() == nil {
				t.router.failed(err, !t.begun)
			}
			return err
		}
		if e.Text != "" || e.Call != nil || e.Stop != "" {
			if !t.told {
				t.told = true
				if !yield(model.Event{By: &model.By{Model: t.chat.Name()}}, nil) {
					return nil
				}
			}
			t.begun = true
		}
		if e.Stop != "" {
			stopped = true
			t.router.did(0, first)
		}
		if first.IsZero() && (e.Text != "" || e.Thinking != "") {
			first = t.router.now()
		}
		if e.Usage != nil {
			if *e.Usage == (model.Usage{}) {
				continue // a server that doesn't count: what it took is estimated
			}
			t.router.did(e.Usage.Output, first)
		}
		if !yield(e, nil) {
			return nil
		}
	}
	if !stopped && ctx.Err() == nil {
		t.router.failed(model.ErrCut, !t.begun)
		return model.ErrCut
	}
	return nil
}

// failed notes an error. Until when the model is avoided its server may say; one that broke
// off while it answered, or whose answer or request was too long, may well answer another.
func (r *Router) failed(err error, avoid bool) {
	if errors.Is(err, model.ErrLimit) || errors.Is(err, model.ErrPrice) {
		return // it wasn't asked
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Err, r.state.Used = err, true
	wait, said := time.Duration(0), time.Duration(0)
	if e, ok := errors.AsType[interface {
		error
		Wait() time.Duration
	}](err); ok {
		said = min(e.Wait(), maxAvoided)
	}
	if avoid && said >= 0 && !errors.Is(err, model.ErrTooLong) {
		wait = avoided
	}
	r.state.Until = r.now().Add(max(wait, said))
}

func (r *Router) did(tokens int, first time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Err, r.state.Used, r.state.Until = nil, true, time.Time{}
	if took := r.now().Sub(first); !first.IsZero() && tokens > 5 && took > 50*time.Millisecond {
		r.state.Speed = float64(tokens) / took.Seconds()
	}
}

/*
Package route chooses which model answers a turn: the language model that is set up, or
the offline partner beneath it. The partner answers where there is no other, where it is
sure of what is wanted and needs no words of a language model's, and where the other one
fails before it has said anything; then it says so. Between the two a second language model may
stand, for where the first can't be asked. It gets no request that was made for another one, since
they may not see the same: who asks makes it anew (model.ErrAnew). A model that breaks off in the
middle of a turn ends it; one that nothing has come of can be left for the partner by who asks it.
*/
package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
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
	seats   []*seat // the one that is set up, and those that take over; none: none is
	instant bool
}

// A seat is a language model, and how it does.
type seat struct {
	model.Model
	state State
}

// New returns a router to the partner alone.
func New(partner Partner) *Router { return &Router{partner: partner, now: time.Now} }

// Use sets the model up, nil for none, from the next turn on, and those that take over from it, in
// this order. With instant the partner answers what it is sure of.
func (r *Router) Use(chat model.Model, instant bool, behind ...model.Model) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seats, r.instant = nil, instant
	if chat == nil {
		return
	}
	for _, m := range slices.Concat([]model.Model{chat}, behind) {
		r.seats = append(r.seats, &seat{m, State{Model: m.Name()}})
	}
}

// Before has something done before each turn, such as to read settings anew. It is called
// once, before the first turn.
func (r *Router) Before(do func()) { r.before = do }

// State is how the model does.
func (r *Router) State() State { return r.at(0) }

// Fallback is how the first one does that takes over from it.
func (r *Router) Fallback() State { return r.at(1) }

func (r *Router) at(i int) State {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i >= len(r.seats) {
		return State{}
	}
	return r.seats[i].state
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
	t := &turn{router: r, instant: r.instant}
	if len(r.seats) > 0 {
		t.chat, t.behind = r.seats[0], r.seats[1:]
	}
	r.mu.Unlock()
	for t.chat != nil && t.next(t.instead()) { // which is known before a request is made for it
	}
	return t
}

// A turn is answered by one model.
type turn struct {
	router  *Router
	chat    *seat   // nil: the partner answers
	behind  []*seat // that take over before anything has come of the turn
	passed  string  // why those before weren't asked, or don't answer
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
		if !partner {
			err := t.chatAnswers(ctx, public, yield)
			switch {
			case err == nil:
				return
			case t.begun || ctx.Err() != nil || errors.Is(err, model.ErrLimit): // which the user can lift
				yield(model.Event{}, err)
				return
			case errors.Is(err, model.ErrPrice):
				why = t.chat.Name() + " isn't asked: " + err.Error()
			default:
				why = t.chat.Name() + " doesn't answer (" + err.Error() + ")" + t.router.pause(t.chat)
			}
		}
		if t.next(why) {
			yield(model.Event{}, model.ErrAnew)
			return
		}
		t.partnerAnswers(ctx, req, why, yield)
	}
}

// next has the model behind answer, where there is one and nothing has come of the turn; empty: the
// partner is sure.
func (t *turn) next(why string) bool {
	if why == "" || t.begun || len(t.behind) == 0 {
		return false
	}
	t.passed += why + "; "
	t.chat, t.behind = t.behind[0], t.behind[1:]
	return true
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
		return req, t.chat.Name() + " isn't asked: " + cmp.Or(req.Private, err.Error()), true
	}
	return public, "", false
}

// Preview says which model would answer, and has the one that is set up make its request, in
// a context in which nothing is sent.
func (t *turn) Preview(ctx context.Context, req model.Request) (model.By, error) {
	partner := t.router.partner.Name()
	if t.chat == nil {
		return model.By{Model: partner, Degraded: "no language model is set up"}, nil
	}
	public, why, aside := t.choose(ctx, req)
	switch {
	case aside && why == "":
		return model.By{Model: partner, Degraded: "kist does this at once, without " + t.chat.Name()}, nil
	case aside && t.next(why):
		return model.By{}, model.ErrAnew
	case aside:
		return model.By{Model: partner, Degraded: t.passed + why}, nil
	}
	for _, err := range t.chat.Generate(ctx, public) {
		if err != nil {
			break
		}
	}
	return model.By{Model: t.chat.Name()}, nil
}

// instead says why the partner answers in place of the model; empty: it doesn't.
func (t *turn) instead() string {
	if f, ok := t.chat.Model.(Faulty); ok {
		return t.chat.Name() + " isn't asked: " + f.Fault().Error()
	}
	if !t.begun {
		if s := t.router.state(t.chat); s.Err != nil && t.router.now().Before(s.Until) {
			return t.chat.Name() + " failed (" + s.Err.Error() + ")" + t.router.pause(t.chat)
		}
	}
	return t.left
}

// Remote reports whether what the model of this turn is sent leaves this machine.
func (t *turn) Remote(ctx context.Context) bool {
	if t.chat == nil {
		return false
	}
	r, ok := t.chat.Model.(model.Remote)
	return ok && r.Remote(ctx)
}

func (r *Router) state(s *seat) State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.state
}

// pause says how long a model that failed is left alone.
func (r *Router) pause(s *seat) string {
	left := r.state(s).Until.Sub(r.now()).Round(time.Second)
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
		why = t.passed + why + ", so I do what I can without " + map[bool]string{true: "it.", false: "them."}[t.passed == ""]
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
				t.router.failed(t.chat, err, !t.begun)
			}
			return err
		}
		if e.Text != "" || e.Call != nil || e.Stop != "" {
			if !t.told {
				t.told = true
				by := model.By{Model: t.chat.Name()}
				if t.passed != "" {
					by.Degraded = strings.TrimSuffix(t.passed, "; ") + ", so " + by.Model + " answers."
				}
				if !yield(model.Event{By: &by}, nil) {
					return nil
				}
			}
			t.begun = true
		}
		if e.Stop != "" {
			stopped = true
			t.router.did(t.chat, 0, first)
		}
		if first.IsZero() && (e.Text != "" || e.Thinking != "") {
			first = t.router.now()
		}
		if e.Usage != nil {
			if *e.Usage == (model.Usage{}) {
				continue // a server that doesn't count: what it took is estimated
			}
			t.router.did(t.chat, e.Usage.Output, first)
		}
		if !yield(e, nil) {
			return nil
		}
	}
	if !stopped && ctx.Err() == nil {
		t.router.failed(t.chat, model.ErrCut, !t.begun)
		return model.ErrCut
	}
	return nil
}

// failed notes an error. Until when the model is avoided its server may say; one that broke
// off while it answered, or whose answer or request was too long, may well answer another.
func (r *Router) failed(s *seat, err error, avoid bool) {
	if errors.Is(err, model.ErrLimit) || errors.Is(err, model.ErrPrice) {
		return // it wasn't asked
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.state.Err, s.state.Used = err, true
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
	s.state.Until = r.now().Add(max(wait, said))
}

func (r *Router) did(s *seat, tokens int, first time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.state.Err, s.state.Used, s.state.Until = nil, true, time.Time{}
	if took := r.now().Sub(first); !first.IsZero() && tokens > 5 && took > 50*time.Millisecond {
		s.state.Speed = float64(tokens) / took.Seconds()
	}
}

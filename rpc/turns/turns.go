/*
Package turns lets turns of a conversation outlive the calls that began them, and be followed
by several clients, each from any event on.

	hub := turns.New(agent, vault, stopping)
	turn, err := hub.Send(agent.Message{Session: "new", Text: "Start a project.", ID: requestID}, nil)
	for event, err := range turn.Events(ctx, 0) { ... }

A turn runs until it ends, somebody cancels it, or the daemon stops. A message whose id was
said before isn't said again, also after a restart: its turn is told anew, from memory or from
the conversation. A turn that a crash cut off is gone on with.

Events are kept for some time behind the end of their turn; writing never waits for reading.
*/
package turns

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"kist/agent"
	"kist/agent/ending"
	"kist/vault"
	"kist/vault/conversation"
)

// Errors of this package.
var (
	ErrReused    = errors.New("another message had this request_id")
	ErrWithdrawn = errors.New("the token with which it was begun was withdrawn")
)

const (
	keptTurns = 64               // ended turns whose events are kept
	keptFor   = 15 * time.Minute // behind the end of a turn
)

// A Hub holds the turns of one agent.
type Hub struct {
	agent    *agent.Agent
	vault    *vault.Vault
	stopping <-chan struct{}
	began    time.Time

	mu      sync.Mutex
	turns   []*Turn       // that run or ended of late, in the order in which they came
	changed chan struct{} // closed and replaced when a turn begins or ends
}

// New returns a hub without turns. They are broken off when stopping is closed.
func New(a *agent.Agent, v *vault.Vault, stopping <-chan struct{}) *Hub {
	return &Hub{agent: a, vault: v, stopping: stopping, began: time.Now(), changed: make(chan struct{})}
}

// WaitFor waits until no turn runs any more, or returns ctx's error.
func (h *Hub) WaitFor(ctx context.Context) error {
	for {
		h.mu.Lock()
		i := slices.IndexFunc(h.turns, func(t *Turn) bool { return !t.done })
		changed := h.changed
		h.mu.Unlock()
		if i < 0 {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Send begins a turn, or returns the one that the same message began. It returns ErrReused.
// Where gone is closed, which may be nil, who asked must not have it any more: the turn is
// broken off.
func (h *Hub) Send(m agent.Message, gone <-chan struct{}) (*Turn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.ID != "" {
		for _, t := range h.turns {
			if t.message.ID == m.ID || t.turn == m.ID {
				return t, t.same(m)
			}
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	t := &Turn{hub: h, message: m, cancel: cancel, more: make(chan struct{}), ended: make(chan struct{})}
	h.turns = append(h.turns, t)
	h.forget()
	go func() {
		defer cancel(nil)
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			select {
			case <-h.stopping:
				cancel(nil)
			case <-gone:
				cancel(ErrWithdrawn)
			case <-stop:
			}
		}()
		t.end(t.run(ctx))
	}()
	return t, nil
}

// same reports whether a message is the one that began the turn.
func (t *Turn) same(m agent.Message) error {
	if m.Text != t.message.Text {
		return fmt.Errorf("%w: turn %s", ErrReused, m.ID)
	}
	return nil
}

// forget drops turns that ended long ago, or too many of them. The lock is held.
func (h *Hub) forget() {
	over := 0
	for _, t := range h.turns {
		if t.done {
			over++
		}
	}
	h.turns = slices.DeleteFunc(h.turns, func(t *Turn) bool {
		old := t.done && (over > keptTurns || time.Since(t.at) > keptFor)
		if old {
			over--
		}
		return old
	})
}

// Find returns a turn of a session: the one that is named, by its id or that of its message,
// or else the last; nil: there is none of late. One that is named needs no session.
func (h *Hub) Find(session, turn string) *Turn {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range slices.Backward(h.turns) {
		named := turn != "" && (t.turn == turn || t.message.ID == turn)
		if t.session == session && turn == "" || named && (session == "" || session == t.session) {
			return t
		}
	}
	return nil
}

// Running returns the turn of a session that runs, and what is closed when any turn begins
// or ends.
func (h *Hub) Running(session string) (*Turn, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.turns {
		if t.session == session && !t.done {
			return t, h.changed
		}
	}
	return nil, h.changed
}

func (h *Hub) tell() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// A Turn is one that runs or has ended. What may change is under the hub's lock.
type Turn struct {
	hub     *Hub
	message agent.Message
	cancel  context.CancelCauseFunc
	ended   chan struct{} // closed at the end

	session, turn string // once it has begun
	events        []Event
	err           error // that no turn came of it
	done          bool
	at            time.Time     // of the end
	more          chan struct{} // closed and replaced with each event
}

// An Event is one event of a turn, or its beginning.
type Event struct {
	Number int // from 1 on
	Begun  *Begun
	agent.Event
}

// Begun says which turn it is.
type Begun struct {
	Session, Turn string
	Retold        bool // what follows is told by the conversation
}

// run takes the turn from its message to its end.
func (t *Turn) run(ctx context.Context) error {
	m := t.message
	if m.ID != "" && isOlder(m.ID, t.hub.began) {
		said, cut, err := find(ctx, t.hub.vault, m)
		if err != nil {
			return err
		}
		if said != nil {
			if said.User != "" && !sameText(said.User, m.Text) {
				return fmt.Errorf("%w: turn %s", ErrReused, m.ID)
			}
			return t.retell(ctx, *said)
		}
		if cut != "" {
			m.Session = cut
		}
	}
	m.Begun = func(session, turn string) { t.begin(Begun{Session: session, Turn: turn}) }
	for e, err := range t.hub.agent.Send(ctx, m) {
		if err != nil {
			return err
		}
		t.add(Event{Event: e})
	}
	return nil
}

// retell tells of a turn what the conversation has.
func (t *Turn) retell(ctx context.Context, said conversation.Turn) error {
	t.begin(Begun{Session: said.Session, Turn: said.ID, Retold: true})
	for _, e := range Told(ctx, t.hub.vault, said) {
		t.add(Event{Event: e})
	}
	return nil
}

// Told is what the conversation has of a turn, as events.
func Told(ctx context.Context, v *vault.Vault, said conversation.Turn) (all []agent.Event) {
	for _, id := range said.Operations {
		op, err := v.Operation(ctx, id)
		switch {
		case err != nil: // its log was lost; what it did is in the files
		case op.Status == vault.StatusProposed:
			all = append(all, agent.ApprovalRequest{Operation: op})
		default:
			all = append(all, agent.Operation{Operation: op})
		}
	}
	return append(all, agent.TextDelta{Text: said.Reply}, agent.Done{Session: said.Session, Turn: said.ID, Project: said.Project, Seq: v.Seq()})
}

func (t *Turn) begin(b Begun) {
	t.hub.mu.Lock()
	t.session, t.turn = b.Session, b.Turn
	t.hub.tell()
	t.hub.mu.Unlock()
	t.add(Event{Begun: &b})
}

func (t *Turn) add(e Event) {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	e.Number = len(t.events) + 1
	t.events = append(t.events, e)
	close(t.more)
	t.more = make(chan struct{})
}

func (t *Turn) end(err error) {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	t.done, t.err, t.at = true, err, time.Now()
	if err != nil { // the same message may be tried again
		t.hub.turns = slices.DeleteFunc(t.hub.turns, func(other *Turn) bool { return other == t })
	}
	close(t.more)
	close(t.ended)
	t.hub.tell()
}

// Events yields the events behind the given one, and those that come, until the turn ends. An
// error says that no turn came of the message, or is ctx's.
func (t *Turn) Events(ctx context.Context, after int) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			t.hub.mu.Lock()
			news, more, done, err := t.events[min(after, len(t.events)):], t.more, t.done, t.err
			t.hub.mu.Unlock()
			for _, e := range news {
				if !yield(e, nil) {
					return
				}
				after = e.Number
			}
			if done {
				if err != nil {
					yield(Event{}, err)
				}
				return
			}
			if len(news) > 0 {
				continue
			}
			select {
			case <-more:
			case <-ctx.Done():
				yield(Event{}, ctx.Err())
				return
			}
		}
	}
}

// Cancel breaks the turn off and waits until that is written down. It reports whether the
// turn had ended before.
func (t *Turn) Cancel(ctx context.Context) (ended bool, err error) {
	select {
	case <-t.ended:
		return true, nil
	default:
	}
	t.cancel(ending.Cancelled{})
	return false, t.Ended(ctx)
}

// Ended waits for the end of the turn.
func (t *Turn) Ended(ctx context.Context) error {
	select {
	case <-t.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Begun returns the ids of the turn, once it has begun.
func (t *Turn) Begun() (session, turn string) {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	return t.session, t.turn
}

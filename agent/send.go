package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"kist/agent/ending"
	"kist/agent/model"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// A Message is what the user says.
type Message struct {
	Session string // "": the last one of this device and program; "new": a new one
	Text    string
	Project string // to be in from now on: slug, id or path
	Mode    string // of the session from now on, one of model.Modes; "": as it is
	Client  string // the program: cli, nvim, web
	ID      string // of the turn; empty: a new one
	// Begun is told the session and the turn before the first event; nil: nobody asks.
	Begun func(session, turn string)
}

// pruneStack drops projects that are gone from where "back" leads.
func (t *turn) pruneStack() {
	t.sess.Stack = slices.DeleteFunc(slices.Clone(t.sess.Stack), func(slug string) bool {
		_, ok := t.projects.project(slug)
		return !ok
	})
}

// maxMessage bounds a message in bytes, as the RPC interface does.
const maxMessage = 128 << 10

// Send runs one turn. The last event is Done or Failed; the error is non-nil
// only when the machinery broke before or outside of a turn: no such session or
// project (vault.ErrNotFound), an empty or oversized message (vault.ErrInvalid).
func (a *Agent) Send(ctx context.Context, m Message) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := a.check(m); err != nil {
			yield(nil, err)
			return
		}
		id, fresh, err := a.sessions.find(ctx, m.Session, m.Client)
		if err != nil {
			yield(nil, err)
			return
		}
		unlock, err := a.sessions.inUse.Lock(ctx, id)
		if err != nil {
			yield(nil, err)
			return
		}
		defer unlock()
		t, notice, err := a.begin(ctx, m, id, fresh)
		if err != nil {
			yield(nil, err)
			return
		}
		if fresh {
			t.left = a.sessions.leftovers(ctx)
			defer t.left.unlock()
		}
		t.emit = func(e Event) {
			if t.opened() != nil {
				cancel() // nothing of a turn is told before its message is kept
				return
			}
			if t.msg.Begun != nil {
				t.msg.Begun(t.sess.ID, t.id)
				t.msg.Begun = nil
			}
			if !t.gone && !yield(e, nil) {
				t.gone = true
				cancel()
			}
		}
		if notice != "" {
			t.emit(Notice{notice})
		}
		t.finish(ctx, ending.Cause(ctx, t.run(ctx)))
	}
}

func (a *Agent) check(m Message) error {
	switch {
	case strings.TrimSpace(m.Text) == "":
		return fmt.Errorf("the message is empty: %w", vault.ErrInvalid)
	case len(m.Text) > maxMessage:
		return fmt.Errorf("the message is %d bytes long, the limit is %d: %w", len(m.Text), maxMessage, vault.ErrInvalid)
	}
	return checkMode(m.Mode)
}

// begin loads what a turn starts from.
func (a *Agent) begin(ctx context.Context, m Message, id string, fresh bool) (*turn, string, error) {
	t := &turn{Agent: a, model: a.forTurn(), msg: m, id: cmp.Or(m.ID, a.vault.NewID()), taint: taint{agent: a}, ids: model.IDs{}}
	t.assent = assent{t: t, destroys: map[string]bool{}}
	notice := ""
	if !fresh {
		sess, n, err := a.sessions.load(ctx, id, m.Session != "")
		if err != nil {
			return nil, "", err
		}
		t.sess, notice = sess, n
	}
	t.meter = meterOf(a, m.Text, t.sess.Question)
	if err := t.loadProjects(ctx); err != nil {
		return nil, "", err
	}
	if m.Project != "" {
		slug, err := t.find(ctx, m.Project)
		if err != nil {
			return nil, "", wrap("project", err)
		}
		t.start = &tool.Move{Project: slug}
	}
	if t.sess.ID == "" {
		if !fresh {
			id = a.vault.NewID()
		}
		t.sess = conversation.Session{ID: id, Device: a.vault.Device(), Client: m.Client, Mode: general, Created: a.now(), LastUsed: a.now()}
	}
	if n := t.leaveVanished(); n != "" {
		notice = strings.TrimSpace(notice + " " + n)
	}
	if checkMode(t.sess.Mode) != nil || t.sess.Mode == "" {
		t.sess.Mode, t.sess.Phase = general, "" // edited by hand, or of a newer kist
	}
	if needsProject(m.Mode) && t.start == nil && t.sess.Project == "" {
		return nil, "", fmt.Errorf("a session of the mode %s is about a project: %w", m.Mode, vault.ErrInvalid)
	}
	return t, notice, nil
}

// find returns the slug of a project that a message names by slug, path or id.
func (t *turn) find(ctx context.Context, ref string) (slug string, err error) {
	if p, ok := t.projects.project(ref); ok {
		return p.Slug, nil
	}
	p, err := entity.FindProject(ctx, t.vault, ref)
	return p.Slug, err
}

// leaveVanished drops projects from the session that are no longer there: the
// user may have renamed or removed a folder since the last turn.
func (t *turn) leaveVanished() string {
	t.pruneStack()
	gone := t.sess.Project
	if _, ok := t.projects.project(gone); ok || gone == "" {
		return ""
	}
	t.sess.Project, t.sess.Question = "", conversation.Question{}
	return fmt.Sprintf("The project %q is no longer there, so this conversation is outside any project now.", gone)
}

// finish records the turn, also when it failed or was cancelled, and ends it.
func (t *turn) finish(ctx context.Context, err error) {
	if unkept := t.opened(); unkept != nil {
		err, t.unkept = unkept, nil // told as any other error
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ending.Within)
	defer cancel()
	if t.passing != nil {
		t.sessions.loose.Store(t.sess.ID, true)
		t.emit(Notice{ending.Passing(t.passing)})
	} else if saveErr := t.record(ctx, err); saveErr != nil {
		t.log.Error("turn not recorded", "turn", t.id, "err", saveErr)
		err = errors.Join(err, saveErr)
	}
	t.sessions.used(t.sess.ID, t.msg.Client)
	if err != nil {
		t.emit(Failed{err})
		return
	}
	if t.tip != nil && len(t.assent.offers) == 0 {
		if text := t.tip(t.free); text != "" {
			t.emit(Notice{text})
		}
	}
	t.emit(Done{Session: t.sess.ID, Turn: t.id, Project: t.sess.Project, Seq: t.vault.Seq()})
}

// record writes the conversation first and the session second: a crash between
// them costs a count, not the text.
func (t *turn) record(ctx context.Context, failure error) error {
	if failure != nil {
		t.reply.Add(ending.Told(ctx, t.vault, failure, t.operations))
	}
	reply := strings.TrimSpace(t.reply.String())
	if t.free {
		t.reply.Added = []string{t.aside} // the rest is an answer, though it is kist's as well
	}
	noteProposals(ctx, t)
	_, err := conversation.AppendTurn(ctx, t.vault, conversation.Turn{
		ID: t.id, Session: t.sess.ID, Project: t.sess.Project, At: t.said(),
		User: t.msg.Text, Reply: reply, Added: t.reply.Added, Actions: t.actions, Operations: t.operations, Context: t.sources,
	})
	if err != nil {
		return wrap("write conversation", err)
	}
	t.sess.Turns++
	t.summarise(ctx, &t.sess, t.msg.Text)
	t.sess.LastUsed, t.sess.Hidden = t.now(), false
	t.sess.Question = t.question(reply)
	if once := t.sess.Question.Args["once"]; once != "" {
		t.sess.Asked = append(t.sess.Asked, once)
	}
	t.assent.remember()
	if cut := t.sess.Interrupted; cut != nil && cut.ID == t.id {
		t.sess.Interrupted = nil // else an older one, which could not be recorded yet
	}
	t.closeTurn()
	if d := t.draft; t.free && t.sess.Mode == "project_create" && d != nil && d.Status == "in_progress" && !t.outside() && !t.fromOutside(ctx, d.Path) { // what others wrote advises nobody
		t.advice.Foresee(t.clerk, t.private, t.sess.ID, d.Path, model.Situation{Session: cmp.Or(t.seed, t.sess.ID), Draft: new(draftForModel(*d)), Asked: t.sess.Asked, Question: model.Question(t.sess.Question)})
	}
	t.pruneTainted(ctx)
	if err = conversation.SaveSession(ctx, t.vault, t.sess); err == nil && failure == nil {
		err = t.left.taken(ctx, t.vault)
	}
	return wrap("save session", err)
}

// said is when the message was: the turn is looked for by that day after a crash.
func (t *turn) said() time.Time {
	if t.at.IsZero() {
		return t.now()
	}
	return t.at
}

// question is what the reply asks: what the model said of it, or, of one that only
// writes, a last line that is a question. What waits for a go is asked by the engine.
func (t *turn) question(reply string) conversation.Question {
	if t.asked != nil {
		return conversation.Question(*t.asked)
	}
	if len(t.assent.offers) > 0 {
		return conversation.Question{}
	}
	q := asked(reply)
	if q.Kind == model.Open && t.sess.Mode == "project_create" && t.draft != nil && t.draft.Status == "in_progress" {
		return ofDraft(q, draftForModel(*t.draft), t.previewed, t.sess.Asked, cmp.Or(t.seed, t.sess.ID))
	}
	return q
}

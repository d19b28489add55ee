package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/model"
	"kist/agent/tool"
	"kist/vault"
)

// The limits of one turn. The first two are the design's; the others are far
// above what an honest turn needs.
const (
	maxStepsTalking = 8
	maxStepsActing  = 25
	maxCallsPerStep = 20
	maxInvalid      = 5         // calls that were refused before the turn is given up
	maxReply        = 256 << 10 // bytes of text
	maxSources      = 40        // listed in the conversation file
	historyTurns    = 10        // turns of the project that the model sees
	historyText     = 2000      // runes of each
)

// A turn is one run of [Agent.Send] and is used by one goroutine.
type turn struct {
	*Agent
	msg   Message
	id    string
	emit  func(Event)
	gone  bool       // the consumer stopped listening
	start *tool.Move // where the client says the conversation goes

	sess      vault.Session
	draft     *vault.Draft  // of the session
	drafts    []vault.Draft // other unfinished ones
	projects  *listing
	stale     bool         // projects may have changed since
	opening   <-chan error // receives when the message is kept; nil: it is, or is not yet to be
	unkept    error        // why it could not be kept
	action    bool
	told      bool // go was said with nothing waiting
	served    bool // a tool changed what a wish was for
	looked    bool // a tool told something
	listed    bool // a tool was asked what there is to act on
	denied    bool // a call was refused
	assent    assent
	asked     *model.Question // what the model's words ask
	previewed bool            // the draft was shown
	pending   int
	invalid   int
	left      leftovers // sessions that a new one takes over from
	spent     int       // tokens
	taint
	made      remains   // of the interrupted turns that this one goes on with
	continues []string  // their ids
	at        time.Time // when it was begun; zero: it wasn't yet
	quoted    quotes    // what tools told of the vault

	shown    []model.Passage
	memories []string
	prompted string // the instructions, if they were asked for

	minutes
}

// minutes are what the conversation will tell of a turn.
type minutes struct {
	reply      strings.Builder
	operations []string // ids
	actions    []string // a line for each
	sources    []string
}

// logged puts an operation into the conversation.
func (m *minutes) logged(op vault.Operation) {
	m.operations = append(m.operations, op.ID)
	m.actions = append(m.actions, fmt.Sprintf("%s: %s %s: %s", op.Status, op.Type, op.Entity.Path, oneLine(op.Reason, 200)))
}

func (m *minutes) addSources(sources []string) {
	for _, s := range sources {
		if len(m.sources) < maxSources && !slices.Contains(m.sources, s) {
			m.sources = append(m.sources, s)
		}
	}
}

// run takes the turn from the user's message to the model's last word.
func (t *turn) run(ctx context.Context) error {
	if err := t.recover(ctx); err != nil {
		return err
	}
	t.open(ctx)
	t.assent.before = t.sess
	if err := t.assent.consider(ctx); err != nil {
		return err
	}
	t.leaveMode()
	if err := t.loadDrafts(ctx); err != nil {
		return err
	}
	if t.msg.Mode != "" {
		t.enterMode(t.msg.Mode, t.sess.Draft)
	}
	if t.start != nil {
		if err := t.move(ctx, *t.start); err != nil {
			return err
		}
	}
	history, err := t.history(ctx)
	if err != nil {
		return err
	}
	t.readsSituation(ctx)
	if err := t.assent.settle(ctx); err != nil {
		return err
	}
	if len(t.assent.verdict.Again) > 0 && len(t.assent.settled) == 0 {
		t.assent.show()
		return t.opened()
	}
	situation := t.situation(ctx)
	if t.sess.Turns == 0 {
		situation.Idle = t.idle(ctx, t.projects.all)
	}
	if err := t.converse(ctx, model.Request{
		Situation: situation,
		Messages:  append(history, model.Message{Role: model.User, Text: t.msg.Text}),
	}); err != nil {
		if ctx.Err() == nil && t.opened() == nil { // a model that fails must not lose what was said
			t.keep(ctx)
			t.assent.show()
		}
		return err
	}
	if err := t.opened(); err != nil {
		return err
	}
	t.keep(ctx)
	t.assent.show()
	if t.reply.Len() == 0 && len(t.assent.offers) == 0 {
		t.say("I see.") // it was told something, and nothing of it was kept
	}
	return nil
}

// converse alternates between the model and its tools. The situation stays the
// one at the start of the turn: what changes meanwhile, tool results tell.
func (t *turn) converse(ctx context.Context, req model.Request) error {
	steps := maxStepsTalking
	if t.action {
		steps = maxStepsActing
	}
	req.System = sync.OnceValue(func() string { // it costs searches: for who asks for it
		t.recall(ctx)
		s := req.Situation
		s.Passages, s.Memories, s.Projects = t.shown, t.memories, t.described(ctx, t.projects)
		t.prompted = t.system(s)
		return t.prompted
	})
	req.Tools = modelTools(t.tools.Offer(t.env()))
	for step := 0; ; step++ {
		if why := t.broke(); why != "" {
			t.notice(why)
			return nil
		}
		if step == steps {
			// One more request, to end in words; it has no tools.
			req.Tools = nil
		}
		said, err := t.generate(ctx, req)
		if err != nil {
			return err
		}
		if len(said.Calls) == 0 {
			return nil
		}
		if req.Tools == nil {
			t.notice(fmt.Sprintf("Stopped after %d steps; say go on to continue.", steps))
			return nil
		}
		req.Messages = append(req.Messages, said)
		for i, call := range said.Calls {
			answer, err := t.answer(ctx, call, i)
			if err != nil {
				return err
			}
			req.Messages = append(req.Messages, answer)
		}
		if t.invalid >= maxInvalid {
			t.notice(fmt.Sprintf("Stopped: the model made %d calls that make no sense. Nothing of them was carried out.", t.invalid))
			return nil
		}
	}
}

// generate asks the model once and passes its text on as it comes.
func (t *turn) generate(ctx context.Context, req model.Request) (model.Message, error) {
	said := model.Message{Role: model.Assistant}
	var text strings.Builder
	var used *model.Usage
	defer func() { // what was cut off has cost as well
		said.Text = text.String()
		t.spend(req, said, used)
	}()
	for event, err := range t.model.Generate(ctx, req) {
		if err != nil {
			return said, wrap("model "+t.model.Name(), err)
		}
		switch {
		case event.Text != "":
			if t.reply.Len()+len(event.Text) > maxReply {
				return said, fmt.Errorf("model %s: the reply is over %d bytes", t.model.Name(), maxReply)
			}
			text.WriteString(event.Text)
			t.reply.WriteString(event.Text)
			t.emit(TextDelta{event.Text})
		case event.Call != nil:
			call := *event.Call
			if call.ID == "" {
				call.ID = fmt.Sprintf("call-%d", len(req.Messages)+len(said.Calls))
			}
			if len(said.Calls) > 10*maxCallsPerStep {
				return said, fmt.Errorf("model %s: more than %d calls at once", t.model.Name(), 10*maxCallsPerStep)
			}
			said.Calls = append(said.Calls, call)
		case event.Ask != nil:
			t.asked = event.Ask
		case event.Usage != nil:
			used = event.Usage
		}
		if err := ctx.Err(); err != nil {
			return said, err
		}
	}
	said.Text = text.String()
	return said, ctx.Err()
}

// notice tells the user something and keeps it in the conversation.
func (t *turn) notice(text string) {
	t.emit(Notice{text})
	if t.reply.Len() > 0 {
		t.reply.WriteString("\n\n")
	}
	t.reply.WriteString("(" + text + ")")
}

// history is what was said before in the active project, shortened. Its length
// doesn't depend on how long the conversation is.
func (t *turn) history(ctx context.Context) ([]model.Message, error) {
	turns, err := t.vault.RecentTurns(ctx, t.sess.Project, historyTurns)
	if err != nil {
		return nil, wrap("read conversation", err)
	}
	var out []model.Message
	for _, past := range turns {
		if slices.Contains(t.continues, past.ID) {
			continue // its message is said again now, as an answer to what came before it
		}
		t.inherit(ctx, past)
		out = append(out, model.Message{Role: model.User, Text: shorten(past.User, historyText)})
		if past.Reply != "" {
			out = append(out, model.Message{Role: model.Assistant, Text: shorten(past.Reply, historyText)})
		}
	}
	return out, nil
}

// situation is what holds at the start of the turn.
func (t *turn) situation(ctx context.Context) model.Situation {
	s := model.Situation{
		Now: t.now(), Session: cmp.Or(t.seed, t.sess.ID), Mode: t.sess.Mode, Phase: t.sess.Phase, Action: t.action, Question: model.Question(t.assent.before.Question),
		Pending: t.pending, Turns: t.sess.Turns, Settled: t.assent.settled, Asked: t.sess.Asked, Summary: t.sess.Summary,
	}
	if t.draft != nil {
		s.Draft = new(draftForModel(*t.draft))
	}
	s.Drafts = eachDraft(t.drafts)
	s.Changes = t.changes(ctx, t.msg.Text, t.sess)
	if t.pending > 0 {
		if waiting, err := t.assent.waiting(ctx); err == nil { // a listing; the turn can do without
			s.Aside = t.assent.aside(waiting)
			for _, op := range waiting {
				s.Waiting = append(s.Waiting, oneLine(op.Reason, 200))
			}
		}
	}
	if p, ok := t.projects.project(t.sess.Project); ok {
		s.Project = new(asModel(p))
	}
	for _, slug := range t.sess.Stack {
		if p, ok := t.projects.project(slug); ok {
			s.Stack = append(s.Stack, asModel(p))
		}
	}
	s.Projects, s.Archived = t.projects.models, t.projects.stored
	return s
}

// described are the projects for a prompt, without descriptions from outside: else every
// prompt would have such text.
func (a *Agent) described(ctx context.Context, all *listing) []model.Project {
	out := slices.Clone(all.models)
	for i := range out {
		p, _ := all.project(out[i].Slug)
		if i >= maxDescribed || a.fromOutside(ctx, p.Path) {
			out[i].Description = ""
		}
	}
	return out
}

// maxDescribed is how many projects are described to a model: more don't fit the
// budget of a prompt.
const maxDescribed = 200

// readsSituation: what the conversation is about is in the prompt.
func (t *turn) readsSituation(ctx context.Context) {
	if p, ok := t.projects.project(t.sess.Project); ok {
		t.reads(ctx, p.Path)
	}
	if t.draft != nil {
		t.reads(ctx, t.draft.Path)
	}
}

func (t *turn) loadProjects(ctx context.Context) error {
	all, err := t.heads.list(ctx, t.vault)
	if err == nil {
		t.projects = all
	}
	t.stale = err != nil
	return wrap("list projects", err)
}

// move makes another project the active one.
func (t *turn) move(ctx context.Context, m tool.Move) error {
	before, to := t.sess.Project, m.Project
	stack := t.sess.Stack
	if m.Back {
		to = ""
		if n := len(stack); n > 0 {
			to, stack = stack[n-1], stack[:n-1]
		}
	}
	if _, ok := t.projects.project(to); !ok && to != "" {
		if err := t.loadProjects(ctx); err != nil {
			return err
		}
	}
	p, ok := t.projects.project(to)
	if to != "" && !ok {
		return errors.Join(fmt.Errorf("switch to %s", to), vault.ErrNotFound)
	}
	if before == to {
		return nil
	}
	if !m.Back {
		stack = push(stack, before)
	}
	t.sess.Project = to
	t.sess.Stack = slices.DeleteFunc(slices.Clone(stack), func(s string) bool { return s == to })
	t.emit(ContextSwitch{Project: to, Name: p.Name, Previous: before})
	return nil
}

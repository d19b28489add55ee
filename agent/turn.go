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

	"kist/agent/brief"
	"kist/agent/budget"
	"kist/agent/claims"
	"kist/agent/filing"
	"kist/agent/idle"
	"kist/agent/model"
	"kist/agent/narration"
	"kist/agent/prose"
	"kist/agent/steps"
	"kist/agent/thread"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// A turn is one run of [Agent.Send] and is used by one goroutine.
type turn struct {
	*Agent
	model model.Model // that answers this turn
	msg   Message
	id    string
	emit  func(Event)
	gone  bool       // the consumer stopped listening
	start *tool.Move // where the client says the conversation goes

	sess     conversation.Session
	draft    *entity.Draft  // of the session
	drafts   []entity.Draft // other unfinished ones
	projects *listing
	stale    bool         // projects may have changed since
	opening  <-chan error // receives when the message is kept; nil: it is, or is not yet to be
	unkept   error        // why it could not be kept
	passing  error        // why nothing is kept, of a turn that is answered all the same
	action   bool
	before   string   // the message before this one
	earlier  []string // and those before, the newest last
	// lastPrivate: the turn before this one was about something private; kept: this one is, and isn't
	// the model's for that.
	lastPrivate, kept bool
	told              bool // go was said with nothing waiting
	served            bool // a tool changed what a wish was for
	looked, heard     bool // a tool told something; the model had no use for the message
	listed            bool // a tool was asked what there is to act on
	denied            bool // a call was refused
	claimed           bool // the model says that something was changed, and nothing was
	short             bool // the last words came to their limit
	assent            assent
	asks              func() bool     // the message asks for a change
	asked             *model.Question // what the model's words ask
	previewed         bool            // the draft was shown
	pending           int
	repeats           tool.Repeats
	again             int  // calls of the step that were made before
	worded            bool // a language model has answered, in more than a word or two
	ids               model.IDs
	aside             string          // what of a free answer isn't part of it
	offered           map[string]bool // tools, when the model was first asked
	left              leftovers       // sessions that a new one takes over from
	meter             *budget.Meter
	free              bool // the last answer needed none
	taint
	made      remains   // of the interrupted turns that this one goes on with
	continues []string  // their ids
	at        time.Time // when it was begun; zero: it wasn't yet
	quoted    quotes    // what tools told of the vault

	study        *narration.Study // what was found out about a project
	studyPrivate string           // why that may not leave this machine; empty: it may

	shown    []model.Passage
	memories []string
	prompted string // the instructions, if they were asked for

	minutes
}

// run takes the turn from the user's message to the model's last word.
func (t *turn) run(ctx context.Context) error {
	if err := t.recover(ctx); err != nil {
		return err
	}
	if err := goOn(ctx, t); err != nil {
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
		for _, p := range idle.Projects(ctx, t.vault, t.projects.all, t.now(), brief.Idle) {
			situation.Idle = append(situation.Idle, asModel(p))
		}
	}
	if err := t.converse(ctx, model.Request{
		Situation: situation,
		Messages:  append(history, model.Message{Role: model.User, Text: t.msg.Text}),
		Said:      len(history),
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
	t.assent.bringUp(ctx)
	owns(t, history)
	t.assent.show()
	if t.reply.Len() == 0 && len(t.assent.offers) == 0 {
		t.say("I see.") // it was told something, and nothing of it was kept
	}
	return nil
}

// converse alternates between the model and its tools. The situation stays the
// one at the start of the turn: what changes meanwhile, tool results tell.
func (t *turn) converse(ctx context.Context, req model.Request) error {
	t.asks = sync.OnceValue(func() bool { return t.assent.filing(ctx).AsksChange() })
	most := map[bool]int{false: maxStepsTalking, true: maxStepsActing}[t.action]
	if staysStopped(t) {
		t.notice("All right, nothing more is sent.")
		return nil
	}
	own := len(t.sources)
	req = prepared(ctx, t, req)
	for nudged, pace := "", steps.New(most); ; {
		req.Choice = pace.Choice()
		before := t.reply.Len()
		said, err := t.generate(ctx, req)
		switch {
		case errors.Is(err, model.ErrAnew):
			t.sources = t.sources[:own] // the one before has said and done nothing
			if req, err = anew(ctx, t, req); err == nil {
				continue
			}
		case errors.Is(err, model.ErrLimit):
			t.asked = atLimit(t, err)
			return nil
		}
		if err != nil {
			return err
		}
		if len(said.Calls) == 0 {
			ask, tell := lacking(t, said.Text, len(req.Messages) > req.Said+1)
			if nudged != "" && nudged == said.Text && before < t.reply.Len() { // it says the same once more
				t.emit(Struck{t.reply.Cut(before), true})
			}
			if ask != "" && pace.Nudge() {
				nudged = said.Text
				req.Messages = append(req.Messages, said, model.Message{Role: model.User, Text: ask})
				continue
			}
			if tell == claims.NoAnswer && takenOver(t, pace, " gave no answer") {
				continue
			}
			ends(t, req, tell)
			return narrate(ctx, t)
		}
		if pace.Over() {
			if takenOver(t, pace, " went on calling tools") {
				continue
			}
			stops(t, req, pace)
			return nil
		}
		results, wrong, err := t.results(ctx, said)
		if err != nil {
			return err
		}
		req.Messages = append(req.Messages, results...)
		if pace.Did(len(said.Calls), wrong, t.again) && !takenOver(t, pace, "'s calls led nowhere") {
			stops(t, req, pace)
			return nil
		}
	}
}

// results carries out the calls of a step, and returns it as it goes back, with what came of them
// and how many made no sense.
func (t *turn) results(ctx context.Context, said model.Message) (out []model.Message, wrong int, err error) {
	sent := said
	sent.Calls = slices.Clone(said.Calls)
	for i, call := range sent.Calls {
		sent.Calls[i].Arguments, _ = t.tools.Repair(call.Name, call.Arguments) // as it was understood
	}
	t.again = 0
	out = append(out, model.Sendable(sent, tool.MaxArguments))
	for i, call := range said.Calls {
		answer, err := t.answer(ctx, call, i)
		if err != nil {
			return nil, 0, err
		}
		if answer.Invalid {
			wrong++
		}
		out = append(out, answer)
	}
	return out, wrong, nil
}

// takenOver has another model answer the message, where there is one beneath and nothing has come
// of the turn: what was done or proposed would be so twice.
func takenOver(t *turn, pace *steps.Pace, why string) bool {
	m, ok := t.model.(model.Leaver)
	if !ok || t.free || len(t.operations)+len(t.assent.offers) > 0 || !m.Leave(t.model.Name()+why) {
		return false
	}
	pace.Again()
	return true
}

// ends is the end of a turn in a model's words, and tells what the user should know of them.
func ends(t *turn, req model.Request, lacks string) {
	switch lacks {
	case "":
		t.worded = !t.free && len(strings.Fields(t.reply.String())) >= minWorded
	case claims.Unchanged: // which what is kept of the message may yet change
		t.claimed = true
	default:
		t.notice(lacks)
	}
	if !t.free {
		for _, what := range claims.Misgivings(t.reply.String(), t.sess.Mode, t.seen, t.vault, t.actions, req, t.prompted) {
			t.notice(what)
		}
	}
}

// stops is the end of a turn that the model would have gone on with. What it said by then may
// be wrong as well.
func stops(t *turn, req model.Request, pace *steps.Pace) {
	_, tell := lacking(t, t.reply.String(), true)
	t.claimed = tell == claims.Unchanged
	ends(t, req, pace.Stopped(len(t.assent.offers), len(t.operations)))
}

// owns says that nothing was changed, where that was asked for or is said to be done, whatever
// the model's words are, in whatever language; and where they can't be checked, once in a history.
func owns(t *turn, history []model.Message) {
	if t.free || len(t.operations)+len(t.assent.offers)+len(t.assent.settled) > 0 {
		return
	}
	if what := claims.Untold(t.claimed || t.asks(), t.msg.Text, t.reply.String(), history); what != "" {
		t.notice(what)
	}
}

// prepared completes a request with what the model is told, what it may call, and what it
// must not get.
func prepared(ctx context.Context, t *turn, req model.Request) model.Request {
	found := sync.OnceValue(func() model.Situation { // it costs searches: for who asks for it
		t.recall(ctx)
		s := req.Situation
		s.Passages, s.Memories, s.Projects = t.shown, t.memories, t.described(ctx, t.projects)
		if leaves(ctx, t) {
			return publicSituation(ctx, t, s)
		}
		return s
	})
	req.Brief = func(room int) model.Brief {
		b := t.brief.Write(found(), room)
		t.prompted = b.Rules + b.Now
		return b
	}
	req.Tools = modelTools(slices.DeleteFunc(t.tools.Offer(t.env(ctx)), t.policy().Forbids))
	t.offered = map[string]bool{}
	for _, tool := range req.Tools {
		t.offered[tool.Name] = true
	}
	req.Private, req.Meter, req.Longer, req.Asks = privately(ctx, t), t.meter, new(bool), t.asks
	req.Known = func(name string) bool { _, ok := t.tools.Tool(name); return ok }
	t.kept = req.Private != ""
	return req
}

// anew is the request as another model gets it before anything has come of the turn: the history,
// what is told and the tools are what that one may see, as if it had been asked first.
func anew(ctx context.Context, t *turn, req model.Request) (model.Request, error) {
	t.earlier, t.shown, t.memories = nil, nil, nil
	history, err := t.history(ctx)
	if err != nil {
		return req, err
	}
	req.Messages, req.Said = append(history, model.Message{Role: model.User, Text: t.msg.Text}), len(history)
	return prepared(ctx, t, req), nil
}

// lacking is what a model's answer lacks, and doesn't leave standing what isn't so. What needs
// no tokens says what it means.
func lacking(t *turn, said string, called bool) (ask, tell string) {
	if t.free {
		return "", ""
	}
	if t.short {
		return claims.Short(said)
	}
	ask, tell, untrue := claims.Lacking(t.msg.Text, said, t.reply.String(), len(t.operations) > 0, func() bool { return !called && t.asks() })
	for _, sentence := range untrue {
		if t.reply.Strike(sentence) {
			t.emit(Struck{sentence, false})
		}
	}
	return ask, tell
}

// An answer is what one asking of a model has brought so far.
type answer struct {
	said            model.Message
	text            strings.Builder
	before          int  // bytes of the reply
	goesOn, counted bool // with what the answer before broke off in; what it took
	stop            model.Stop
}

// generate asks the model once and passes its text on as it comes.
func (t *turn) generate(ctx context.Context, req model.Request) (model.Message, error) {
	a := &answer{said: model.Message{Role: model.Assistant}, before: t.reply.Len(), goesOn: t.short}
	calls := t.meter.Calls()
	defer func() { tellUse(t, calls, a.counted) }() // what was cut off has cost as well
	t.free = false
	for event, err := range t.model.Generate(ctx, req) {
		if err != nil {
			return a.said, brokeOff(ctx, t.model.Name(), a.text.Len() > 0, err)
		}
		if err := cmp.Or(hears(t, event, a), ctx.Err()); err != nil {
			return a.said, err
		}
	}
	a.said.Text, a.said.Calls = a.text.String(), a.said.Calls[:min(len(a.said.Calls), maxCallsPerStep+1)] // more would only fill the window
	if a.stop == "" || ctx.Err() != nil {
		return a.said, cmp.Or(ctx.Err(), wrap("model "+t.model.Name(), model.ErrCut))
	}
	t.short = len(a.said.Calls) == 0 && !t.free && (a.stop == model.Length && a.text.Len() > 0 || a.goesOn && a.text.Len() == 0)
	switch why := a.stop.Notice(); {
	case why == "" || t.short:
	case t.reply.Len() == 0: // it is all that there is to the answer
		t.say(why)
	default:
		t.notice(why)
	}
	return a.said, nil
}

// hears takes one event of an answer.
func hears(t *turn, event model.Event, a *answer) error {
	switch {
	case event.Text != "":
		if t.reply.Len()+len(event.Text) > maxReply {
			return fmt.Errorf("model %s: the reply is over %d bytes", t.model.Name(), maxReply)
		}
		t.emit(TextDelta{t.reply.Say(event.Text, a.text.Len() == 0 && !a.goesOn)})
		a.text.WriteString(event.Text)
	case event.Back:
		a.text.Reset()
		t.emit(Struck{t.reply.Cut(a.before), true})
	case event.Call != nil:
		if len(a.said.Calls) > 10*maxCallsPerStep {
			return fmt.Errorf("model %s: more than %d calls at once", t.model.Name(), 10*maxCallsPerStep)
		}
		call := *event.Call
		call.ID = t.ids.Next(call.ID)
		a.said.Calls = append(a.said.Calls, call)
	case event.Thinking != "":
		t.emit(Thinking{event.Thinking})
	case event.Notice != "":
		t.emit(Notice{event.Notice})
	case event.By != nil:
		t.emit(AnsweredBy(*event.By))
	case event.State != nil:
		a.said.State = event.State
	case event.Ask != nil:
		t.asked = event.Ask
	case event.Usage != nil:
		t.free, a.counted = *event.Usage == model.Usage{}, true
	case event.Stop != "":
		a.stop, t.heard, t.aside = event.Stop, event.Heard, event.Aside
	}
	return nil
}

// notice tells the user something and keeps it in the conversation.
func (t *turn) notice(text string) {
	t.emit(Notice{text})
	t.reply.Add("(" + text + ")")
}

// situation is what holds at the start of the turn.
func (t *turn) situation(ctx context.Context) model.Situation {
	s := model.Situation{
		Now: t.now(), Session: cmp.Or(t.seed, t.sess.ID), Mode: t.sess.Mode, Phase: t.sess.Phase, Action: t.action, Question: model.Question(t.assent.before.Question),
		Pending: t.pending, Turns: t.sess.Turns, Settled: t.assent.settled, Asked: t.sess.Asked, Summary: t.sess.Summary, Phrased: t.advice.Words(t.sess.ID),
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
				s.Waiting = append(s.Waiting, prose.OneLine(op.Reason, 200))
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
	s.Projects, s.Archived, s.Elsewhere = t.projects.models, t.projects.stored, t.assent.filing(ctx).Elsewhere(ctx)
	if t.start == nil { // else the client says where
		s.Leads = thread.Session{
			Vault: t.vault, Search: t.search, ID: t.sess.ID, Here: t.sess.Project, Back: t.sess.Stack,
			Projects: t.projects.refs, Named: t.projects.project, Whole: filing.Whole(t.msg.Text, s.Elsewhere),
		}.Of(ctx, t.msg.Text)
	}
	return s
}

// described are the projects for a prompt, without descriptions from outside: else every
// prompt would have such text.
func (a *Agent) described(ctx context.Context, all *listing) []model.Project {
	out := slices.Clone(all.models)
	for i := range out {
		p, _ := all.project(out[i].Slug)
		if i >= brief.Described || a.fromOutside(ctx, p.Path) {
			out[i].Description = ""
		}
	}
	return out
}

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
	before := t.sess.Project
	to, back := m.From(before, t.sess.Stack)
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
	t.sess.Project, t.sess.Stack = to, back
	t.emit(ContextSwitch{Project: to, Name: p.Name, Previous: before})
	return nil
}

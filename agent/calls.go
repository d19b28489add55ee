package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/agent/model"
	"kist/agent/policy"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/entity"
)

// outcome is what a model hears of its call.
type outcome struct {
	OK         bool           `json:"ok"`
	Status     string         `json:"status,omitempty"` // of a change: done or proposed
	Error      string         `json:"error,omitempty"`
	Suggestion string         `json:"suggestion,omitempty"`
	Result     map[string]any `json:"result,omitempty"`
	invalid    bool           // the call made no sense
}

// env is what tools work with now.
func (t *turn) env(ctx context.Context) *tool.Env {
	e := &tool.Env{
		Vault: t.vault, Search: t.search, Sync: t.synced, Project: t.sess.Project,
		Back: t.sess.Project != "" || len(t.sess.Stack) > 0, Source: "turn " + t.id, Now: t.now(), After: vault.Seq(t.changed.Load()),
		Session: t.sess.ID, Mode: t.sess.Mode, Phase: t.sess.Phase, Draft: t.sess.Draft, Asked: len(t.sess.Asked), Tainted: t.outside(),
	}
	e.Projects = func(ctx context.Context) ([]entity.Project, error) {
		if t.stale {
			if err := t.loadProjects(ctx); err != nil {
				return nil, err
			}
		}
		return t.projects.all, nil
	}
	withoutPrivate(ctx, t, e)
	e.Waiting = t.pending > 0
	e.Hint(t.msg.Text + " " + t.before) // "yes, call it Ship" means what was spoken of
	if !t.free {
		e.Offered = t.offered
	}
	return e
}

// answer carries out the nth call of a step and returns the message that tells
// the model what came of it.
func (t *turn) answer(ctx context.Context, call model.Call, nth int) (model.Message, error) {
	out, err := once(ctx, t, call, nth)
	if err != nil {
		return model.Message{}, err
	}
	text, err := json.Marshal(out)
	if err != nil {
		return model.Message{}, wrap("tool "+call.Name, err)
	}
	return model.Message{Role: model.ToolRole, Text: string(text), CallID: call.ID, Tool: model.SendableName(call.Name), Invalid: out.invalid}, nil
}

// once carries out a call that a language model hasn't made in this turn before.
func once(ctx context.Context, t *turn, call model.Call, nth int) (outcome, error) {
	if call.Refuse != "" {
		return t.refused(call, &tool.Fault{Error: call.Refuse, Invalid: true}), nil
	}
	args, _ := t.tools.Repair(call.Name, call.Arguments)
	info, _ := t.tools.Tool(call.Name)
	if f, status := t.repeats.Again(info, call.Name, args, t.changed.Load()); f != nil && !t.free {
		t.again++
		if status != "" {
			return outcome{OK: true, Status: status}, nil
		}
		call.Quiet = true // what it would have told is there
		return t.refused(call, f), nil
	}
	out, err := t.call(ctx, call, nth)
	if out.OK {
		t.repeats.Did(call.Name, args, t.changed.Load(), out.Status)
	}
	return out, err
}

func (t *turn) call(ctx context.Context, call model.Call, nth int) (outcome, error) {
	if nth >= maxCallsPerStep {
		return t.refused(call, &tool.Fault{
			Error: fmt.Sprintf("more than %d calls in one step; from this one on they were not carried out", maxCallsPerStep), Suggestion: "make them in the next steps",
		}), nil
	}
	foretold := t.foretold(call)
	res, err := t.use(ctx, call, foretold)
	if err != nil {
		return outcome{}, wrap("tool "+prose.Shorten(call.Name, 60), err)
	}
	if res.Fault != nil {
		return t.refused(call, res.Fault), nil
	}
	info, _ := t.tools.Tool(call.Name)
	t.tainted = t.tainted || res.Outside
	t.reads(ctx, res.Sources...)
	t.reads(ctx, res.Seen...)
	v := t.judge(ctx, info, res)
	if call.Propose && v == policy.Auto {
		v = policy.Ask
	}
	if v == policy.Never {
		return t.refused(call, &tool.Fault{Error: "the user's policy doesn't allow " + call.Name}), nil
	}
	if err := t.opened(); err != nil {
		return outcome{}, err
	}
	if !foretold {
		t.calls(call)
	}
	t.addSources(res.Sources)
	t.note(t.private, slices.Concat(res.Sources, res.Seen)...)
	switch {
	case res.Undo != nil:
		return t.undo(ctx, info.Class, res, v)
	case len(res.Steps) > 0:
		res, v = keepsPrivate(ctx, t, deed(t, info, res), v)
		return t.change(ctx, info.Class, res, v)
	}
	if err := t.assent.reopen(ctx, res.Waiting); err != nil {
		return outcome{}, err
	}
	t.quoted.add(res.Value)
	studied(t, res)
	switch {
	case res.Move != nil, res.Session != nil, info.Class != tool.Read:
		t.served = true
	case slices.Contains([]string{"search", "list_tasks", "list_memories", "read_document"}, call.Name): // it looks what it might do
		t.listed = t.listed || strings.HasPrefix(call.Name, "list_")
	default:
		t.looked = true
	}
	t.previewed = t.previewed || call.Name == "show_draft"
	if res.Move != nil {
		if err := t.move(ctx, *res.Move); err != nil {
			return outcome{}, err
		}
	}
	t.steer(ctx, res.Session)
	return outcome{OK: true, Result: res.Value}, nil
}

// calls tells of a call that is made, as it was understood.
func (t *turn) calls(call model.Call) {
	args, repaired := t.tools.Repair(call.Name, call.Arguments)
	t.emit(ToolCall{ID: call.ID, Name: call.Name, Arguments: args, Repaired: repaired})
}

// foretold: a search that will be made is told of at once, since it takes longer than
// all else and nobody has heard anything yet.
func (a *Agent) foretold(call model.Call) bool {
	return call.Name == "search" && a.search != nil && a.policy().Decide(call.Name, tool.Read, policy.Place{}) == policy.Auto && a.tools.Fits(call.Name, call.Arguments)
}

// use runs a tool. A foretold one works while the message is still being kept, and
// while whoever listens takes the news.
func (t *turn) use(ctx context.Context, call model.Call, foretold bool) (res tool.Result, err error) {
	env := t.env(ctx)
	if !foretold {
		return t.tools.Call(ctx, env, call.Name, call.Arguments)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		res, err = t.tools.Call(ctx, env, call.Name, call.Arguments)
	}()
	unkept := t.opened()
	if unkept == nil {
		t.calls(call)
	}
	<-done
	return res, cmp.Or(unkept, err)
}

// refused reports a call that had no effect.
func (t *turn) refused(call model.Call, f *tool.Fault) outcome {
	args := call.Arguments
	if !json.Valid(args) || len(args) > tool.MaxArguments {
		args = json.RawMessage("{}") // events travel as JSON
	}
	if !call.Quiet {
		t.denied = true
		t.emit(ToolCall{ID: call.ID, Name: prose.Shorten(call.Name, 60), Arguments: args, Error: f.Error})
	}
	return outcome{Error: f.Error, Suggestion: f.Suggestion, invalid: f.Invalid}
}

// judge asks policy about a call whose effects are planned.
func (t *turn) judge(ctx context.Context, info tool.Tool, res tool.Result) policy.Verdict {
	creates := res.Move != nil && res.Move.New
	class := info.Class
	if res.Undo != nil && unasked(t) {
		class = tool.Destroy // it may take away what the user wrote
	}
	at := policy.Place{
		AgentMade: creates || res.Undo != nil && !res.Foreign && !slices.ContainsFunc(res.Within, t.madeByUser), // undoing is itself undone as easily
		Tainted:   t.outside(),
		Outside:   res.Project != "" && res.Project != t.sess.Project,
		Loose:     res.Project == "" && !creates && res.Undo == nil,
		Told:      t.told,
	}
	if at.Loose && class == tool.Change && len(res.Steps) == 1 && res.Steps[0].Entity.Type == "task" {
		at.Own, _ = vault.OwnLines(ctx, t.vault, res.Steps[0]) // what can't be found out is the user's
	}
	if t.draft != nil && len(res.Steps) == 1 && res.Steps[0].Entity.Path == t.draft.Path {
		at.AgentMade, at.Loose = true, false // what this very session is writing
	}
	if p, ok := t.projects.project(res.Project); ok {
		at.AgentMade = madeByAgent(p)
	}
	return t.policy().Decide(info.Name, class, at)
}

// change applies the steps of a call, or proposes them.
func (t *turn) change(ctx context.Context, class tool.Class, res tool.Result, v policy.Verdict) (outcome, error) {
	batch := vault.Batch{Steps: res.Steps, Origin: t.origin(vault.ActorAgent)}
	ops, done := t.made.already(res)
	if done && ops[0].Status == vault.StatusProposed {
		for _, op := range ops {
			t.assent.offer(op)
		}
		return outcome{OK: true, Status: "proposed", Result: res.Value}, nil // it waits since before
	}
	if v == policy.Ask && !done {
		ops, err := t.vault.Propose(ctx, batch)
		if err != nil {
			return t.failed(ctx, err)
		}
		if err := t.proposed(ctx, class, ops); err != nil {
			return outcome{}, err
		}
		return outcome{OK: true, Status: "proposed", Result: res.Value}, nil
	}
	if !done {
		var err error
		ops, err = t.vault.Apply(ctx, batch)
		t.changed.Store(int64(t.vault.Seq()))
		t.report(ops)
		if err != nil {
			return t.failed(ctx, err)
		}
	}
	t.steer(ctx, res.Session)
	t.drafted(ctx, ops)
	if d := res.Dimension; d != nil {
		t.emit(DimensionUpdate(*d))
	}
	if res.Move != nil {
		if err := t.loadProjects(ctx); err != nil {
			return outcome{}, err
		}
		if err := t.move(ctx, *res.Move); err != nil {
			return outcome{}, err
		}
		t.pruneStack() // out of a project that is gone by now
	}
	return outcome{OK: true, Status: "done", Result: res.Value}, nil
}

// report tells of operations that were carried out, or failed, just now.
func (t *turn) report(ops []vault.Operation) {
	t.stale = true
	for _, op := range ops {
		t.logged(op)
		t.emit(Operation{op})
	}
}

// undo takes back what a call names, or proposes that where policy asks.
func (t *turn) undo(ctx context.Context, class tool.Class, res tool.Result, v policy.Verdict) (outcome, error) {
	actor := vault.ActorUser
	if unasked(t) {
		class, actor = tool.Destroy, vault.ActorAgent // as policy saw it
	}
	for _, target := range res.Undo {
		target.Propose = v == policy.Ask
		if target.Propose && t.waitsAlready(ctx, target) {
			continue
		}
		ops, err := t.vault.Undo(ctx, target, t.origin(actor))
		t.changed.Store(int64(t.vault.Seq()))
		switch {
		case target.Propose && err == nil:
			err = t.proposed(ctx, class, ops)
		default:
			t.report(ops)
		}
		if err != nil {
			out, failed := t.failed(ctx, err)
			if errors.Is(err, vault.ErrConflict) {
				out.Suggestion = "so nothing was taken back. An undo in conversation never overwrites a later edit: name a single change, or take it back on the command line, where --keep now leaves the edit and takes back the rest"
			}
			return out, failed
		}
	}
	if v == policy.Ask {
		return outcome{OK: true, Status: "proposed", Result: res.Value}, nil
	}
	if err := t.loadProjects(ctx); err != nil {
		return outcome{}, err
	}
	t.loadDraft(ctx)
	return outcome{OK: true, Status: "done", Result: res.Value}, nil
}

// waitsAlready offers once more an undoing that was proposed before and waits.
func (t *turn) waitsAlready(ctx context.Context, target vault.UndoTarget) bool {
	waiting, err := t.assent.waiting(ctx)
	if err != nil {
		return false // proposing will fail as well, and says so
	}
	waiting = slices.DeleteFunc(waiting, func(op vault.Operation) bool { return !slices.Contains(target.IDs, op.Undoes) })
	if len(waiting) < len(target.IDs) {
		return false
	}
	for _, op := range waiting {
		t.assent.offer(op)
	}
	return true
}

// madeByUser reports whether a project was made by the user. One that is gone and comes
// back is nobody's loss.
func (t *turn) madeByUser(slug string) bool {
	p, ok := t.projects.project(slug)
	return ok && !madeByAgent(p)
}

// proposed offers operations that wait for the user's word.
func (t *turn) proposed(ctx context.Context, class tool.Class, ops []vault.Operation) error {
	t.guard(class, ops)
	for _, op := range ops {
		t.pending++
		t.assent.destroys[op.ID] = class == tool.Destroy || class == tool.External
		t.assent.offer(op)
		t.logged(op)
	}
	return t.replace(ctx, ops)
}

// failed tells model and user that a change was not made.
func (t *turn) failed(ctx context.Context, err error) (outcome, error) {
	if ctx.Err() != nil || errors.Is(err, vault.ErrClosed) {
		return outcome{}, err
	}
	f := tool.Explain(err)
	t.emit(Notice{"Not done: " + f.Error})
	return outcome{Error: f.Error, Suggestion: f.Suggestion}, nil
}

func (t *turn) origin(actor vault.Actor) vault.Origin {
	return vault.Origin{Actor: actor, Client: t.msg.Client, Session: t.sess.ID, Turn: t.id, Outside: t.tainted}
}

package agent

import (
	"context"
	"slices"

	"kist/agent/model"
	"kist/agent/policy"
	"kist/agent/private"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/entity"
)

// What is private isn't there for a model that isn't on this machine: its tools work in a
// view of the vault without it, its instructions are written without it, turns of the
// history that are about it are marked, and a conversation about it isn't the model's at
// all. See package private for what is, and model.Request.Public for where it ends.

// leaves reports whether what the model of this turn is sent leaves this machine.
func leaves(ctx context.Context, t *turn) bool {
	r, ok := t.model.(model.Remote)
	return ok && r.Remote(ctx)
}

// privately is why nothing of this turn may leave this machine; empty: it may.
func privately(ctx context.Context, t *turn) string {
	if !leaves(ctx, t) {
		return ""
	}
	named := private.Naming(t.msg.Text)
	for _, p := range t.projects.all {
		if (p.Slug == t.sess.Project || named(p.Name)) && t.private.Project(p.Slug) {
			return "the project " + prose.OneLine(p.Name, 60) + " is private"
		}
	}
	if t.draft != nil && t.private.Hides(t.draft.Path) {
		return "the draft " + prose.OneLine(t.draft.Name, 60) + " is private"
	}
	return ""
}

// withoutPrivate is what tools may work with for a model that isn't on this machine.
func withoutPrivate(ctx context.Context, t *turn, e *tool.Env) {
	if !leaves(ctx, t) {
		return
	}
	e.Vault = t.vault.Without(t.private.Hides)
	if e.Search != nil {
		e.Search = private.Search{Searcher: e.Search, Sight: t.private}
	}
	all := e.Projects
	e.Projects = func(ctx context.Context) ([]entity.Project, error) {
		list, err := all(ctx)
		return slices.DeleteFunc(slices.Clone(list), func(p entity.Project) bool { return t.private.Project(p.Slug) }), err
	}
}

// keepsPrivate has what a model on this machine writes, in a turn that has seen something private,
// stay private: later turns may be another model's; and what the partner does, in one that another
// model must not see. Into documents that aren't private a model writes only with the user's word.
func keepsPrivate(ctx context.Context, t *turn, res tool.Result, v policy.Verdict) (tool.Result, policy.Verdict) {
	if t.free && !t.kept || !t.free && (leaves(ctx, t) || !t.lastPrivate && !slices.ContainsFunc(t.sources, t.private.Source)) {
		return res, v
	}
	steps, open := t.private.Keep(res.Steps)
	if res.Steps = steps; len(open) > 0 && v == policy.Auto && !t.free {
		v = policy.Ask
		res.Steps[0].Reason += " (something private was read for this, and " + open[0] + " is not private)"
	}
	return res, v
}

// publicSituation is what a model that isn't on this machine is told of a situation.
func publicSituation(ctx context.Context, t *turn, s model.Situation) model.Situation {
	project := func(p model.Project) bool { return t.private.Project(p.Slug) }
	s.Stack = slices.DeleteFunc(slices.Clone(s.Stack), project)
	s.Projects = slices.DeleteFunc(slices.Clone(s.Projects), project)
	s.Archived = slices.DeleteFunc(slices.Clone(s.Archived), project)
	s.Idle = slices.DeleteFunc(slices.Clone(s.Idle), project)
	s.Drafts = eachDraft(slices.DeleteFunc(slices.Clone(t.drafts), func(d entity.Draft) bool { return t.private.Hides(d.Path) }))
	s.Changes = slices.DeleteFunc(slices.Clone(s.Changes), func(c model.Change) bool { return t.private.Hides(c.Path) || !t.vault.Exists(c.Path) })
	s.Waiting, s.Aside, s.Elsewhere = nil, nil, nil
	if waiting, err := t.assent.waiting(ctx); err == nil {
		waiting = slices.DeleteFunc(waiting, func(op vault.Operation) bool { return t.private.Hides(op.Entity.Path) })
		s.Aside = t.assent.aside(waiting)
		for _, op := range waiting {
			s.Waiting = append(s.Waiting, prose.OneLine(op.Reason, 200))
		}
	}
	s.Settled = slices.DeleteFunc(slices.Clone(s.Settled), func(o model.Outcome) bool { return o.Path != "" && t.private.Hides(o.Path) })
	if t.lastPrivate { // what was asked, and what waits for the answer, may be about it
		s.Question = model.Question{}
	}
	return s
}

// noteProposals notes what this turn's words may tell of proposals: that what was agreed to
// could not be done, or, where nothing is sent elsewhere, what was offered before and waits.
func noteProposals(ctx context.Context, t *turn) {
	for _, o := range t.assent.settled {
		t.note(t.private, o.Path)
	}
	waiting, err := t.assent.waiting(ctx)
	if err != nil || leaves(ctx, t) {
		return
	}
	for _, o := range t.assent.before.Offers {
		if op, ok := operation(waiting, o.ID); ok {
			t.note(t.private, private.Touched(op)...)
		}
	}
}

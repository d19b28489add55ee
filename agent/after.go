package agent

import (
	"context"
	"slices"

	"kist/agent/consent"
	"kist/agent/effect"
	"kist/agent/filing"
	"kist/agent/gleaning"
	"kist/agent/leaning"
	"kist/agent/policy"
	"kist/agent/recall"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
)

// What is kept of a turn beside its words: memories and links. It is done
// at the end of the turn, by the same policy as what a model asks for, and never
// asks: what policy doesn't let run at once is left undone.

// keep looks at what the user said and what was cited.
func (t *turn) keep(ctx context.Context) {
	if t.action && (t.assent.before.Question.Args["text"] != "" || len(t.sess.Held) > 0) {
		t.assent.keepTold(ctx) // it was the answer that sentences waited for
	}
	if filing.OffRecord(t.msg.Text) || (t.action || len(t.assent.settled) > 0) && consent.Rest(t.msg.Text) == "" {
		return // it is to be kept nowhere, or was a word on proposals
	}
	if t.sess.Mode != "project_create" { // there, what is said goes into the draft
		t.extract(ctx)
	}
	t.assent.keepTold(ctx)
	t.glean(ctx)
	t.link(ctx)
}

// extract remembers facts that the user mentioned, unless this turn kept something
// of the message already.
func (t *turn) extract(ctx context.Context) {
	if t.tainted || t.remembersAlready(ctx) {
		return
	}
	for _, c := range t.assent.filing(ctx).Placed(ctx, recall.Extract(t.msg.Text, toRecall(t))) {
		sure := c.Confidence >= recall.Sure || c.Told
		wordedAnew := t.worded && !filing.Plain(c.Content)
		if !sure || wordedAnew || t.policy().Decide("remember", tool.Add, t.placeOf(c.Project)) != policy.Auto {
			continue
		}
		if step, ok := gleaning.Plan(ctx, t.vault, c, t.id); ok {
			t.quietly(ctx, step)
		}
	}
}

func toRecall(t *turn) recall.Options {
	opts := recall.Options{Recalled: slices.Concat(t.memories, t.quoted), Active: t.sess.Project, Projects: t.projects.refs}
	for _, p := range t.shown {
		opts.Recalled = append(opts.Recalled, p.Text)
	}
	return opts
}

// glean has a small model look, when the turn is over, for facts that weren't found in the
// message, unless this turn kept something of it. They are proposed.
func (t *turn) glean(ctx context.Context) {
	if t.fast() == nil || t.sess.Mode != general || t.outside() || t.remembersAlready(ctx) {
		return
	}
	open := slices.DeleteFunc(recall.Doubtful(t.msg.Text, toRecall(t)), func(c recall.Candidate) bool { return !filing.Plain(c.Content) })
	if len(open) == 0 {
		return
	}
	d := gleaning.Desk{
		Vault: t.vault, Lock: t.sessions.inUse.Lock, Origin: t.origin(vault.ActorAgent), Made: func(op vault.Operation) { t.gleaned.Store(op.ID, true) },
		Allow: func(c recall.Candidate) bool {
			return t.policy().Decide("remember", tool.Add, t.placeOf(c.Project)) != policy.Never
		},
	}
	said := conversation.Turn{Project: t.sess.Project, User: t.msg.Text, Context: t.sources, Operations: t.operations}
	t.clerk.Add(d.Job(t.msg.Text, open, t.lastPrivate || t.private.Turns(ctx)(said)))
}

// bringUp offers what was found in messages before and nobody has seen, where the reply neither
// offers nor asks anything else.
func (a *assent) bringUp(ctx context.Context) {
	if len(a.offers) > 0 || a.t.asked != nil || a.t.outside() || asked(a.t.reply.String()).Kind != "" {
		return
	}
	waiting, err := a.waiting(ctx)
	if err != nil {
		return // they wait, and are listed
	}
	for _, op := range waiting {
		if _, ok := a.t.gleaned.LoadAndDelete(op.ID); ok {
			a.offer(op)
		}
	}
}

// placeOf is where a memory would be written.
func (t *turn) placeOf(project string) policy.Place {
	p, ok := t.projects.project(project)
	return policy.Place{AgentMade: ok && madeByAgent(p), Outside: ok && project != t.sess.Project, Loose: !ok, Tainted: t.outside()}
}

// remembersAlready: the model itself kept what was said, as a memory, a decision or
// a note.
func (t *turn) remembersAlready(ctx context.Context) bool {
	return effect.Among(ctx, t.vault, t.operations, func(op vault.Operation) bool {
		return op.Entity.Type != "task" && (op.Entity.Type != "project" || op.Type != vault.OpCreate)
	})
}

// link notes in a project of kist's own making which documents elsewhere its
// conversation leaned on: those that the reply cites. A turn that only looked
// something up leaves the files as they are.
func (t *turn) link(ctx context.Context) {
	p, ok := t.projects.project(t.sess.Project)
	if !ok || !madeByAgent(p) || t.tainted || len(t.operations) == 0 {
		return
	}
	if t.policy().Decide("link", tool.Add, policy.Place{AgentMade: true}) != policy.Auto {
		return
	}
	cited := leaning.Turn{Vault: t.vault, Project: p.Slug, Sources: t.sources, Operations: t.operations, Reply: t.reply.String()}
	if step, ok := cited.Plan(ctx); ok {
		t.quietly(ctx, step)
	}
}

// quietly applies what kist does by itself, and reports whether it did. It is an
// operation like any other.
func (t *turn) quietly(ctx context.Context, step vault.Step) bool {
	ops, err := t.vault.Apply(ctx, vault.Batch{Steps: []vault.Step{step}, Origin: t.origin(vault.ActorAgent)})
	t.changed.Store(int64(t.vault.Seq()))
	t.report(ops)
	if err != nil {
		t.log.Info("not kept", "what", step.Reason, "err", err)
	}
	return err == nil
}

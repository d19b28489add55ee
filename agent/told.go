package agent

import (
	"context"
	"path"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/filing"
	"kist/agent/tool"
	"kist/vault"
)

// filing is this turn as it is filed: see package filing.
func (a *assent) filing(ctx context.Context) *filing.Turn {
	t := a.t
	waiting, err := a.waiting(ctx)
	if err != nil {
		waiting = nil // what is told becomes a proposal of its own
	}
	return &filing.Turn{
		Desk: desk{a}, Vault: t.vault, Policy: t.policy, Now: t.now(), Text: t.msg.Text, Reply: t.reply.String(), Mode: t.sess.Mode, Session: t.sess.ID,
		Project: t.sess.Project, Told: a.before.Project, Operated: t.operations, Served: t.served, Looked: t.looked, Listed: t.listed, Denied: t.denied,
		Asks:     t.question(strings.TrimSpace(t.reply.String())).Text != "",
		Answered: a.verdict.Reply == consent.Yes, Refused: a.verdict.Reply == consent.No,
		Again: len(t.continues) > 0, Outside: t.outside(), Known: t.memories, Draft: t.draft,
		Waiting: slices.DeleteFunc(waiting, t.guarded), Named: t.project, Held: t.sess.Held,
	}
}

// keepTold files what was told in this turn and is in no file, and offers what was left
// in sessions that nobody went on with.
func (a *assent) keepTold(ctx context.Context) {
	f := a.filing(ctx)
	f.File(ctx)
	for _, left := range a.t.left {
		f.Offer(ctx, left.sess.Project, left.sess.Held)
	}
	a.t.sess.Held = f.Held
}

// rescue offers the words of a refused proposal for the inbox, unless it was proposed
// again.
func (a *assent) rescue(ctx context.Context, op vault.Operation) {
	if _, ok := a.successor(ctx, op); ok || a.t.guarded(op) {
		return
	}
	f := a.filing(ctx)
	f.Rescue(ctx, op.ID)
	a.t.sess.Held = f.Held
}

// desk is the agent, for filing.
type desk struct{ *assent }

func (d desk) Say(text string) { d.t.say(text) }

func (d desk) Apply(ctx context.Context, step vault.Step) bool {
	ok := d.t.quietly(ctx, step)
	if ok && step.Entity.Type == "draft" {
		if d.t.sess.Draft == "" {
			d.t.sess.Draft = strings.TrimSuffix(path.Base(step.Entity.Path), ".md")
		}
		d.t.loadDraft(ctx)
		if d.t.draft != nil {
			d.t.emit(DraftUpdate{*d.t.draft})
		}
	}
	return ok
}

func (d desk) Propose(ctx context.Context, step vault.Step) error {
	ops, err := d.t.vault.Propose(ctx, vault.Batch{Steps: []vault.Step{step}, Origin: d.t.origin(vault.ActorAgent)})
	if err != nil {
		return err
	}
	d.t.guard(tool.Add, ops)
	for _, op := range ops {
		d.t.pending++
		d.Edited(op)
	}
	return nil
}

func (d desk) Edited(op vault.Operation) {
	d.t.logged(op)
	d.offer(op)
}

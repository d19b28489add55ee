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
	"kist/vault/conversation"
)

// filing is this turn as it is filed: see package filing.
func (a *assent) filing(ctx context.Context) *filing.Turn {
	t := a.t
	waiting, _ := a.waiting(ctx) // without, what is told becomes a proposal of its own
	q := t.question(strings.TrimSpace(t.reply.String()))
	return &filing.Turn{
		Desk: desk{a}, Vault: t.vault, Search: t.search, Policy: t.policy(), Now: t.now(), Text: t.msg.Text, Said: t.earlier, Reply: t.reply.String(), Mode: t.sess.Mode, Session: t.sess.ID,
		Project: t.sess.Project, Told: a.before.Project, Operated: t.operations, Served: t.served, Looked: t.looked, Listed: t.listed, Heard: t.heard, Denied: t.denied,
		Asked: a.before.Question.Kind != "", Asks: q.Text != "", Begins: q.Args["on"] == "yes" && t.sess.Project == "" && t.sess.Mode == general, Planned: q.Args["text"] == t.msg.Text || q.Args["text"] != "" && q.Args["text"] == a.before.Question.Args["text"],
		Answered: a.verdict.Reply == consent.Yes, Refused: a.refused(), Astray: a.before.Question.Args["on"] != "", Away: a.before.Question.Args["on"] == "away",
		Worded: t.worded, Again: len(t.continues) > 0, Outside: t.outside(), Known: t.memories, Draft: t.draft,
		Shown: slices.DeleteFunc(waiting, func(op vault.Operation) bool { return t.guarded(op) || !a.showing(op) }), Projects: t.projects.refs, Named: t.projects.project, Held: t.sess.Held,
	}
}

// refused: the message declines what was offered, or begins with a no to what was asked:
// "neither. Delete the tent".
func (a *assent) refused() bool {
	said, _, _ := strings.Cut(a.t.msg.Text, ".")
	return a.verdict.Reply == consent.No || a.before.Question.Kind != "" && consent.Read(said) == consent.No
}

// showing: the reply before offered it, or this one does.
func (a *assent) showing(op vault.Operation) bool {
	_, now := operation(a.offers, op.ID)
	return now || slices.ContainsFunc(a.before.Offers, func(o conversation.Offer) bool { return o.ID == op.ID && !o.Suspended })
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

// rescue keeps the words of a refused proposal in the inbox, unless it was proposed
// again: at once where that is what was agreed to, else as an offer. It reports whether
// they are kept.
func (a *assent) rescue(ctx context.Context, op vault.Operation) bool {
	if _, ok := a.successor(ctx, op); ok || a.t.guarded(op) {
		return false
	}
	f := a.filing(ctx)
	f.Shown = slices.DeleteFunc(f.Shown, func(o vault.Operation) bool { _, now := operation(a.offers, o.ID); return !now }) // the go may yet come to the others
	kept := f.Rescue(ctx, op.ID)
	a.t.sess.Held = f.Held
	return kept
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
		d.t.logged(op)
		d.offer(op)
	}
	return nil
}

func (d desk) Withdraw(ctx context.Context, op vault.Operation) {
	done, err := d.t.vault.Reject(ctx, op.ID, "offered anew with what was said since", d.t.origin(vault.ActorAgent))
	if err != nil {
		return // then it waits on, with the same words
	}
	d.t.pending--
	d.t.logged(done)
	d.withdraw(op.ID)
}

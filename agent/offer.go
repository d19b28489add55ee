package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/private"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
)

// What a turn offers: proposals that its reply shows, in the engine's own words behind
// the model's, and that the next message may agree to.

// offer asks for the user's word on a proposal, which the reply of this turn will show.
func (a *assent) offer(op vault.Operation) {
	if _, ok := operation(a.offers, op.ID); !ok {
		a.offers = append(a.offers, op)
		a.t.note(a.t.private, private.Touched(op)...)
		a.t.emit(ApprovalRequest{op})
	}
}

// reopen offers again what the user has asked to see, but for what removes, renames or
// moves something: that is only listed, and brought back by its name. A turn that has
// read text from outside opens nothing.
func (a *assent) reopen(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	waiting, err := a.waiting(ctx)
	if err != nil {
		return err
	}
	known := waitingOf(a.before, waiting)
	for i, op := range waiting {
		if !slices.Contains(ids, op.ID) {
			continue
		}
		a.t.note(a.t.private, private.Touched(op)...) // it is told of
		if !a.t.outside() && (!known[i].Removes || tool.Adds(ctx, a.t.vault, op)) && !a.t.guarded(op) {
			a.offer(op)
		}
	}
	return nil
}

// withdraw forgets an offer of this very turn.
func (a *assent) withdraw(id string) {
	a.offers = slices.DeleteFunc(a.offers, func(o vault.Operation) bool { return o.ID == id })
}

// show says what this turn offers, all of it together.
func (a *assent) show() {
	var free []string
	for _, op := range a.offers {
		reason := strings.TrimRight(prose.OneLine(op.Reason, 200), ".")
		if a.t.guarded(op) {
			a.t.say("Proposed: " + reason + ". Text from outside was read for this, so it needs an approval of its own, as the operation " + op.ID + ".")
			continue
		}
		free = append(free, reason)
	}
	switch len(free) {
	case 0:
	case 1:
		a.t.say("Proposed: " + free[0] + ". Say **go** and I'll do it, or **no** to drop it.")
	default:
		var b strings.Builder
		for i, reason := range free {
			fmt.Fprintf(&b, "%d. %s\n", i+1, reason)
		}
		a.t.say("Proposed:\n" + b.String() + "\nSay **go** and I'll do all of it, name those you want, or **no** to drop them.")
	}
}

// remember puts into the session what the next message may agree to.
func (a *assent) remember() {
	var offers []consent.Proposal
	for _, op := range a.offers {
		offers = append(offers, consent.Proposal{ID: op.ID, Digest: op.Digest, Removes: a.removes(op)})
	}
	a.t.sess.Offers = nil
	for _, p := range consent.After(shownIn(a.before), a.verdict, offers) {
		a.t.sess.Offers = append(a.t.sess.Offers, conversation.Offer(p))
	}
}

// aside are the reasons of what was offered and isn't decided on by this message.
func (a *assent) aside(waiting []vault.Operation) []string {
	var out []string
	for _, p := range consent.After(shownIn(a.before), a.verdict, nil) {
		if op, ok := operation(waiting, p.ID); ok {
			out = append(out, prose.OneLine(op.Reason, 200))
		}
	}
	return out
}

// say adds a paragraph of the engine's own to the reply.
func (t *turn) say(text string) { t.emit(TextDelta{t.reply.Add(text)}) }

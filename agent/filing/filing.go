package filing

import (
	"context"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/guide"
	"kist/agent/policy"
	"kist/agent/recall"
	"kist/agent/tool"
	"kist/vault"
)

// A Desk carries out what is to be filed.
type Desk interface {
	// Apply makes a change at once and reports whether it was made.
	Apply(ctx context.Context, step vault.Step) bool
	// Propose waits for the user's word on a change.
	Propose(ctx context.Context, step vault.Step) error
	// Edited offers a waiting proposal anew, with what it would do now.
	Edited(op vault.Operation)
	Say(text string)
}

// A Turn is what there was in one turn of a conversation.
type Turn struct {
	Desk   Desk
	Vault  *vault.Vault
	Policy policy.Policy
	Now    time.Time

	Text     string   // of the user
	Reply    string   // so far
	Mode     string   // of the session
	Session  string   // its id
	Project  string   // active at the end; empty: none
	Told     string   // the project that was active when Held was told
	Operated []string // ids of the turn's operations
	Served   bool     // a tool granted what the message wished for
	Looked   bool     // a tool told of what is there
	Listed   bool     // or of what there is to act on
	Denied   bool     // a tool refused to do something
	Asks     bool     // the reply ends in a question
	Answered bool     // the message agreed to one
	Refused  bool     // or declined
	Again    bool     // the words come from an interrupted turn
	Outside  bool     // text from outside was read
	Known    []string // memories that were recalled
	Draft    *vault.Draft
	Waiting  []vault.Operation // what go may agree to
	Named    func(slug string) (vault.Project, bool)

	// Held are sentences that wait for the answer to a question: those of the turn
	// before, and afterwards those that wait still.
	Held []string
}

// File keeps what no part of the turn has kept.
func (t *Turn) File(ctx context.Context) {
	held := t.takeHeld(ctx)
	lost := t.told()
	held = slices.DeleteFunc(held, func(s string) bool { return slices.Contains(lost, s) })
	if slices.ContainsFunc(lost, recall.IsSecret) && !strings.Contains(t.Reply, recall.Refusal) {
		t.Desk.Say(recall.Refusal)
	}
	covers := t.coverage(ctx)
	done := func(s string) bool { return recall.IsSecret(s) || covers(s) }
	lost, held = slices.DeleteFunc(lost, done), slices.DeleteFunc(held, done)
	if t.Mode == "project_create" {
		t.inDraft(ctx, append(held, lost...))
		return
	}
	// What was told elsewhere stays there, unless the answer was to go on here.
	where := t.Told
	if t.Answered {
		where = t.Project
	}
	if t.Asks && !extract.IsDump(t.Text) { // the message is not yet dealt with
		t.Held, lost = lost, nil
	}
	if where == t.Project {
		held, lost = nil, append(held, lost...)
	}
	t.inInbox(ctx, where, held)
	t.inInbox(ctx, t.Project, lost)
}

// told are the sentences of the message that must be found again.
func (t *Turn) told() []string {
	all := extract.Told(t.Text, t.Mode == "project_create" || t.Mode == "project_update")
	if len(all) == 1 && !extract.IsDump(t.Text) && t.answered(all[0]) {
		return nil
	}
	var out []string
	for _, s := range all {
		if s.Kind != extract.Command || !t.followed() {
			out = append(out, s.Text)
		}
	}
	return out
}

// Offer proposes to write sentences into the inbox of a project.
func (t *Turn) Offer(ctx context.Context, project string, lost []string) {
	if _, ok := t.Named(project); !ok {
		project = ""
	}
	t.propose(ctx, project, lost)
}

// inInbox writes sentences into the inbox of a project, or proposes to.
func (t *Turn) inInbox(ctx context.Context, project string, lost []string) {
	if len(lost) == 0 {
		return
	}
	p, ok := t.Named(project)
	if !ok {
		project = ""
	}
	at := policy.Place{AgentMade: p.CreatedBy == string(vault.ActorAgent), Loose: !ok, Tainted: t.Outside}
	verdict := t.Policy.Decide("create_note", tool.Add, at)
	switch {
	case verdict == policy.Never:
		t.Desk.Say("Policy doesn't let me write notes, so I kept none of that.")
		return
	case verdict == policy.Ask, t.Again, // the words of an interrupted turn may be anybody's
		t.Mode == "general" && !extract.IsDump(t.Text): // it may be no more than talk
		t.propose(ctx, project, lost)
		return
	}
	step, err := vault.PlanAddToInbox(ctx, t.Vault, project, lost, t.Now)
	if err == nil {
		step.Reason = t.keeping(lost, project)
	}
	if err != nil || !t.Desk.Apply(ctx, step) {
		t.Held = append(t.Held, lost...)
		return
	}
	t.Desk.Say(filed(lost, step.Entity.Path))
}

// propose offers to write sentences into the inbox note: with those of this session that
// wait already, as one proposal.
func (t *Turn) propose(ctx context.Context, project string, lost []string) {
	if t.addToProposal(ctx, project, lost) {
		return
	}
	step, err := vault.PlanAddToInbox(ctx, t.Vault, project, lost, t.Now)
	if err == nil {
		step.Reason = t.keeping(lost, project)
		err = t.Desk.Propose(ctx, step)
	}
	if err != nil {
		t.Held = append(t.Held, lost...)
	}
}

// addToProposal adds sentences to a proposal that waits, and offers that again.
func (t *Turn) addToProposal(ctx context.Context, project string, lost []string) bool {
	if t.Outside {
		return false
	}
	path := vault.InboxPath(t.Vault, project)
	i := slices.IndexFunc(t.Waiting, func(op vault.Operation) bool {
		return op.Entity.Path == path && strings.HasPrefix(op.Reason, keepWord)
	})
	if i < 0 {
		return false
	}
	op := t.Waiting[i]
	text, err := t.Vault.ProposedText(ctx, op.ID, path)
	if err != nil {
		return false
	}
	again, err := t.Vault.EditProposed(ctx, op.ID, op.Digest, map[string][]byte{path: vault.WithInbox(text, lost, t.Now)})
	if err != nil {
		return false
	}
	t.Waiting[i] = again
	t.Desk.Edited(again)
	return true
}

// Rescue offers to keep the words of a proposal that was refused, since it no longer fits
// where it was to be written.
func (t *Turn) Rescue(ctx context.Context, id string) {
	op, err := t.Vault.Operation(ctx, id)
	if err != nil || op.Status != vault.StatusRejected {
		return
	}
	var lost []string
	for _, c := range op.Changes {
		for _, s := range guide.Sentences(added(c.Patch)) {
			if !slices.Contains(lost, s) && len(strings.Fields(s)) > 2 {
				lost = append(lost, s)
			}
		}
	}
	if len(lost) > 0 {
		t.propose(ctx, t.Vault.ProjectOf(op.Entity.Path), lost)
	}
}

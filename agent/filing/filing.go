package filing

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/policy"
	"kist/agent/recall"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/entity"
)

// A Desk carries out what is to be filed.
type Desk interface {
	// Apply makes a change at once and reports whether it was made.
	Apply(ctx context.Context, step vault.Step) bool
	// Propose waits for the user's word on a change.
	Propose(ctx context.Context, step vault.Step) error
	// Withdraw ends a proposal that another has taken the place of.
	Withdraw(ctx context.Context, op vault.Operation)
	Say(text string)
}

// A Turn is what there was in one turn of a conversation.
type Turn struct {
	Desk   Desk
	Vault  *vault.Vault
	Search tool.Searcher // nil: no search
	Policy policy.Policy
	Now    time.Time

	Text     string   // of the user
	Said     []string // by the user before, in the project at hand, the newest last
	Reply    string   // so far
	Mode     string   // of the session
	Session  string   // its id
	Project  string   // active at the end; empty: none
	Told     string   // the project that was active when Held was told
	Operated []string // ids of the turn's operations
	Served   bool     // a tool granted what the message wished for
	Looked   bool     // a tool told of what is there
	Listed   bool     // or of what there is to act on
	Heard    bool     // nothing was done or found for the message
	Denied   bool     // a tool refused to do something
	Asked    bool     // the reply before ended in a question
	Asks     bool     // this one does
	Begins   bool     // it offers to begin a project with what was told outside of any
	Planned  bool     // it asks whether to do with the whole message what it told
	Answered bool     // the message agreed to one
	Refused  bool     // or declined
	Astray   bool     // what Held was told of is in no project, and doesn't become one
	Away     bool     // the message before wanted to go there
	Worded   bool     // a language model has answered it at length, and had tools to keep what it is about
	Again    bool     // the words come from an interrupted turn
	Outside  bool     // text from outside was read
	Known    []string // memories that were recalled
	Draft    *entity.Draft
	Shown    []vault.Operation // proposals of the reply before and of this one
	Projects []recall.ProjectRef
	Named    func(slug string) (entity.Project, bool)

	// Held are sentences that wait for the answer to a question: those of the turn
	// before, and afterwards those that wait still.
	Held []string
}

// OffRecord: what a message says is to be written down nowhere.
func OffRecord(text string) bool { return extract.OffRecord(text) }

// general is the mode of plain talk.
const general = "general"

// File keeps what no part of the turn has kept.
func (t *Turn) File(ctx context.Context) {
	laid := strings.Join(t.Held, "\n")
	held := t.takeHeld(ctx)
	lost := t.told(ctx)
	held = slices.DeleteFunc(held, func(s string) bool { return slices.Contains(lost, s) })
	if slices.ContainsFunc(lost, recall.IsSecret) && !strings.Contains(t.Reply, recall.Refusal) {
		t.Desk.Say(recall.Refusal)
	}
	covers := t.coverage(ctx)
	covered := func(s string) bool { return recall.IsSecret(s) || covers(s) || leadsOn(s) }
	done := func(s string) bool { return covered(s) || t.answers(s) }
	lost, held = slices.DeleteFunc(lost, done), slices.DeleteFunc(held, covered) // what was held this reply doesn't answer
	if t.Mode == general && !extract.IsDump(t.Text) && !t.pours() {
		lost = slices.DeleteFunc(t.withdrawn(ctx, lost), func(s string) bool { return t.remarks(s) || t.amends(ctx, s, laid) })
	}
	if t.Mode == "project_create" {
		t.inDraft(ctx, append(held, lost...))
		return
	}
	lost, unheard := t.unheard(lost, covered)
	if lost = t.inContext(append(t.weighed(ctx, lost), unheard...), done); len(lost)+len(held) == 0 {
		return
	}
	slices.SortStableFunc(lost, func(a, b string) int { return strings.Index(t.Text, a) - strings.Index(t.Text, b) })
	// What was told elsewhere stays there, unless the answer was to go on here.
	where := t.Told
	if t.Answered {
		where = t.Project
	}
	held = t.astray(ctx, held)
	switch { // the message is not yet dealt with
	case t.Begins: // it goes along, if there is to be one
	case t.Planned:
		t.Held, held, lost = append(held, lost...), nil, nil
	case t.Asks && !extract.IsDump(t.Text):
		t.Held, lost = lost, nil
	}
	if where == t.Project {
		held, lost = nil, append(held, lost...)
	}
	t.inInbox(ctx, where, held)
	if t.Mode != general {
		t.inInbox(ctx, t.Project, lost)
		return
	}
	places, of := t.byPlace(ctx, lost, t.Project)
	for _, place := range places {
		t.inInbox(ctx, place, of[place])
	}
}

// astray keeps outside any project what was told of one that isn't there, and didn't become
// one; what else is held is left.
func (t *Turn) astray(ctx context.Context, held []string) []string {
	if !t.strays() {
		return held
	}
	t.inInbox(ctx, "", held)
	return nil
}

// unheard are of a message of which nothing became anything the sentences that tell something.
// They are kept, whatever they are worth: nothing is dropped behind an "I see". Only where that
// must be asked, what is most likely mere talk isn't. others are what is lost beside them.
func (t *Turn) unheard(lost []string, covered func(string) bool) (others, unheard []string) {
	if !t.Heard || t.Mode != general {
		return lost, nil
	}
	told := extract.Telling(t.Text)
	others = slices.DeleteFunc(lost, func(s string) bool { return slices.Contains(told, s) || len(told) == 1 && strings.Contains(told[0], s) })
	least := -math.MaxFloat64 // courtesies are less
	if p, ok := t.Named(t.Project); ok && p.CreatedBy != string(vault.ActorAgent) {
		least = idle
	}
	return others, slices.DeleteFunc(told, func(s string) bool { return covered(s) || t.likely(s) < least && !t.righted(s) })
}

// weighed are those sentences of the message that are kept. What asked for something of
// which nothing was done is named.
func (t *Turn) weighed(ctx context.Context, lost []string) []string {
	switch {
	case t.Planned: // what is asked about is kept whole until the answer
		return lost
	case t.Worded && t.Mode == general && !extract.IsDump(t.Text):
		return t.unmistakable(lost)
	}
	var unmet []string
	if t.Mode == general && !extract.IsDump(t.Text) && !t.pours() {
		lost, unmet = t.wishes(ctx, t.regretted(lost))
	}
	if len(unmet) > 0 {
		t.Desk.Say(extract.Regret + list(unmet) + ".")
	}
	return t.minutes(lost)
}

// answers: a sentence asks something, and the reply is about that.
func (t *Turn) answers(s string) bool {
	return t.Mode != "project_create" && !wavers(s) && (extract.NamedBehind(t.Text, s) || !extract.IsDump(t.Text)) && (asks(s) || t.Listed && namesTasks(s) || extract.NamedBehind(t.Text, s) || !t.Heard && len(t.Operated) == 0 && extract.Inquires(s))
}

// asks: a sentence is a question, which was answered, or of which the reply says that nothing
// is found.
func asks(s string) bool {
	toks := language.SkipOpeners(language.Tokenize(s))
	return language.Asks(toks) || language.Begins(toks, "<wh>") && !strings.Contains(s, ",")
}

// namesTasks: a sentence names the tasks that are wanted, and tells nothing: "tasks created in November".
func namesTasks(s string) bool {
	toks := language.SkipOpeners(language.Tokenize(s))
	return language.Begins(toks, "open|overdue|finished|all? tasks|todos|to-dos") && !language.Has(toks, "<aux>")
}

// unmistakable are those sentences of a message that a language model has answered which
// surely are news, and of a message that asks for nothing: what was wanted of the model, and
// what it was told only for that, is no news, and the model's own words say what it did.
func (t *Turn) unmistakable(lost []string) []string {
	for _, s := range extract.Sentences(t.Text) {
		if _, wish := t.wish(s.Text); wish || s.Kind == extract.Question || s.Kind == extract.Command || !extract.Plain(s.Text) {
			return nil
		}
	}
	return slices.DeleteFunc(slices.Clone(lost), func(s string) bool { return !Minuted(t.likely(s)) })
}

// leadsOn: a few words that only lead to what follows, or behind what was told: "I'd like to build
// this:", "so tick that off".
func leadsOn(s string) bool {
	return strings.HasSuffix(s, ":") && len(strings.Fields(s)) < 7 || onlyOff(s)
}

// told are the sentences of the message that must be found again. Of an order that tells
// more than was done, the rest is kept as well.
func (t *Turn) told(ctx context.Context) []string {
	all := extract.Told(t.Text, t.Mode == "project_create" || t.Mode == "project_update")
	done := t.operated(ctx)
	more := func(s extract.Sentence) bool {
		return t.Mode == general && done != "" && !recall.IsSecret(s.Text) && muchMore(s.Text, done, t.Now)
	}
	if len(all) == 1 && !extract.IsDump(t.Text) && t.answered(all[0]) && !t.tells(all[0]) && !more(all[0]) && !t.goesOn(all[0].Text) {
		return nil
	}
	var out []string
	for _, s := range all {
		if s.Kind != extract.Command || !t.followed() || more(s) || t.goesOn(s.Text) {
			out = append(out, s.Text)
		}
	}
	return out
}

// tells: a tool that was called for a sentence of plain talk had no use for its news, and
// led nowhere.
func (t *Turn) tells(s extract.Sentence) bool {
	_, wish := t.wish(s.Text)
	return t.Mode == general && len(t.Operated) == 0 && !t.Served && t.Project == t.Told && !wish && Minuted(t.likely(s.Text))
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
	at := policy.Place{AgentMade: p.CreatedBy == string(vault.ActorAgent), Outside: ok && project != t.Project && project != t.Told, Loose: !ok, Tainted: t.Outside}
	verdict := t.Policy.Decide("create_note", tool.Add, at)
	switch {
	case verdict == policy.Never:
		t.Desk.Say("Policy doesn't let me write notes, so I kept none of that.")
		return
	case verdict == policy.Ask, t.Again: // the words of an interrupted turn may be anybody's
		t.propose(ctx, project, lost)
		return
	}
	step, err := entity.PlanAddToInbox(ctx, t.Vault, project, lost, t.Now)
	if err == nil {
		step.Reason = t.keeping(lost, project)
	}
	if err != nil || !t.Desk.Apply(ctx, step) {
		t.Held = append(t.Held, lost...)
		return
	}
	t.Desk.Say(filed(lost, step.Entity.Path, !ok && t.Project != ""))
}

// propose offers to write sentences into the inbox note: with those that were offered
// just now, as one proposal. What was put aside meanwhile stays there.
func (t *Turn) propose(ctx context.Context, project string, lost []string) {
	before, offered := t.offered(ctx, project)
	all := append(offered, lost...)
	step, err := entity.PlanAddToInbox(ctx, t.Vault, project, all, t.Now)
	if err == nil {
		step.Reason = t.keeping(all, project)
		err = t.Desk.Propose(ctx, step)
	}
	if err != nil {
		t.Held = append(t.Held, lost...)
		return
	}
	if len(offered) > 0 {
		t.Desk.Withdraw(ctx, before)
	}
}

// offered finds what was shown just now as a proposal for an inbox note.
func (t *Turn) offered(ctx context.Context, project string) (op vault.Operation, sentences []string) {
	i := t.keeps(project)
	if i < 0 || t.Outside {
		return op, nil
	}
	op, err := t.Vault.Operation(ctx, t.Shown[i].ID)
	if err != nil {
		return op, nil
	}
	for _, c := range op.Changes {
		sentences = append(sentences, filedIn(c.Patch)...)
	}
	return op, sentences
}

// keeps is where among the proposals shown is one to keep sentences in the inbox of a project;
// less than 0: there is none.
func (t *Turn) keeps(project string) int {
	path := entity.InboxPath(t.Vault, project)
	return slices.IndexFunc(t.Shown, func(op vault.Operation) bool {
		return op.Entity.Path == path && strings.HasPrefix(op.Reason, keepWord)
	})
}

// Rescue sees to the words of a proposal that was refused, since it no longer fits where
// it was to be written. Those that were agreed to for an inbox are added to it as it is
// now, and it reports that; others are offered.
func (t *Turn) Rescue(ctx context.Context, id string) bool {
	op, err := t.Vault.Operation(ctx, id)
	if err != nil || op.Status != vault.StatusRejected {
		return false
	}
	project := t.Vault.ProjectOf(op.Entity.Path)
	var lost, filed []string
	for _, c := range op.Changes {
		filed = append(filed, filedIn(c.Patch)...)
		for _, s := range guide.Sentences(added(c.Patch)) {
			if !slices.Contains(lost, s) && len(strings.Fields(s)) > 2 {
				lost = append(lost, s)
			}
		}
	}
	if len(filed) > 0 && op.Entity.Path == entity.InboxPath(t.Vault, project) {
		if step, err := entity.PlanAddToInbox(ctx, t.Vault, project, filed, t.Now); err == nil {
			step.Reason = op.Reason
			return t.Desk.Apply(ctx, step)
		}
		lost = filed
	}
	if len(lost) > 0 {
		t.propose(ctx, project, lost)
	}
	return false
}

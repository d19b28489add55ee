package agent

import (
	"context"
	"slices"

	"kist/agent/budget"
	"kist/agent/consent"
	"kist/agent/model"
	"kist/vault"
	"kist/vault/conversation"
)

// What models may cost: where the next request would pass a limit, the user is asked, and
// a yes goes past it for one turn.

// limitKey is the argument of an open question that is about a limit: the turn that stopped
// there.
const limitKey = "limit"

// meterOf returns the meter of a turn that begins with a message, after a question.
func meterOf(a *Agent, text string, before conversation.Question) *budget.Meter {
	m := budget.New(a.budget, a.vault, a.now, a.log)
	if before.Args[limitKey] != "" && agrees(text) {
		m.Lift()
	}
	return m
}

func agrees(text string) bool {
	reply := consent.Read(text)
	return reply == consent.Yes || reply == consent.Go
}

// goOn takes a turn that stopped at a limit up again where the message agrees to that: with its
// message, and with what it did counting as done. Where kist was started anew since, the
// message comes from a file, which others may have written.
func goOn(ctx context.Context, t *turn) error {
	q := t.sess.Question
	if q.Args[limitKey] == "" || q.Args["message"] == "" || !agrees(t.msg.Text) {
		return nil
	}
	text, known := t.stopped.LoadAndDelete(q.Args[limitKey])
	t.tainted = t.tainted || !known || text != q.Args["message"]
	t.msg.Text = q.Args["message"]
	t.continues = append(t.continues, q.Args[limitKey])
	all, err := t.vault.Operations(ctx, vault.Filter{Session: t.sess.ID})
	if err != nil {
		return wrap("list operations", err)
	}
	slices.Reverse(all)
	return t.remade(ctx, ofTurns(all, q.Args[limitKey]))
}

// staysStopped: a turn had stopped at a limit, and the message says that it is to stay so.
func staysStopped(t *turn) bool {
	return t.assent.before.Question.Args[limitKey] != "" && consent.Read(t.msg.Text) == consent.No
}

// atLimit tells that the turn goes no further, and returns what it asks: whether to go on.
// Where it has made proposals, a yes would be one to them.
func atLimit(t *turn, why error) *model.Question {
	if len(t.assent.offers) > 0 {
		t.notice(why.Error() + ". The turn ends here; ask for the rest if you want it.")
		return nil
	}
	t.notice(why.Error() + ". Shall I go on?")
	t.stopped.Store(t.id, t.msg.Text)
	return &model.Question{Kind: model.Open, Args: map[string]string{limitKey: t.id, "message": t.msg.Text}, Text: "Shall I go on?"}
}

// tellUse tells what was used since a number of calls, where it is counted or limited.
func tellUse(t *turn, calls int, counted bool) {
	m := t.meter
	if m.Calls() == calls || !counted && t.budget() == (budget.Limits{}) {
		return
	}
	last := m.Last()
	t.emit(Usage{Input: last.Input, Output: last.Output, Turn: m.Spent(), Today: m.Today(), Month: m.Month(), Limits: t.budget()})
}

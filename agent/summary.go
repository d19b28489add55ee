package agent

import (
	"context"
	"slices"

	"kist/agent/brief"
	"kist/agent/budget"
	"kist/agent/clerk"
	"kist/agent/digest"
	"kist/agent/model"
	"kist/agent/prose"
	"kist/vault/conversation"
)

const (
	summaryTurns = 10 // after so many the summary of a session goes on
	titleTurns   = 3  // after so many a model may find a title
)

// summarise rolls the summary of the session on: every ten turns the gist of those
// is added, and the oldest lines go where it gets too long. It is called by the first
// message that says something. A model may write both anew later.
func (a *Agent) summarise(ctx context.Context, sess *conversation.Session, message string) {
	if sess.Title == "" {
		sess.Title = digest.Title(message)
	}
	rolls := sess.Turns > 0 && sess.Turns%summaryTurns == 0
	if !rolls && (sess.Turns != titleTurns || sess.Title == "" || sess.Named) {
		return
	}
	past, err := conversation.RecentTurns(ctx, a.vault, sess.Project, summaryTurns)
	if err != nil {
		return
	}
	isPrivate := a.private.Turns(ctx)
	past = slices.DeleteFunc(past, func(turn conversation.Turn) bool {
		return turn.Session != sess.ID || isPrivate(turn) // a summary is for every model
	})
	if !rolls {
		a.better(digest.Task{Session: sess.ID, Title: true, Own: sess.Title, Past: past})
		return
	}
	before := sess.Summary
	sess.Summary = digest.Add(before, past, brief.SummaryRunes)
	a.better(digest.Task{Session: sess.ID, Before: before, Own: sess.Summary, Past: past})
}

// better has a small model write a summary or title anew, when the turn is over.
func (a *Agent) better(t digest.Task) {
	if len(t.Past) == 0 {
		return
	}
	a.clerk.Add(clerk.Job{What: "a summary or title", Session: t.Session, Do: func(ctx context.Context, m model.Model, meter model.Meter) error {
		return digest.Desk{Vault: a.vault, Limit: brief.SummaryRunes, Lock: a.sessions.inUse.Lock, Retold: a.retold}.Better(ctx, m, meter, t)
	}})
}

// retold is what of a turn may go on into other prompts.
func (a *Agent) retold(ctx context.Context, turn conversation.Turn) conversation.Turn {
	if slices.ContainsFunc(turn.Context, func(source string) bool { return a.fromOutside(ctx, prose.FileOf(source)) }) {
		turn.Reply = "" // it may tell what others wrote
	}
	return turn
}

// newClerk works for who has a small model.
func newClerk(a *Agent) *clerk.Clerk {
	return clerk.New(clerk.Clerk{Model: a.fast, Log: a.log, Meter: func() model.Meter { return budget.New(a.budget, a.vault, a.now, a.log) }})
}

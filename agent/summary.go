package agent

import (
	"context"
	"slices"

	"kist/agent/brief"
	"kist/agent/budget"
	"kist/agent/digest"
	"kist/agent/model"
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
	if !rolls && (sess.Turns != titleTurns || sess.Title == "") {
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
		a.clerk.Add(digest.Task{Session: sess.ID, Title: true, Own: sess.Title, Past: past})
		return
	}
	before := sess.Summary
	sess.Summary = digest.Add(before, past, brief.SummaryRunes)
	a.clerk.Add(digest.Task{Session: sess.ID, Before: before, Own: sess.Summary, Past: past})
}

// newClerk has summaries written by a small model.
func newClerk(a *Agent, fast func() model.Model) *digest.Clerk {
	return digest.New(digest.Clerk{
		Vault: a.vault, Limit: brief.SummaryRunes, Model: fast, Lock: a.sessions.lock, Log: a.log,
		Meter: func() model.Meter { return budget.New(a.budget, a.vault, a.now, a.log) },
		Retold: func(ctx context.Context, turn conversation.Turn) conversation.Turn {
			if slices.ContainsFunc(turn.Context, func(source string) bool { return a.fromOutside(ctx, fileOf(source)) }) {
				turn.Reply = "" // it may tell what others wrote
			}
			return turn
		},
	})
}

package agent

import (
	"context"
	"slices"

	"kist/agent/model"
	"kist/agent/prose"
	"kist/vault/conversation"
)

// history is what was said before in the active project, shortened. Its length
// doesn't depend on how long the conversation is.
func (t *turn) history(ctx context.Context) ([]model.Message, error) {
	turns, err := conversation.RecentTurns(ctx, t.vault, t.sess.Project, historyTurns)
	if err != nil {
		return nil, wrap("read conversation", err)
	}
	turns = fromMark(turns)
	away, isPrivate := leaves(ctx, t), t.private.Turns(ctx)
	var out []model.Message
	for _, past := range turns {
		if slices.Contains(t.continues, past.ID) {
			continue // its message is said again now, as an answer to what came before it
		}
		t.inherit(ctx, past)
		t.earlier = append(t.earlier, past.User)
		t.before, t.lastPrivate = past.User, away && isPrivate(past)
		out = append(out, model.Message{Role: model.User, Text: prose.Shorten(past.User, historyText), Private: t.lastPrivate})
		if said, told := past.Own(); past.Reply != "" {
			out = append(out, model.Message{Role: model.Assistant, Text: prose.Shorten(said, historyText), Told: prose.Shorten(told, historyText), Private: t.lastPrivate})
		}
	}
	return out, nil
}

// fromMark leaves out the first few turns, up to one that is chosen by how long its message is, so that
// the history begins with the same turn for some messages and a server finds it in its cache.
func fromMark(turns []conversation.Turn) []conversation.Turn {
	if len(turns) < historyTurns {
		return turns
	}
	for i := range historyTurns / 2 {
		if len(turns[i].User)%4 == 0 {
			return turns[i:]
		}
	}
	return turns
}

package digest

import (
	"context"

	"kist/agent/model"
	"kist/vault"
	"kist/vault/conversation"
)

// A Task is a summary, or a title, that a model may write anew: of turns, oldest first, where
// the session still has what kist wrote itself.
type Task struct {
	Session string
	Title   bool   // else the summary
	Before  string // the summary without these turns
	Own     string // what kist wrote
	Past    []conversation.Turn
}

// A Desk is where summaries and titles are written.
type Desk struct {
	Vault *vault.Vault
	Limit int                                                                  // bytes of a summary
	Lock  func(ctx context.Context, session string) (unlock func(), err error) // against turns
	// Retold returns what of a turn may go on into other sessions' prompts.
	Retold func(context.Context, conversation.Turn) conversation.Turn
}

// Better has a model write a summary or title, and puts it in the place of kist's own.
func (d Desk) Better(ctx context.Context, m model.Model, meter model.Meter, t Task) error {
	past := make([]conversation.Turn, len(t.Past))
	for i, turn := range t.Past {
		past[i] = d.Retold(ctx, turn)
	}
	var better string
	var err error
	if t.Title {
		better, err = Name(ctx, m, meter, past)
	} else {
		better, err = Write(ctx, m, meter, t.Before, past, d.Limit)
	}
	if err != nil {
		return err
	}
	return d.replace(ctx, t, better)
}

func (d Desk) replace(ctx context.Context, t Task, better string) error {
	unlock, err := d.Lock(ctx, t.Session)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := conversation.FindSession(ctx, d.Vault, t.Session)
	if err != nil {
		return err
	}
	now := &s.Summary
	if t.Title {
		now = &s.Title
	}
	if *now != t.Own {
		return nil
	}
	*now = better
	return conversation.SaveSession(ctx, d.Vault, s)
}

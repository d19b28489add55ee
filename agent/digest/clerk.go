package digest

import (
	"context"
	"log/slog"
	"time"

	"kist/agent/model"
	"kist/vault"
	"kist/vault/conversation"
)

const (
	// writeWithin bounds how long a model may take for a summary, which nobody waits for.
	writeWithin = 3 * time.Minute
	maxWaiting  = 16
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

// A Clerk has summaries and titles written, one after the other.
type Clerk struct {
	Vault *vault.Vault
	Limit int                                                                  // bytes of a summary
	Model func() model.Model                                                   // nil, or returning nil: there is none
	Meter func() model.Meter                                                   // of one summary
	Lock  func(ctx context.Context, session string) (unlock func(), err error) // against turns
	// Retold returns what of a turn may go on into other sessions' prompts.
	Retold func(context.Context, conversation.Turn) conversation.Turn
	Log    *slog.Logger

	waiting chan Task
}

// New returns a clerk who waits for work.
func New(c Clerk) *Clerk {
	c.waiting = make(chan Task, maxWaiting)
	return &c
}

// Add takes a task without waiting. Where there is enough to do it is left.
func (c *Clerk) Add(t Task) {
	if c.Model == nil || len(t.Past) == 0 {
		return
	}
	select {
	case c.waiting <- t:
	default:
	}
}

// Run works until ctx ends.
func (c *Clerk) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-c.waiting:
			c.do(ctx, t)
		}
	}
}

func (c *Clerk) do(ctx context.Context, t Task) {
	m := c.Model()
	if m == nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	past := make([]conversation.Turn, len(t.Past))
	for i, turn := range t.Past {
		past[i] = c.Retold(ctx, turn)
	}
	var better string
	var err error
	if t.Title {
		better, err = Name(limited, m, c.Meter(), past)
	} else {
		better, err = Write(limited, m, c.Meter(), t.Before, past, c.Limit)
	}
	if err == nil {
		err = c.replace(ctx, t, better)
	}
	if err != nil && ctx.Err() == nil {
		c.Log.Info("a summary or title stays as kist wrote it", "session", t.Session, "model", m.Name(), "err", err)
	}
}

func (c *Clerk) replace(ctx context.Context, t Task, better string) error {
	unlock, err := c.Lock(ctx, t.Session)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := conversation.FindSession(ctx, c.Vault, t.Session)
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
	return conversation.SaveSession(ctx, c.Vault, s)
}

// Package clerk does what a small model may do when a turn is over, such as writing a summary
// anew, one thing after the other. Nobody waits for it: where there is enough to do, or no
// such model, a job is left, and everything stays as kist did it by itself.
package clerk

import (
	"context"
	"log/slog"
	"time"

	"kist/agent/model"
)

const (
	// within bounds how long one job may take.
	within     = 3 * time.Minute
	maxWaiting = 16
)

// A Job is something to do with a model. An error says why all stays as it was.
type Job struct {
	What    string // in words, for the log
	Session string
	Do      func(ctx context.Context, m model.Model, meter model.Meter) error
}

// A Clerk works off jobs.
type Clerk struct {
	Model func() model.Model // returning nil: there is none
	Meter func() model.Meter // of one job
	Log   *slog.Logger

	waiting chan Job
}

// New returns a clerk who waits for work.
func New(c Clerk) *Clerk {
	c.waiting = make(chan Job, maxWaiting)
	return &c
}

// Add takes a job without waiting.
func (c *Clerk) Add(j Job) {
	if c.Model() == nil {
		return
	}
	select {
	case c.waiting <- j:
	default:
	}
}

// Run works until ctx ends.
func (c *Clerk) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-c.waiting:
			c.do(ctx, j)
		}
	}
}

func (c *Clerk) do(ctx context.Context, j Job) {
	m := c.Model()
	if m == nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := j.Do(limited, m, c.Meter()); err != nil && ctx.Err() == nil {
		c.Log.Info("it stays as kist did it", "what", j.What, "session", j.Session, "model", m.Name(), "err", err)
	}
}

package agent

import (
	"context"
	"testing"
	"time"

	"kist/agent/clerk"
	"kist/agent/model"
	"kist/agent/tool"
)

// SearchWith gives an agent another search.
func (a *Agent) SearchWith(s func(tool.Searcher) tool.Searcher) { a.search = s(a.search) }

// WaitForClerk returns when what waits for the clerk is done, who does one thing after the other.
func (a *Agent) WaitForClerk(t testing.TB) {
	t.Helper()
	done := make(chan struct{})
	a.clerk.Add(clerk.Job{What: "a test", Do: func(context.Context, model.Model, model.Meter) error { close(done); return nil }})
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the clerk does nothing")
	}
}

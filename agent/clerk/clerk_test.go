package clerk

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/agenttest"
	"kist/agent/model"
)

// Jobs are done in their order and within their time; one that fails or is late ends none, and
// what is too much is left without waiting.
func TestClerk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m model.Model = agenttest.NewScript()
		c := New(Clerk{Model: func() model.Model { return m }, Meter: func() model.Meter { return nil }, Log: slog.New(slog.DiscardHandler)})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan bool)
		go func() { defer close(done); c.Run(ctx) }()
		var got []string
		add := func(name string, err error) {
			c.Add(Job{What: name, Do: func(context.Context, model.Model, model.Meter) error { got = append(got, name); return err }})
		}
		add("first", errors.New("it fails"))
		start := time.Now()
		c.Add(Job{What: "slow", Do: func(ctx context.Context, _ model.Model, _ model.Meter) error { <-ctx.Done(); return ctx.Err() }})
		add("second", nil)
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(got) != 2 || got[0] != "first" || got[1] != "second" || time.Since(start) < within {
			t.Errorf("%q", got)
		}
		m = nil
		add("without a model", nil)
		synctest.Wait()
		cancel()
		<-done
		m = agenttest.NewScript()
		for range 3 * maxWaiting { // nobody works: it is left, and nobody waits
			add("later", nil)
		}
		if len(got) != 2 {
			t.Errorf("%q", got)
		}
	})
}

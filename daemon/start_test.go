package daemon

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowStart: a start that was told to end does, within two seconds, whatever it waits
// for; what it opened is closed if it comes back.
func TestSlowStart(t *testing.T) {
	tests := []struct {
		name string
		open func(d *daemon, never chan struct{}) func(context.Context) error
		shut bool // what was opened is closed
	}{
		{"hangs", func(_ *daemon, never chan struct{}) func(context.Context) error {
			return func(context.Context) error { <-never; return errors.New("let go") }
		}, false},
		{"slow, without a look at its context", func(d *daemon, _ chan struct{}) func(context.Context) error {
			return func(context.Context) error { time.Sleep(startLimit * 3 / 2); return nil }
		}, true},
		{"obeys", func(d *daemon, _ chan struct{}) func(context.Context) error {
			return func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &daemon{log: slog.New(slog.DiscardHandler)}
				closed := false
				d.closes("part", func() error { closed = true; return nil })
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began, never := time.Now(), make(chan struct{})
				err := d.start(ctx, tt.open(d, never))
				if took := time.Since(began) - time.Second; took > 2*time.Second || !errors.Is(err, context.Canceled) {
					t.Errorf("ended %v after it was told to, with %v", took, err)
				}
				if closed != tt.shut {
					t.Errorf("closed: %v, want %v", closed, tt.shut)
				}
				close(never)
				synctest.Wait()
			})
		})
	}
}

package sync

import (
	"context"
	"os"
	"testing"
	"time"

	"kist/vault"
)

// within waits until something is so, and fails if it never is.
func within(t testing.TB, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

// TestTheLoopSyncsAfterChanges runs two engines as daemons do, with watchers: what one writes
// comes to the other, not while that is paused, and again after the remote was away.
func TestTheLoopSyncsAfterChanges(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	settle(a, b)
	ctx, stop := context.WithCancel(context.Background())
	var ended []chan error
	start := func(fn func(context.Context) error) {
		done := make(chan error, 1)
		ended = append(ended, done)
		go func() { done <- fn(ctx) }()
	}
	defer func() {
		stop()
		for _, done := range ended {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}()
	for _, m := range []*machine{a, b} {
		m.engine = New(Options{Vault: m.vault, Dir: m.state, Quiet: 100 * time.Millisecond, Interval: 500 * time.Millisecond})
		start(func(ctx context.Context) error { _ = m.vault.Run(ctx); return nil })
		within(t, 10*time.Second, "watching", func() bool { return m.vault.Watching() != nil })
		<-m.vault.Watching()
		start(m.engine.Run)
	}
	a.write("one.md", "one\n")
	within(t, 30*time.Second, "one.md comes", func() bool { return b.read("one.md") == "one\n" })
	if err := b.engine.Pause(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	a.write("two.md", "two\n")
	within(t, 30*time.Second, "two.md is sent", func() bool { return run(t, remote, "ls-tree", "--name-only", "main", "two.md") == "two.md" })
	time.Sleep(time.Second)
	if b.read("two.md") != "-" || b.engine.Status(t.Context()).State != Paused {
		t.Error("synced while it is paused")
	}
	if err := b.engine.Pause(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	within(t, 30*time.Second, "two.md comes", func() bool { return b.read("two.md") == "two\n" })
	// What came is one operation of sync, and none of an editor, though a watcher saw it.
	if err := b.vault.Record(t.Context()); err != nil {
		t.Fatal(err)
	}
	ops, err := b.vault.Operations(t.Context(), vault.Filter{Entity: "two.md", Own: true})
	if err != nil || len(ops) != 1 || ops[0].Actor != vault.ActorSync {
		t.Errorf("operations on two.md: %+v, %v", ops, err)
	}
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	within(t, 30*time.Second, "failing", func() bool { return a.engine.Status(t.Context()).State == Failing })
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	if _, err := a.engine.Now(t.Context(), Request{}, nil); err != nil {
		t.Error(err)
	}
	if s := a.engine.Status(t.Context()); s.State != Ready && s.State != Syncing {
		t.Errorf("the status is %+v", s)
	}
}

// TestAFailureIsTriedAgainLaterAndLater holds the waits after failures.
func TestAFailureIsTriedAgainLaterAndLater(t *testing.T) {
	l := loop{}
	last := time.Duration(0)
	for range 20 {
		l.ended(context.DeadlineExceeded)
		if l.wait < last || l.wait < firstWait || l.wait > lastWait || time.Until(l.due) < l.wait-time.Second {
			t.Fatalf("waits %v after %v, due in %v", l.wait, last, time.Until(l.due))
		}
		last = l.wait
	}
	if last != lastWait {
		t.Errorf("waits %v at most, want %v", last, lastWait)
	}
}

// TestARoundIsDueWhateverTheClockSays has the machine sleep for an hour, and its clock be set ahead and back.
func TestARoundIsDueWhateverTheClockSays(t *testing.T) {
	l, now := loop{}, time.Now()
	l.due = now.Add(5 * time.Minute)
	for name, c := range map[string]struct {
		ran, wall time.Duration
		due       bool
	}{
		"soon":                      {time.Minute, time.Minute, false},
		"an hour's sleep":           {time.Minute, time.Hour, true},
		"a clock that was set back": {6 * time.Minute, -time.Hour, true},
		"and not yet":               {time.Minute, -time.Hour, false},
	} {
		if left := l.left(now.Add(c.ran), now.Add(c.wall)); (left <= 0) != c.due {
			t.Errorf("%s: %v are left", name, left)
		}
	}
}

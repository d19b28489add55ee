package agent_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"kist/agent"
	"kist/agent/offline"
	"kist/vault"
	"kist/vault/vaulttest"
)

// Nothing of a turn is told, and nothing but its message written, before the message is
// on the disk; where it can't be kept, the turn fails and says nothing else.
func TestNothingHappensBeforeTheMessageIsKept(t *testing.T) {
	var failing atomic.Bool
	var kept atomic.Int64
	v, err := vault.Open(context.Background(), vaulttest.Write(t, boats), vault.Options{Device: "test", Fault: func(call string) error {
		if failing.Load() && (call == "create" || call == "fsync") {
			return errors.New("the disk is full")
		}
		if call == "fsync folder" {
			kept.Add(1)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	a, err := agent.New(v, nil, offline.New(), agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	session := ""
	for _, m := range []agent.Message{{Session: "new", Text: "let's talk about atlas"}, {Text: "add a task to draw the map"}} {
		before, told := kept.Load(), false
		for e, err := range a.Send(t.Context(), m) {
			if err != nil {
				t.Fatal(err)
			}
			if !told && kept.Load() == before {
				t.Errorf("%q: %T before the session was kept", m.Text, e)
			}
			told = true
			if done, ok := e.(agent.Done); ok {
				session = done.Session
			}
		}
	}
	files := vaulttest.Tree(t, v.Dir(), "conversations")
	failing.Store(true)
	var events []string
	for e, err := range a.Send(t.Context(), agent.Message{Session: session, Text: "add a task to sell the map"}) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, outline([]agent.Event{e}))
	}
	if got := strings.Join(events, " "); !strings.HasPrefix(got, "failed") || len(events) != 1 {
		t.Errorf("events of a turn whose message can't be kept: %q", events)
	}
	if after := vaulttest.Tree(t, v.Dir(), "conversations"); len(after) != len(files) {
		t.Errorf("files: %v, then %v", files, after)
	}
}

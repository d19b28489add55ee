package agent_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent"
	"kist/agent/offline"
	"kist/vault"
	"kist/vault/vaulttest"
)

// A git that is in the middle of something, or not.
type rebasing struct{ atomic.Bool }

func (r *rebasing) Busy() string {
	if r.Load() {
		return "a rebase"
	}
	return ""
}
func (*rebasing) Moving() bool { return false }
func (*rebasing) Placed(context.Context, string, []byte) vault.Placement {
	return vault.Placement{}
}

// While the user is in the middle of a rebase questions are answered, in a conversation that goes on too; nothing is written, and that is
// said. What is told is refused, with the reason. Afterwards all is as before.
func TestQuestionsInARebase(t *testing.T) {
	var git rebasing
	v, err := vault.Open(t.Context(), vaulttest.Write(t, boats), vault.Options{Device: "test", Git: &git})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	a, err := agent.New(v, nil, offline.New(), agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	send := func(session, text string) (reply, id string) {
		t.Helper()
		for e, err := range a.Send(t.Context(), agent.Message{Session: session, Text: text}) {
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			switch e := e.(type) {
			case agent.TextDelta:
				reply += e.Text
			case agent.Notice:
				reply += "\n" + e.Text
			case agent.Failed:
				t.Errorf("%q failed: %v", text, e.Err)
			case agent.Done:
				id = e.Session
			}
		}
		return reply, id
	}
	_, kept := send("new", "add a task to draw the map for atlas")
	before := vaulttest.Tree(t, v.Dir(), ".kist")
	git.Store(true)
	for _, in := range []string{"new", kept} {
		reply, id := send(in, "what are my open tasks?")
		if !strings.Contains(reply, "open tasks") || !strings.Contains(reply, "isn't kept") || !strings.Contains(reply, "a rebase") {
			t.Errorf("in %s the answer is %q", in, reply)
		}
		if reply, _ := send(id, "what are my open tasks?"); !strings.Contains(reply, "open tasks") {
			t.Errorf("then %q", reply)
		}
	}
	if started, err := a.Start(t.Context(), agent.Start{}); err != nil {
		t.Error(err)
	} else if reply, _ := send(started.Session.ID, "add a task to sell the map"); !strings.Contains(reply, "a rebase") {
		t.Errorf("what is told is answered %q", reply)
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), ".kist")); diff != "" {
		t.Errorf("files changed: %s", diff)
	}
	git.Store(false)
	if reply, _ := send(kept, "add a task to sell the map"); strings.Contains(reply, "isn't kept") {
		t.Errorf("afterwards %q", reply)
	}
}

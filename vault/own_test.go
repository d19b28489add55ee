package vault_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// A hand is whoever writes lines here.
type hand struct {
	origin vault.Origin
	agent  bool
}

// TestOwnLines has the agent, the user, the user's editor and a turn that had read from outside
// write, change and remove lines of one document at random, and take changes back. No line that
// anybody but the agent had a hand in may pass as its own, and most of its own have to.
func TestOwnLines(t *testing.T) {
	hands := []hand{
		{vault.Origin{Actor: vault.ActorAgent}, true}, {vault.Origin{Actor: vault.ActorAgent}, true},
		{vault.Origin{Actor: vault.ActorUser}, false}, {vault.Origin{Actor: vault.ActorEditor}, false},
		{vault.Origin{Actor: vault.ActorAgent, Outside: true}, false},
	}
	passed, agents := 0, 0
	for seed := range 4 {
		r := rand.New(rand.NewPCG(3, uint64(seed)))
		v := vaulttest.New(t, "-- a.md --\nold\nolder\n")
		lines := []string{"old", "older"}
		pure := map[string]bool{} // lines, by what they say now, that are the agent's alone
		text := func() string { return strings.Join(lines, "\n") + "\n" }
		for n := range 40 {
			before, was := text(), slices.Clone(lines)
			h := hands[r.IntN(len(hands))]
			at := r.IntN(len(lines))
			switch line := fmt.Sprintf("line %d", n); {
			case r.IntN(3) > 0 || len(lines) < 4:
				lines, pure[line] = slices.Insert(lines, at, line), h.agent
			case r.IntN(2) == 0:
				line = lines[at] + "!" + fmt.Sprint(n)
				pure[line], lines[at] = h.agent && pure[lines[at]], line
			default:
				lines = slices.Delete(lines, at, at+1)
			}
			ops, err := v.Apply(ctx, vault.Batch{Origin: h.origin, Steps: []vault.Step{update("a.md", before, text())}})
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(4) == 0 {
				if _, err := v.Undo(ctx, vault.UndoTarget{IDs: []string{ops[0].ID}}, you); err != nil {
					t.Fatal(err)
				}
				lines = was
			}
			i := r.IntN(len(lines))
			changed := slices.Clone(lines)
			changed[i] += "?"
			own, err := vault.OwnLines(ctx, v, update("a.md", text(), strings.Join(changed, "\n")+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case own && !pure[lines[i]]:
				t.Fatalf("seed %d: %q passed as the agent's own in\n%s", seed, lines[i], text())
			case own:
				passed++
			}
			if pure[lines[i]] {
				agents++
			}
		}
	}
	if passed < agents*3/4 {
		t.Errorf("%d of the agent's %d lines passed", passed, agents)
	}
	t.Logf("%d of the agent's %d lines passed", passed, agents)
}

// Where a step only adds, or a text isn't what the log leads to, nothing is anybody's own.
func TestOwnLinesOfNothing(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nold\n")
	if _, err := v.Apply(ctx, vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent}, Steps: []vault.Step{update("a.md", "old\n", "old\nnew\n")}}); err != nil {
		t.Fatal(err)
	}
	for name, step := range map[string]vault.Step{
		"adds":    update("a.md", "old\nnew\n", "old\nnew\nnewer\n"),
		"unknown": update("a.md", "old\nnewest\n", "old\n"),
		"nowhere": update("b.md", "x\n", "y\n"),
		"a move":  {Changes: []vault.Change{{Path: "c.md", From: "a.md", Before: []byte("old\nnew\n"), After: []byte("old\n")}}},
	} {
		if own, err := vault.OwnLines(ctx, v, step); own || err != nil {
			t.Errorf("%s: %v %v", name, own, err)
		}
	}
	if own, err := vault.OwnLines(ctx, v, update("a.md", "old\nnew\n", "old\nnews\n")); !own || err != nil {
		t.Errorf("its own: %v %v", own, err)
	}
}

package vault_test

import (
	"errors"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// TestTheAgentLeavesConflictMarkersAlone has a person merge by hand: the agent doesn't write into the file, the person may.
func TestTheAgentLeavesConflictMarkersAlone(t *testing.T) {
	const half = "# Boat\n\n<<<<<<< HEAD\nred sail\n=======\nold sail\n>>>>>>> c1\n"
	v := vaulttest.New(t, "-- boat.md --\n"+half)
	change := func(by vault.Actor, before, after string) error {
		_, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: by}, Steps: []vault.Step{{
			Type: vault.OpUpdate, Changes: []vault.Change{{Path: "boat.md", Before: []byte(before), After: []byte(after)}},
		}}})
		return err
	}
	err := change(vault.ActorAgent, half, half+"- [ ] buy rope\n")
	if !errors.Is(err, vault.ErrProtected) || !strings.Contains(err.Error(), "boat.md has git's conflict markers, from line 3 on") {
		t.Errorf("%v, want ErrProtected with the reason", err)
	}
	if err := change(vault.ActorUser, half, "# Boat\n\nred sail\n"); err != nil {
		t.Error(err)
	}
	if err := change(vault.ActorAgent, "# Boat\n\nred sail\n", "# Boat\n\nred sail\n- [ ] buy rope\n"); err != nil {
		t.Error(err)
	}
}

//go:build unix

package agent_test

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"kist/agent"
	"kist/vault"
	"kist/vault/entity"
)

// A process that is killed while it lets expired drafts go loses none of them, and the
// next one ends the work: each draft is let go once, by one operation.
func TestKilledInASweep(t *testing.T) {
	const drafts = 4
	base := t.TempDir()
	reopen(t, base, func(v *vault.Vault, _ *agent.Agent) {
		for i := range drafts {
			step, err := entity.PlanCreateDraft(context.Background(), v, entity.NewDraft{Name: "ark " + strconv.Itoa(i), Description: "Two of each."}, vault.ActorAgent)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := v.Apply(context.Background(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent}, Steps: []vault.Step{step}}); err != nil {
				t.Fatal(err)
			}
		}
	})
	for at := 3; at <= 60; at += 9 {
		dir := copied(t, base)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "KIST_TEST_KILL_DIR="+dir, "KIST_TEST_KILL_SAYS=@sweep", "KIST_TEST_KILL_AT="+strconv.Itoa(at))
		out, _ := cmd.Output()
		if cmd.ProcessState.Exited() {
			t.Fatalf("at %d: not killed: %s", at, out)
		}
		reopen(t, dir, func(v *vault.Vault, _ *agent.Agent) {
			sweeper(t, v).Sweep(context.Background())
			all, err := entity.Drafts(context.Background(), v, "abandoned")
			if err != nil || len(all) != drafts {
				t.Errorf("at %d: %d drafts were let go, %v", at, len(all), err)
			}
			for _, d := range all {
				text, err := v.Read(d.Path)
				if err != nil || !strings.Contains(string(text), "Two of each.") || strings.Count(string(text), "status:") != 1 {
					t.Errorf("at %d: %s, %v", at, text, err)
				}
				ops, err := v.Operations(context.Background(), vault.Filter{Entity: d.Path, Status: vault.StatusCompleted})
				if err != nil || len(ops) != 2 {
					t.Errorf("at %d: %d operations on %s, %v", at, len(ops), d.Path, err)
				}
			}
		})
	}
}

package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

// Each test here is a fault that the torture kit found.

var errDead = errors.New("dead")

// deadFrom fails every call from the nth of that name on: what a crash leaves.
func deadFrom(name string, n int) func(string) error {
	dead, seen := false, 0
	return func(call string) error {
		if call == name {
			seen++
		}
		if dead = dead || seen == n; dead {
			return errDead
		}
		return nil
	}
}

const (
	pair     = "-- a.md --\na1\na2\na3\na4\na5\n-- b.md --\nb1\nb2\nb3\nb4\nb5\n"
	aBefore  = "a1\na2\na3\na4\na5\n"
	aAfter   = "a1\na2\nA3\na4\na5\n"
	bBefore  = "b1\nb2\nb3\nb4\nb5\n"
	bAfter   = "b1\nb2\nB3\nb4\nb5\n"
	swapCall = "exchange"
)

// two changes two files in one operation.
func two() vault.Batch {
	s := update("a.md", aBefore, aAfter)
	s.Changes = append(s.Changes, vault.Change{Path: "b.md", Before: []byte(bBefore), After: []byte(bAfter)})
	return batch(s)
}

// reopen closes and opens a vault as the daemon does after a crash.
func reopen(t *testing.T, v *vault.Vault) *vault.Vault {
	t.Helper()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		t.Fatal(err)
	}
	return v
}

func newest(t *testing.T, v *vault.Vault) vault.Operation {
	t.Helper()
	ops, err := v.Operations(ctx, vault.Filter{Actor: vault.ActorUser, Limit: 1})
	if err != nil || len(ops) == 0 {
		t.Fatal(ops, err)
	}
	op, err := v.Operation(ctx, ops[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// halfDone applies two() up to and without the second exchange, and then "crashes".
func halfDone(t *testing.T) *vault.Vault {
	t.Helper()
	v := vaulttest.New(t, pair)
	vault.SetFault(v, deadFrom(swapCall, 2))
	if _, err := v.Apply(ctx, two()); !errors.Is(err, errDead) {
		t.Fatal(err)
	}
	if got := text(t, v, "a.md"); got != aAfter {
		t.Fatalf("not half done: %q", got)
	}
	return v
}

func TestRecoveryFinishesWhatWasBegun(t *testing.T) {
	v := reopen(t, halfDone(t))
	if op := newest(t, v); op.Status != vault.StatusCompleted {
		t.Errorf("%s %s", op.Status, op.Error)
	}
	if diff := cmp.Diff(map[string]string{"a.md": aAfter, "b.md": bAfter}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// A batch that an edit doesn't let be finished is taken back as a whole.
func TestRecoveryTakesBackWhatCannotBeFinished(t *testing.T) {
	v := halfDone(t)
	edited := strings.Replace(bBefore, "b3", "mine", 1)
	save(t, v, "b.md", edited)
	v = reopen(t, v)
	if op := newest(t, v); op.Status != vault.StatusRolledBack || op.Error == "" {
		t.Errorf("%s %s", op.Status, op.Error)
	}
	if diff := cmp.Diff(map[string]string{"a.md": aBefore, "b.md": edited}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// What recovery writes on top of an edit is what the log says.
func TestRecoveryLogsWhatItDoes(t *testing.T) {
	v := halfDone(t)
	save(t, v, "b.md", "mine\n"+bBefore)
	v = reopen(t, v)
	op := newest(t, v)
	now := text(t, v, "b.md")
	if op.Status != vault.StatusCompleted || now != "mine\n"+bAfter || op.Changes[1].After != vault.HashOf([]byte(now)) {
		t.Errorf("%s %q %+v", op.Status, now, op.Changes[1])
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.md": aBefore, "b.md": "mine\n" + bBefore}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// A process that was killed in an earlier recovery may have left a file with a name
// that the next one would like to use.
func TestRecoveryAfterAKilledRecovery(t *testing.T) {
	v := halfDone(t)
	for _, name := range []string{"-1.part.tmp", "-1-3ab2a5d8.part.tmp", "-2.part.tmp"} {
		if err := os.WriteFile(filepath.Join(v.Dir(), ".kist-"+newest(t, v).ID+name), []byte("b1\nb"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v = reopen(t, v)
	if op := newest(t, v); op.Status != vault.StatusCompleted {
		t.Errorf("%s %s", op.Status, op.Error)
	}
	if err := v.Close(); err != nil { // lets displaced files settle
		t.Fatal(err)
	}
	noTemps(t, v.Dir())
}

// An approval that didn't come to anything is not left open for ever.
func TestApprovedAndNeverBegun(t *testing.T) {
	v := vaulttest.New(t, pair)
	ops, err := v.Propose(ctx, two())
	if err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(v.Dir(), "operations/*/*/*.yaml"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	f, err := os.OpenFile(logs[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("---\nid: " + ops[0].ID + "\nevent: approved\nat: 2026-11-20T10:00:00Z\n...\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	v = reopen(t, v)
	all, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(all) != 2 || all[1].ID != ops[0].ID || all[1].Status != vault.StatusRolledBack {
		t.Fatalf("%+v, %v", all, err)
	}
	// A yes must not make it vanish: it waits again.
	again := all[0]
	if again.Status != vault.StatusProposed || again.Entity != ops[0].Entity {
		t.Fatalf("%+v", again)
	}
	if _, err := v.Approve(ctx, again.ID, again.Digest, you); err != nil {
		t.Error(err)
	}
	if all, _ = reopen(t, v).Operations(ctx, vault.Filter{}); len(all) != 2 {
		t.Errorf("%d operations after another start", len(all))
	}
}

// Nor does it vanish when a crash comes after it was begun and before anything of it
// was written.
func TestApprovedAndNothingWritten(t *testing.T) {
	v := vaulttest.New(t, pair)
	ops, err := v.Propose(ctx, two())
	if err != nil {
		t.Fatal(err)
	}
	vault.SetFault(v, deadFrom(swapCall, 1))
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, errDead) {
		t.Fatal(err)
	}
	v = reopen(t, v)
	all, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil || len(all) != 1 || all[0].ID == ops[0].ID {
		t.Fatalf("waiting: %+v, %v", all, err)
	}
	if op, err := v.Operation(ctx, ops[0].ID); err != nil || op.Status != vault.StatusRolledBack {
		t.Errorf("it is %s, %v", op.Status, err)
	}
	if _, err := v.Approve(ctx, all[0].ID, all[0].Digest, you); err != nil {
		t.Error(err)
	}
}

// kist's own text of a first attempt, which an editor's save made useless, is no
// conflict to keep.
func TestEarlierAttemptsAreNotConflicts(t *testing.T) {
	v := vaulttest.New(t, pair)
	saved := false
	vault.SetFault(v, func(call string) error {
		if call == swapCall && !saved {
			saved = true
			save(t, v, "a.md", "mine\n"+aBefore)
		}
		return nil
	})
	op := mustApply(t, v, update("a.md", aBefore, aAfter))[0]
	plant := filepath.Join(v.Dir(), ".kist-"+op.ID+"-9.swap.tmp")
	if err := os.WriteFile(plant, []byte(aAfter), 0o666); err != nil {
		t.Fatal(err)
	}
	v = reopen(t, v)
	if diff := cmp.Diff(map[string]string{"a.md": "mine\n" + aAfter, "b.md": bBefore}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// An operation whose end can't be logged is taken back and fails: acknowledged all
// the same, it would be rolled back by the next start if an editor saved over it.
func TestEndThatCannotBeLogged(t *testing.T) {
	v := vaulttest.New(t, pair)
	opened := 0
	vault.SetFault(v, func(call string) error {
		if call == "open" {
			if opened++; opened == 2 {
				return errDead
			}
		}
		return nil
	})
	if _, err := v.Apply(ctx, vault.Batch{Steps: []vault.Step{update("a.md", aBefore, aAfter)}}); !errors.Is(err, errDead) {
		t.Fatalf("applied, although its end is not in the log: %v", err)
	}
	if got := text(t, v, "a.md"); got != aBefore {
		t.Errorf("not taken back: %q", got)
	}
	mustApply(t, v, update("b.md", bBefore, bAfter))
	ops, err := v.Operations(ctx, vault.Filter{Entity: "a.md"})
	if err != nil || len(ops) != 1 || ops[0].Status != vault.StatusRolledBack {
		t.Errorf("%+v, %v", ops, err)
	}
}

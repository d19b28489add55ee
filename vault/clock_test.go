package vault_test

import (
	"testing"
	"time"

	"kist/vault"
	"kist/vault/vaulttest"
)

// A clock that is years ahead, goes back, or starts at nothing puts no operation out
// of order and loses none.
func TestClockThatJumps(t *testing.T) {
	dir := vaulttest.Write(t, "-- a.md --\n0\n")
	now := vaulttest.Now
	open := func() *vault.Vault {
		v, err := vault.Open(ctx, dir, vault.Options{Device: "test", Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := v.Close(); err != nil {
				t.Error(err)
			}
		})
		return v
	}
	v := open()
	var done []string
	text := "0\n"
	for i, jump := range []time.Duration{0, 10 * 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour, -time.Hour, time.Hour, -50 * 365 * 24 * time.Hour} {
		now = now.Add(jump)
		if i%2 == 1 {
			if err := v.Close(); err != nil {
				t.Fatal(err)
			}
			v = open()
		}
		next := text + "more\n"
		done = append(done, mustApply(t, v, update("a.md", text, next))[0].ID)
		text = next
	}
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(ops) != len(done) {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	for i, op := range ops {
		if want := done[len(done)-1-i]; op.ID != want || op.Status != vault.StatusCompleted || i > 0 && op.Seq >= ops[i-1].Seq {
			t.Errorf("%d: %s %s seq %d, want %s", i, op.ID, op.Status, op.Seq, want)
		}
	}
	undoEverything(t, v)
	if got, err := v.Read("a.md"); err != nil || string(got) != "0\n" {
		t.Errorf("%q, %v", got, err)
	}
}

package entity_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kist/vault"
)

var (
	ctx = context.Background()
	you = vault.Origin{Actor: vault.ActorUser, Client: "test"}
)

// long reports whether the long forms of the sweeps were asked for.
func long() bool { return os.Getenv("KIST_TORTURE") == "long" }

func mustApply(t *testing.T, v *vault.Vault, steps ...vault.Step) []vault.Operation {
	t.Helper()
	ops, err := v.Apply(ctx, vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser, Client: "test", Session: "s1"}, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func text(t *testing.T, v *vault.Vault, p string) string {
	t.Helper()
	b, err := v.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func save(t *testing.T, v *vault.Vault, p, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(v.Dir(), p), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// letSettle waits until every displaced file is gone.
func letSettle(v *vault.Vault) { v.WaitSettled(ctx, time.Minute) }

package conversation_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"kist/vault"
)

var (
	ctx = context.Background()
	you = vault.Origin{Actor: vault.ActorUser, Client: "test"}
)

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

func update(p, before, after string) vault.Step {
	return vault.Step{Type: vault.OpUpdate, Entity: vault.Entity{Type: "document", Path: p}, Reason: "test",
		Changes: []vault.Change{{Path: p, Before: []byte(before), After: []byte(after)}}}
}

func create(p, text string) vault.Step {
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "document", Path: p}, Reason: "test",
		Changes: []vault.Change{{Path: p, After: []byte(text)}}}
}

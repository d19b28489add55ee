package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

// Hidden files are other programs', and records kist's own: no change reaches them, nor
// anything out of the vault.
func TestHiddenFilesAndRecordsAreRefused(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/a.md --\na\n-- sessions/s.yaml --\nid: s\n-- operations/note.md --\nn\n-- b.md --\nb\n")
	before := vaulttest.Tree(t, v.Dir())
	for _, p := range []string{".obsidian/a.md", ".obsidian/new.md", ".hidden.md", "x/.y/z.md", ".kist/token", "sessions/s.yaml", "sessions/new.md",
		"operations/note.md", "operations/new.md", "../out.md", "x/../../out.md", "/out.md", `x\y.md`, ""} {
		for name, step := range map[string]vault.Step{
			"create": create(p, "x\n"), "update": update(p, "a\n", "x\n"), "delete": remove(p, "a\n"), "move there": move("b.md", p), "move away": move(p, "c.md"),
		} {
			if p == "" && name == "move away" {
				continue // that is no move
			}
			if _, err := v.Apply(ctx, batch(step)); !errors.Is(err, vault.ErrInvalidPath) {
				t.Errorf("%s %q: %v", name, p, err)
			}
		}
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir())); diff != "" {
		t.Error(diff)
	}
	if text, err := os.ReadFile(filepath.Join(v.Dir(), ".obsidian/a.md")); err != nil || string(text) != "a\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// What another device has begun is that device's to end: its log came along before its
// files, or it is at work just now.
func TestOtherDevicesOperationsAreTheirs(t *testing.T) {
	v := vaulttest.New(t, "-- b.md --\nb\n")
	mustApply(t, v, update("b.md", "b\n", "B\n"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(v.Dir(), "operations", "*", "*", "*.yaml"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	theirs := "---\nid: " + id + "\nevent: begun\nat: 2026-11-20T10:00:00Z\ntype: create\nentity: {type: document, path: c.md}\nactor: agent\nbatch: " + id +
		"\nchanges:\n  - path: c.md\n    after: " + string(vault.HashOf([]byte("c\n"))) + "\n    patch: |\n      --- /dev/null\n      +++ b/c.md\n      @@ -0,0 +1 @@\n      +c\n...\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(logs[0]), "20-elsewhere.yaml"), []byte(theirs), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known from the start
		v = vaulttest.Open(t, v.Dir())
		if ops, err := v.Operations(ctx, vault.Filter{}); err != nil || len(ops) != 2 {
			t.Errorf("%d operations, %v", len(ops), err)
		}
		op, err := v.Operation(ctx, id)
		if err != nil || op.Status != vault.StatusBegun {
			t.Errorf("it is %s, %v", op.Status, err)
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

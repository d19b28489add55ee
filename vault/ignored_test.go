package vault_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
)

// Rules decide what is looked at. That a file is ignored by now is no deletion of it,
// and what happens to it meanwhile is recorded once it is looked at again.
func TestIgnoringIsNotDeleting(t *testing.T) {
	t.Parallel() // it waits
	var archive strings.Builder
	for i := range 100 {
		fmt.Fprintf(&archive, "-- node_modules/n%d.md --\nn%d\n", i, i)
	}
	v := watched(t, archive.String()+"-- a.md --\na\n")
	save(t, v, ".kistignore", "node_modules/\n")
	save(t, v, "a.md", "b\n")
	edits(t, v, 1)
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if !v.Ignored("node_modules/n1.md") || v.Ignored("a.md") {
		t.Error("the new rules don't hold")
	}
	if err := os.Remove(filepath.Join(v.Dir(), "node_modules/n1.md")); err != nil {
		t.Fatal(err)
	}
	save(t, v, "node_modules/n2.md", "edited\n")
	save(t, v, "a.md", "c\n")
	edits(t, v, 2)
	if why := v.Vanished(); why != "" {
		t.Error(why)
	}
	save(t, v, ".kistignore", "")
	byPath := map[string]vault.OpType{}
	for _, op := range edits(t, v, 4) {
		byPath[op.Entity.Path] = op.Type
	}
	if byPath["node_modules/n1.md"] != vault.OpDelete || byPath["node_modules/n2.md"] != vault.OpUpdate {
		t.Errorf("recorded: %v", byPath)
	}
}

// Ignored documents are no part of the share that may vanish.
func TestIgnoredDocumentsDontLoosenTheBrake(t *testing.T) {
	var archive strings.Builder
	for i := range 600 {
		fmt.Fprintf(&archive, "-- ignored/n%d.md --\nn%d\n", i, i)
	}
	for i := range 80 {
		fmt.Fprintf(&archive, "-- disk/n%d.md --\nd%d\n", i, i)
	}
	v := watched(t, archive.String()+"-- a.md --\na\n")
	save(t, v, ".kistignore", "ignored/\n")
	save(t, v, "a.md", "b\n")
	edits(t, v, 1)
	if err := os.Rename(filepath.Join(v.Dir(), "disk"), filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Vanished() != "" })
	if why := v.Vanished(); !strings.HasPrefix(why, "80 of 81 ") {
		t.Error(why)
	}
	edits(t, v, 1)
}

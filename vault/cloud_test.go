package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// evict does what iCloud does to make room: the file goes, and a stub stands for it.
func evict(t *testing.T, v *vault.Vault, p string) (stub string) {
	t.Helper()
	stub = filepath.Join(v.Dir(), filepath.Dir(p), "."+filepath.Base(p)+".icloud")
	if err := errors.Join(os.WriteFile(stub, []byte("bplist00"), 0o600), os.Remove(filepath.Join(v.Dir(), p))); err != nil {
		t.Fatal(err)
	}
	return stub
}

func problems(t *testing.T, v *vault.Vault) (found, passed []string) {
	t.Helper()
	err := v.Walk(ctx, func(i vault.Info) error { found = append(found, i.Path); return nil }, func(p vault.Problem) {
		if !strings.HasPrefix(p.Message, "not downloaded") || p.Hint == "" {
			t.Errorf("problem %+v", p)
		}
		passed = append(passed, p.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	slices.Sort(passed)
	return found, passed
}

// refused holds every way to read or write notes/a.md to ErrNotDownloaded.
func refused(t *testing.T, v *vault.Vault, op vault.Operation) {
	t.Helper()
	_, readErr := v.Read("notes/a.md")
	_, statErr := v.Stat("notes/a.md")
	_, undoErr := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
	for name, err := range map[string]error{"read": readErr, "stat": statErr, "undo": undoErr} {
		if !errors.Is(err, vault.ErrNotDownloaded) || !strings.HasSuffix(err.Error(), "notes/a.md") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, step := range map[string]vault.Step{
		"update": update("notes/a.md", "A\n", "x\n"), "create": create("notes/a.md", "x\n"), "delete": remove("notes/a.md", "A\n"),
		"move": move("notes/a.md", "c.md"),
	} {
		if _, err := v.Apply(ctx, batch(update("b.md", "b\n", "B\n"), step)); !errors.Is(err, vault.ErrNotDownloaded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := v.Apply(ctx, batch(move("b.md", "notes/a.md"))); !errors.Is(err, vault.ErrExists) {
		t.Errorf("moved onto it: %v", err)
	}
	if got := text(t, v, "b.md"); got != "b\n" {
		t.Errorf("another file of the batch holds %q", got)
	}
}

func TestStubsOfACloudService(t *testing.T) {
	v := watched(t, "-- notes/a.md --\na\n-- b.md --\nb\n")
	op := mustApply(t, v, update("notes/a.md", "a\n", "A\n"))[0]
	stub := evict(t, v, "notes/a.md")
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	edits(t, v, 0) // it isn't deleted
	found, passed := problems(t, v)
	if !cmp.Equal(found, []string{"b.md"}) || !cmp.Equal(passed, []string{"notes/a.md"}) {
		t.Errorf("found %v, passed over %v", found, passed)
	}
	refused(t, v, op)
	before := vaulttest.Tree(t, v.Dir(), "operations")

	// Downloaded again with another text, and evicted and deleted in the cloud.
	save(t, v, "notes/a.md", "A\nfrom elsewhere\n")
	if err := os.Remove(stub); err != nil {
		t.Fatal(err)
	}
	if got := edits(t, v, 1)[0]; got.Type != vault.OpUpdate || got.Entity.Path != "notes/a.md" {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff("b\n", before["b.md"]); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(evict(t, v, "notes/a.md")); err != nil {
		t.Fatal(err)
	}
	if got := edits(t, v, 2)[1]; got.Type != vault.OpDelete {
		t.Errorf("%+v", got)
	}
}

// Where a file keeps its name, an attribute says that it isn't here.
func TestFilesThatKeepTheirName(t *testing.T) {
	v := watched(t, "-- notes/a.md --\na\n-- b.md --\nb\n-- far/c.md --\nc\n")
	op := mustApply(t, v, update("notes/a.md", "a\n", "A\n"))[0]
	vault.SetElsewhere(v, func(fi fs.FileInfo) bool { return fi.Name() == "a.md" || fi.Name() == "far" })
	found, passed := problems(t, v)
	if !cmp.Equal(found, []string{"b.md"}) || !cmp.Equal(passed, []string{"far", "notes/a.md"}) {
		t.Errorf("found %v, passed over %v", found, passed)
	}
	refused(t, v, op)
	edits(t, v, 0)
}

// A new note doesn't take the name of one that is only in the cloud.
func TestNewNotesLeaveStubsAlone(t *testing.T) {
	v := vaulttest.New(t, "-- notes/idea.md --\nx\n")
	evict(t, v, "notes/idea.md")
	step, err := entity.PlanCreateNote(ctx, v, entity.NewNote{Title: "Idea", Text: "y"}, vault.ActorUser)
	if err != nil {
		t.Fatal(err)
	}
	op := mustApply(t, v, step)[0]
	if op.Entity.Path == "notes/idea.md" {
		t.Error("there would be two files of that name")
	}
}

// The log of a device may be elsewhere too: what was read of it stays known.
func TestStubOfALog(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	op := mustApply(t, v, update("a.md", "a\n", "A\n"))[0]
	logs, err := filepath.Glob(filepath.Join(v.Dir(), "operations/*/*/*.yaml"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	rel, err := filepath.Rel(v.Dir(), logs[0])
	if err != nil {
		t.Fatal(err)
	}
	evict(t, v, rel)
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(ops) != 1 || ops[0].ID != op.ID {
		t.Errorf("%+v, %v", ops, err)
	}
	if _, err := v.Apply(ctx, batch(update("a.md", "A\n", "B\n"))); !errors.Is(err, vault.ErrNotDownloaded) {
		t.Errorf("a second log of that name: %v", err)
	}
}

package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// A file of any size is refused, listed and moved without being held in memory.
func TestLargeFiles(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- soon.md --\nsoon\n")
	for name, size := range map[string]int64{"big.md": 256 << 20, "over.md": 16<<20 + 1, "soon.md": 5} {
		p := filepath.Join(v.Dir(), name)
		if err := errors.Join(os.WriteFile(p, []byte("soon\n"), 0o666), os.Truncate(p, size)); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	for _, p := range []string{"big.md", "over.md"} {
		_, readErr := v.Read(p)
		_, docErr := v.Document(p)
		_, editErr := entity.PlanAppendNote(v, p, "more")
		_, setErr := entity.PlanSetProperty(v, p, "a", "b")
		_, applyErr := v.Apply(ctx, batch(update(p, "soon\n", "x\n")))
		for _, err := range []error{readErr, docErr, editErr, setErr, applyErr} {
			if !errors.Is(err, vault.ErrTooLarge) {
				t.Errorf("%s: %v", p, err)
			}
		}
		if head, info, err := v.ReadHead(p, 4); err != nil || string(head) != "soon" || info.Size < 16<<20 {
			t.Errorf("%s: %q of %d bytes, %v", p, head, info.Size, err)
		}
	}
	mustApply(t, v, move("over.md", "notes/over.md"))
	runtime.ReadMemStats(&after)
	if used := int64(after.TotalAlloc - before.TotalAlloc); used > 64<<20 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
	if fi, err := os.Stat(filepath.Join(v.Dir(), "notes/over.md")); err != nil || fi.Size() != 16<<20+1 {
		t.Errorf("moved: %v", err)
	}
}

// A file that was too large to be known isn't "created" when it no longer is.
func TestLargeFileBecomesSmaller(t *testing.T) {
	dir := vaulttest.Write(t, "-- a.md --\na\n")
	p := filepath.Join(dir, "over.md")
	if err := os.WriteFile(p, []byte(strings.Repeat("line\n", 4<<20)), 0o666); err != nil {
		t.Fatal(err)
	}
	v := vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	save(t, v, "over.md", "line\n")
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	ops, err := v.Operations(ctx, vault.Filter{Entity: "over.md"})
	if err != nil || len(ops) != 1 || ops[0].Type != vault.OpUpdate {
		t.Fatalf("%+v, %v", ops, err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you); !errors.Is(err, vault.ErrNotKept) {
		t.Errorf("undo: %v", err)
	}
}

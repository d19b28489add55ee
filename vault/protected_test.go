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

func chmod(t *testing.T, v *vault.Vault, p string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(filepath.Join(v.Dir(), p), mode); err != nil {
		t.Fatal(err)
	}
}

// A file that nobody may write to stays as it is, and so does all else of a batch.
// Nothing is logged, whoever runs this: to root the system permits everything.
func TestWriteProtectedFilesAreLeftAlone(t *testing.T) {
	for name, steps := range map[string][]vault.Step{
		"update":           {update("a.md", "a\n", "A\n")},
		"delete":           {remove("a.md", "a\n")},
		"batch":            {update("b.md", "b\n", "B\n"), create("c.md", "c\n"), update("a.md", "a\n", "A\n")},
		"moved and edited": {move("a.md", "c.md"), update("c.md", "a\n", "A\n")},
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- a.md --\na\n-- b.md --\nb\n")
			chmod(t, v, "a.md", 0o444)
			before := vaulttest.Tree(t, v.Dir())
			_, err := v.Apply(ctx, batch(steps...))
			if !errors.Is(err, vault.ErrProtected) || !strings.Contains(err.Error(), ".md (mode 0444)") {
				t.Errorf("error %v", err)
			}
			if _, err := v.Propose(ctx, batch(steps...)); !errors.Is(err, vault.ErrProtected) {
				t.Errorf("proposed: %v", err)
			}
			if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUndoOfWhatIsWriteProtectedNow(t *testing.T) {
	v := vaulttest.New(t, "-- b.md --\nb\n")
	op := mustApply(t, v, create("a.md", "a\n"))[0]
	edit := mustApply(t, v, update("b.md", "b\n", "B\n"))[0]
	chmod(t, v, "a.md", 0o400)
	chmod(t, v, "b.md", 0o555)
	for _, id := range []string{op.ID, edit.ID} {
		if _, err := v.Undo(ctx, vault.UndoTarget{ID: id}, you); !errors.Is(err, vault.ErrProtected) {
			t.Errorf("undo: %v", err)
		}
	}
	chmod(t, v, "b.md", 0o644)
	undoOne(t, v, edit.ID)
	if text(t, v, "a.md") != "a\n" || text(t, v, "b.md") != "b\n" {
		t.Error("not as it should be")
	}
}

// A proposal outlives that its file is protected for a while, and a move is no edit.
func TestProposalsAndMovesOfWriteProtectedFiles(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- m.md --\nm\n")
	ops, err := v.Propose(ctx, batch(update("a.md", "a\n", "A\n")))
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, v, "a.md", 0o444)
	chmod(t, v, "m.md", 0o444)
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, vault.ErrProtected) {
		t.Errorf("approved: %v", err)
	}
	chmod(t, v, "a.md", 0o644)
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err != nil {
		t.Error(err)
	}
	mustApply(t, v, move("m.md", "n.md"))
	fi, err := os.Stat(filepath.Join(v.Dir(), "n.md"))
	if err != nil || fi.Mode().Perm() != 0o444 {
		t.Errorf("%v %v", fi, err)
	}
}

// Made write-protected between the plan and the write: then all of the batch is
// taken back.
func TestProtectedMeanwhile(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- b.md --\nb\n")
	once := false
	vault.SetFault(v, func(call string) error {
		if call == "exchange" && !once {
			once = true
			chmod(t, v, "b.md", 0o444)
		}
		return nil
	})
	_, err := v.Apply(ctx, batch(update("a.md", "a\n", "A\n"), update("b.md", "b\n", "B\n")))
	if !errors.Is(err, vault.ErrProtected) || text(t, v, "a.md") != "a\n" || text(t, v, "b.md") != "b\n" {
		t.Errorf("error %v; files %q, %q", err, text(t, v, "a.md"), text(t, v, "b.md"))
	}
	if why := v.ReadOnly(); why != "" {
		t.Error(why)
	}
}

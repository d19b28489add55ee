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

var you = vault.Origin{Actor: vault.ActorUser, Client: "test"}

const poem = "# Poem\n\nfirst\nsecond\nthird\nfourth\nfifth\nsixth\nseventh\neighth\nninth\n"

func TestUndoRestoresTheBytes(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem+"-- gone.md --\nx\n")
	save(t, v, "crlf.md", "\ufeff---\r\nk: v\r\n---\r\nlast line")
	before := vaulttest.Tree(t, v.Dir(), "operations")
	ops := mustApply(t, v,
		update("a.md", poem, strings.Replace(poem, "third", "3rd", 1)),
		update("crlf.md", "\ufeff---\r\nk: v\r\n---\r\nlast line", "\ufeff---\r\nk: w\r\n---\r\nlast line\r\nmore"),
		create("projects/p/project.md", "new\n"),
		remove("gone.md", "x\n"))
	undone, err := v.Undo(ctx, vault.UndoTarget{Batch: ops[0].Batch}, you)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Errorf("tree differs:\n%s", diff)
	}
	if len(undone) != 4 || undone[0].Undoes != ops[3].ID {
		t.Errorf("undone by %+v", undone)
	}
	if err := v.Close(); err != nil { // lets displaced files settle
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(v.Dir(), "projects")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("empty folder left: %v", err)
	}
	noTemps(t, v.Dir())
}

func TestUndoKeepsLaterEdits(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)))[0]
	save(t, v, "a.md", "intro\n"+strings.Replace(text(t, v, "a.md"), "ninth", "ninth, by hand", 1))
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); err != nil {
		t.Fatal(err)
	}
	want := "intro\n" + strings.Replace(poem, "ninth", "ninth, by hand", 1)
	if diff := cmp.Diff(want, text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
}

func TestUndoStopsWhereItWouldEatAnEdit(t *testing.T) {
	tests := map[string]struct {
		step vault.Step
		hand string // what the user then saves; "" removes the file
	}{
		"edited the same line":          {update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)), strings.Replace(poem, "second", "2nd!", 1)},
		"edited the created file":       {create("new.md", "made\n"), "made\nand edited\n"},
		"made the deleted file again":   {remove("a.md", poem), "another\n"},
		"removed the file":              {update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)), ""},
		"rewrote everything":            {update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)), "something else\n"},
		"the context isn't what it was": {update("a.md", poem, strings.Replace(poem, "fifth", "5th", 1)), strings.ReplaceAll(poem, "fourth\nfifth", "fourth!\n5th!")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- a.md --\n"+poem)
			op := mustApply(t, v, tt.step)[0]
			p := tt.step.Entity.Path
			if tt.hand == "" {
				if err := os.Remove(filepath.Join(v.Dir(), p)); err != nil {
					t.Fatal(err)
				}
			} else {
				save(t, v, p, tt.hand)
			}
			_, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
			if !errors.Is(err, vault.ErrConflict) {
				t.Errorf("error %v, want a conflict", err)
			}
			if got := vaulttest.Tree(t, v.Dir(), "operations")[p]; got != tt.hand {
				t.Errorf("the user's file became %q", got)
			}
		})
	}
}

func TestUndoOfAnUndoAndOnlyOnce(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	after := strings.Replace(poem, "second", "2nd", 1)
	op := mustApply(t, v, update("a.md", poem, after))[0]
	undo, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID[len(op.ID)-8:]}, you)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); !errors.Is(err, vault.ErrStatus) {
		t.Errorf("second undo: %v", err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: undo[0].ID}, you); err != nil {
		t.Fatal(err)
	}
	if got := text(t, v, "a.md"); got != after {
		t.Errorf("redone file holds %q", got)
	}
	again, err := v.Operation(ctx, op.ID)
	if err != nil || again.UndoneBy != "" {
		t.Errorf("after redo, undone by %q, %v", again.UndoneBy, err)
	}
}

func TestUndoSession(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	before := vaulttest.Tree(t, v.Dir(), "operations")
	mustApply(t, v, update("a.md", poem, poem+"more\n"))
	mustApply(t, v, update("a.md", poem+"more\n", "title\n"+poem+"more\n"))
	mustApply(t, v, create("b.md", "b\n"))
	mustApply(t, v, update("b.md", "b\n", "bb\n"))
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("nothing left to undo, but: %v", err)
	}
}

func TestProposals(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	after := strings.Replace(poem, "second", "2nd", 1)
	ops, err := v.Propose(ctx, batch(update("a.md", poem, after)))
	if err != nil {
		t.Fatal(err)
	}
	op := ops[0]
	if text(t, v, "a.md") != poem {
		t.Fatal("a proposal changed the file")
	}
	if _, err := v.Approve(ctx, op.ID, strings.Repeat("0", 64), you); !errors.Is(err, vault.ErrDigest) {
		t.Errorf("another digest: %v", err)
	}
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := v.Approve(ctx, op.ID, op.Digest, you)
			errs <- err
		}()
	}
	ok := 0
	for range 8 {
		if err := <-errs; err == nil {
			ok++
		} else if !errors.Is(err, vault.ErrStatus) {
			t.Errorf("approve: %v", err)
		}
	}
	if ok != 1 || text(t, v, "a.md") != after {
		t.Errorf("%d approvals succeeded; file %q", ok, text(t, v, "a.md"))
	}
}

// An approval is bound to the bytes that were shown: what was edited since, by kist's
// own hand or in the log, isn't carried out.
func TestApprovalIsBoundToTheBytes(t *testing.T) {
	t.Run("edited", func(t *testing.T) {
		v := vaulttest.New(t, "-- a.md --\n"+poem)
		ops, err := v.Propose(ctx, batch(update("a.md", poem, strings.Replace(poem, "second", "2nd", 1))))
		if err != nil {
			t.Fatal(err)
		}
		shown := ops[0].Digest
		if _, err := v.EditProposed(ctx, ops[0].ID, shown, map[string][]byte{"a.md": []byte(strings.Replace(poem, "second", "last", 1))}); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Approve(ctx, ops[0].ID, shown, you); !errors.Is(err, vault.ErrDigest) || text(t, v, "a.md") != poem {
			t.Errorf("approved: %v; the file holds %q", err, text(t, v, "a.md"))
		}
	})
	t.Run("altered in the log", func(t *testing.T) {
		vaulttest.NotKept(t)
		v := vaulttest.New(t, "-- a.md --\n"+poem)
		ops, err := v.Propose(ctx, batch(update("a.md", poem, strings.Replace(poem, "second", "2nd", 1))))
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		logs, err := filepath.Glob(filepath.Join(v.Dir(), "operations", "*", "*", "*.yaml"))
		if err != nil || len(logs) != 1 {
			t.Fatal(logs, err)
		}
		record, err := os.ReadFile(logs[0])
		if err != nil || strings.Count(string(record), "+2nd") != 1 {
			t.Fatalf("%v in %s", err, record)
		}
		if err := os.WriteFile(logs[0], []byte(strings.Replace(string(record), "+2nd", "+3rd", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(v.Dir(), ".kist")); err != nil {
			t.Fatal(err)
		}
		v = vaulttest.Open(t, v.Dir())
		if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, vault.ErrDigest) || text(t, v, "a.md") != poem {
			t.Errorf("approved: %v; the file holds %q", err, text(t, v, "a.md"))
		}
	})
}

func TestApprovalOntoAChangedFile(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	ops, err := v.Propose(ctx, batch(update("a.md", poem, strings.Replace(poem, "second", "2nd", 1))))
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(poem, "ninth", "9th", 1)
	save(t, v, "a.md", edited)
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, vault.ErrConflict) {
		t.Fatalf("approved onto a changed file: %v", err)
	}
	if text(t, v, "a.md") != edited {
		t.Error("file changed")
	}
	again, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil || len(again) != 1 || again[0].ID == ops[0].ID {
		t.Fatalf("proposed again: %+v, %v", again, err)
	}
	if _, err := v.Approve(ctx, again[0].ID, again[0].Digest, you); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(edited, "second", "2nd", 1); text(t, v, "a.md") != want {
		t.Errorf("file holds %q", text(t, v, "a.md"))
	}
}

func TestReject(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	ops, err := v.Propose(ctx, batch(update("a.md", "a\n", "b\n")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Reject(ctx, ops[0].ID, "no, keep it", you); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, vault.ErrStatus) {
		t.Errorf("approved a rejected operation: %v", err)
	}
}

// An undo can be proposed: nothing changes before its approval, and then it is the
// undo of what it names.
func TestUndoProposed(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	second := strings.Replace(poem, "second", "2nd", 1)
	third := strings.Replace(second, "third", "3rd", 1)
	first := mustApply(t, v, update("a.md", poem, second))[0]
	other := mustApply(t, v, update("a.md", second, third))[0]
	ops, err := v.Undo(ctx, vault.UndoTarget{IDs: []string{first.ID, other.ID}, Propose: true}, you)
	if err != nil {
		t.Fatal(err)
	}
	if len(ops) != 2 || ops[0].Undoes != other.ID || ops[1].Undoes != first.ID || ops[0].Status != vault.StatusProposed {
		t.Fatalf("proposed %+v", ops)
	}
	if got := text(t, v, "a.md"); got != third {
		t.Errorf("a proposal changed the file to %q", got)
	}
	for _, op := range ops {
		if _, err := v.Approve(ctx, op.ID, op.Digest, you); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(poem, text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
	if op, err := v.Operation(ctx, first.ID); err != nil || op.UndoneBy != ops[1].ID {
		t.Errorf("undone by %q, %v", op.UndoneBy, err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{IDs: []string{ops[0].ID, ops[1].ID}}, you); err != nil {
		t.Fatalf("redo: %v", err)
	}
	if got := text(t, v, "a.md"); got != third {
		t.Errorf("done again: %q", got)
	}
}

// A file that was nobody else's to read isn't after it was deleted and brought back, nor
// does a program lose that it is one.
func TestUndoKeepsModes(t *testing.T) {
	v := vaulttest.New(t, "-- secret.md --\nmine\n-- usual.md --\nx\n-- shared.md --\ny\n")
	modes := map[string]os.FileMode{"secret.md": 0o600, "usual.md": 0o644, "shared.md": 0o755}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(v.Dir(), name), mode); err != nil {
			t.Fatal(err)
		}
	}
	ops := mustApply(t, v, remove("secret.md", "mine\n"), remove("usual.md", "x\n"), remove("shared.md", "y\n"))
	check := func(when string) {
		t.Helper()
		for name, mode := range modes {
			if fi, err := os.Stat(filepath.Join(v.Dir(), name)); err != nil || fi.Mode().Perm() != mode {
				t.Errorf("%s: %s: %v, %v", when, name, fi, err)
			}
		}
	}
	undo := func() {
		t.Helper()
		if _, err := v.Undo(ctx, vault.UndoTarget{Batch: ops[0].Batch}, you); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	check("undone")
	if _, err := v.Redo(ctx, vault.UndoTarget{Batch: ops[0].Batch}, you); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(v.Dir(), "secret.md")); err == nil {
		t.Error("done again, it is still there")
	}
}

package vault_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

var ctx = context.Background()

func update(p, before, after string) vault.Step {
	return vault.Step{Type: vault.OpUpdate, Entity: vault.Entity{Type: "document", Path: p}, Reason: "test",
		Changes: []vault.Change{{Path: p, Before: []byte(before), After: []byte(after)}}}
}

func create(p, text string) vault.Step {
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "document", Path: p}, Reason: "test",
		Changes: []vault.Change{{Path: p, After: []byte(text)}}}
}

func remove(p, before string) vault.Step {
	return vault.Step{Type: vault.OpDelete, Entity: vault.Entity{Type: "document", Path: p}, Reason: "test",
		Changes: []vault.Change{{Path: p, Before: []byte(before)}}}
}

func batch(steps ...vault.Step) vault.Batch {
	return vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser, Client: "test", Session: "s1"}, Steps: steps}
}

func mustApply(t *testing.T, v *vault.Vault, steps ...vault.Step) []vault.Operation {
	t.Helper()
	ops, err := v.Apply(ctx, batch(steps...))
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

// save writes a file as an editor does that writes in place. A text that is no shorter than the
// one before is there at once: os.WriteFile leaves the file empty for a moment, which on a busy
// machine is long enough to become an operation of its own.
func save(t *testing.T, v *vault.Vault, p, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(v.Dir(), p), os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Truncate(int64(len(text))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestApply(t *testing.T) {
	const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	tests := map[string]struct {
		disk string // "" = no file
		step vault.Step
		want string // "" = no file
		err  error
	}{
		"update":                       {base, update("a.md", base, strings.Replace(base, "two", "2", 1)), strings.Replace(base, "two", "2", 1), nil},
		"update merges a distant edit": {strings.Replace(base, "seven", "7", 1), update("a.md", base, strings.Replace(base, "one", "1", 1)), "1\ntwo\nthree\nfour\nfive\nsix\n7\n", nil},
		"update refuses the same line": {strings.Replace(base, "two", "zwei", 1), update("a.md", base, strings.Replace(base, "two", "2", 1)), strings.Replace(base, "two", "zwei", 1), vault.ErrConflict},
		"update of a missing file":     {"", update("a.md", base, "x\n"), "", vault.ErrConflict},
		"create":                       {"", create("a.md", "new\n"), "new\n", nil},
		"create never overwrites":      {"mine\n", create("a.md", "new\n"), "mine\n", vault.ErrExists},
		"delete":                       {base, remove("a.md", base), "", nil},
		"delete spares an edited file": {base + "more\n", remove("a.md", base), base + "more\n", vault.ErrConflict},
		"CRLF, BOM, no last newline":   {"\ufeffa\r\nb\r\nc", update("a.md", "\ufeffa\r\nb\r\nc", "\ufeffa\r\nB\r\nc"), "\ufeffa\r\nB\r\nc", nil},
		"empty file is not no file":    {base, update("a.md", base, ""), "", nil},
		"escape":                       {"", create("../a.md", "x"), "", vault.ErrInvalidPath},
		"hidden":                       {"", create(".obsidian/a.md", "x"), "", vault.ErrInvalidPath},
		"the log itself":               {"", create("operations/x.yaml", "x"), "", vault.ErrInvalidPath},
		"absolute":                     {"", create("/etc/a.md", "x"), "", vault.ErrInvalidPath},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- other.md --\nother\n")
			if tt.disk != "" {
				save(t, v, "a.md", tt.disk)
			}
			ops, err := v.Apply(ctx, batch(tt.step))
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			got := vaulttest.Tree(t, v.Dir(), "operations")["a.md"]
			if got != tt.want {
				t.Errorf("file holds %q, want %q", got, tt.want)
			}
			if err == nil && ops[0].Status != vault.StatusCompleted {
				t.Errorf("status %s", ops[0].Status)
			}
		})
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- b.md --\nb\n")
	before := vaulttest.Tree(t, v.Dir(), "operations")
	failed := false
	vault.SetFault(v, func(point string) error {
		if point == "rename new" && !failed {
			failed = true
			return errors.New("disk full")
		}
		return nil
	})
	_, err := v.Apply(ctx, batch(update("a.md", "a\n", "A\n"), remove("b.md", "b\n"), create("c.md", "c\n")))
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(ops) != 3 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	for _, op := range ops {
		if op.Status != vault.StatusRolledBack || op.Error == "" {
			t.Errorf("operation %s: status %s, error %q", op.Entity.Path, op.Status, op.Error)
		}
	}
}

func noTemps(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".tmp") {
			t.Errorf("left over: %s", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func ended(t *testing.T, v *vault.Vault) {
	t.Helper()
	ops, err := v.Operations(ctx, vault.Filter{Status: vault.StatusBegun})
	if err != nil {
		t.Fatal(err)
	}
	if len(ops) > 0 {
		t.Errorf("%d operations without an end", len(ops))
	}
}

func TestAfterAFailedSyncTheVaultIsReadOnly(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	vault.SetFault(v, func(point string) error {
		if point == "fsync" {
			return errors.New("input/output error")
		}
		return nil
	})
	if _, err := v.Apply(ctx, batch(update("a.md", "a\n", "A\n"))); err == nil {
		t.Fatal("no error")
	}
	vault.SetFault(v, nil)
	if _, err := v.Apply(ctx, batch(update("a.md", "a\n", "A\n"))); !errors.Is(err, vault.ErrReadOnly) {
		t.Errorf("error %v, want ErrReadOnly", err)
	}
	if v.ReadOnly() == "" {
		t.Error("not read-only")
	}
	if got := text(t, v, "a.md"); got != "a\n" {
		t.Errorf("file holds %q", got)
	}
}

func TestFileModeSurvives(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	p := filepath.Join(v.Dir(), "a.md")
	if err := os.Chmod(p, 0o640); err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, update("a.md", "a\n", "A\n"))
	fi, err := os.Stat(p)
	if err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

func TestLinksAreNotWrittenThrough(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- twin.md --\nt\n")
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"in.md": "a.md", "out.md": outside, "dir": filepath.Dir(outside)} {
		if err := os.Symlink(target, filepath.Join(v.Dir(), link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(v.Dir(), "twin.md"), filepath.Join(v.Dir(), "twin2.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Read("out.md"); err == nil {
		t.Error("read through a link out of the vault")
	}
	if _, err := v.Read("dir/secret.md"); err == nil {
		t.Error("read through a folder link out of the vault")
	}
	for _, step := range []vault.Step{update("in.md", "a\n", "A\n"), update("out.md", "secret\n", "x\n"), create("dir/new.md", "x\n"), update("twin.md", "t\n", "T\n")} {
		if _, err := v.Apply(ctx, batch(step)); err == nil {
			t.Errorf("wrote through %s", step.Entity.Path)
		}
	}
	if b, _ := os.ReadFile(outside); string(b) != "secret\n" {
		t.Errorf("outside file holds %q", b)
	}
}

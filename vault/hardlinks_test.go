package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// listed returns the paths of all documents and what is said of them.
func listed(t *testing.T, v *vault.Vault) (paths, said string) {
	t.Helper()
	var files, problems []string
	err := v.Walk(ctx, func(i vault.Info) error { files = append(files, i.Path); return nil }, func(p vault.Problem) {
		problems = append(problems, p.Path+" "+p.Message)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(files, " "), strings.Join(problems, "\n")
}

func hardLink(t *testing.T, v *vault.Vault, from, to string) {
	t.Helper()
	if err := os.Link(filepath.Join(v.Dir(), from), filepath.Join(v.Dir(), to)); err != nil {
		t.Fatal(err)
	}
}

// Two names of one file are one document: for lists, reading, what changes it and the log.
func TestHardLinksAreOneDocument(t *testing.T) {
	dir := vaulttest.Write(t, "-- notes/z.md --\none\n-- b.md --\nb\n")
	if err := errors.Join(os.Link(filepath.Join(dir, "notes/z.md"), filepath.Join(dir, "notes/a.md")), os.Link(filepath.Join(dir, "notes/z.md"), filepath.Join(dir, "y.md"))); err != nil {
		t.Fatal(err)
	}
	v := vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	paths, said := listed(t, v)
	if paths != "b.md y.md" || !strings.Contains(said, "notes/a.md is another name of y.md") || !strings.Contains(said, "notes/z.md is") {
		t.Errorf("%s\n%s", paths, said)
	}
	for _, name := range []string{"notes/z.md", "notes/a.md", "y.md"} {
		if at, err := v.Locate(name); err != nil || at != "y.md" {
			t.Errorf("%s is %s, %v", name, at, err)
		}
		if text, info, err := v.ReadHead(name, -1); err != nil || string(text) != "one\n" || info.Path != "y.md" {
			t.Errorf("%s: %q of %s, %v", name, text, info.Path, err)
		}
		if _, err := v.Apply(ctx, batch(update(name, "one\n", "two\n"))); !errors.Is(err, vault.ErrNotRegular) && !errors.Is(err, vault.ErrInvalidPath) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	// Saved by another of its names, it is the document that changed, once.
	f, err := os.OpenFile(filepath.Join(dir, "notes/z.md"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("more\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(ops) != 1 || ops[0].Entity.Path != "y.md" || ops[0].Type != vault.OpUpdate {
		t.Errorf("%+v, %v", ops, err)
	}
	// Its other name stands for it when the first one is gone.
	if err := os.Remove(filepath.Join(dir, "y.md")); err != nil {
		t.Fatal(err)
	}
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if paths, _ := listed(t, v); paths != "b.md notes/a.md" {
		t.Error(paths)
	}
	if ops, err = v.Operations(ctx, vault.Filter{Limit: 1}); err != nil || ops[0].Type != vault.OpMove || ops[0].Entity.Path != "notes/a.md" {
		t.Errorf("%+v, %v", ops, err)
	}
}

// A document whose name became another one of a second document, while kist wasn't there,
// is gone, and no other.
func TestHardLinkMadeMeanwhile(t *testing.T) {
	v := watched(t, "-- a.md --\none\n-- b.md --\none\n")
	dir := v.Dir()
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	hardLink(t, v, "a.md", "b.md")
	v = vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	if ops := operations(t, v); len(ops) != 1 || ops[0].Type != vault.OpDelete || ops[0].Entity.Path != "b.md" {
		t.Errorf("logged: %+v", ops)
	}
}

// A document that is replaced by a link is in the log with its text.
func TestReplacedByHardLink(t *testing.T) {
	v := watched(t, "-- c.md --\ncat\n-- d.md --\nbadger\n")
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(v.Dir(), "d.md")); err != nil {
		t.Fatal(err)
	}
	hardLink(t, v, "c.md", "d.md")
	for range 2 {
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	ops := operations(t, v)
	if len(ops) != 1 || ops[0].Type != vault.OpDelete || ops[0].Entity.Path != "d.md" {
		t.Fatalf("%+v", ops)
	}
	if full, err := v.Operation(ctx, ops[0].ID); err != nil || !strings.Contains(full.Changes[0].Patch, "-badger") {
		t.Errorf("%+v, %v", full, err)
	}
	// Without the link it can be taken back.
	if err := os.Remove(filepath.Join(v.Dir(), "d.md")); err != nil {
		t.Fatal(err)
	}
	undoOne(t, v, ops[0].ID)
	if got := text(t, v, "d.md"); got != "badger\n" {
		t.Errorf("%q", got)
	}
}

// Second names that come and go leave nothing in the log, whatever they are called.
func TestHardLinksComeAndGo(t *testing.T) {
	v := watched(t, "-- n.md --\nbase\n")
	for _, name := range []string{"a.md", "z.md", "m.md"} {
		hardLink(t, v, "n.md", name)
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
		if paths, _ := listed(t, v); paths != "n.md" {
			t.Errorf("%s: %s", name, paths)
		}
		if err := os.Remove(filepath.Join(v.Dir(), name)); err != nil {
			t.Fatal(err)
		}
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for _, op := range operations(t, v) {
		t.Errorf("logged: %+v", op)
	}
}

// A link that was there at the start is a document once the other name has a file of its
// own.
func TestHardLinkPartedByASave(t *testing.T) {
	dir := vaulttest.Write(t, "-- a/n.md --\nold\n-- b/x.md --\nx\n")
	if err := os.Link(filepath.Join(dir, "a/n.md"), filepath.Join(dir, "b/m.md")); err != nil {
		t.Fatal(err)
	}
	v := vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	if names, err := v.Names("b", false); err != nil || strings.Join(names, " ") != "x.md" {
		t.Errorf("%v, %v", names, err)
	}
	tmp := filepath.Join(dir, "a/.n.tmp")
	if err := errors.Join(os.WriteFile(tmp, []byte("new\n"), 0o666), os.Rename(tmp, filepath.Join(dir, "a/n.md"))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	var log []string
	for _, op := range operations(t, v) {
		log = append(log, string(op.Type)+" "+op.Entity.Path)
	}
	if got := strings.Join(log, ", "); !strings.Contains(got, "update a/n.md") || !strings.Contains(got, "create b/m.md") || len(log) != 2 {
		t.Error(got)
	}
	if names, err := v.Names("b", false); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
}

// A name that a file gets while kist looks on is none of a new document.
func TestHardLinkMadeLater(t *testing.T) {
	v := watched(t, "-- a.md --\none\n")
	hardLink(t, v, "a.md", "b.md")
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if paths, _ := listed(t, v); paths != "a.md" {
		t.Error(paths)
	}
	if at, err := v.Locate("b.md"); err != nil || at != "a.md" {
		t.Errorf("%s, %v", at, err)
	}
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	for _, op := range operations(t, v) {
		t.Errorf("logged: %+v", op)
	}
	// Parted again, they are two.
	if err := os.Remove(filepath.Join(v.Dir(), "b.md")); err != nil {
		t.Fatal(err)
	}
	save(t, v, "b.md", "two\n")
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if paths, _ := listed(t, v); paths != "a.md b.md" && paths != "b.md a.md" {
		t.Error(paths)
	}
	ops := operations(t, v)
	if len(ops) != 1 || ops[0].Type != vault.OpCreate || ops[0].Entity.Path != "b.md" {
		t.Errorf("%+v", ops)
	}
}

func operations(t *testing.T, v *vault.Vault) []vault.Operation {
	t.Helper()
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// A document that is replaced by a further name of a file is gone, too.
func TestReplacedByAThirdName(t *testing.T) {
	v := watched(t, "-- a.md --\nmango\n-- z.md --\nkiwi\n")
	hardLink(t, v, "a.md", "b.md")
	for range 2 {
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(v.Dir(), "z.md")); err != nil {
		t.Fatal(err)
	}
	hardLink(t, v, "b.md", "z.md")
	for range 2 {
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	ops := operations(t, v)
	if len(ops) != 1 || ops[0].Type != vault.OpDelete || ops[0].Entity.Path != "z.md" {
		t.Errorf("%+v", ops)
	}
	if paths, _ := listed(t, v); paths != "a.md" {
		t.Error(paths)
	}
}

// What kist itself made stands for its file, also where a crash took what was known of it.
func TestMadeByKistStands(t *testing.T) {
	v := watched(t, "-- x.md --\nx\n")
	mustApply(t, v, create("made.md", "made\n"))
	dir := v.Dir()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, ".kist/state.db")); err != nil {
		t.Fatal(err)
	}
	hardLink(t, v, "made.md", "aaa.md")
	v = vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	if paths, _ := listed(t, v); paths != "x.md made.md" {
		t.Error(paths)
	}
	if ops := operations(t, v); len(ops) != 1 {
		t.Errorf("%+v", ops)
	}
}

package vault_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

// linked is a vault with links to folders and files in it.
func linked(t *testing.T) *vault.Vault {
	t.Helper()
	v := vaulttest.New(t, `
-- notes/n.md --
---
a: 1
---
# N

- [ ] one
-- .obsidian/snip/s.md --
theirs
-- .gitignore --
*.log
-- projects/boat/project.md --
# Boat
-- projects/boat/tasks/oil.md --
---
type: task
---
# Oil
`)
	for link, to := range map[string]string{"alias": "notes", "pub": ".obsidian/snip", "link.md": "notes/n.md", "ops": "operations", "projects/ship": "boat"} {
		if err := os.Symlink(to, filepath.Join(v.Dir(), link)); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// A file that is changed by a path through a linked folder is the file that it is: it
// was not "created" under another name, and no undo removes it.
func TestLinkedFolderIsNoSecondDocument(t *testing.T) {
	v := linked(t)
	before := vaulttest.Tree(t, v.Dir(), "operations")
	step, err := entity.PlanSetProperty(v, "alias/n.md", "b", "2")
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, step)
	if now := vaulttest.Tree(t, v.Dir(), "operations")["notes/n.md"]; !strings.Contains(now, "b: 2\n") {
		t.Fatalf("notes/n.md holds %q", now)
	}
	for _, ref := range []string{"notes/n.md", "alias/n.md"} {
		ops, err := v.Operations(ctx, vault.Filter{Entity: ref})
		if err != nil || len(ops) != 1 {
			t.Errorf("%d operations on %s, %v", len(ops), ref, err)
		}
	}
	all, err := v.Operations(ctx, vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range all {
		for _, c := range op.Changes {
			if strings.Contains(c.Path, "alias") {
				t.Errorf("%s %s is in the log", op.Type, c.Path)
			}
		}
	}
	for _, op := range all {
		if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); err != nil {
			t.Logf("undo of %s: %v", op.Reason, err)
		}
	}
	after := vaulttest.Tree(t, v.Dir(), "operations")
	for p, text := range before {
		if after[p] != text {
			t.Errorf("%s held %q, and holds %q", p, text, after[p])
		}
	}
}

// What an older log says of a path through a link can't be undone by that path.
func TestLogThroughLinkIsNotUndone(t *testing.T) {
	v := vaulttest.New(t, "-- notes/n.md --\nold\n")
	if _, err := v.Apply(ctx, batch(create("alias/n.md", "old\n"))); err != nil {
		t.Fatal(err)
	}
	ops, err := v.Operations(ctx, vault.Filter{Entity: "alias/n.md"})
	if err != nil || len(ops) != 1 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	alias := filepath.Join(v.Dir(), "alias")
	if err := errors.Join(os.RemoveAll(alias), os.Symlink("notes", alias)); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you); !errors.Is(err, vault.ErrInvalidPath) {
		t.Errorf("undo: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(v.Dir(), "notes/n.md")); err != nil || string(text) != "old\n" {
		t.Errorf("notes/n.md: %q, %v", text, err)
	}
}

// Every way in leads to the file's own path, and none into a hidden folder.
func TestWaysThroughLinks(t *testing.T) {
	v := linked(t)
	for _, p := range []string{"alias/n.md", "link.md", "notes/n.md"} {
		if text, info, err := v.ReadHead(p, -1); err != nil || info.Path != "notes/n.md" || !strings.Contains(string(text), "# N") {
			t.Errorf("%s: %s, %v", p, info.Path, err)
		}
		if at, err := v.Locate(p); err != nil || at != "notes/n.md" {
			t.Errorf("%s is at %s, %v", p, at, err)
		}
	}
	if task, err := entity.FindTask(ctx, v, "alias/n.md:6"); err != nil || task.Path != "notes/n.md" {
		t.Errorf("task: %+v, %v", task, err)
	}
	if task, err := entity.FindTask(ctx, v, "projects/ship/tasks/oil.md"); err != nil || task.Path != "projects/boat/tasks/oil.md" || task.Project != "boat" {
		t.Errorf("task: %+v, %v", task, err)
	}
	if all, err := entity.Projects(ctx, v); err != nil || len(all) != 1 {
		t.Errorf("projects: %+v, %v", all, err)
	}
	if step, err := entity.PlanAppendNote(v, "link.md", "more"); err != nil || step.Entity.Path != "notes/n.md" || step.Changes[0].Path != "notes/n.md" {
		t.Errorf("through a link that is the file's name: %+v, %v", step.Entity, err)
	}
	for p, step := range map[string]vault.Step{"alias/new.md": create("alias/new.md", "x\n"), "pub/new.md": create("pub/new.md", "x\n"), "ops/x.md": create("ops/x.md", "x\n")} {
		if _, err := v.Apply(ctx, batch(step)); !errors.Is(err, vault.ErrInvalidPath) {
			t.Errorf("wrote %s: %v", p, err)
		}
	}
	if _, err := entity.PlanEditSection(v, "pub/s.md", "", markdown.Append, "x"); !errors.Is(err, vault.ErrInvalidPath) {
		t.Errorf("edit of a hidden file: %v", err)
	}
}

// Hidden files are secrets of kist's or belong to other programs.
func TestHiddenFilesAreNotOpened(t *testing.T) {
	v := linked(t)
	save(t, v, ".kist/token", "secret\n")
	if err := os.Mkdir(filepath.Join(v.Dir(), ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	save(t, v, ".git/config", "secret\n")
	save(t, v, ".hidden.md", "secret\n")
	save(t, v, "notes/.hidden.md", "secret\n")
	if err := os.Symlink("../.kist/token", filepath.Join(v.Dir(), "notes/open.md")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{
		".kist/token", "./.kist/token", "notes/../.kist/token", ".git/config", ".hidden.md", "notes/.hidden.md", "pub/s.md", "notes/open.md",
		"alias/open.md", ".kist/.gitignore", ".git/info/.gitignore",
	} {
		_, readErr := v.Read(p)
		_, docErr := v.Document(p)
		_, atErr := v.Locate(p)
		for _, err := range []error{readErr, docErr, atErr} {
			if !errors.Is(err, vault.ErrInvalidPath) {
				t.Errorf("%s: %v", p, err)
			}
		}
	}
	for _, p := range []string{".gitignore", "notes/.kistignore"} {
		save(t, v, p, "*.tmp\n")
		if text, err := v.Read(p); err != nil || string(text) != "*.tmp\n" {
			t.Errorf("%s: %q, %v", p, text, err)
		}
		if _, err := v.Apply(ctx, batch(update(p, "*.tmp\n", "x\n"))); !errors.Is(err, vault.ErrInvalidPath) {
			t.Errorf("wrote %s: %v", p, err)
		}
	}
	var found []string
	if err := v.Walk(ctx, func(i vault.Info) error { found = append(found, i.Path); return nil }, nil); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if want := []string{"notes/n.md", "projects/boat/project.md", "projects/boat/tasks/oil.md"}; !slices.Equal(found, want) {
		t.Errorf("walk found %q", found)
	}
}

// Deep folders hold up nothing that lies above them.
func TestUpperFoldersFirst(t *testing.T) {
	v := vaulttest.New(t, "-- z.md --\nz\n-- a/b/c/d/deep.md --\nd\n-- y/y.md --\ny\n-- a/x.md --\nx\n")
	var found []string
	if err := v.Walk(ctx, func(i vault.Info) error { found = append(found, i.Path); return nil }, nil); err != nil {
		t.Fatal(err)
	}
	depth := func(p string) int { return strings.Count(p, "/") }
	if !slices.IsSortedFunc(found, func(a, b string) int { return depth(a) - depth(b) }) || len(found) != 4 {
		t.Errorf("found %q", found)
	}
}

// A name that isn't UTF-8 can't be logged: such files are named as a problem, and are
// neither recorded nor taken for deleted.
func TestNamesThatAreNoText(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	for _, name := range []string{"a-\xe4.md", "a-\xf6.md", "d-\xff/x.md"} {
		p := filepath.Join(v.Dir(), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte("x\n"), 0o666)); err != nil {
			t.Skip("this file system has no such names: " + err.Error())
		}
	}
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	save(t, v, "a-\xe4.md", "y\n")
	if err := os.Remove(filepath.Join(v.Dir(), "a-\xf6.md")); err != nil {
		t.Fatal(err)
	}
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if ops, err := v.Operations(ctx, vault.Filter{}); err != nil || len(ops) != 0 {
		t.Errorf("%+v, %v", ops, err)
	}
	var problems, found []string
	if err := v.Walk(ctx, func(i vault.Info) error { found = append(found, i.Path); return nil }, func(p vault.Problem) { problems = append(problems, p.Path) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(problems)
	if !slices.Equal(found, []string{"a.md"}) || !slices.Equal(problems, []string{"a-\xe4.md", "d-\xff"}) {
		t.Errorf("found %q, problems %q", found, problems)
	}
}

// foreignRecord is what another device's log may hold, of a change of one file.
const foreignRecord = `---
id: 01ZZZZZZZZZZZZZZZZZZZZZZ%02d
event: completed
at: 2099-11-20T10:00:00Z
type: update
entity: {type: document}
actor: agent
session: s1
seq: 9001
reason: planted
changes:
- path: %q
  before: %s
  after: %s
  patch: |
   --- a
   +++ b
   @@ -1 +1 @@
   -evil
   +%s
...
`

// Another device's log came with a pull, and may be anybody's: what this conversation
// did is taken back and not what that log calls so, no program is written by its patches,
// and no error shows what a hidden file holds.
func TestForeignLogIsNoWayIn(t *testing.T) {
	v := linked(t)
	save(t, v, "run.sh", "safe\n")
	save(t, v, "doc.md", "safe\n")
	save(t, v, ".kist/token", "secret\n")
	var planted strings.Builder
	hash := func(text string) string { return string(vault.HashOf([]byte(text))) }
	for i, p := range []string{"doc.md", "run.sh", ".kist/token", "alias/n.md"} {
		fmt.Fprintf(&planted, foreignRecord, i, p, hash("evil\n"), hash("safe\n"), "safe")
	}
	dir := filepath.Join(v.Dir(), "operations/2026/11")
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "20-evil.yaml"), []byte(planted.String()), 0o666)); err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, create("mine.md", "mine\n")) // in the session s1
	if ops, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); err != nil || len(ops) != 1 || ops[0].Entity.Path != "mine.md" {
		t.Errorf("the session's undo: %+v, %v", ops, err)
	}
	for i, p := range []string{"run.sh", ".kist/token", "alias/n.md"} {
		_, err := v.Undo(ctx, vault.UndoTarget{ID: fmt.Sprintf("01ZZZZZZZZZZZZZZZZZZZZZZ%02d", i+1)}, you)
		if !errors.Is(err, vault.ErrInvalidPath) || strings.Contains(err.Error(), "secret") {
			t.Errorf("undo of a change of %s: %v", p, err)
		}
		if c, ok := errors.AsType[*vault.ConflictError](err); ok && c.Now != nil {
			t.Errorf("the error shows %q", c.Now)
		}
	}
	tree := vaulttest.Tree(t, v.Dir(), "operations")
	if tree["run.sh"] != "safe\n" || tree["doc.md"] != "safe\n" {
		t.Errorf("written: %q, %q", tree["run.sh"], tree["doc.md"])
	}
}

// What is no log is neither read whole nor passed over in silence.
func TestLogThatIsNone(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	dir := filepath.Join(v.Dir(), "operations/2026/11")
	big := filepath.Join(dir, "18-x.yaml")
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(big, nil, 0o666), os.Truncate(big, 1<<30)); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustApply(t, v, update("a.md", "a\n", "b\n"))
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil || len(ops) != 1 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 64 {
		t.Errorf("%d MiB were allocated", used)
	}
	problems, err := vault.UnreadableRecords(v)
	if err != nil || len(problems) != 1 || problems[0].Path != "operations/2026/11/18-x.yaml" {
		t.Errorf("problems %+v, %v", problems, err)
	}
}

// Another folder in the vault's place isn't the vault; one that is away may come back.
func TestMovedVault(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	dir := v.Dir()
	moved := func(when string, want bool) {
		t.Helper()
		if err := vault.Moved(v); errors.Is(err, vault.ErrMoved) != want {
			t.Errorf("%s: %v", when, err)
		}
	}
	moved("at first", false)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	moved("away", false)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	moved("another one there", true)
	if err := errors.Join(os.Remove(dir), os.Rename(dir+"-away", dir)); err != nil {
		t.Fatal(err)
	}
	moved("back", false)
}

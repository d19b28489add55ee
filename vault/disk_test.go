package vault_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

func move(from, to string) vault.Step {
	return vault.Step{Type: vault.OpMove, Entity: vault.Entity{Type: "document", Path: to}, Reason: "test",
		Changes: []vault.Change{{Path: to, From: from}}}
}

// long reports whether the long forms of the sweeps were asked for.
func long() bool { return os.Getenv("KIST_TORTURE") == "long" }

// writers are the functions, of os, os.Root, os.File and the system, that change a
// file system, by name.
var writers = []string{
	"Chmod", "Chown", "Chtimes", "Create", "CreateTemp", "Fchmod", "Fchown", "Fremovexattr", "Fsetxattr", "Ftruncate", "Lchown",
	"Link", "Linkat", "Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll", "Rename", "RenameatxNp", "Renameat", "Renameat2",
	"Symlink", "Sync", "Truncate", "Unlink", "Unlinkat", "WriteFile", "CopyFS",
}

// undiskly returns the calls in a file that should go through the disk.
func undiskly(file string, src any) ([]string, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		return nil, err
	}
	var found []string
	disk := map[*ast.Ident]bool{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			maps.Copy(disk, disks(fn))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && disk[id] || isDisk(sel.X) {
			return true
		}
		name := sel.Sel.Name
		opens := false
		if name == "OpenFile" && len(call.Args) > 1 {
			ast.Inspect(call.Args[1], func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				opens = opens || ok && strings.HasPrefix(id.Name, "O_") && id.Name != "O_RDONLY"
				return true
			})
		}
		if opens || slices.Contains(writers, name) {
			found = append(found, fmt.Sprintf("%s: %s", set.Position(call.Pos()), name))
		}
		return true
	})
	return found, nil
}

// isDisk reports whether an expression is the vault's disk: v.tree.Disk() or, where there
// is no vault as yet, fsys.Disk{...}.
func isDisk(x ast.Expr) bool {
	var made ast.Expr
	name := ""
	switch x := x.(type) {
	case *ast.CallExpr:
		made, name = x.Fun, "Disk"
	case *ast.CompositeLit:
		made, name = x.Type, "Disk"
	}
	sel, ok := made.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}

// disks returns where a function uses a variable that is given a disk, and never
// anything else.
func disks(fn *ast.FuncDecl) map[*ast.Ident]bool {
	given := map[string]bool{} // whether all that a variable is given is a disk
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // a parameter
			for _, id := range n.Names {
				given[id.Name] = false
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				given[id.Name] = false
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if id, ok := x.(*ast.Ident); ok {
					given[id.Name] = false
				}
			}
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					before, ok := given[id.Name]
					given[id.Name] = (before || !ok) && len(n.Lhs) == len(n.Rhs) && isDisk(n.Rhs[i])
				}
			}
		}
		return true
	})
	uses := map[*ast.Ident]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && given[id.Name] {
			uses[id] = true
		}
		return true
	})
	return uses
}

// All writing goes through [fsys.Disk]: a call past it would be one that no test of
// crashes and failing disks reaches.
func TestAllWritingGoesThroughTheDisk(t *testing.T) {
	files, err := filepath.Glob("*.go")
	system, systemErr := filepath.Glob("fsys/*.go")
	if err != nil || systemErr != nil || len(files) < 30 || len(system) < 10 {
		t.Fatalf("%d files, %v; %d of fsys, %v", len(files), err, len(system), systemErr)
	}
	// What Disk's methods call.
	calls := []string{"fsys/disk.go", "fsys/root.go", "fsys/root_linux.go", "fsys/attrs.go", "fsys/exchange_linux.go", "fsys/exchange_darwin.go"}
	for _, dir := range []string{"disk", "entity", "conversation"} {
		more, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(more), err)
		}
		files = append(files, more...)
	}
	for _, file := range append(files, system...) {
		file = filepath.ToSlash(file)
		if strings.HasSuffix(file, "_test.go") || slices.Contains(calls, file) {
			continue
		}
		found, err := undiskly(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range found {
			if file == "init.go" && strings.HasSuffix(call, "MkdirAll") {
				continue // the vault's own folder
			}
			t.Errorf("%s past the disk", call)
		}
	}
	for _, bad := range []string{
		"v.root.Rename(a, b)", "os.WriteFile(p, nil, 0)", "root.OpenFile(p, os.O_CREATE|os.O_WRONLY, 0)", "f.Sync()",
		"d, err := root.OpenRoot(p); d.Remove(p)", "d := v.tree.Disk(); d = v.root; d.Remove(p)", "d, r := v.tree.Disk(), v.root; r.Remove(p)",
	} {
		if found, err := undiskly("x.go", "package x\nfunc f() { "+bad+" }"); err != nil || len(found) != 1 {
			t.Errorf("%s: found %v, %v", bad, found, err)
		}
	}
	for _, good := range []string{"root.OpenFile(p, os.O_RDONLY, 0)", "v.tree.Disk().Remove(p)", "d, r := v.tree.Disk(), v.root; d.Remove(p)"} {
		if found, err := undiskly("x.go", "package x\nfunc f() { "+good+" }"); err != nil || len(found) != 0 {
			t.Errorf("%s: found %v, %v", good, found, err)
		}
	}
}

// An intruder saves a.md by one of the editors' ways before the nth call that a
// write makes, and again before the mth.
type intruder struct {
	mu    sync.Mutex
	t     *testing.T
	file  string
	save  func(p string, text []byte) error
	at    []int
	plain bool
	seen  int
	saves []string // lines that must be found again
	calls []string // before which it saved
}

func (i *intruder) fault(call string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.seen++
	if slices.Contains(i.at, i.seen) {
		// What an editor has in its buffer: it doesn't know of kist's change.
		line := fmt.Sprintf("saved by hand %d", len(i.saves)+1)
		if err := i.save(i.file, []byte(strings.Replace(poem, "ninth", line, 1))); err != nil {
			i.t.Error(err)
		}
		i.saves = append(i.saves, line)
		i.calls = append(i.calls, call)
	}
	if i.plain && (call == "exchange" || call == "rename new") {
		return vault.ErrNoExchange
	}
	return nil
}

// An editor saves at every point of a write, once and then a second time at each of
// the points that follow. The last save is never lost.
func TestAnEditorSavesBetweenEveryTwoCalls(t *testing.T) {
	changes := map[string]vault.Step{
		"update": update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)),
		"delete": remove("a.md", poem),
		"move":   move("a.md", "projects/x/b.md"),
	}
	again := 1
	if long() {
		again = 20
	}
	for name, step := range changes {
		for way, save := range vaulttest.Savers {
			for _, plain := range []bool{false, true} {
				t.Run(fmt.Sprint(name, " ", way, " plain=", plain), func(t *testing.T) {
					t.Parallel()
					for n := 1; intrude(t, step, save, plain, n) > 0; n++ {
						for m := n + 1; m <= n+again; m++ {
							intrude(t, step, save, plain, n, m)
						}
					}
				})
			}
		}
	}
}

// intrude returns how many saves were made.
func intrude(t *testing.T, step vault.Step, save func(string, []byte) error, plain bool, at ...int) int {
	t.Helper()
	dir := fastDir(t, "-- a.md --\n"+poem)
	i := &intruder{t: t, file: filepath.Join(dir, "a.md"), save: save, plain: plain}
	v, err := vault.Open(ctx, dir, vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: i.fault})
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	i.seen, i.at = 0, at
	i.mu.Unlock()
	_, err = v.Apply(ctx, batch(step))
	i.mu.Lock()
	i.at = nil // what is saved once all is answered is for the watcher
	i.mu.Unlock()
	if cerr := v.Close(); cerr != nil {
		t.Error(cerr)
	}
	all := ""
	for _, text := range vaulttest.Tree(t, dir, "operations") {
		all += text
	}
	// The editor's second save is meant to replace its first one.
	if k := len(i.saves) - 1; k >= 0 && !strings.Contains(all, i.saves[k]) && !blind(step, plain, i.calls[k]) {
		t.Errorf("%s before call %v (%s): save %q is lost; answered %v\n%q", step.Type, at, i.calls, i.saves[k], err, vaulttest.Tree(t, dir, "operations"))
	}
	noTemps(t, dir)
	return len(i.saves)
}

// blind is the one moment that a file system without an exchange leaves: an editor
// renames its file into place after the old one got its second name.
func blind(step vault.Step, plain bool, call string) bool {
	return plain && step.Type == vault.OpUpdate && call == "rename"
}

// A conflict copy takes no name that is in use, and none that is too long.
func TestConflictCopiesHaveNamesOfTheirOwn(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	long := strings.Repeat("ä", 126) + ".md"
	if err := os.WriteFile(filepath.Join(v.Dir(), long), []byte("long\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for n, target := range []string{"a.md", "a.md", "a.md", long, long} {
		tmp := fmt.Sprintf(".kist-01ARZ3NDEKTSV4RRFFQ69G5FAV-%d.swap.tmp", n)
		if err := os.WriteFile(filepath.Join(v.Dir(), tmp), fmt.Append(nil, n), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := vault.KeepCopy(v, tmp, target); err != nil {
			t.Error(err)
		}
		texts[fmt.Sprint(n)] = ""
	}
	for p, text := range vaulttest.Tree(t, v.Dir(), "operations") {
		if _, ok := texts[text]; ok {
			texts[text] = p
		}
	}
	for n, p := range texts {
		if !strings.Contains(p, "(conflict 2026-11-20 ") {
			t.Errorf("copy %s is in %q", n, p)
		}
	}
	for n := range 3 {
		name := vault.CopyName("a.md", "2026-11-20 100000", n+1)
		if n > 0 && !strings.HasSuffix(name, fmt.Sprintf(" %d).md", n+1)) {
			t.Errorf("copy %d is named %q", n+1, name)
		}
	}
}

func TestMoves(t *testing.T) {
	v := vaulttest.New(t, "-- drafts/n.md --\nn\n-- there.md --\nt\n-- a.md --\na\n")
	picture := string([]byte{0xff, 0, 1, 2})
	if err := os.WriteFile(filepath.Join(v.Dir(), "p.png"), []byte(picture), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", filepath.Join(v.Dir(), "link.md")); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"a.md": "there.md", "link.md": "l.md", "gone.md": "g.md", "drafts": "projects/d"} {
		if _, err := v.Apply(ctx, batch(move(from, to))); err == nil {
			t.Errorf("moved %s to %s", from, to)
		}
	}
	// A batch may edit what it moves, before and after.
	mustApply(t, v, update("a.md", "a\n", "A\n"), move("a.md", "projects/x/a.md"), update("projects/x/a.md", "A\n", "AA\n"),
		move("drafts/n.md", "projects/x/n.md"), move("p.png", "projects/x/p.png"))
	tree := vaulttest.Tree(t, v.Dir(), "operations")
	for p, text := range map[string]string{"projects/x/a.md": "AA\n", "projects/x/n.md": "n\n", "projects/x/p.png": picture, "there.md": "t\n"} {
		if tree[p] != text {
			t.Errorf("%s holds %q", p, tree[p])
		}
	}
	if len(tree) != 4 {
		t.Errorf("files: %q", tree)
	}
	if _, err := os.Stat(filepath.Join(v.Dir(), "drafts")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the empty folder is left")
	}
	if fi, err := os.Stat(filepath.Join(v.Dir(), "projects/x/p.png")); err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); err != nil {
		t.Fatal(err)
	}
	if tree := vaulttest.Tree(t, v.Dir(), "operations"); tree["a.md"] != "a\n" || tree["drafts/n.md"] != "n\n" || tree["p.png"] != picture {
		t.Errorf("undone: %q", tree)
	}
}

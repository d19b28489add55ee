package vault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

// A badDisk is a fault function that makes the nth call fail, or all from it on.
type badDisk struct {
	mu    sync.Mutex
	armed bool
	seen  int
	at    int
	on    bool // all from the nth on fail
	err   error
	call  string // the name of the first call that failed
	plain bool   // the file system has no atomic exchange
	hook  func(call string) error
}

// when makes f decide on every call.
func (b *badDisk) when(f func(call string) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hook = f
}

func (b *badDisk) fault(call string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.armed {
		b.seen++
		if b.seen == b.at || b.on && b.seen > b.at {
			if b.call == "" {
				b.call = call
			}
			return b.err
		}
	}
	if b.hook != nil {
		return b.hook(call)
	}
	if b.plain && (call == "exchange" || call == "rename new") {
		return vault.ErrNoExchange
	}
	return nil
}

func (b *badDisk) arm(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed = on
}

// sticky: after such a failure nothing is written any more.
func (b *badDisk) sticky() bool { return strings.HasPrefix(b.call, "fsync") }

var errnos = []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.EACCES, syscall.EMFILE, syscall.EDQUOT}

// A kind is one kind of write. All begin with the same files.
type kind struct {
	name  string
	file  string // which the error must name, or one of them
	setup func(v *vault.Vault) error
	run   func(v *vault.Vault) error
}

const faultArchive = "-- a.md --\na\n-- b.md --\nb\n-- drafts/n.md --\nn\n-- conversations/old.md --\nx\n"

func kinds() []kind {
	apply := func(steps ...vault.Step) func(*vault.Vault) error {
		return func(v *vault.Vault) error {
			_, err := v.Apply(ctx, batch(steps...))
			return err
		}
	}
	session := func(turns int) func(*vault.Vault) error {
		return func(v *vault.Vault) error {
			return conversation.SaveSession(ctx, v, conversation.Session{ID: "s1", Turns: turns, Created: vaulttest.Now, LastUsed: vaulttest.Now})
		}
	}
	turn := func(text string) func(*vault.Vault) error {
		return func(v *vault.Vault) error {
			_, err := conversation.AppendTurn(ctx, v, conversation.Turn{ID: "t1", Session: "s1", At: vaulttest.Now, User: text, Reply: "yes"})
			return err
		}
	}
	many := []vault.Step{update("a.md", "a\n", "A\n"), create("projects/x/new.md", "n\n"), remove("b.md", "b\n"), move("drafts/n.md", "projects/x/notes/n.md")}
	return []kind{
		{"update", "a.md", nil, apply(many[0])},
		{"create", "new.md", nil, apply(many[1])},
		{"delete", "b.md", nil, apply(many[2])},
		{"move", "n.md", nil, apply(many[3])},
		{"batch", ".md", nil, apply(many...)},
		{"large batch", ".md", apply(dozen("", "x\n")...), apply(dozen("x\n", "X\n")...)},
		{"undo", ".md", apply(many...), func(v *vault.Vault) error {
			_, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you)
			return err
		}},
		{"new session", "s1.yaml", nil, session(1)},
		{"session", "s1.yaml", session(1), session(2)},
		{"turn", "2026-11-20", turn("first"), turn("second")},
	}
}

// dozen makes or edits so many files that they are written side by side.
func dozen(before, after string) (steps []vault.Step) {
	for i := range 12 {
		p := fmt.Sprintf("drafts/many/%02d.md", i)
		if before == "" {
			steps = append(steps, create(p, after))
		} else {
			steps = append(steps, update(p, before, after))
		}
	}
	return steps
}

// fastDir is a folder in memory where there is one: thousands of cases with an
// fsync each would otherwise wait for the disk.
func fastDir(t *testing.T, archive string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "vault-test-")
	if err != nil {
		dir, err = t.TempDir(), nil
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	for _, f := range txtar.Parse([]byte(archive)).Files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, f.Data, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A faultCase is one kind of write that met one failure.
type faultCase struct {
	*testing.T
	kind
	disk          *badDisk
	what          string
	dir           string
	before, after map[string]string
	err           error
}

func runFault(t *testing.T, k kind, disk *badDisk, after map[string]string) *faultCase {
	t.Helper()
	c := &faultCase{T: t, kind: k, disk: disk, dir: fastDir(t, faultArchive), after: after}
	v := c.open(disk.fault)
	if k.setup != nil {
		if err := k.setup(v); err != nil {
			t.Fatal(err)
		}
	}
	c.before = c.tree()
	disk.arm(true)
	c.err = k.run(v)
	disk.arm(false)
	c.what = fmt.Sprintf("%s, call %d (%s) %v", k.name, disk.at, disk.call, disk.err)
	if disk.call == "" {
		if c.err != nil {
			t.Errorf("%s without a fault: %v", k.name, c.err)
		}
		c.closeClean(v)
		return c
	}
	c.checkAnswer(v)
	c.checkNext(v)
	c.closeClean(v)
	c.checkReopened()
	return c
}

// want is what a kind of write leaves when nothing fails. The ids of turns are given.
func want(t *testing.T, k kind) map[string]string {
	t.Helper()
	v := vaulttest.Open(t, fastDir(t, faultArchive))
	for _, f := range []func(*vault.Vault) error{k.setup, k.run} {
		if f != nil {
			if err := f(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	tree := vaulttest.Tree(t, v.Dir(), "operations")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return tree
}

func (c *faultCase) open(fault func(string) error) *vault.Vault {
	c.Helper()
	v, err := vault.Open(ctx, c.dir, vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: fault})
	if err != nil {
		c.Fatal(err)
	}
	return v
}

func (c *faultCase) closeClean(v *vault.Vault) {
	c.Helper()
	if err := v.Close(); err != nil {
		c.Errorf("%s: close: %v", c.what, err)
	}
}

// tree returns the visible files and their texts, without the operations.
func Tree(dir fs.FS) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(dir, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case p != "." && errors.Is(err, fs.ErrNotExist): // an emptied folder was removed while its parent was read
			return nil
		case err != nil:
			return err
		case p == "operations", p != "." && d.IsDir() && d.Name()[0] == '.':
			return fs.SkipDir
		case d.IsDir(), d.Name()[0] == '.':
			return nil
		}
		text, err := fs.ReadFile(dir, p)
		files[p] = string(text)
		return err
	})
	return files, err
}

func (c *faultCase) tree() map[string]string {
	c.Helper()
	for {
		tree, err := Tree(os.DirFS(c.dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue // an empty folder went away meanwhile
		}
		if err != nil {
			c.Fatal(err)
		}
		return tree
	}
}

// checkAnswer holds the answer against the files, at once.
func (c *faultCase) checkAnswer(v *vault.Vault) {
	c.Helper()
	is := c.before
	if c.err == nil || c.record() && c.disk.sticky() && cmp.Equal(c.tree(), c.after) {
		is = c.after // a record isn't taken back: it may be there or not
	}
	if diff := cmp.Diff(is, c.tree()); diff != "" {
		c.Errorf("%s: answered %v, but the files are\n%s", c.what, c.err, diff)
	}
	if c.err != nil {
		msg := c.err.Error()
		if strings.Contains(msg, "\n") || strings.Contains(msg, ".tmp") || strings.Contains(msg, c.dir) ||
			!errors.Is(c.err, c.disk.err) || !strings.Contains(msg, c.file) && !strings.Contains(msg, "operation log") {
			c.Errorf("%s: error %q", c.what, msg)
		}
	}
	if _, err := v.Read("conversations/old.md"); err != nil {
		c.Errorf("%s: then reading: %v", c.what, err)
	}
}

// record: it is a record of kist's own, and no operation.
func (c *faultCase) record() bool {
	return strings.Contains(c.name, "session") || c.name == "turn"
}

// checkNext repeats a write that failed.
func (c *faultCase) checkNext(v *vault.Vault) {
	c.Helper()
	if c.disk.sticky() {
		if why := v.ReadOnly(); why == "" || strings.Contains(why, "\n") {
			c.Errorf("%s: read-only because of %q", c.what, why)
		}
		if err := c.run(v); !errors.Is(err, vault.ErrReadOnly) {
			c.Errorf("%s: then: %v", c.what, err)
		}
		return
	}
	if why := v.ReadOnly(); why != "" {
		c.Errorf("%s: read-only: %s", c.what, why)
	}
	if c.err == nil {
		return
	}
	if err := c.run(v); err != nil {
		c.Errorf("%s: the next one: %v", c.what, err)
	}
	if diff := cmp.Diff(c.after, c.tree()); diff != "" {
		c.Errorf("%s: after the next one the files are\n%s", c.what, diff)
	}
}

func (c *faultCase) checkReopened() {
	c.Helper()
	v := c.open(nil)
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		c.Error(err)
	}
	ended(c.T, v)
	tree := c.tree()
	if c.disk.sticky() && c.err != nil && cmp.Equal(tree, c.before) {
		if err := c.run(v); err != nil {
			c.Errorf("%s: after opening again: %v", c.what, err)
		}
		tree = c.tree()
	}
	if diff := cmp.Diff(c.after, tree); diff != "" {
		c.Errorf("%s: after opening again the files are\n%s", c.what, diff)
	}
	c.closeClean(v)
	noTemps(c.T, c.dir)
}

// Every call of every kind of write is made to fail once, in the short form each second. The
// caller gets an error and the files are as they were, or the failure didn't matter and it is told so.
func TestEveryFault(t *testing.T) {
	for _, k := range kinds() {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprint(k.name, " plain=", plain), func(t *testing.T) {
				t.Parallel()
				after := want(t, k)
				stride := 1
				if !long() {
					stride = map[bool]int{false: 2, true: 6}[plain]
				}
				for n := 1; ; n += stride {
					for i, errno := range errnos {
						if i != (n/stride)%len(errnos) && !long() {
							continue
						}
						c := runFault(t, k, &badDisk{at: n, err: errno, plain: plain}, after)
						if c.disk.call == "" {
							if n < 12 && (k.name != "turn" || n < 4) { // appending takes few
								t.Errorf("only %d calls", n-1)
							}
							return
						}
					}
				}
			})
		}
	}
}

// The disk becomes full, or goes away, at a call (the short form: at each third one), and stays so until the vault is closed. What
// could not be taken back then is put right when it is opened again.
func TestDiskThatStaysBad(t *testing.T) {
	t.Parallel()
	stride := 3
	if long() {
		stride = 1
	}
	for _, k := range kinds() {
		after := want(t, k)
		for n := 1; ; n += stride {
			disk := &badDisk{at: n, on: true, err: errnos[(n/stride)%len(errnos)]}
			c := &faultCase{T: t, kind: k, disk: disk, dir: fastDir(t, faultArchive), after: after}
			v := c.open(disk.fault)
			if k.setup != nil {
				if err := k.setup(v); err != nil {
					t.Fatal(err)
				}
			}
			c.before = c.tree()
			disk.arm(true)
			c.err = k.run(v)
			c.closeClean(v)
			if disk.call == "" {
				break
			}
			c.what = fmt.Sprintf("%s, from call %d on (%s) %v", k.name, n, disk.call, disk.err)
			c.reopenBad(n)
			v = c.open(nil)
			if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
				t.Error(err)
			}
			ended(t, v)
			if tree := c.tree(); !cmp.Equal(tree, after) && (c.err == nil || !cmp.Equal(tree, c.before) && !c.torn(tree, after)) {
				t.Errorf("%s: answered %v; neither before nor after:\n%s", c.what, c.err, cmp.Diff(after, tree))
			}
			c.closeClean(v)
			noTemps(t, c.dir)
		}
	}
}

// torn: where not even cutting back works, text that was appended may be there in part.
// What follows closes it, so that it hides nothing.
func (c *faultCase) torn(tree, after map[string]string) bool {
	const p = "conversations/2026-11-20-test.md"
	if c.name != "turn" || !strings.HasPrefix(tree[p], c.before[p]) || !strings.HasPrefix(after[p], tree[p]) {
		return false
	}
	tree = maps.Clone(tree)
	tree[p] = c.before[p]
	return cmp.Equal(tree, c.before)
}

// reopenBad opens the vault while one call of its recovery fails: it must open all
// the same, if only for reading, or say why not.
func (c *faultCase) reopenBad(n int) {
	c.Helper()
	disk := &badDisk{at: 1 + n%17, err: errnos[n%len(errnos)], armed: true}
	v, err := vault.Open(ctx, c.dir, vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: disk.fault})
	if err != nil {
		if !errors.Is(err, disk.err) && !errors.Is(err, vault.ErrReadOnly) {
			c.Errorf("%s: open: %v", c.what, err)
		}
		return
	}
	if _, err := v.Read("conversations/old.md"); err != nil {
		c.Errorf("%s: reading: %v", c.what, err)
	}
	c.closeClean(v)
}

// The test of the test: a writer that cuts the file and writes it anew is torn by a
// disk that becomes full in the middle.
func TestWritingInPlaceIsTorn(t *testing.T) {
	disk := &badDisk{err: syscall.ENOSPC}
	torn := 0
	for n := 1; n <= 4; n++ {
		disk.at, disk.seen, disk.armed = n, 0, true
		p := filepath.Join(t.TempDir(), "a.md")
		if err := os.WriteFile(p, []byte("before\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		_ = inPlace(p, []byte("after, which is longer\n"), disk.fault)
		if got, _ := os.ReadFile(p); string(got) != "before\n" && string(got) != "after, which is longer\n" {
			torn++
		}
	}
	if torn == 0 {
		t.Error("writing in place was never torn: the sweep can't tell good from bad")
	}
}

func inPlace(p string, text []byte, fault func(string) error) error {
	if err := fault("create"); err != nil {
		return err
	}
	f, err := os.Create(p)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := fault("write half"); err != nil {
		_, werr := f.Write(text[:len(text)/2])
		return errors.Join(err, werr)
	}
	if err := fault("write"); err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, fault("fsync"))
}

//go:build unix

package vault_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("KIST_TEST_CRASH_DIR"); dir != "" {
		crashChild(dir)
		return
	}
	os.Exit(vaulttest.InMemory(m).Run())
}

const crashArchive = "-- a.md --\n" + poem + "-- gone.md --\nx\n-- drafts/n.md --\nn\n"

func crashBatch() vault.Batch {
	return batch(
		update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)),
		create("projects/p/project.md", "made\n"),
		remove("gone.md", "x\n"),
		move("drafts/n.md", "projects/p/notes/n.md"))
}

// A deathTrap is a fault function that kills the process at its nth call.
type deathTrap struct {
	mu    sync.Mutex
	at    int
	seen  int
	dying bool
	plain bool // the file system has no atomic exchange
}

func (d *deathTrap) fault(call string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen++
	switch {
	case d.dying, d.seen == d.at && call != "write half":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it takes a moment
	case d.seen == d.at:
		d.dying = true // after half of the bytes
		return syscall.EINTR
	case d.plain && (call == "exchange" || call == "rename new"):
		return vault.ErrNoExchange
	}
	return nil
}

// crashChild applies a batch, or recovers from one, and is killed on the way.
func crashChild(dir string) {
	n, _ := strconv.Atoi(os.Getenv("KIST_TEST_CRASH_AT"))
	recovering := os.Getenv("KIST_TEST_CRASH_IN") == "recovery"
	trap := &deathTrap{plain: os.Getenv("KIST_TEST_CRASH_PLAIN") != ""}
	if recovering {
		trap.at = n
	}
	v, err := vault.Open(ctx, dir, vault.Options{Device: "test", Fault: trap.fault})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	if recovering {
		err = v.Walk(ctx, func(vault.Info) error { return nil }, nil)
	} else {
		trap.mu.Lock()
		trap.seen, trap.at = 0, n
		trap.mu.Unlock()
		b := crashBatch()
		if os.Getenv("KIST_TEST_CRASH_DOZEN") != "" {
			b = batch(dozen("x\n", "X\n")...)
		}
		_, err = v.Apply(ctx, b)
	}
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println("acknowledged")
	if err := v.Close(); err != nil {
		fmt.Println("close:", err)
	}
	fmt.Println("survived", trap.seen)
}

// A process is killed before every call to the file system that a batch makes, and
// each time again in the recovery that follows: at one point of it, or, in the long
// form, at every one.
func TestKillAtEveryCall(t *testing.T) {
	for name, plain := range map[string]string{"exchange": "", "no exchange": "1"} {
		t.Run(name, func(t *testing.T) {
			env := []string{"KIST_TEST_CRASH_PLAIN=" + plain}
			total := survived(runCrashChild(t, vaulttest.Write(t, crashArchive), 1<<30, env...))
			if total < 60 {
				t.Errorf("only %d calls; does a part of the write path go past the faults?", total)
			}
			again := 15 // about what a recovery makes
			if long() {
				again = 100
			}
			stride := 1
			if plain != "" && !long() {
				stride = 3
			}
			var work sync.WaitGroup
			points := make(chan int)
			for range 4 {
				work.Go(func() {
					for n := range points {
						killTwice(t, n, again, env)
					}
				})
			}
			for n := 1; n <= total; n += stride {
				points <- n
			}
			close(points)
			work.Wait()
			t.Logf("killed at each of %d calls", total)
		})
	}
}

// A process is killed while it writes the texts of many files side by side, and while it
// exchanges them: all of them are as they were, or all are new.
func TestKillInALargeBatch(t *testing.T) {
	var archive strings.Builder
	for _, s := range dozen("", "x\n") {
		fmt.Fprintf(&archive, "-- %s --\nx\n", s.Entity.Path)
	}
	total := survived(runCrashChild(t, vaulttest.Write(t, archive.String()), 1<<30, "KIST_TEST_CRASH_DOZEN=1"))
	if total < 100 {
		t.Fatalf("only %d calls", total)
	}
	stride := total / 12
	if long() {
		stride = 1
	}
	for n := stride; n <= total; n += stride {
		dir := vaulttest.Write(t, archive.String())
		out := runCrashChild(t, dir, n, "KIST_TEST_CRASH_DOZEN=1")
		v := vaulttest.Open(t, dir)
		if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
			t.Error(err)
		}
		ended(t, v)
		states := map[string]int{}
		for _, text := range vaulttest.Tree(t, dir, "operations") {
			states[text]++
		}
		if states["x\n"]+states["X\n"] != 12 || len(states) != 1 || strings.Contains(out, "acknowledged") && states["X\n"] == 0 {
			t.Errorf("killed at call %d of %d: %v", n, total, states)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		noTemps(t, dir)
	}
}

// killTwice kills at call n, and then in the recovery at one of the first points,
// or at each of them until there are no more.
func killTwice(t *testing.T, n, again int, env []string) {
	first, last := 1+n*7%again, 1+n*7%again
	if long() {
		first, last = 1, again
	}
	for m := first; m <= last; m++ {
		dir := vaulttest.Write(t, crashArchive)
		out := runCrashChild(t, dir, n, env...)
		out2 := runCrashChild(t, dir, m, append(env, "KIST_TEST_CRASH_IN=recovery")...)
		checkCrashed(t, dir, fmt.Sprintf("killed at call %d and in recovery at %d", n, m), strings.Contains(out, "acknowledged"))
		if survived(out2) > 0 && long() {
			return
		}
	}
}

func survived(out string) int {
	_, count, _ := strings.Cut(out, "survived ")
	n, _ := strconv.Atoi(strings.TrimSpace(count))
	return n
}

// forking is held while a child starts: for a moment it has all our files open, and
// a displaced file that somebody has open is not removed.
var forking sync.RWMutex

func checkCrashed(t *testing.T, dir, what string, acknowledged bool) {
	t.Helper()
	forking.RLock()
	defer forking.RUnlock()
	before := map[string]string{"a.md": poem, "gone.md": "x\n", "drafts/n.md": "n\n"}
	after := map[string]string{"a.md": strings.Replace(poem, "second", "2nd", 1),
		"projects/p/project.md": "made\n", "projects/p/notes/n.md": "n\n"}
	v := vaulttest.Open(t, dir)
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		t.Error(err)
	}
	if why := v.ReadOnly(); why != "" {
		t.Errorf("%s: read-only: %s", what, why)
	}
	ended(t, v)
	tree := vaulttest.Tree(t, dir, "operations")
	switch {
	case cmp.Equal(tree, after):
		undoAll(t, v)
		if diff := cmp.Diff(before, vaulttest.Tree(t, dir, "operations")); diff != "" {
			t.Errorf("%s, undone:\n%s", what, diff)
		}
	case cmp.Equal(tree, before) && !acknowledged:
	default:
		t.Errorf("%s (acknowledged: %v): neither before nor after:\n%s", what, acknowledged, cmp.Diff(after, tree))
	}
	if err := v.Close(); err != nil { // lets displaced files settle
		t.Error(err)
	}
	noTemps(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "projects")); err == nil {
		t.Errorf("%s: empty folders are left", what)
	}
}

func runCrashChild(t *testing.T, dir string, n int, env ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Error(err)
		return ""
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "KIST_TEST_CRASH_DIR="+dir, fmt.Sprintf("KIST_TEST_CRASH_AT=%d", n))
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	forking.Lock()
	err = cmd.Start()
	forking.Unlock()
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Errorf("child: %v\n%s", err, &out)
	}
	return out.String()
}

func undoAll(t *testing.T, v *vault.Vault) {
	t.Helper()
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); err != nil {
		t.Error(err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}

// A killed process leaves the displaced file behind; if an editor wrote into it,
// it holds the only copy of that save.
func TestLeftOverTemporaries(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	op := mustApply(t, v, update("a.md", "a\n", "A\n"))[0]
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	plant := func(name, text string) {
		if err := os.WriteFile(filepath.Join(v.Dir(), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plant(".kist-"+op.ID+"-7.swap.tmp", "a\n")                  // displaced: accounted for
	plant(".kist-"+op.ID+"-8.part.tmp", "half of")              // never complete
	plant(".kist-"+op.ID+"-9.swap.tmp", "a, saved by hand\n")   // the only copy
	plant(".kist-01ARZ3NDEKTSV4RRFFQ69G5FAV-1.swap.tmp", "A\n") // of an unknown operation, but on disk as it is
	plant(".kist-notes.tmp", "mine\n")                          // not ours
	v = vaulttest.Open(t, v.Dir())
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		t.Fatal(err)
	}
	v.WaitSettled(ctx, time.Minute)
	var kept []string
	for p, text := range vaulttest.Tree(t, v.Dir(), "operations") {
		if strings.Contains(p, "(conflict ") && text == "a, saved by hand\n" {
			kept = append(kept, p)
		} else if p != "a.md" {
			t.Errorf("unexpected %s: %q", p, text)
		}
	}
	if len(kept) != 1 {
		t.Errorf("conflict copies: %v", kept)
	}
	left, _ := filepath.Glob(filepath.Join(v.Dir(), ".kist-*.tmp"))
	if len(left) != 1 || filepath.Base(left[0]) != ".kist-notes.tmp" {
		t.Errorf("left over: %v", left)
	}
}

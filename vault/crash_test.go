//go:build unix

package vault_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("KIST_TEST_CRASH_DIR"); dir != "" {
		crashChild(dir)
		return
	}
	os.Exit(m.Run())
}

func crashBatch() vault.Batch {
	return batch(
		update("a.md", poem, strings.Replace(poem, "second", "2nd", 1)),
		create("projects/p/project.md", "made\n"),
		remove("gone.md", "x\n"))
}

// crashChild applies a batch and kills itself at the nth step of writing it.
func crashChild(dir string) {
	n, _ := strconv.Atoi(os.Getenv("KIST_TEST_CRASH_AT"))
	v, err := vault.Open(ctx, dir, vault.Options{Device: "test"})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	seen := 0
	vault.SetFault(v, func(string) error {
		if seen++; seen == n {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	})
	if _, err := v.Apply(ctx, crashBatch()); err != nil {
		fmt.Println("apply:", err)
		os.Exit(1)
	}
	fmt.Println("acknowledged")
	v.Close()
	fmt.Println("survived")
}

// A process is killed at every step of writing a batch, and each time again at
// the first step of the recovery that follows.
func TestKillAtEveryStep(t *testing.T) {
	before := map[string]string{"a.md": poem, "gone.md": "x\n"}
	after := map[string]string{"a.md": strings.Replace(poem, "second", "2nd", 1), "projects/p/project.md": "made\n"}
	for n := 1; ; n++ {
		dir := vaulttest.Write(t, "-- a.md --\n"+poem+"-- gone.md --\nx\n")
		out := runCrashChild(t, dir, n)
		if strings.Contains(out, "survived") {
			if n < 20 {
				t.Errorf("only %d steps; are the failure points gone?", n-1)
			}
			return
		}
		v := vaulttest.Open(t, dir)
		if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
		ended(t, v)
		tree := vaulttest.Tree(t, dir, "operations")
		switch {
		case cmp.Equal(tree, after):
			undoAll(t, v)
			if diff := cmp.Diff(before, vaulttest.Tree(t, dir, "operations")); diff != "" {
				t.Errorf("killed at step %d, undone:\n%s", n, diff)
			}
		case cmp.Equal(tree, before) && !strings.Contains(out, "acknowledged"):
		default:
			t.Errorf("killed at step %d (%q): neither before nor after:\n%s", n, out, cmp.Diff(after, tree))
		}
		if err := v.Close(); err != nil { // lets displaced files settle
			t.Fatal(err)
		}
		noTemps(t, dir)
		if n > 100 {
			t.Fatal("steps without end")
		}
	}
}

func runCrashChild(t *testing.T, dir string, n int) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "KIST_TEST_CRASH_DIR="+dir, fmt.Sprintf("KIST_TEST_CRASH_AT=%d", n))
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("child: %v\n%s", err, out)
	}
	return string(out)
}

func undoAll(t *testing.T, v *vault.Vault) {
	t.Helper()
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "s1"}, you); err != nil {
		t.Error(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
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

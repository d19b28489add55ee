//go:build unix

package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kist/vault"
)

// fullAt, in the environment of this test's own binary, has it make a round where no file may grow
// beyond a size: DIR, STATE and the size in bytes.
const fullAt = "KIST_TEST_SYNC_FULL"

// TestVictimOfAFullDisk is the process that can't write; alone it does nothing.
func TestVictimOfAFullDisk(t *testing.T) {
	args := strings.Split(os.Getenv(fullAt), "\n")
	if len(args) != 3 {
		return
	}
	v, err := vault.Open(context.Background(), args[0], vault.Options{Device: filepath.Base(args[0])})
	if err != nil {
		t.Fatal(err)
	}
	size, err := strconv.ParseUint(args[2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // so that writing fails, for git as well
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	full := usual
	full.Cur = size
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	_, failed := New(Options{Vault: v, Dir: args[1]}).Now(context.Background(), Request{}, nil)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	_ = v.Close()
	if failed != nil {
		fmt.Printf("FULL: %v\n", failed)
	}
}

// full makes a round of a machine on a disk that is full, and returns what it failed with; empty: it
// did not.
func (m *machine) full(size int) string {
	m.t.Helper()
	m.vault.Close()
	defer m.open()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictimOfAFullDisk$")
	cmd.Env = append(os.Environ(), fullAt+"="+strings.Join([]string{m.dir, m.state, strconv.Itoa(size)}, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s: %v: %s", m.name, err, out)
	}
	_, said, _ := strings.Cut(string(out), "FULL: ")
	said, _, _ = strings.Cut(said, "\n")
	return said
}

// TestAFullDiskDamagesNothing makes rounds that commit, merge and push where writing fails at smaller and
// larger files: each ends with an error that says so, nothing is lost or damaged, and the next round with room goes on.
func TestAFullDiskDamagesNothing(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	settle(a, b)
	sizes, failed := []int{0, 300, 9000}, 0
	if long() > 0 {
		sizes = nil
		for size := 0; size < 40000; size = max(size+100, size*5/4) {
			sizes = append(sizes, size)
		}
	}
	text := func(who string, n int) string {
		return strings.Repeat(fmt.Sprintf("%s %d %x\n", who, n, n*n*7919), 800)
	}
	for n, size := range sizes {
		a.write(fmt.Sprintf("a%d.md", n), text("amber", n))
		a.write("note.md", fmt.Sprintf("# Note\n\none %d\n\ntwo\n\nthree\n", n))
		a.sync()
		b.write(fmt.Sprintf("b%d.md", n), text("birch", n))
		b.write("own.md", fmt.Sprint("own ", n, "\n"))
		said := b.full(size)
		if said != "" {
			failed++
		}
		if strings.Contains(said, "another git") || strings.Contains(said, "meanwhile") {
			t.Errorf("at %d it says %q", size, said)
		}
		b.sound()
		if _, err := os.Lstat(filepath.Join(b.dir, ".git", "index.lock")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("at %d an index.lock is left", size)
		}
		b.wants(fmt.Sprintf("b%d.md", n), text("birch", n))
		if _, err := b.engine.Now(t.Context(), Request{}, nil); err != nil {
			t.Fatalf("after %d (%s): %v", size, said, err)
		}
		b.clean()
		settle(a, b)
		same(t, a, b)
		b.wants(fmt.Sprintf("a%d.md", n), text("amber", n))
		a.wants(fmt.Sprintf("b%d.md", n), text("birch", n))
		t.Logf("%d: %s", size, said)
	}
	if failed < 3 {
		t.Errorf("only %d of %d rounds failed", failed, len(sizes))
	}
	run(t, remote, "fsck", "--strict", "--no-dangling", "--no-progress")
}

// TestWhatFailedOnAFullDiskIsNotTakenForDone has a change come to a document for which there is no room, though there is for what the log says of
// it, and the document deleted then: the change wins over that, as it does where it was never tried.
func TestWhatFailedOnAFullDiskIsNotTakenForDone(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	b.now = func() time.Time { return time.Now().Add(-48 * time.Hour) } // what comes first is in the log of another day
	b.reopen()
	large := strings.Repeat("one line of very many\n", 40_000)
	a.write("large.md", large)
	a.write("goes.md", "goes\n")
	settle(a, b)
	a.write("large.md", large+"and one more\n")
	a.remove("goes.md")
	a.sync()
	if said := b.full(len(large) / 2); !strings.Contains(said, "too large") || b.read("goes.md") != "-" || b.read("large.md") != large {
		t.Fatalf("the round says %q", said)
	}
	b.remove("large.md")
	settle(b, a)
	same(t, a, b)
	if b.read("large.md") != large+"and one more\n" {
		t.Error("the change is not there")
	}
	b.clean()
}

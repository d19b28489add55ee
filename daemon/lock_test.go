package daemon

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/rpc/dial"
)

// isolate keeps a test out of the user's own folders and returns the paths of a
// new vault's daemon.
func isolate(t testing.TB) dial.Paths {
	t.Helper()
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, name := range []string{"KIST_VAULT", "KIST_LISTEN", "KIST_ORIGINS", "KIST_LOG", "KIST_CONFIG", "KIST_EMBED", "KIST_OLLAMA_URL", "KIST_OLLAMA_KEY", "KIST_OPENAI_URL", "KIST_OPENAI_KEY"} {
		t.Setenv(name, "")
	}
	paths, err := dial.PathsFor(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestLockRace: of many who want the lock at once exactly one gets it, 200 times
// over, while the one before gives it up.
func TestLockRace(t *testing.T) {
	paths := isolate(t)
	if err := makeState(paths); err != nil {
		t.Fatal(err)
	}
	const rounds, rivals = 10, 20
	var before *lock
	for range rounds {
		start := make(chan struct{})
		results := make(chan *lock, rivals)
		var wg sync.WaitGroup
		for range rivals {
			wg.Go(func() {
				<-start
				l, err := acquire(paths)
				if err != nil && !errors.Is(err, ErrLocked) {
					t.Error(err)
				}
				results <- l
			})
		}
		close(start)
		if before != nil {
			if err := before.release(); err != nil {
				t.Error(err)
			}
			before = nil
		}
		wg.Wait()
		close(results)
		for l := range results {
			if l != nil && before != nil {
				t.Fatal("two owners")
			}
			if l != nil {
				before = l
			}
		}
		// All of them may have come while it was still held.
		if before == nil {
			var err error
			if before, err = acquire(paths); err != nil {
				t.Fatal(err)
			}
		}
		if pid, text := dial.Holder(paths); pid != os.Getpid() || !strings.Contains(text, "since") {
			t.Errorf("the holder is said to be %q", text)
		}
	}
	if err := before.release(); err != nil {
		t.Error(err)
	}
	if pid, _ := dial.Holder(paths); pid != 0 {
		t.Error("the lock names a holder after it was given up")
	}
}

// left is what the file of a lock may hold before anybody takes it. The last one names a
// process that runs and is none of ours, as after a restart that used its number again.
func left() []string {
	return []string{"", "pid 4194000 since 2026-01-02T03:04:05Z\n", "garbage\x00\xff", fmt.Sprintf("pid %d since 2026-01-02T03:04:05Z\n", os.Getppid())}
}

// race lets two take a lock at once, 200 times over, and returns in how many rounds
// not exactly one got it.
func race(t *testing.T, paths dial.Paths, take func() (release func() error, err error)) (faults int) {
	t.Helper()
	for round := range 200 {
		stale := left()[round%len(left())]
		if err := os.WriteFile(paths.Lock, []byte(stale), 0o600); err != nil {
			t.Fatal(err)
		}
		var owned [2]func() error
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range owned {
			wg.Go(func() {
				<-start
				owned[i], _ = take()
			})
		}
		close(start)
		wg.Wait()
		owners := 0
		for _, release := range owned {
			if release != nil {
				owners++
				if err := release(); err != nil {
					t.Error(err)
				}
			}
		}
		if owners != 1 {
			faults++
		}
	}
	return faults
}

// TestTwoStarts: of two that start at once exactly one owns the vault, whatever a
// process that is gone left in the file.
func TestTwoStarts(t *testing.T) {
	paths := isolate(t)
	if err := makeState(paths); err != nil {
		t.Fatal(err)
	}
	faults := race(t, paths, func() (func() error, error) {
		l, err := acquire(paths)
		if err != nil {
			if !errors.Is(err, ErrLocked) {
				t.Error(err)
			}
			return nil, err
		}
		return l.release, nil
	})
	if faults > 0 {
		t.Errorf("%d rounds without exactly one owner", faults)
	}
	// A file that only names its owner, which is how it is often done, has two
	// owners now and then, and none where the number is in use again.
	faults = race(t, paths, func() (func() error, error) {
		if pid, _ := dial.Holder(paths); pid > 0 && dial.Alive(pid) {
			return nil, ErrLocked
		}
		err := os.WriteFile(paths.Lock, fmt.Appendf(nil, "pid %d\n", os.Getpid()), 0o600)
		return func() error { return os.Truncate(paths.Lock, 0) }, err
	})
	if faults < 50 {
		t.Errorf("a file with a number failed in %d rounds only: the race shows nothing", faults)
	}
}

// TestLockDeleted: whoever deletes .kist gets no second owner, because the folder
// is locked as well.
func TestLockDeleted(t *testing.T) {
	paths := isolate(t)
	if err := makeState(paths); err != nil {
		t.Fatal(err)
	}
	first, err := acquire(paths)
	if err != nil {
		t.Fatal(err)
	}
	if first.lost() {
		t.Error("lost at once")
	}
	if err := os.RemoveAll(paths.State); err != nil {
		t.Fatal(err)
	}
	if err := makeState(paths); err != nil {
		t.Fatal(err)
	}
	if !first.lost() {
		t.Error("a deleted lock file isn't noticed")
	}
	got := make(chan error, 1)
	go func() {
		second, err := acquire(paths)
		if err == nil {
			err = second.release()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("a second owner beside the first: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	if err := first.release(); err != nil {
		t.Error(err)
	}
	if err := <-got; err != nil {
		t.Errorf("the second one after the first: %v", err)
	}
}

// TestLockReplaced: a lock on another file than the one that has the name now is no
// lock, since the next one locks that.
func TestLockReplaced(t *testing.T) {
	paths := isolate(t)
	if err := makeState(paths); err != nil {
		t.Fatal(err)
	}
	other := paths.State + "/other"
	if err := os.Symlink(other, paths.Lock); err != nil {
		t.Fatal(err)
	}
	if l, err := acquire(paths); err == nil {
		t.Error("locked another file")
		_ = l.release()
	}
	if err := os.Remove(paths.Lock); err != nil {
		t.Fatal(err)
	}
	l, err := acquire(paths)
	if err != nil {
		t.Fatal(err)
	}
	if !hasName(l.info, paths.Lock) {
		t.Error("the lock's own file is taken for another")
	}
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, paths.Lock); err != nil {
		t.Fatal(err)
	}
	// As it may be replaced between being opened and locked.
	if hasName(l.info, paths.Lock) || !l.lost() {
		t.Error("a replaced lock file isn't noticed")
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
}

// TestHostileState: links in a vault that came from elsewhere are not followed.
func TestHostileState(t *testing.T) {
	for _, name := range []string{"lock", "token", "daemon.json"} {
		paths := isolate(t)
		if err := os.Mkdir(paths.State, 0o755); err != nil {
			t.Fatal(err)
		}
		victim := paths.Vault + "/victim"
		if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, paths.State+"/"+name); err != nil {
			t.Fatal(err)
		}
		err := refused(t, Options{Vault: paths.Vault})
		if !errors.Is(err, ErrFolder) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
			t.Errorf("%s: the victim holds %q, %v", name, text, err)
		}
	}
}

package dial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// A lock is held while somebody holds it, whatever the file says: the number of a
// daemon that lost its power may be that of any process by now.
func TestTheLockCountsAndNotTheNumber(t *testing.T) {
	isolate(t)
	vault := real(t)
	paths, err := PathsFor(vault)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(vault, ConfigFile), "")
	write(paths.Info, "{}")
	write(paths.Lock, fmt.Sprintf("pid %d since 2026-01-02T03:04:05Z\n", os.Getpid()))
	ask := func() string {
		_, err := Connect(context.Background(), vault, Options{Timeout: time.Second})
		if !errors.Is(err, ErrUnreachable) {
			t.Fatal(err)
		}
		return err.Error()
	}
	if !gone(paths) {
		t.Error("another process is taken for the daemon")
	}
	if got := ask(); !strings.HasPrefix(got, "no daemon runs for ") {
		t.Error(got)
	}
	l := flock.New(paths.Lock)
	if ok, err := l.TryLock(); !ok {
		t.Fatal(err)
	}
	if gone(paths) {
		t.Error("a daemon that doesn't answer is not gone")
	}
	if got := ask(); !strings.Contains(got, "does not answer") {
		t.Error(got)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if !gone(paths) {
		t.Error("looking at a lock must not keep it")
	}
}

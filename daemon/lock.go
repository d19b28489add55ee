package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"kist/rpc/dial"
	"kist/vault/control"
)

// The waits of [acquire]. A holder writes its name right after it got the lock and
// erases it right before it gives it up: without a name it is worth a moment. One
// whose lock file was deleted stops after two looks of the orphan watch.
const (
	nameless  = 300 * time.Millisecond
	orphaned  = 2*orphanEvery + stopLimit + time.Second
	lockRetry = 10 * time.Millisecond
)

// A lock is the right to be the vault's only daemon.
type lock struct {
	paths dial.Paths
	file  *flock.Flock
	dir   *flock.Flock // nil where folders can't be locked
	info  fs.FileInfo  // of the locked file
}

// acquire takes both locks or says who holds them.
func acquire(paths dial.Paths) (*lock, error) {
	l := &lock{paths: paths}
	if err := l.lockFile(); err != nil {
		return nil, err
	}
	if err := l.lockDir(); err != nil {
		_ = l.file.Unlock()
		return nil, err
	}
	l.sign()
	return l, nil
}

// sign writes down who holds the vault, for messages only: where it can't be written, they
// say less.
func (l *lock) sign() {
	if f, err := control.OpenFile(l.paths.Lock, os.O_WRONLY|os.O_TRUNC, 0); err == nil {
		_, _ = fmt.Fprintf(f, "pid %d since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
		_ = f.Close()
	}
}

// hasName reports whether the file that was opened is the one that has the name now.
func hasName(opened os.FileInfo, path string) bool {
	now, err := os.Lstat(path)
	return err == nil && now.Mode().IsRegular() && os.SameFile(opened, now)
}

func (l *lock) lockFile() error {
	named := 0 // looks at which it was taken and named a living process
	for deadline := time.Now().Add(nameless); ; time.Sleep(lockRetry) {
		f := flock.New(l.paths.Lock, flock.SetFlag(os.O_CREATE|os.O_RDWR|control.LockFlags), flock.SetPermissions(0o600))
		ok, err := f.TryLock()
		if err != nil {
			return folderError(l.paths, fmt.Errorf("lock %s: %w", l.paths.Lock, err))
		}
		if ok {
			// Whoever deleted the file between our opening and locking it made room
			// for another holder of another file.
			l.info, err = f.Stat()
			if err == nil && hasName(l.info, l.paths.Lock) {
				l.file = f
				return nil
			}
			_ = f.Unlock()
		}
		// A killed holder's name stays, and its lock goes with its last thread.
		// Twice: a command that looks whether it is held holds it for a moment.
		pid, text := dial.Holder(l.paths)
		if !ok && text != "" && dial.Alive(pid) {
			named++
		}
		if named > 1 || time.Now().After(deadline) {
			return l.held(text)
		}
	}
}

// lockDir locks the folder itself. File systems that can't do that are let off:
// the lock on the file is what counts.
func (l *lock) lockDir() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	for deadline := time.Now().Add(orphaned); ; time.Sleep(lockRetry) {
		d := flock.New(l.paths.Vault, flock.SetFlag(os.O_RDONLY))
		ok, err := d.TryLock()
		if ok {
			l.dir = d
		}
		if ok || err != nil {
			return nil
		}
		if time.Now().After(deadline) {
			return l.held("")
		}
	}
}

func (l *lock) held(by string) error {
	e := &Error{Kind: ErrLocked, What: l.paths.Vault + " is in use by another process"}
	if by != "" {
		e.What = fmt.Sprintf("%s is in use by another kist (%s)", l.paths.Vault, by)
	}
	e.Hint = "other commands talk to that one; kist down stops it"
	return e
}

// lost reports whether the lock file is no longer the one that was locked. A file
// that can't be looked at just now is not lost.
func (l *lock) lost() bool {
	now, err := os.Lstat(l.paths.Lock)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(l.info, now)
}

// release gives the vault up.
func (l *lock) release() error {
	if !l.lost() {
		_ = os.Truncate(l.paths.Lock, 0)
	}
	if l.dir != nil {
		_ = l.dir.Unlock()
	}
	return l.file.Unlock()
}

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// hold locks the store for this process and for the gits that it starts in it. One that goes
// on after its kist was killed is waited for: it would move what is read by then.
func hold(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the store for sync: %w", err)
	}
	for deadline := time.Now().Add(lockWait); ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR): // this file system has no locks
			return f, nil
		case time.Now().After(deadline):
			return nil, errors.Join(fmt.Errorf("%w: one that an ended kist has started, in %s", ErrLocked, dir), f.Close())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// share has a process hold the store as well, for as long as it lives.
func share(cmd *exec.Cmd, held *os.File) { cmd.ExtraFiles = []*os.File{held} }

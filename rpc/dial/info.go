package dial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"kist/vault/control"
)

// Info is what a daemon says about itself in daemon.json. It may be left over
// from a process that was killed: only a health call shows that it holds.
type Info struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Socket  string    `json:"socket"`
	URL     string    `json:"url"` // of the loopback listener
	Started time.Time `json:"started"`
}

// maxNote is far more than token, lock and daemon.json take, in bytes.
const maxNote = 16 << 10

// WaitGone returns once no daemon holds the vault any more, or with ctx's error.
// It is for after a call of Stop.
func WaitGone(ctx context.Context, paths Paths) error {
	for delay := 2 * time.Millisecond; ; delay = min(2*delay, 50*time.Millisecond) {
		if gone(paths) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
	}
}

// gone looks for what a daemon leaves last: it removes daemon.json and the
// socket, empties the lock and then gives it up. One that was killed leaves all
// three, but holds no lock.
func gone(paths Paths) bool {
	if pid, _ := Holder(paths); pid != 0 {
		return !Alive(pid) || !held(paths)
	}
	_, err := os.Lstat(paths.Info)
	return errors.Is(err, fs.ErrNotExist)
}

// readInfo returns the zero Info where there is none.
func readInfo(paths Paths) Info {
	var info Info
	data, err := control.Read(paths.Info, maxNote)
	if err != nil || json.Unmarshal(data, &info) != nil {
		return Info{}
	}
	return info
}

// held reports whether a process holds the vault's lock, whatever the file says: a
// number in it may be that of another process by now. It takes the lock itself for a
// moment, so a daemon that finds it taken looks twice. What can't be found out counts
// as held.
func held(paths Paths) bool {
	f := flock.New(paths.Lock, flock.SetFlag(os.O_RDONLY|control.LockFlags))
	defer f.Close()
	free, err := f.TryRLock()
	return !free && !errors.Is(err, fs.ErrNotExist)
}

// Holder returns what the lock file says about who holds the vault: a process
// number and a text for messages; 0 and "" where it says nothing. It does not
// tell whether the lock is held.
func Holder(paths Paths) (pid int, text string) {
	data, err := control.Read(paths.Lock, maxNote)
	if err != nil {
		return 0, ""
	}
	text = strings.TrimSpace(string(data))
	var since string
	if n, _ := fmt.Sscanf(text, "pid %d since %s", &pid, &since); n != 2 || len(text) > 100 {
		return 0, ""
	}
	return pid, text
}

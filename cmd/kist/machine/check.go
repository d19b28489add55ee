package machine

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

// The results of a check.
const (
	OK     = "ok"
	Warned = "warn"
	Failed = "fail"
)

// A Check is one thing that doctor looked at.
type Check struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
}

// Okay is a check that found nothing wrong.
func Okay(name, detail string) Check { return Check{name, OK, detail, ""} }

// Warn is a check that found what may matter, with what to do.
func Warn(name, detail, hint string) Check { return Check{name, Warned, detail, hint} }

// Fail is a check that found what doesn't work, with what to do.
func Fail(name, detail, hint string) Check { return Check{name, Failed, detail, hint} }

// CheckGit looks for git 2.30, the oldest version kist is tested with.
func CheckGit(ctx context.Context) Check {
	const name, hint = "git", "only carrying the vault between machines needs it: install git 2.30 or newer"
	major, minor, err := Git(ctx)
	switch {
	case err != nil:
		return Warn(name, err.Error(), hint)
	case major < 2 || major == 2 && minor < 30:
		return Warn(name, fmt.Sprintf("version %d.%d is too old", major, minor), hint)
	}
	return Okay(name, fmt.Sprintf("version %d.%d", major, minor))
}

// lowSpace is when a disk counts as nearly full: room for the index of a large vault.
const lowSpace = 200 << 20

// CheckMachine looks at what the system allows.
func CheckMachine(vault string) []Check {
	var checks []Check
	if free, ok := FreeSpace(vault); ok {
		detail := fmt.Sprintf("%d MiB free", free>>20)
		if free < lowSpace {
			checks = append(checks, Warn("disk", detail, "make room: with a full disk kist only reads"))
		} else {
			checks = append(checks, Okay("disk", detail))
		}
	}
	if limit, ok := WatchLimit(); ok {
		folders := Folders(vault)
		detail := fmt.Sprintf("%d folders, %d watches allowed", folders, limit)
		if folders*2 > limit {
			checks = append(checks, Warn("watches", detail, "raise fs.inotify.max_user_watches, or changes are found later"))
		} else {
			checks = append(checks, Okay("watches", detail))
		}
	}
	return checks
}

// CheckPrivate looks whether others could open a file of the daemon.
func CheckPrivate(name, path string) Check {
	info, err := os.Stat(path)
	if err != nil {
		return Fail(name, err.Error(), "kist down; the next command makes it anew")
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return Fail(name, fmt.Sprintf("%s may be opened by others (mode %04o)", path, mode), "take the others' permissions away (mode 0600)")
	}
	return Okay(name, path)
}

// CheckWatcher judges what the daemon says of its watcher.
func CheckWatcher(state string) Check {
	if state == "watching" || state == "" {
		return Okay("watcher", "watching")
	}
	return Warn("watcher", state, "changes are still found, but later")
}

//go:build linux || darwin

package machine

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// FreeSpace returns the bytes that this user may still write.
func FreeSpace(dir string) (uint64, bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return uint64(st.Bavail) * uint64(st.Bsize), true
}

// WatchLimit returns how many folders this user may watch; false where the
// system has no such limit.
func WatchLimit() (int, bool) {
	b, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	return n, err == nil
}

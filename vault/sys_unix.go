//go:build unix

package vault

import (
	"errors"
	"io/fs"
	"syscall"
)

// openNonblock keeps an open from hanging on a pipe that took a file's place.
const openNonblock = syscall.O_NONBLOCK

// canSyncDir: a folder can be opened and made durable.
const canSyncDir = true

func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// links counts a file's names.
func links(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// owner returns whose file it is.
func owner(fi fs.FileInfo) (uid, gid int, ok bool) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid), true
	}
	return 0, 0, false
}

func isCrossDevice(err error) bool { return errors.Is(err, syscall.EXDEV) }

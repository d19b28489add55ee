//go:build unix

package fsys

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

// A FileID is a file's identity, whatever its names.
type FileID struct{ device, inode uint64 }

// IDOf returns a file's identity; false where the system tells none.
func IDOf(fi fs.FileInfo) (FileID, bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return FileID{}, false
	}
	return FileID{uint64(st.Dev), uint64(st.Ino)}, true
}

// Links counts a file's names.
func Links(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// IsNotDir reports whether an error says that a path leads through a file.
func IsNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// owner returns whose file it is.
func owner(fi fs.FileInfo) (uid, gid int, ok bool) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid), true
	}
	return 0, 0, false
}

// IsCrossDevice reports whether an error says that two folders are on different disks.
func IsCrossDevice(err error) bool { return errors.Is(err, syscall.EXDEV) }

// errQuota: the user's share of the disk is used up.
const errQuota = syscall.EDQUOT

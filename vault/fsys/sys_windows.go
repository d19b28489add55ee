package fsys

import (
	"errors"
	"io/fs"
	"syscall"
)

// openNonblock: nothing needs it here.
const openNonblock = 0

const canSyncDir = false

func inode(fs.FileInfo) uint64 { return 0 }

// Links is not known: a file is taken to have one name.
func Links(fs.FileInfo) uint64 { return 1 }

// A FileID is a file's identity, whatever its names.
type FileID struct{}

// IDOf returns a file's identity; false where the system tells none.
func IDOf(fs.FileInfo) (FileID, bool) { return FileID{}, false }

// IsNotDir reports whether an error says that a path leads through a file.
func IsNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// owner is not known: files in a folder of one's own are one's own here.
func owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

// IsCrossDevice reports whether an error says that two folders are on different disks.
func IsCrossDevice(err error) bool {
	const notSameDevice = syscall.Errno(17)
	return errors.Is(err, notSameDevice)
}

// errQuota is ERROR_DISK_QUOTA_EXCEEDED.
const errQuota = syscall.Errno(1295)

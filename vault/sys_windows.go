package vault

import (
	"errors"
	"io/fs"
	"syscall"
)

const openNonblock = 0

const canSyncDir = false

func inode(fs.FileInfo) uint64 { return 0 }

func links(fs.FileInfo) uint64 { return 1 }

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// owner is not known: files in a folder of one's own are one's own here.
func owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func isCrossDevice(err error) bool {
	const notSameDevice = syscall.Errno(17)
	return errors.Is(err, notSameDevice)
}

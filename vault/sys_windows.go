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

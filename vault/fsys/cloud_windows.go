package fsys

import (
	"io/fs"
	"syscall"
)

// Elsewhere reports whether a file or folder has no content on this machine, by the
// attributes offline, recall on open and recall on data access of winnt.h.
func Elsewhere(fi fs.FileInfo) bool {
	const recalled = 0x1000 | 0x40000 | 0x400000
	data, ok := fi.Sys().(*syscall.Win32FileAttributeData)
	return ok && data.FileAttributes&recalled != 0
}

package fsys

import (
	"io/fs"
	"syscall"
)

// Elsewhere reports whether a file or folder has no content on this machine, by
// SF_DATALESS of sys/stat.h.
func Elsewhere(fi fs.FileInfo) bool {
	const dataless = 0x40000000
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Flags&dataless != 0
}

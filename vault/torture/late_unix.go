//go:build unix

package torture

import (
	"io/fs"
	"syscall"
)

// unlinked reports whether an open file has no name any more.
func unlinked(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0
}

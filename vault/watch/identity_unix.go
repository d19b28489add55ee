//go:build unix

package watch

import (
	"io/fs"
	"syscall"
)

// A fileID is the same for a file or folder under every path; the zero value
// means that it isn't known.
type fileID struct{ device, inode uint64 }

func identify(info fs.FileInfo) fileID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{uint64(st.Dev), uint64(st.Ino)}
	}
	return fileID{}
}

package fsys

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when a file's content or attributes last changed. Unlike the
// modification time it can't be set by programs.
func changeTime(fi fs.FileInfo) time.Time {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctimespec.Sec, st.Ctimespec.Nsec)
	}
	return fi.ModTime()
}

package fsys

import (
	"io/fs"
	"time"
)

// A Stat is what tells two states of a file from each other.
type Stat struct {
	Size       int64
	ModTime    time.Time
	ChangeTime time.Time // unlike ModTime it can't be set by programs; ModTime where there is none
	Inode      uint64    // 0: the system has none
	Links      uint64    // how many names the file has
}

// StatOf is the Stat that fi has.
func StatOf(fi fs.FileInfo) Stat {
	return Stat{Size: fi.Size(), ModTime: fi.ModTime(), ChangeTime: changeTime(fi), Inode: inode(fi), Links: Links(fi)}
}

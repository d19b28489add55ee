//go:build !linux && !darwin

package fsys

import (
	"io/fs"
	"time"
)

// changeTime is the modification time where the system knows nothing better.
func changeTime(fi fs.FileInfo) time.Time { return fi.ModTime() }

//go:build !darwin && !windows

package fsys

import "io/fs"

// Elsewhere: no attribute says so here. A file with a size and without blocks may as
// well be a sparse one, or be small.
func Elsewhere(fs.FileInfo) bool { return false }

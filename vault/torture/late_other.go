//go:build !unix

package torture

import "io/fs"

// unlinked can't happen to an open file here.
func unlinked(fs.FileInfo) bool { return false }

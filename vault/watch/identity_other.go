//go:build !unix

package watch

import "io/fs"

// A fileID is the same for a file or folder under every path; the zero value
// means that it isn't known, which it never is on this system.
type fileID struct{}

func identify(fs.FileInfo) fileID { return fileID{} }

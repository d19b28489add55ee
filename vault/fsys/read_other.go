//go:build !linux

package fsys

import "os"

// ReadPlain: only Linux opens a file below a folder safely in one call.
func ReadPlain(*os.File, string, int64) (text []byte, stat Stat, ok bool) { return nil, Stat{}, false }

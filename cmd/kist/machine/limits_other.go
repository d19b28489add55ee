//go:build !linux && !darwin

package machine

// FreeSpace is not known here.
func FreeSpace(string) (uint64, bool) { return 0, false }

// WatchLimit is not known here.
func WatchLimit() (int, bool) { return 0, false }

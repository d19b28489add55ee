//go:build !unix

package bench

// syncFolder does nothing: only Unix lets a folder be made durable.
func syncFolder(string) error { return nil }

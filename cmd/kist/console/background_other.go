//go:build !unix

package console

// stayRunning has nothing to do where no shell stops who reads.
func stayRunning() {}

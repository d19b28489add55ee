//go:build !unix

package vector

import "os"

// mapFile reads a file into memory: a mapped one couldn't be replaced here.
func mapFile(name string) (data []byte, unmap func() error, err error) {
	data, err = os.ReadFile(name)
	return data, func() error { return nil }, err
}

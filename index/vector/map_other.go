//go:build !unix

package vector

import (
	"math"

	"kist/vault/control"
)

// mapFile reads a file into memory: a mapped one couldn't be replaced here.
func mapFile(name string) (data []byte, unmap func() error, err error) {
	data, err = control.Read(name, math.MaxInt64)
	return data, func() error { return nil }, err
}

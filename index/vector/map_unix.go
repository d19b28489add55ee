//go:build unix

package vector

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"kist/vault/control"
)

// mapFile maps a file into memory: what isn't used needn't be there, and what is
// used the system can drop again.
func mapFile(name string) (data []byte, unmap func() error, err error) {
	f, err := control.Open(name)
	if errors.Is(err, control.ErrNotRegular) {
		return nil, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 {
		return nil, func() error { return nil }, nil
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: name, Err: err}
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}

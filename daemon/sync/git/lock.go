package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const lockTemp = "kist-index-"

// placeLock makes index.lock with its whole text at once, where the file system can.
func placeLock(lock string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(lock), lockTemp)
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	err = os.Link(tmp.Name(), lock)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: it began just now", ErrLocked)
	}
	if err == nil {
		return nil
	}
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: it began just now", ErrLocked)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

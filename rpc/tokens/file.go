package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"kist/vault/control"
	"kist/vault/pattern"
)

// maxFile is far more than all tokens take, in bytes.
const maxFile = 64 << 10

var hashForm = pattern.Lazy(`^[0-9a-f]{64}$`)

// load reads the file; without one there are no tokens. One that others could have read or
// written opens nothing.
func load(path string) ([]kept, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%w: others can read %s", ErrNotKept, path)
	}
	text, err := control.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	var all []kept
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w: %s is damaged", ErrNotKept, path)
	}
	for _, k := range all {
		if !nameForm().MatchString(k.Name) || !hashForm().MatchString(k.Hash) {
			return nil, fmt.Errorf("%w: %s is damaged", ErrNotKept, path)
		}
	}
	return all, nil
}

// save writes the tokens, and takes them on once they are written. The caller holds the lock.
func (s *Store) save(all []kept) error {
	if err := write(s.path, all); err != nil {
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	s.kept = all
	return nil
}

// write replaces the file by one that only this user can read.
func write(path string, all []kept) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".kist-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

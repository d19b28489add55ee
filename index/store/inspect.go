package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"kist/vault/boltcheck"
	"kist/vault/control"
)

const (
	rootFile = "root.bolt" // bleve's list of segments
	// SealFile holds the checksum of root.bolt while nobody has it open. After a crash
	// there is none; the form of the file is checked all the same.
	SealFile  = "root.sum"
	sealBytes = 2 * sha256.Size
)

// inspect looks at root.bolt before bleve does: bleve reads it in goroutines of its
// own, where a fault can't be caught, and would end the program.
func (s *Store) inspect() error {
	if err := onlyFiles(s.Dir); err != nil {
		return err
	}
	root := filepath.Join(s.Dir, rootFile)
	if err := boltcheck.Check(root); err != nil {
		if errors.Is(err, boltcheck.ErrDamaged) {
			err = fmt.Errorf("%w: %s: %w", ErrDamaged, rootFile, err)
		}
		return err
	}
	seal, err := ReadRegular(filepath.Join(s.Dir, SealFile))
	if err != nil || len(seal) != sealBytes {
		return nil // none: a crash, or no room for it
	}
	sum, err := checksum(root)
	if err != nil {
		return err
	}
	if sum != string(seal) {
		return fmt.Errorf("%w: %s has a wrong checksum", ErrDamaged, rootFile)
	}
	return nil
}

// onlyFiles looks for pipes, devices and links among a store's files, which bleve opens
// and waits for: ErrDamaged.
func onlyFiles(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a new store
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return fmt.Errorf("%w: %s is not a regular file", ErrDamaged, e.Name())
		}
	}
	return err
}

// unseal comes before root.bolt is changed.
func (s *Store) unseal() error {
	err := os.RemoveAll(filepath.Join(s.Dir, SealFile))
	if err != nil {
		return err
	}
	dir, err := os.Open(s.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a new store
		}
		return err
	}
	defer dir.Close()
	_ = dir.Sync() // not every system can; a seal that comes back costs building anew
	return nil
}

// seal comes after root.bolt was closed. That it can't be written is no loss.
func (s *Store) seal() {
	sum, err := checksum(filepath.Join(s.Dir, rootFile))
	if err == nil {
		_ = os.WriteFile(filepath.Join(s.Dir, SealFile), []byte(sum), 0o600)
	}
}

func checksum(name string) (string, error) {
	f, err := control.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// probe opens the store for reading alone and looks at all that bleve believes.
// Bleve merges segments from the moment it may write, so this comes before.
func (s *Store) probe() error {
	p := &Store{ID: s.ID, Dir: s.Dir, ReadOnly: true}
	if err := p.Open(); err != nil {
		return err
	}
	defer p.Close()
	err := p.readMeta()
	if err == nil {
		err = p.verify()
	}
	return err
}

// WhetherLost returns err, the trouble of writing the store, and remembers ErrDamaged
// where no trying again will help: its files are gone or damaged. What bleve has
// mapped of deleted files still answers.
func (s *Store) WhetherLost(err error) error {
	if s.memory {
		return err
	}
	if _, err2 := os.Lstat(filepath.Join(s.Dir, rootFile)); errors.Is(err2, fs.ErrNotExist) {
		err = fmt.Errorf("%w: its files were deleted", ErrDamaged)
	}
	if errors.Is(err, ErrDamaged) {
		s.Lost = err
		err = Error{err}
	}
	return err
}

// ReadRegular reads a file, but no pipe or device, where reading may never end: that
// is ErrDamaged.
func ReadRegular(name string) ([]byte, error) {
	text, err := control.Read(name, math.MaxInt64)
	if errors.Is(err, control.ErrNotRegular) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return text, err
}

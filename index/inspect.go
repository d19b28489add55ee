package index

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
	// sealFile holds the checksum of root.bolt while nobody has it open. After a crash
	// there is none; the form of the file is checked all the same.
	sealFile  = "root.sum"
	sealBytes = 2 * sha256.Size
)

// inspect looks at root.bolt before bleve does: bleve reads it in goroutines of its
// own, where a fault can't be caught, and would end the program.
func (s *store) inspect() error {
	if err := onlyFiles(s.dir); err != nil {
		return err
	}
	root := filepath.Join(s.dir, rootFile)
	if err := boltcheck.Check(root); err != nil {
		if errors.Is(err, boltcheck.ErrDamaged) {
			err = fmt.Errorf("%w: %s: %w", ErrDamaged, rootFile, err)
		}
		return err
	}
	seal, err := readRegular(filepath.Join(s.dir, sealFile))
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
func (s *store) unseal() error {
	err := os.RemoveAll(filepath.Join(s.dir, sealFile))
	if err != nil {
		return err
	}
	dir, err := os.Open(s.dir)
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
func (s *store) seal() {
	sum, err := checksum(filepath.Join(s.dir, rootFile))
	if err == nil {
		_ = os.WriteFile(filepath.Join(s.dir, sealFile), []byte(sum), 0o600)
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
func (s *store) probe() error {
	p := &store{id: s.id, dir: s.dir, readOnly: true}
	if err := p.open(); err != nil {
		return err
	}
	defer p.close()
	err := p.readMeta()
	if err == nil {
		err = p.verify()
	}
	return err
}

// whetherLost returns err, the trouble of writing the store, and remembers ErrDamaged
// where no trying again will help: its files are gone or damaged. What bleve has
// mapped of deleted files still answers.
func (s *store) whetherLost(err error) error {
	if s.memory {
		return err
	}
	if _, err2 := os.Lstat(filepath.Join(s.dir, rootFile)); errors.Is(err2, fs.ErrNotExist) {
		err = fmt.Errorf("%w: its files were deleted", ErrDamaged)
	}
	if errors.Is(err, ErrDamaged) {
		s.lost = err
		err = storeError{err}
	}
	return err
}

// readRegular reads a file, but no pipe or device, where reading may never end: that
// is ErrDamaged.
func readRegular(name string) ([]byte, error) {
	text, err := control.Read(name, math.MaxInt64)
	if errors.Is(err, control.ErrNotRegular) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return text, err
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"kist/rpc/dial"
	"kist/vault"
	"kist/vault/control"
	"kist/vault/fsys"
)

// makeState makes the folder for local state and sees to it that nobody else can
// look into it. A vault can come from anywhere: nothing in it that is a link is
// used, or a start could write over whatever the link points to.
func makeState(paths dial.Paths) error {
	if err := os.Mkdir(paths.State, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return folderError(paths, err)
	}
	info, err := os.Lstat(paths.State)
	if err != nil {
		return folderError(paths, err)
	}
	if !info.IsDir() {
		return &Error{Kind: ErrFolder, What: paths.State + " is not a folder", Hint: "move it away and start again"}
	}
	// File systems without modes refuse this, and then everything is the owner's.
	if info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(paths.State, 0o700)
	}
	for _, path := range []string{paths.Lock, paths.Token, paths.Info} {
		if errors.Is(control.Regular(path), control.ErrNotRegular) {
			return &Error{Kind: ErrFolder, What: path + " is not a regular file", Hint: "move it away and start again"}
		}
	}
	ignore := filepath.Join(paths.State, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		// On a full disk nothing gets in that git should not see.
		if err := writePrivate(ignore, []byte("*\n")); err != nil && !fsys.IsFull(err) {
			return folderError(paths, err)
		}
	}
	return nil
}

func folderError(paths dial.Paths, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := &Error{Kind: ErrFolder, What: fmt.Sprintf("use %s: %v", paths.Vault, err)}
	switch {
	case errors.Is(err, fsys.ErrNotRegular):
		e.What = paths.Vault + ": " + strings.TrimPrefix(err.Error(), "open vault "+paths.Vault+": ")
		e.Hint = "move it away, or put the folder itself in its place, and start again"
	case errors.Is(err, fs.ErrNotExist):
		e.What = fmt.Sprintf("%s can't be made: there is no folder %s", paths.Vault, filepath.Dir(paths.Vault))
		e.Hint = "make that folder first, or see whether the name is right"
	case errors.Is(err, fs.ErrPermission) && !canEnter(paths.Vault):
		e.What = "permission denied: " + paths.Vault
		e.Hint = "its owner can let you in: chmod u+rwx"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.What = fmt.Sprintf("%s can't be written: %v", paths.Vault, err)
		e.Hint = fmt.Sprintf("kist keeps its lock, token and index in %s: make the folder writable, or copy it", vault.StateDir)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		e.What, e.Hint = paths.Vault+" is not a folder", "a vault is a folder of documents: name the one that they lie in"
	case errors.Is(err, syscall.ENOSPC):
		e.Hint = "the disk is full; make room and start again"
	}
	return e
}

// canEnter reports whether what a folder holds can be named and looked at.
func canEnter(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, vault.ConfigFile))
	return !errors.Is(err, fs.ErrPermission)
}

// writePrivate replaces a file by one that only the owner can read.
func writePrivate(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".kist-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

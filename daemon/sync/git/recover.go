package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Recover ends an [Repo.Advance] that a kill broke off: the index gets its place where the
// branch was moved, and is let go where it wasn't, and so are the branch and HEAD. Locks of another
// git are left alone. It returns ErrLocked where it can't tell yet whose one is.
func (r *Repo) Recover(ctx context.Context, s *Store) error {
	text, err := os.ReadFile(s.note())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var a advance
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return os.Remove(s.note()) // cut off before anything was done
	}
	lock := filepath.Join(r.GitDir, "index.lock")
	held, err := os.ReadFile(lock)
	if sum := sha256.Sum256(held); err == nil && hex.EncodeToString(sum[:]) == a.Lock {
		branch, commit, err := r.Head(ctx)
		if err != nil {
			return err
		}
		if branch == a.Branch && commit == a.New {
			err = os.Rename(lock, filepath.Join(r.GitDir, "index"))
		} else {
			err = os.Remove(lock)
		}
		if err != nil {
			return err
		}
	}
	if err := r.letGo(a); err != nil {
		return err
	}
	left, _ := filepath.Glob(filepath.Join(r.GitDir, lockTemp+"*"))
	for _, p := range left {
		_ = os.Remove(p)
	}
	return os.Remove(s.note())
}

// staleRef is the age of an empty lock that no git holds any more, in all likelihood: one is
// held for milliseconds.
const staleRef = time.Minute

// letGo removes the locks that the git which was moving a branch left when it was killed, or the
// machine lost its power. That of the branch holds the commit to which it was to be moved; until
// that is written it holds nothing, as that of HEAD always.
func (r *Repo) letGo(a advance) error {
	if CheckRef(a.Branch) != nil {
		return nil
	}
	for _, ref := range []string{filepath.Join(r.Common, "refs", "heads", filepath.FromSlash(a.Branch)), filepath.Join(r.GitDir, "HEAD")} {
		lock := ref + ".lock"
		fi, err := os.Lstat(lock)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		text, err := os.ReadFile(lock)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case string(text) == a.New+"\n":
		case len(text) > 0:
			continue
		case time.Since(fi.ModTime()).Abs() < staleRef:
			return fmt.Errorf("%w: %s is there since %s", ErrLocked, filepath.Base(lock), fi.ModTime().Format(time.DateTime))
		}
		if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// underway are what git leaves in its folder while the user is in the middle of something.
func underway() [][2]string {
	return [][2]string{
		{"rebase-merge", "a rebase"},
		{"rebase-apply", "a rebase, or applying mails"},
		{"MERGE_HEAD", "a merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick"},
		{"REVERT_HEAD", "a revert"},
		{"sequencer", "several cherry-picks or reverts"},
		{"BISECT_LOG", "a bisect"},
	}
}

// Underway says what the user is in the middle of, such as "a rebase"; empty: nothing.
func (r *Repo) Underway() string { return Underway(r.GitDir) }

// Underway is [Repo.Underway] of a git directory, by what it holds.
func Underway(dir string) string {
	for _, u := range underway() {
		if _, err := os.Lstat(filepath.Join(dir, u[0])); err == nil {
			return u[1]
		}
	}
	return ""
}

// Locked returns since when some git holds the index; zero: none does.
func (r *Repo) Locked() time.Time { return Locked(r.GitDir) }

// Locked is [Repo.Locked] of a git directory.
func Locked(dir string) time.Time {
	if fi, err := os.Lstat(filepath.Join(dir, "index.lock")); err == nil {
		return fi.ModTime()
	}
	return time.Time{}
}

// OneName reports whether the file system takes names that differ in case, or in how their letters are
// composed, for one.
func (r *Repo) OneName() bool {
	return isTrue(r.own["core.ignorecase"]) || isTrue(r.own["core.precomposeunicode"])
}

// Shallow reports whether history is cut off.
func (r *Repo) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.Common, "shallow"))
	return !errors.Is(err, fs.ErrNotExist)
}

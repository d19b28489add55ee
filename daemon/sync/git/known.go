package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// keptConfig is how long a config is believed whose files are what they were: git may read
	// one that nobody here knows of.
	keptConfig = 10 * time.Minute
	// youngFile is the age at which a file may still change without its time telling.
	youngFile = 2 * time.Second
)

// A source is a file that says something of a repository, as it was before it was read.
type source struct {
	path string
	info os.FileInfo // nil: there is none
}

func sourceOf(path string) source {
	fi, err := os.Stat(path)
	if err != nil {
		fi = nil
	}
	return source{path, fi}
}

// same reports whether a file is what it was.
func (s source) same() bool {
	now := sourceOf(s.path).info
	if now == nil || s.info == nil {
		return now == nil && s.info == nil
	}
	return os.SameFile(now, s.info) && now.Size() == s.info.Size() && now.ModTime().Equal(s.info.ModTime())
}

// Reopen is [Open], unless all that it would read is what it was for last (nil: there is none), which
// is returned then.
func Reopen(ctx context.Context, dir string, last *Repo) (*Repo, error) {
	if last != nil && last.dir == dir && last.holds() {
		return last, nil
	}
	return Open(ctx, dir)
}

// holds reports whether what is known of the repository still is so. A config that includes
// others is read each time.
func (r *Repo) holds() bool {
	return len(r.sources) > 0 && time.Since(r.read).Abs() < keptConfig && Dir(r.dir) == r.found &&
		!slices.ContainsFunc(r.sources, func(s source) bool { return !s.same() })
}

// sparseFile says, in a git directory, what a sparse checkout has.
const sparseFile = "info/sparse-checkout"

// Steady reports whether the repository still is of the kind that it was when it was opened: files
// that are gone are no sparse checkout's that began meanwhile.
func (r *Repo) Steady() bool {
	_, err := os.Lstat(filepath.Join(r.GitDir, filepath.FromSlash(sparseFile)+".lock"))
	return errors.Is(err, fs.ErrNotExist) && !slices.ContainsFunc(r.before, func(s source) bool { return !s.same() })
}

// globals are the files that may hold the config of the user and of the system.
func globals() []string {
	files := []string{"/etc/gitconfig", os.Getenv("GIT_CONFIG_SYSTEM"), os.Getenv("GIT_CONFIG_GLOBAL")}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		files = append(files, filepath.Join(dir, "git", "config"))
	}
	return slices.DeleteFunc(files, func(p string) bool { return p == "" })
}

// watch looks at the files that are known to say something of the repository in dir, before
// they are read.
func watch(dir string) (found string, all []source) {
	found = Dir(dir)
	files := globals()
	if found != "" {
		files = append(files, filepath.Join(found, "config"), filepath.Join(found, "config.worktree"), filepath.Join(found, "commondir"),
			filepath.Join(found, filepath.FromSlash(sparseFile)))
		if common := commonOf(found); common != found {
			files = append(files, filepath.Join(common, "config"))
		}
	}
	for _, p := range files {
		all = append(all, sourceOf(p))
	}
	return found, all
}

// commonOf returns the directory that all work trees of a git directory share.
func commonOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "commondir"))
	if err != nil {
		return dir
	}
	p := filepath.FromSlash(trimLine(string(text)))
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	return filepath.Clean(p)
}

// keep notes what was known before the config was read, unless that can't tell whether it
// changes: files of this moment, a config that includes others, or files that are known to git alone.
func (r *Repo) keep(found string, all []source, origins map[string]bool, includes bool) {
	now := time.Now()
	for _, s := range all {
		if s.info != nil && now.Sub(s.info.ModTime()).Abs() < youngFile {
			return
		}
	}
	for p := range origins {
		if !filepath.IsAbs(p) {
			p = filepath.Join(r.dir, filepath.FromSlash(p))
		}
		if !slices.ContainsFunc(all, func(s source) bool { return s.info != nil && sameFile(s.info, p) }) {
			return
		}
	}
	if !includes && found != "" {
		r.found, r.sources, r.read = found, all, now
	}
}

func sameFile(fi os.FileInfo, path string) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, fi)
}

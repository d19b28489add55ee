package git

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is a file of the work tree that isn't what the last commit has. Its path is
// below the repository's top.
type Change struct {
	Path string
	Gone bool
	New  bool // not in the commit
	Repo bool // a folder with a repository of its own, of which git has nothing; the path ends with a slash
}

// Changes compares the work tree, below the folder, with a commit (empty: with nothing), by
// the private index. Files that are ignored aren't among them.
func (s *Store) Changes(ctx context.Context, head string) ([]Change, error) {
	if err := s.fill(ctx, head); err != nil {
		return nil, err
	}
	args := []string{"status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all", "--"}
	out, err := s.git(ctx, nil, append(args, s.pathspec()...)...)
	if err != nil {
		return nil, err
	}
	var all []Change
	defer func() {
		s.attributes = slices.ContainsFunc(all, func(c Change) bool { return path.Base(c.Path) == attributesFile })
	}()
	for line := range strings.SplitSeq(string(out), "\x00") {
		switch {
		case strings.HasPrefix(line, "? "):
			all = append(all, Change{Path: line[2:], New: true, Repo: strings.HasSuffix(line, "/")})
		case strings.HasPrefix(line, "1 "):
			f := strings.SplitN(line, " ", 9)
			if len(f) == 9 && f[1][1] != '.' && f[4] != ModeLink && f[4] != ModeModule && f[3] != ModeLink && f[3] != ModeModule {
				all = append(all, Change{Path: f[8], Gone: f[1][1] == 'D'})
			}
		}
	}
	return all, nil
}

// fill makes the private index that of a commit, and keeps what it knows of the files.
func (s *Store) fill(ctx context.Context, head string) error {
	if s.holds(head) {
		return nil
	}
	args := []string{"read-tree", "-i", "-m", head}
	if head == "" {
		args = []string{"read-tree", "--empty"}
	}
	_, err := s.git(ctx, nil, args...)
	if err != nil && ctx.Err() == nil {
		_ = os.Remove(s.index()) // it is kist's own, and may be damaged
		_, err = s.git(ctx, nil, args...)
	}
	if err != nil {
		return err
	}
	return s.Filled(head)
}

// Filled notes which commit the private index has: git then has nothing to tell of what the commit
// has, also in a later round. [Store.Stage] takes that back.
func (s *Store) Filled(commit string) error {
	at := commit + "\n"
	if commit == "" {
		at = unborn
	}
	return os.WriteFile(filepath.Join(s.dir, "HEAD"), []byte(at), 0o600)
}

// holds reports whether the private index is that of a commit.
func (s *Store) holds(commit string) bool {
	at, err := os.ReadFile(filepath.Join(s.dir, "HEAD"))
	if err != nil || commit == "" || string(at) != commit+"\n" {
		return false
	}
	_, err = os.Stat(s.index())
	return err == nil
}

// Last returns the commit that kist looked at last; empty: that isn't known.
func Last(s *Store) string {
	at, err := os.ReadFile(filepath.Join(s.dir, "HEAD"))
	if id := trimLine(string(at)); err == nil && isID(id) {
		return id
	}
	return ""
}

// Filtered returns which of some files have a filter, such as that of Git LFS, or another encoding:
// what git has of them isn't what is in the work tree. The value is the filter's name (empty: none). Attributes are those of the work
// tree, or of a commit (empty: none).
func (s *Store) Filtered(ctx context.Context, paths []string, commit string) (map[string]string, error) {
	if commit == "" && !s.attributes && !s.mentions(paths, "filter", "working-tree-encoding") || len(paths) == 0 {
		return nil, nil
	}
	index, args := s.index(), []string{"check-attr", "-z", "--stdin", "filter", "working-tree-encoding"}
	if commit != "" {
		index = filepath.Join(s.dir, "attributes-index")
		defer os.Remove(index)
		if err := s.beginIndex(ctx, index, commit); err != nil {
			return nil, err
		}
		args = append([]string{"check-attr", "--cached"}, args[1:]...)
	}
	out, err := s.gitWith(ctx, index, []byte(strings.Join(paths, "\x00")+"\x00"), args...)
	if err != nil {
		return nil, err
	}
	filtered := map[string]string{}
	f := strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(f); i += 3 {
		if v := f[i+2]; v == "unspecified" || v == "unset" {
			continue
		} else if f[i+1] == "filter" {
			filtered[f[i]] = v
		} else if _, has := filtered[f[i]]; !has {
			filtered[f[i]] = ""
		}
	}
	return filtered, nil
}

// Filters reports whether the user's git runs something where attributes name a filter.
func (r *Repo) Filters(name string) bool {
	for _, config := range []map[string]string{r.own, r.wider} {
		for _, key := range []string{".clean", ".smudge", ".process"} {
			if config["filter."+name+key] != "" {
				return true
			}
		}
	}
	return false
}

// Staged returns the files that the user has staged: those of which his index has another
// version than the commit (empty: nothing), or several.
func (r *Repo) Staged(ctx context.Context, head string) (map[string]bool, error) {
	index, err := readIndex(r)
	if err != nil {
		return nil, err
	}
	at := indexAt(index, head)
	if r.clean == at {
		return nil, nil
	}
	staged, err := r.staged(ctx, head)
	if err == nil && len(staged) == 0 && head != "" {
		r.clean = at
	}
	return staged, err
}

// indexAt names an index beside a commit.
func indexAt(index []byte, commit string) string {
	sum := sha256.Sum256(index)
	return commit + " " + hex.EncodeToString(sum[:])
}

func (r *Repo) staged(ctx context.Context, head string) (map[string]bool, error) {
	staged := map[string]bool{}
	if head == "" {
		out, err := r.git(ctx, nil, "ls-files", "-z", "--full-name", "--", ":/")
		for p := range strings.SplitSeq(string(out), "\x00") {
			if p != "" {
				staged[p] = true
			}
		}
		return staged, err
	}
	out, err := r.git(ctx, nil, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-ext-diff", "--ita-visible-in-index", "--ignore-submodules=all", head, "--")
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		staged[fields[i+1]] = true
	}
	return staged, nil
}

// Stage returns the tree that a commit becomes with some files as they are in the work
// tree now. The private index must be filled with the commit: [Store.Changes] does that. [Store.Filled] says
// afterwards which commit has the tree.
func (s *Store) Stage(ctx context.Context, paths []string) (tree string, err error) {
	if err := s.Filled(""); err != nil { // it no longer is that of a commit
		return "", err
	}
	if _, err := s.git(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "update-index", "--add", "--remove", "--replace", "-z", "--stdin"); err != nil {
		return "", err
	}
	return s.line(ctx, "write-tree")
}

// Commit makes a commit in the user's name, signed where he signs his commits. The
// message is taken as it is.
func (s *Store) Commit(ctx context.Context, tree string, parents []string, message string) (string, error) {
	args := []string{"commit-tree"}
	if isTrue(s.repo.wider["commit.gpgsign"]) || isTrue(s.repo.own["commit.gpgsign"]) {
		args = append(args, "-S")
	}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	config := storeConfig()
	for _, key := range []string{"user.name", "user.email", "user.signingkey", "author.name", "author.email", "committer.name", "committer.email"} {
		if v := s.repo.own[key]; v != "" && !strings.HasPrefix(v, "-") {
			config = append(config[:len(config):len(config)], key+"="+v)
		}
	}
	commit := func(config []string) (string, error) {
		out, err := run(ctx, command{dir: s.repo.Top, env: s.environment(s.index()), config: config, args: append(args, tree), stdin: strings.NewReader(message)})
		return strings.TrimSpace(string(out)), err
	}
	if v := s.repo.own["gpg.format"]; slices.Contains([]string{"openpgp", "x509", "ssh"}, v) { // with the program that the user's own config names for it
		config = append(config[:len(config):len(config)], "gpg.format="+v)
	}
	id, err := commit(config)
	var e *Error
	if errors.As(err, &e) && (strings.Contains(e.Text, "empty ident") || strings.Contains(e.Text, "auto-detect")) {
		return commit(append(config[:len(config):len(config)], s.repo.identity()...))
	}
	return id, err
}

// identity is who the system says that the user is, as far as his git doesn't know.
func (r *Repo) identity() []string {
	name, host := "kist", "localhost"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil && h != "" {
		host = h
	}
	return []string{"user.name=" + cmp.Or(r.own["user.name"], r.wider["user.name"], name), "user.email=" + cmp.Or(r.own["user.email"], r.wider["user.email"], name+"@"+host)}
}

// Abs returns where a file of the repository is.
func (r *Repo) Abs(path string) string { return filepath.Join(r.Top, filepath.FromSlash(path)) }

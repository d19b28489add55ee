package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Diff compares two commits or trees below the folder, and follows renames: of them git is asked, where some files went and
// some came. Paths are below the repository's top.
func (s *Store) Diff(ctx context.Context, before, after string) ([]Difference, error) {
	diff, err := compare(ctx, s, before, after, within)
	went := func(d Difference) bool { return d.After.ID == "" }
	came := func(d Difference) bool { return d.Before.ID == "" }
	if err == nil && slices.ContainsFunc(diff, went) && slices.ContainsFunc(diff, came) {
		args := []string{"diff-tree", "-r", "-z", "-M50%", "-l2000", "--no-ext-diff", "--no-textconv", "--end-of-options", before, after, "--"}
		var out []byte
		if out, err = s.git(ctx, nil, append(args, s.pathspec()...)...); err == nil {
			diff, err = parseRaw(out)
		}
	}
	if err == nil && s.repo.Prefix == "" {
		s.told = told{before, after, diff}
	}
	return diff, err
}

// Which files are compared.
const (
	everywhere = iota
	within     // the folder
	outside    // of the folder
)

// compare compares two commits or trees by names alone.
func compare(ctx context.Context, s *Store, before, after string, where int) ([]Difference, error) {
	top := strings.TrimSuffix(s.repo.Prefix, "/")
	wanted := func(p string) bool {
		in := top == "" || p == top || strings.HasPrefix(p, s.repo.Prefix)
		return where == everywhere || in == (where == within)
	}
	read := func(name string) ([]byte, error) {
		says, text, err := s.object(ctx, name, maxOutput)
		if err == nil && (len(says) != 3 || says[1] != "tree") {
			err = fmt.Errorf("%w: %.80q where a folder should be", ErrDamaged, strings.Join(says, " "))
		} else if err == nil && text == nil {
			err = &Error{Verb: "cat-file", Status: -1, Kind: ErrTooMuch}
		}
		return text, err
	}
	diff, err := compareTrees(read, s.idLength(), before, after, func(p string) bool { return wanted(p) || strings.HasPrefix(s.repo.Prefix, p+"/") })
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	return slices.DeleteFunc(diff, func(d Difference) bool { return !wanted(d.Path) }), nil // files that are folders on the way
}

// told is what [Store.Diff] said last of two whole trees.
type told struct {
	before, after string
	diff          []Difference
}

// pathspec limits a command to the folder.
func (s *Store) pathspec() []string {
	if s.repo.Prefix == "" {
		return nil
	}
	return []string{":(literal,top)" + strings.TrimSuffix(s.repo.Prefix, "/")}
}

// HasTree reports whether a commit (empty: none) has a tree.
func (s *Store) HasTree(ctx context.Context, commit, tree string) (bool, error) {
	if commit == "" {
		return false, nil
	}
	is, err := s.named(ctx, commit+"^{tree}")
	return is == tree, err
}

// Files lists the files of a commit or tree below the folder.
func (s *Store) Files(ctx context.Context, tree string) (map[string]File, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree}
	if s.repo.Prefix != "" {
		args = append(args, "--", s.repo.Prefix)
	}
	out, err := s.git(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	all := map[string]File{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if ok && len(f) == 3 {
			all[path] = File{f[0], f[2]}
		}
	}
	return all, nil
}

// WriteTree makes a tree of another one with some files changed (an empty File deletes), and returns its
// id. An empty base is the empty tree.
func (s *Store) WriteTree(ctx context.Context, base string, changes map[string]File) (string, error) {
	index := filepath.Join(s.dir, "merge-index")
	defer os.Remove(index)
	_ = os.Remove(index)
	_ = os.Remove(index + ".lock")
	if err := s.beginIndex(ctx, index, base); err != nil {
		return "", err
	}
	if len(changes) > 0 {
		if _, err := s.gitWith(ctx, index, s.indexInfo(changes), "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	out, err := s.gitWith(ctx, index, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// beginIndex makes an index of a tree: a copy of the private one where that is its.
func (s *Store) beginIndex(ctx context.Context, index, base string) error {
	if s.holds(base) {
		text, err := os.ReadFile(s.index())
		if err == nil {
			err = os.WriteFile(index, text, 0o600)
		}
		return err
	}
	if base == "" { // no file is an index of nothing
		return nil
	}
	_, err := s.gitWith(ctx, index, nil, "read-tree", base)
	return err
}

// indexInfo is what update-index --index-info reads. What goes comes first, so that a
// folder can take a file's place.
func (s *Store) indexInfo(changes map[string]File) []byte {
	none := strings.Repeat("0", s.idLength())
	var gone, here bytes.Buffer
	for p, f := range changes {
		if f.ID == "" {
			fmt.Fprintf(&gone, "0 %s\t%s\x00", none, p)
		} else {
			fmt.Fprintf(&here, "%s %s\t%s\x00", f.Mode, f.ID, p)
		}
	}
	return append(gone.Bytes(), here.Bytes()...)
}

// MergeBase returns the newest commit that both have; empty: none.
func (s *Store) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := s.line(ctx, "merge-base", "--end-of-options", a, b)
	if status(err) == 1 {
		return "", nil
	}
	base, _, _ := strings.Cut(out, "\n")
	return base, err
}

// Has reports whether a commit is there with its files.
func (s *Store) Has(ctx context.Context, commit string) bool {
	tree, err := s.named(ctx, commit+"^{tree}")
	return err == nil && tree != ""
}

// HasBlob reports whether a file's text is there.
func HasBlob(ctx context.Context, s *Store, id string) bool {
	if !isID(id) {
		return false
	}
	f, _, err := s.object(ctx, id, 0)
	return err == nil && len(f) == 3 && f[1] == "blob"
}

// Count returns how many commits are in one history and not in the other.
func (s *Store) Count(ctx context.Context, in, notIn string) (int, error) {
	args := []string{"rev-list", "--count", "--end-of-options", in}
	if notIn != "" {
		args = append(args, "^"+notIn)
	}
	out, err := s.line(ctx, args...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}

// HasCommit reports whether the user's repository has a commit.
func HasCommit(ctx context.Context, r *Repo, commit string) bool {
	if !isID(commit) {
		return false
	}
	_, err := r.git(ctx, nil, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

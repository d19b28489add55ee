package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Outside compares two commits or trees outside of the folder, by names alone: a file that was
// renamed is gone at one and there at another one. Paths are below the repository's top.
func (r *Repo) Outside(ctx context.Context, s *Store, before, after string) ([]Difference, error) {
	if r.Prefix == "" {
		return nil, nil
	}
	return compare(ctx, s, before, after, outside)
}

// Place takes files of the work tree from what they were to what they become (an empty File: none), as git does
// when it switches from one commit to another one: what is there already stays, and where anything else than what they were is in the
// way, of any of them, nothing is changed and it returns what git says of that. Links and folders of modules are made as git makes
// them; no filter and no hook runs. With try nothing is changed in any case.
func (r *Repo) Place(ctx context.Context, s *Store, changes map[string][2]File, try bool) (inTheWay string, err error) {
	if len(changes) == 0 {
		return "", nil
	}
	config, err := r.withoutFilters()
	if err != nil {
		return "", err
	}
	index := filepath.Join(s.dir, "place-index")
	defer os.Remove(index)
	git := func(stdin []byte, args ...string) ([]byte, error) {
		return run(ctx, command{dir: r.Top, env: s.environment(index), config: config, args: args, stdin: bytes.NewReader(stdin), hold: s.held})
	}
	// fill makes the index that of one side, but for what is done, and returns how many files that are.
	fill := func(side int, done map[string]bool) (n int, err error) {
		files := map[string]File{}
		for p, c := range changes {
			if c[side].ID != "" && !done[p] {
				files[p] = c[side]
			}
		}
		_, _ = os.Remove(index), os.Remove(index+".lock") // of a git that was killed: this folder has one user
		if len(files) > 0 {
			_, err = git(s.indexInfo(files), "update-index", "-z", "--index-info")
		}
		return len(files), err
	}
	refresh := func() error {
		_, err := git(nil, "update-index", "-q", "--refresh", "--ignore-submodules")
		if status(err) == 1 {
			err = nil // some aren't what they should be
		}
		return err
	}
	tree := func(n int) (string, error) {
		if n == 0 {
			return s.EmptyTree(), nil
		}
		out, err := git(nil, "write-tree")
		return strings.TrimSpace(string(out)), err
	}
	done := map[string]bool{}
	if n, err := fill(1, nil); err != nil {
		return "", err
	} else if n > 0 {
		if err := refresh(); err != nil {
			return "", err
		}
		out, err := git(nil, "diff-files", "--name-only", "-z", "--ignore-submodules=dirty", "--no-ext-diff")
		if err != nil {
			return "", err
		}
		for p, c := range changes {
			done[p] = c[1].ID != "" && c[1].Mode != ModeModule
		}
		for p := range strings.SplitSeq(string(out), "\x00") {
			delete(done, p)
		}
	}
	n, err := fill(1, done)
	if err != nil {
		return "", err
	}
	after, err := tree(n)
	if err != nil {
		return "", err
	}
	if n, err = fill(0, done); err != nil {
		return "", err
	}
	before, err := tree(n)
	if err == nil && n > 0 {
		err = refresh()
	}
	if err != nil || before == after {
		return "", err
	}
	args := []string{"read-tree", "-m", "-u"}
	if try {
		args = append(args, "-n")
	}
	_, err = git(nil, append(args, before, after)...)
	var e *Error
	if errors.As(err, &e) && e.Status == 128 && e.Kind == nil {
		return e.Text, nil
	}
	return "", err
}

// withoutFilters is the config of a git that writes files as their blobs are: what the user's own config names to be run
// over them isn't, whatever attributes say.
func (r *Repo) withoutFilters() ([]string, error) {
	config := append(storeConfig(), "core.hooksPath="+os.DevNull, "core.protectHFS=true", "core.protectNTFS=true")
	for key := range r.wider {
		name, ok := strings.CutPrefix(key, "filter.")
		dot := strings.LastIndexByte(name, '.')
		if !ok || dot < 0 {
			continue
		}
		if strings.ContainsAny(key, "=\n") {
			return nil, fmt.Errorf("%w: your config has a filter that can't be overridden, %q", ErrUnsupported, key)
		}
		for _, kv := range []string{".clean=", ".smudge=", ".process=", ".required=false"} {
			config = append(config, "filter."+name[:dot]+kv)
		}
	}
	return config, nil
}

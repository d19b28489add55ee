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
	p := placing{top: r.Top, store: s, config: config, index: filepath.Join(s.dir, "place-index"), changes: changes}
	defer os.Remove(p.index)
	if err := p.findDone(ctx); err != nil {
		return "", err
	}
	after, _, err := p.tree(ctx, 1)
	if err != nil {
		return "", err
	}
	before, n, err := p.tree(ctx, 0)
	if err == nil && n > 0 {
		err = p.refresh(ctx)
	}
	if err != nil || before == after {
		return "", err
	}
	args := []string{"read-tree", "-m", "-u"}
	if try {
		args = append(args, "-n")
	}
	_, err = p.git(ctx, nil, append(args, before, after)...)
	var e *Error
	if errors.As(err, &e) && e.Status == 128 && e.Kind == nil {
		return e.Text, nil
	}
	return "", err
}

// A placing is one call of [Repo.Place], with an index of its own.
type placing struct {
	top     string
	store   *Store
	config  []string
	index   string
	changes map[string][2]File
	done    map[string]bool // files that are what they become already
}

func (p *placing) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return run(ctx, command{dir: p.top, env: p.store.environment(p.index), config: p.config, args: args, stdin: bytes.NewReader(stdin), hold: p.store.held})
}

// fill makes the index that of one side, but for what is done, and returns how many files that are.
func (p *placing) fill(ctx context.Context, side int) (n int, err error) {
	files := map[string]File{}
	for path, c := range p.changes {
		if c[side].ID != "" && !p.done[path] {
			files[path] = c[side]
		}
	}
	_, _ = os.Remove(p.index), os.Remove(p.index+".lock") // of a git that was killed: this folder has one user
	if len(files) > 0 {
		_, err = p.git(ctx, p.store.indexInfo(files), "update-index", "-z", "--index-info")
	}
	return len(files), err
}

// refresh compares the index with the files.
func (p *placing) refresh(ctx context.Context) error {
	_, err := p.git(ctx, nil, "update-index", "-q", "--refresh", "--ignore-submodules")
	if status(err) == 1 {
		err = nil // some aren't what they should be
	}
	return err
}

// tree makes the index, and a tree, of one side, but for what is done; n is how many files that are.
func (p *placing) tree(ctx context.Context, side int) (id string, n int, err error) {
	if n, err = p.fill(ctx, side); err != nil || n == 0 {
		return p.store.EmptyTree(), n, err
	}
	out, err := p.git(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), n, err
}

func (p *placing) findDone(ctx context.Context) error {
	n, err := p.fill(ctx, 1)
	if err != nil || n == 0 {
		return err
	}
	if err := p.refresh(ctx); err != nil {
		return err
	}
	out, err := p.git(ctx, nil, "diff-files", "--name-only", "-z", "--ignore-submodules=dirty", "--no-ext-diff")
	if err != nil {
		return err
	}
	p.done = map[string]bool{}
	for path, c := range p.changes {
		p.done[path] = c[1].ID != "" && c[1].Mode != ModeModule
	}
	for path := range strings.SplitSeq(string(out), "\x00") {
		delete(p.done, path)
	}
	return nil
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

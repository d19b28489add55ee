package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hookLimit is how long a hook of the user's may take.
const hookLimit = 30 * time.Second

// Of the user's own hooks those are asked that can refuse something: pre-commit and commit-msg before a commit of what he changed, pre-push
// before a push, and reference-transaction by the git that moves his branch. Those that are told of what was done, or write the message for
// somebody to edit, run behind the commands that people type, and kist uses none of them: it commits some seconds after each save.

// hook runs a hook of the user's own, from the folder that his global config names: never
// one that the repository brings. It gets the private index, as git would give it the one that is
// about to be committed, and as HEAD the commit that this one goes on from. Where there is none nothing
// happens; ran says which.
func (s *Store) hook(ctx context.Context, head, name, stdin string, args ...string) (ran bool, err error) {
	file := filepath.Join(s.repo.hooks, name)
	if fi, err := os.Stat(file); s.repo.hooks == os.DevNull || err != nil || !fi.Mode().IsRegular() || fi.Mode().Perm()&0o111 == 0 {
		return false, nil
	}
	if head != "" { // for git it is that commit, and for holds it isn't: the index no longer is the commit's
		if err := os.WriteFile(filepath.Join(s.dir, "HEAD"), []byte(head+" \n"), 0o600); err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, s.Filled("")) }()
	}
	limit, cancel := context.WithTimeout(ctx, hookLimit)
	defer cancel()
	cmd := exec.CommandContext(limit, file, args...)
	cmd.Dir, cmd.Env = s.repo.Top, environment(append(s.environment(s.index()), online, "KIST_SYNC=1"))
	detach(cmd)
	cmd.WaitDelay, cmd.Stdin = 2*time.Second, strings.NewReader(stdin)
	said := &limited{max: maxSaid, tail: true}
	cmd.Stdout, cmd.Stderr = said, said
	err = cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return true, nil
	case ctx.Err() != nil:
		return true, ctx.Err()
	case limit.Err() != nil:
		return true, fmt.Errorf("%w: %s took longer than %v", ErrHook, name, hookLimit)
	}
	return true, fmt.Errorf("%w: %s: %s", ErrHook, name, lastWords(lastLine(said.buf.String())))
}

// lastLine is the last line of what a hook said that isn't empty.
func lastLine(said string) string {
	said = strings.TrimSpace(said)
	return said[strings.LastIndexByte(said, '\n')+1:]
}

// Checked has the user's own hooks look at what is staged and at the message of its commit, as git
// does before one on the commit head (empty: none). They may change both: it returns the tree and the message
// that are to be committed.
func (s *Store) Checked(ctx context.Context, head, tree, message string) (string, string, error) {
	if ran, err := s.hook(ctx, head, "pre-commit", ""); err != nil {
		return "", "", err
	} else if ran {
		if tree, err = s.line(ctx, "write-tree"); err != nil {
			return "", "", err
		}
	}
	file := filepath.Join(s.dir, "COMMIT_EDITMSG")
	defer os.Remove(file)
	if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
		return "", "", err
	}
	if ran, err := s.hook(ctx, head, "commit-msg", "", file); err != nil || !ran {
		return tree, message, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return "", "", fmt.Errorf("%w: commit-msg left no message", ErrHook)
	}
	return tree, string(text), nil
}

// Dormant returns the names of the hooks that lie in a git directory's own folder of them, of the kinds that kist asks. It runs none: what is in
// the folder of a repository may have come along with it, by a copy or an archive.
func Dormant(dir string) (names []string) {
	if dir == "" {
		return nil
	}
	for _, name := range []string{"pre-commit", "commit-msg", "pre-push"} {
		if fi, err := os.Stat(filepath.Join(commonOf(dir), "hooks", name)); err == nil && fi.Mode().IsRegular() && fi.Mode().Perm()&0o111 != 0 {
			names = append(names, name)
		}
	}
	return names
}

package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A git that waits for its word moves references when it is told to and where they are what they were, one after
// another, and does nothing where it isn't told.
func TestMover(t *testing.T) {
	v := newVictim(t, template(t))
	s, head := v.store()
	is := func(want string) {
		t.Helper()
		if _, now, err := s.repo.Head(t.Context()); err != nil || now != want {
			t.Errorf("at %s (%v), want %s", now, err, want)
		}
	}
	theirs, err := run(t.Context(), command{dir: v.dir, args: []string{"rev-parse", "theirs"}})
	if err != nil {
		t.Fatal(err)
	}
	to := strings.TrimSpace(string(theirs))
	move := func(from, to string) error { return s.move(t.Context(), updateOf("main", from, to)) }
	if _, err := s.mover(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.moves.end()
	is(head)
	if err := move(to, head); err == nil {
		t.Error("a branch was moved that was elsewhere")
	}
	is(head)
	if err := move(head, to); err != nil {
		t.Error(err)
	}
	one := s.moves
	is(to)
	if err := errors.Join(s.Track(t.Context(), "origin", "main", to), move(to, head)); err != nil {
		t.Error(err)
	}
	is(head)
	if seen := readRef(s.repo.Common, "refs/remotes/origin/main"); seen != to || one != s.moves {
		t.Errorf("the remote's branch is at %s, want %s, and by the same git: %t", seen, to, one == s.moves)
	}
	s.moves.end()
	t.Setenv("PATH", t.TempDir())
	if err := move(head, to); !errors.Is(err, ErrNoGit) {
		t.Errorf("%v without a git, want ErrNoGit", err)
	}
	is(head)
}

// A branch that isn't moved since the disk is full is where it was, and nobody else is said to have moved it.
func TestAFullDiskIsNobodysMove(t *testing.T) {
	v := newVictim(t, template(t))
	s, head := v.store()
	theirs, err := run(t.Context(), command{dir: v.dir, args: []string{"rev-parse", "theirs"}})
	if err != nil {
		t.Fatal(err)
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	v.file(filepath.Join(bin, "git"), "#!/bin/sh\ncase \"$*\" in *update-ref*) read said; echo start: ok; read said; echo 'fatal: No space left on device' >&2; exit 128;; esac\nexec "+real+" \"$@\"\n", 0o755)
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	err = s.repo.Advance(t.Context(), s, "main", head, strings.TrimSpace(string(theirs)))
	if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrMovedOn) {
		t.Errorf("%v, want ENOSPC alone", err)
	}
	if !s.repo.Locked().IsZero() {
		t.Error("the index is locked")
	}
}

package git

import (
	"strings"
	"testing"
)

// A git that waits for its word moves a branch when it is told to and where it is what it was, and
// does nothing where it isn't told.
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
	s.repo.startMover(t.Context(), s).end()
	is(head)
	w := s.repo.startMover(t.Context(), s)
	if err := w.move("main", to, head); err == nil {
		t.Error("a branch was moved that was elsewhere")
	}
	w.end()
	is(head)
	w = s.repo.startMover(t.Context(), s)
	if err := w.move("main", head, to); err != nil {
		t.Error(err)
	}
	w.end()
	is(to)
	t.Setenv("PATH", t.TempDir())
	w = s.repo.startMover(t.Context(), s)
	if err := w.move("main", to, head); err == nil {
		t.Error("a branch was moved without a git")
	}
	w.end()
}

package sync

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kist/daemon/sync/git"
)

// A round that sends one change starts few processes, those that git itself starts
// included, and one that finds nothing fewer.
func TestARoundStartsFewProcesses(t *testing.T) {
	traces, global := t.TempDir(), filepath.Join(t.TempDir(), "global")
	text, err := os.ReadFile(os.Getenv("GIT_CONFIG_GLOBAL"))
	if err == nil {
		err = os.WriteFile(global, fmt.Appendf(text, "[trace2]\n\teventTarget = %s\n", traces), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	a, _, _ := pair(t)
	a.write(".gitattributes", "*.md merge=kist\n")
	a.sync()
	for _, p := range []string{global, filepath.Join(a.dir, ".git", "config")} {
		if err := os.Chtimes(p, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	started := func() int {
		found, err := os.ReadDir(traces)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	a.write("one.md", "one\n")
	a.sync() // reads the config
	for n := range 2 {
		before := started()
		a.write("one.md", fmt.Sprint(n, " more\n"))
		if o := a.sync(); o.Pushed != 1 {
			t.Fatalf("pushed %d commits", o.Pushed)
		}
		if now := started(); now-before > 12 {
			t.Errorf("one change started %d processes", now-before)
		}
	}
	before := started()
	a.sync()
	if now := started(); now-before > 5 {
		t.Errorf("no change started %d processes", now-before)
	}
	a.clean()
}

// What was taken from the remote isn't brought back by a push that doesn't ask what it has.
func TestARemoteThatWentBackIsNotPushedOver(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.write("taken.md", "taken\n")
	a.sync()
	run(t, remote, "update-ref", "refs/heads/main", "main~1")
	was := run(t, remote, "rev-parse", "main")
	a.write("more.md", "more\n")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrRewritten) {
		t.Errorf("%v, want ErrRewritten", err)
	}
	if now := run(t, remote, "rev-parse", "main"); now != was {
		t.Errorf("the remote is at %s, and was at %s", now, was)
	}
}

// What the user staged between two rounds of one engine is seen, though nothing was staged before.
func TestWhatIsStagedLaterIsSeen(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.write("free.md", "free\n")
	a.sync()
	a.write("intended.md", "intended\n")
	a.git("add", "-N", "intended.md")
	a.write("free.md", "staged\n")
	a.git("add", "free.md")
	a.write("other.md", "other\n")
	was := a.git("status", "--porcelain", "--", "free.md", "intended.md")
	for range 2 {
		a.sync()
		if now := a.git("status", "--porcelain", "--", "free.md", "intended.md"); now != was {
			t.Errorf("the status was %q and is %q", was, now)
		}
	}
	if text := run(t, remote, "show", "main:free.md"); text != "free" {
		t.Errorf("sent %q", text)
	}
	if run(t, remote, "ls-tree", "--name-only", "main", "intended.md") != "" {
		t.Error("sent what is only intended")
	}
	if run(t, remote, "show", "main:other.md") != "other" {
		t.Error("the rest was not sent")
	}
}

// Where the repository was made anew below the same path nothing of the old one counts.
func TestARepositoryThatWasMadeAnew(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("before.md", "before\n")
	settle(a, b)
	if err := os.RemoveAll(filepath.Join(a.dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrNoRepository) {
		t.Errorf("%v, want ErrNoRepository", err)
	}
	a.git("init", "-q")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); err != nil && !errors.Is(err, ErrUnrelated) {
		t.Errorf("%v, want ErrUnrelated or a round", err)
	}
	if _, err := os.Stat(filepath.Join(a.dir, "before.md")); errors.Is(err, fs.ErrNotExist) {
		t.Error("a document is gone")
	}
}

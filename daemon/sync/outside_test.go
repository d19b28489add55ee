package sync

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
)

// larger is a machine whose vault is the folder notes of a larger repository, at top, and another clone of it with plain git.
func larger(t *testing.T) (m *machine, top, other string) {
	t.Helper()
	firstLarger.once.Do(func() {
		m, _ := largerIn(t, firstLarger.dir)
		setUpFirstLarger(t, m)
	})
	dir := copyOfAll(t, firstLarger.dir, "top", "amber", "other")
	m, top = largerIn(t, dir)
	m.open()
	return m, top, filepath.Join(dir, "other")
}

func largerIn(t *testing.T, dir string) (m *machine, top string) {
	top = filepath.Join(dir, "top")
	return &machine{t: t, name: "amber", dir: filepath.Join(top, "notes"), state: filepath.Join(dir, "amber-state")}, top
}

func setUpFirstLarger(t *testing.T, m *machine) {
	t.Helper()
	top := filepath.Dir(m.dir)
	dir := filepath.Dir(top)
	remote := filepath.Join(dir, "remote.git")
	run(t, dir, "init", "-q", "--template=", "--bare", remote)
	run(t, dir, "clone", "-q", remote, top)
	write(t, top, "code/main.c", "int main;\n")
	write(t, top, "code/old.c", "old\n")
	write(t, top, "notes/mv.md", "# Moves\n\nto and fro\n")
	run(t, top, "add", ".")
	run(t, top, "commit", "-qm", "code")
	run(t, top, "push", "-q", "origin", "HEAD:main")
	if _, err := vault.Init(m.dir); err != nil {
		t.Fatal(err)
	}
	m.open()
	m.write("n.md", "n\n")
	m.setUp(remote)
	m.sync()
	if err := m.vault.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "clone", "-q", remote, "other")
}

// pushes commits what plain git sees in a clone, and pushes it.
func pushes(t *testing.T, dir string) {
	t.Helper()
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-qm", "by plain git")
	run(t, dir, "pull", "-q", "--no-rebase", "--no-edit")
	run(t, dir, "push", "-q")
}

// text is what a file holds; "-": there is none.
func text(t *testing.T, dir, p string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
	if os.IsNotExist(err) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWhatOthersPushOutsideOfTheVaultStays has plain git change what lies outside of the vault, whose repository is larger: by a merge
// and by a fast-forward it arrives in the commit, the index and the work tree, and is undone nowhere.
func TestWhatOthersPushOutsideOfTheVaultStays(t *testing.T) {
	t.Parallel()
	for _, edited := range []bool{true, false} {
		m, top, other := larger(t)
		write(t, other, "code/new.c", "new\n")
		write(t, other, "code/main.c", "int main(void);\n")
		run(t, other, "rm", "-q", "code/old.c")
		run(t, other, "mv", "notes/mv.md", "archive.md")
		write(t, other, "notes/n.md", "n\n\ntheirs\n")
		pushes(t, other)
		write(t, top, "loose.c", "untracked\n")
		if edited {
			m.write("more.md", "more\n")
		}
		m.sync()
		for p, want := range map[string]string{"code/new.c": "new\n", "code/main.c": "int main(void);\n", "code/old.c": "-", "archive.md": "# Moves\n\nto and fro\n",
			"notes/mv.md": "-", "notes/n.md": "n\n\ntheirs\n", "loose.c": "untracked\n"} {
			if got := text(t, top, p); got != want {
				t.Errorf("edited here %t: %s is %q, want %q", edited, p, got, want)
			}
		}
		m.sync()
		if s := run(t, top, "status", "--porcelain"); s != "?? loose.c" {
			t.Errorf("edited here %t: git status says %q", edited, s)
		}
		run(t, other, "pull", "-q")
		if got := run(t, other, "ls-files", "code", "archive.md", "notes/mv.md"); got != "archive.md\ncode/main.c\ncode/new.c" || text(t, other, "code/main.c") != "int main(void);\n" {
			t.Errorf("edited here %t: the remote has %q", edited, got)
		}
		m.sound()
	}
}

// TestWhatBothChangedOutsideOfTheVaultIsForGit has both sides change a file outside of the vault, in a commit or in the work tree: the
// round is held before anything is changed or pushed, and goes on when the user's git has merged it.
func TestWhatBothChangedOutsideOfTheVaultIsForGit(t *testing.T) {
	t.Parallel()
	for name, here := range map[string]func(t *testing.T, m *machine, top string) (after func()){
		"committed": func(t *testing.T, _ *machine, top string) func() {
			write(t, top, "code/main.c", "int ours;\n")
			run(t, top, "commit", "-qm", "ours", "--", "code")
			return func() { run(t, top, "pull", "-q", "--no-rebase", "--no-edit", "-X", "ours") }
		},
		"a folder there": func(t *testing.T, _ *machine, top string) func() {
			write(t, top, "code/new.c/x", "x\n")
			run(t, top, "add", "code")
			run(t, top, "commit", "-qm", "ours", "--", "code")
			return func() {
				run(t, top, "rm", "-qr", "code/new.c")
				run(t, top, "commit", "-qm", "away", "--", "code")
			}
		},
		"edited": func(t *testing.T, _ *machine, top string) func() {
			write(t, top, "code/main.c", "int ours;\n")
			return func() { run(t, top, "checkout", "-q", "--", "code/main.c") }
		},
		"staged": func(t *testing.T, _ *machine, top string) func() {
			write(t, top, "code/main.c", "int ours;\n")
			run(t, top, "add", "code/main.c")
			return func() { run(t, top, "checkout", "-q", "HEAD", "--", "code/main.c") }
		},
		"in the way": func(t *testing.T, _ *machine, top string) func() {
			write(t, top, "code/new.c", "mine\n")
			return func() { _ = os.Remove(filepath.Join(top, "code", "new.c")) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, top, other := larger(t)
			write(t, other, "code/new.c", "new\n")
			write(t, other, "code/main.c", "int theirs;\n")
			write(t, other, "notes/n.md", "n\n\ntheirs\n")
			pushes(t, other)
			after := here(t, m, top)
			m.write("more.md", "more\n")
			was, there := run(t, top, "status", "--porcelain", "--", "code"), run(t, other, "ls-remote", "origin")
			_, err := m.engine.Now(t.Context(), Request{}, nil)
			if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "code/") {
				t.Fatalf("%v, want ErrHeld with the file's name", err)
			}
			m.wants("n.md", "n\n")
			if s := run(t, top, "status", "--porcelain", "--", "code"); s != was {
				t.Errorf("git status says %q, and said %q", s, was)
			}
			if s := run(t, other, "ls-remote", "origin"); s != there {
				t.Errorf("the remote is at %q, and was at %q", s, there)
			}
			after()
			m.sync()
			m.sync()
			m.wants("n.md", "n\n\ntheirs\n")
			if s := run(t, top, "status", "--porcelain"); s != "" {
				t.Errorf("git status says %q", s)
			}
			run(t, other, "pull", "-q")
			if got := text(t, other, "notes/more.md"); got != "more\n" {
				t.Errorf("the remote has more.md as %q", got)
			}
		})
	}
}

// TestAVersionThatTheOtherSideHadIsNoChangeOfOnesOwn has one side commit what the other had made of a file outside of the vault, and
// the other go on from there: nobody has to merge that. A user commits so what a round that was killed had put in place.
func TestAVersionThatTheOtherSideHadIsNoChangeOfOnesOwn(t *testing.T) {
	t.Parallel()
	m, top, other := larger(t)
	for _, c := range []struct{ dir, text string }{{other, "int one;\n"}, {top, "int one;\n"}, {other, "int two;\n"}} {
		write(t, c.dir, "code/main.c", c.text)
		run(t, c.dir, "commit", "-qam", "in "+c.dir)
	}
	run(t, other, "push", "-q")
	m.sync()
	if got := text(t, top, "code/main.c"); got != "int two;\n" {
		t.Errorf("what theirs made of the same is %q", got)
	}
	run(t, other, "pull", "-q")
	write(t, other, "code/main.c", "int three;\n")
	run(t, other, "commit", "-qam", "code")
	run(t, other, "push", "-q")
	for _, text := range []string{"int three;\n", "int four;\n"} {
		write(t, top, "code/main.c", text)
		run(t, top, "commit", "-qam", "here: "+text)
	}
	m.sync()
	run(t, other, "pull", "-q")
	if a, b := text(t, top, "code/main.c"), text(t, other, "code/main.c"); a != "int four;\n" || a != b {
		t.Errorf("what ours made of the same is %q, and %q there", a, b)
	}
	m.clean()
}

// TestWhatAKilledRoundPutOutsideOfTheVaultIsNotInTheWay has a round be killed that has put files outside of the vault in place, and the user
// commit what he has in the vault by himself, so that the merge doesn't go on; then the other side goes on.
func TestWhatAKilledRoundPutOutsideOfTheVaultIsNotInTheWay(t *testing.T) {
	t.Parallel()
	m, top, other := larger(t)
	write(t, other, "code/new.c", "one\n")
	write(t, other, "code/main.c", "int one;\n")
	write(t, other, "notes/n.md", "n\n\ntheirs\n")
	pushes(t, other)
	m.step = func(name string) {
		if name == "file" || name == "batch" { // behind the rest
			panic(killed{})
		}
	}
	m.vault.Close()
	m.open()
	func() {
		defer func() {
			if _, ok := recover().(killed); !ok {
				t.Fatal("the round should have come to where it is killed")
			}
		}()
		_, _ = m.engine.Now(t.Context(), Request{}, nil)
	}()
	m.vault.Close()
	m.step = nil
	m.open()
	if got := text(t, top, "code/new.c") + text(t, top, "code/main.c"); got != "one\nint one;\n" {
		t.Fatalf("the round has put in place %q", got)
	}
	m.write("more.md", "more\n")
	run(t, m.dir, "add", ".")
	run(t, m.dir, "commit", "-qm", "by hand")
	write(t, other, "code/new.c", "two\n")
	write(t, other, "code/main.c", "int two;\n")
	pushes(t, other)
	m.sync()
	if got := text(t, top, "code/new.c") + text(t, top, "code/main.c"); got != "two\nint two;\n" {
		t.Errorf("outside of the vault is %q", got)
	}
	m.wants("n.md", "n\n\ntheirs\n")
	m.clean()
}

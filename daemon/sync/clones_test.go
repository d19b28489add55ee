package sync

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/daemon/sync/git"
	"kist/vault"
)

// partial is a machine whose vault is a partial clone of what another one has sent, and lacks texts. The first one's note
// has changed since, and all of old/ was deleted.
func partial(t *testing.T, filter string) (a, p *machine, remote string) {
	t.Helper()
	firstPartial.once.Do(func() { setUpFirstPartial(t, firstPartial.dir) })
	dir := copyOfAll(t, firstPartial.dir, "amber")
	remote = filepath.Join(dir, "remote.git")
	a = machineIn(t, dir, "amber")
	a.open()
	p = &machine{t: t, name: "pine", dir: filepath.Join(t.TempDir(), "pine"), state: filepath.Join(t.TempDir(), "state")}
	run(t, filepath.Dir(p.dir), "clone", "-q", "--filter="+filter, "--no-checkout", "file://"+remote, p.dir)
	p.git("checkout", "-q", "main")
	p.open()
	return a, p, "file://" + remote
}

func setUpFirstPartial(t *testing.T, dir string) {
	t.Helper()
	remote := filepath.Join(dir, "remote.git")
	run(t, dir, "init", "-q", "--template=", "--bare", remote)
	run(t, remote, "config", "uploadpack.allowFilter", "true")
	a := machineIn(t, dir, "amber")
	if _, err := vault.Init(a.dir); err != nil {
		t.Fatal(err)
	}
	a.open()
	a.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
	for n := range 5 {
		a.write(fmt.Sprintf("old/n%d.md", n), strings.Repeat(fmt.Sprint("text ", n, "\n"), 20))
	}
	a.setUp(remote)
	if err := a.vault.Close(); err != nil {
		t.Fatal(err)
	}
}

// missing are the objects that a partial clone lacks.
func (m *machine) missing() int {
	n := 0
	for _, line := range nonEmpty(m.git("rev-list", "--objects", "--all", "--missing=print")) {
		if strings.HasPrefix(line, "?") {
			n++
		}
	}
	return n
}

// A partial clone lacks texts that merging needs: git brings them from the remote, and no others.
func TestAPartialCloneIsSynced(t *testing.T) {
	t.Parallel()
	a, p, remote := partial(t, "blob:none")
	p.setUp(remote)
	settle(a, p)
	for n := range 5 {
		a.write("note.md", fmt.Sprintf("# Note\n\none %d\n\ntwo\n\nthree\n", n))
		a.write("other.md", fmt.Sprintf("# Other\n\n%d\n", n))
		for i := range 4 {
			a.write(fmt.Sprintf("more/n%d.md", i), fmt.Sprintf("# More\n\n%d of %d\n", n, i))
		}
		a.sync()
	}
	p.vault.Close()
	if err := errors.Join(os.RemoveAll(p.dir), os.RemoveAll(p.state)); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Dir(p.dir), "clone", "-q", "--filter=blob:none", remote, p.dir)
	p.open()
	p.setUp(remote)
	settle(a, p)
	lacks := p.missing()
	if lacks < 10 {
		t.Fatalf("%d texts are missing: the clone should be partial", lacks)
	}
	// What the user's own git has fetched are commits without texts.
	p.write("note.md", "# Note\n\none 4\n\ntwo\n\nthree, of pine\n")
	a.write("note.md", "# Note\n\none 3\n\ntwo\n\nthree\n")
	a.write("other.md", "# Other\n\n3\n")
	a.remove("old/n1.md")
	a.write("new/n1.md", strings.Repeat("text 1\n", 20)+"more\n")
	a.sync()
	p.git("fetch", "-q")
	if now := p.missing(); now <= lacks {
		t.Fatalf("%d texts were missing and %d are: it should lack what is new", lacks, now)
	}
	settle(a, p)
	same(t, a, p)
	p.wants("note.md", "# Note\n\none 3\n\ntwo\n\nthree, of pine\n")
	p.wants("other.md", "# Other\n\n3\n")
	p.wants("old/n1.md", "-")
	p.clean()
	a.clean()
	if now := p.missing(); now < 10 {
		t.Errorf("%d texts were missing and %d are: the whole history was brought", lacks, now)
	}
	// The same where the remote goes after it was asked for its commits: the round ends, and nothing is lost.
	folder, away := git.Local(remote), git.Local(remote)+"-away"
	a.write("other.md", "# Other\n\nmore\n")
	a.sync()
	p.git("fetch", "-q")
	p.write("note.md", "# Note\n\none 3\n\ntwo\n\nthree, of pine at last\n")
	p.step = func(name string) {
		if name == "fetched" {
			if err := os.Rename(folder, away); err != nil {
				t.Error(err)
			}
		}
	}
	p.vault.Close()
	p.open()
	if _, err := p.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
	if err := os.Rename(away, folder); err != nil {
		t.Fatal(err)
	}
	p.step = nil
	p.vault.Close()
	p.open()
	p.clean()
	settle(a, p)
	same(t, a, p)
	p.wants("other.md", "# Other\n\nmore\n")
	a.wants("note.md", "# Note\n\none 3\n\ntwo\n\nthree, of pine at last\n")
}

// A machine that was away commits beside a text that a partial clone never had.
func TestAPartialCloneTakesCommitsBesideOldTexts(t *testing.T) {
	t.Parallel()
	a, p, remote := partial(t, "blob:none")
	b := newMachine(t, "birch")
	b.setUp(remote)
	a.write("note.md", "# Note\n\nold\n")
	settle(a, b)
	a.write("note.md", "# Note\n\nnew\n")
	a.sync()
	p.vault.Close()
	if err := errors.Join(os.RemoveAll(p.dir), os.RemoveAll(p.state)); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Dir(p.dir), "clone", "-q", "--filter=blob:none", remote, p.dir)
	p.open()
	p.setUp(remote)
	b.write("other.md", "# Other\n\nof b\n") // its commit's folder has the old note.md
	settle(b, a, p)
	same(t, b, p)
	p.wants("note.md", "# Note\n\nnew\n")
	p.wants("other.md", "# Other\n\nof b\n")
	p.clean()
}

// Of other partial clones, and of sparse checkouts, nothing is touched.
func TestClonesThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		filter string
		make   func(p *machine, remote string)
		says   string
	}{
		"no trees":       {"tree:0", func(*machine, string) {}, "--filter=blob:none"},
		"another remote": {"blob:none", func(p *machine, remote string) { p.git("config", "remote.origin.url", remote+"/") }, "another remote is synced"},
		"two remotes": {"blob:none", func(p *machine, remote string) {
			p.git("remote", "add", "second", remote)
			p.git("config", "remote.second.promisor", "true")
		}, "several remotes"},
		"sparse": {"blob:none", func(p *machine, _ string) { p.git("sparse-checkout", "set", "old") }, "sparse"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, p, remote := partial(t, c.filter)
			c.make(p, remote)
			p.write("old/n1.md", "edited\n")
			p.write("old/new.md", "new\n")
			was := func() string {
				return fmt.Sprint(p.files(), p.git("status", "--porcelain"), p.git("for-each-ref"), p.git("config", "--list", "--local"))
			}
			before := was()
			for range 2 {
				_, err := p.engine.Setup(t.Context(), Wanted{URL: remote}, nil)
				if !errors.Is(err, git.ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want ErrUnsupported that says %q", err, c.says)
				}
			}
			if now := was(); now != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, now)
			}
		})
	}
}

// Clones of other kinds are synced as they are: one whose history is cut off, and work trees beside others.
func TestClonesOfOtherKinds(t *testing.T) {
	t.Parallel()
	git := func(dir string, args ...string) func(*testing.T) { return func(t *testing.T) { run(t, dir, args...) } }
	for name, clone := range map[string]func(t *testing.T, remote, to string) []func(*testing.T){
		"shallow": func(_ *testing.T, remote, to string) []func(*testing.T) {
			return []func(*testing.T){git("/", "clone", "-q", "--depth=1", "file://"+remote, to)}
		},
		"work tree of a bare clone": func(_ *testing.T, remote, to string) []func(*testing.T) {
			return []func(*testing.T){git("/", "clone", "-q", "--bare", remote, to+".git"), git(to+".git", "worktree", "add", "-q", to, "main")}
		},
		"work tree beside another": func(_ *testing.T, remote, to string) []func(*testing.T) {
			return []func(*testing.T){git("/", "clone", "-q", remote, to+"-first"), git(to+"-first", "checkout", "-q", "-b", "mine"), git(to+"-first", "worktree", "add", "-q", to, "main")}
		},
		"of many packs, with packed references": func(_ *testing.T, remote, to string) []func(*testing.T) {
			return []func(*testing.T){git("/", "clone", "-q", remote, to), git(to, "gc", "-q"), git(to, "pack-refs", "--all")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _, remote := pair(t)
			a.write("gone.md", "gone\n")
			a.sync()
			top := t.TempDir()
			p := &machine{t: t, name: "pine", dir: filepath.Join(top, "pine"), state: filepath.Join(t.TempDir(), "state")}
			for _, step := range clone(t, remote, p.dir) {
				step(t)
			}
			is := func() string {
				return p.git("rev-parse", "--is-shallow-repository", "--git-common-dir") + fmt.Sprint(strings.Count(p.git("worktree", "list", "--porcelain"), "worktree "))
			}
			was := is()
			p.open()
			if strings.HasPrefix(was, "true") {
				remote = "file://" + remote
			}
			p.setUp(remote)
			settle(a, p)
			a.write("note.md", "# Note\n\none, of amber\n\ntwo\n\nthree\n")
			a.write("a.md", "of amber\n")
			p.write("note.md", strings.Replace(p.read("note.md"), "\ntwo", "\ntwo, of pine", 1))
			p.write("p.md", "of pine\n")
			p.remove("gone.md")
			settle(a, p)
			same(t, a, p)
			a.wants("note.md", "# Note\n\none, of amber\n\ntwo, of pine\n\nthree\n")
			a.wants("gone.md", "-")
			p.clean()
			a.clean()
			if now := is(); now != was {
				t.Errorf("it was %s and is %s", was, now)
			}
		})
	}
}

// TestWhatIsTheUsersInACloneStays has clones with what git handles in a way of its own, on which the user is at work, beside a machine that edits too: what both
// wrote comes to both, git's status says what it said, and what is the user's has every byte that it had.
func TestWhatIsTheUsersInACloneStays(t *testing.T) {
	t.Parallel()
	lines := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for name, c := range map[string]struct {
		config []string
		make   func(t *testing.T, dir string) // and commits
		work   func(t *testing.T, dir string) // what isn't committed
		his    []string                       // files that stay as they are
	}{
		"line ends of Windows": {config: []string{"core.autocrlf=true"}},
		"a submodule": {
			make: func(t *testing.T, dir string) {
				other := filepath.Join(t.TempDir(), "other")
				run(t, "/", "init", "-q", other)
				write(t, other, "in.md", "# In\n")
				run(t, other, "add", ".")
				run(t, other, "commit", "-qm", "in")
				run(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib")
			},
			work: func(t *testing.T, dir string) {
				write(t, dir, "lib/in.md", "# In\n\nhalf done\n")
				write(t, dir, "lib/new.md", "new\n")
			},
			his: []string{"lib/in.md", "lib/new.md", "lib/.git", ".gitmodules"},
		},
		"pointers of Git LFS, without it": {
			make: func(t *testing.T, dir string) {
				write(t, dir, ".gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text\n")
				write(t, dir, "art/a.psd", pointer)
			},
			his: []string{"art/a.psd"},
		},
		"a disk that knows no case and composes names": {
			config: []string{"core.ignorecase=true", "core.precomposeunicode=true"},
			make: func(t *testing.T, dir string) {
				write(t, dir, "Cafe\u0301/Men\u00fc.MD", "# Menu\n")
			},
			his: []string{"Cafe\u0301/Men\u00fc.MD"},
		},
		"staged, and staged and changed": {
			work: func(t *testing.T, dir string) {
				write(t, dir, "staged.md", "staged\n")
				run(t, dir, "add", "staged.md")
				write(t, dir, "both.md", "staged\n")
				run(t, dir, "add", "both.md")
				write(t, dir, "both.md", "and changed\n")
			},
			his: []string{"staged.md", "both.md"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _, remote := pair(t)
			top := t.TempDir()
			p := &machine{t: t, name: "pine", dir: filepath.Join(top, "pine"), state: filepath.Join(t.TempDir(), "state")}
			args := []string{"clone", "-q"}
			for _, set := range c.config {
				args = append(args, "-c", set)
			}
			run(t, "/", append(args, remote, p.dir)...)
			if c.make != nil {
				c.make(t, p.dir)
				run(t, p.dir, "add", "-A")
				run(t, p.dir, "commit", "-qm", "his")
				run(t, p.dir, "push", "-q")
			}
			p.open()
			p.setUp(remote)
			settle(a, p)
			if c.work != nil {
				c.work(t, p.dir)
			}
			is := func() string {
				all := p.git("status", "--porcelain") + p.git("diff", "--cached") + p.git("submodule", "status")
				for _, f := range c.his {
					all += f + ": " + p.read(f)
				}
				return all
			}
			was := is()
			a.write("note.md", "# Note\n\none, of amber\n\ntwo\n\nthree\n")
			a.write("a.md", "of amber\n")
			p.write("note.md", strings.Replace(p.read("note.md"), "three", "three, of pine", 1))
			p.write("p.md", "of pine\n")
			settle(a, p)
			const both = "# Note\n\none, of amber\n\ntwo\n\nthree, of pine\n"
			if at := lines(p.read("note.md")); at != both || lines(p.read("a.md")) != "of amber\n" {
				t.Errorf("the note is %q, and a.md %q", at, p.read("a.md"))
			}
			a.wants("note.md", both)
			a.wants("p.md", "of pine\n")
			if now := is(); now != was {
				t.Errorf("it was\n%s\nand is\n%s", was, now)
			}
			p.sound()
			a.clean()
		})
	}
}

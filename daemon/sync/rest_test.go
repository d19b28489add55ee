package sync

import (
	"errors"
	"fmt"
	"kist/daemon/sync/names"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plainClone is a clone of the remote with plain git.
func plainClone(t *testing.T, remote string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "plain")
	run(t, filepath.Dir(dir), "clone", "-q", remote, dir)
	return dir
}

func link(t *testing.T, dir, p, target string) {
	t.Helper()
	_ = os.Remove(filepath.Join(dir, p))
	if err := os.Symlink(target, filepath.Join(dir, p)); err != nil {
		t.Fatal(err)
	}
}

// TestWhatGitPutsInPlace has plain git push links, a submodule, and a very large file, then others in their places, and at last take
// them away: what the user's git sees here is clean each time, and committing all that it sees takes nothing away from anybody.
func TestWhatGitPutsInPlace(t *testing.T) {
	t.Parallel()
	_, b, remote := pair(t)
	b.large = 1 << 20
	b.reopen()
	dir := plainClone(t, remote)
	target := func(p string) string {
		to, err := os.Readlink(filepath.Join(b.dir, p))
		if err != nil {
			return "-"
		}
		return to
	}
	for round, change := range []func(){
		func() {
			link(t, dir, "link", "n.md")
			link(t, dir, "out", "../../../outside")
			link(t, dir, "config", ".git/config")
			write(t, dir, "n.md", "n\n")
			write(t, dir, "huge.md", "")
			if err := os.Truncate(filepath.Join(dir, "huge.md"), b.large+1); err != nil {
				t.Fatal(err)
			}
			run(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+run(t, dir, "rev-parse", "HEAD")+",sub")
			if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
		func() {
			link(t, dir, "link", "out/further") // stays in it: out isn't there
			link(t, dir, "out", "n.md")
			write(t, dir, "huge.md", "small\n")
			link(t, dir, "doc.md", "n.md")
		},
		func() {
			run(t, dir, "rm", "-q", "link", "out", "config", "huge.md", "doc.md")
			write(t, dir, "doc.md", "a document\n")
			run(t, dir, "rm", "-q", "--cached", "sub")
			_ = os.Remove(filepath.Join(dir, "sub"))
		},
	} {
		change()
		pushes(t, dir)
		b.write(fmt.Sprintf("more%d.md", round), "more\n")
		b.sync()
		b.clean()
		b.git("add", "-A")
		if s := b.git("status", "--porcelain"); s != "" {
			t.Errorf("round %d: to be committed is %q", round, s)
		}
		var got []string
		for _, p := range []string{"link", "out", "config", "doc.md"} {
			got = append(got, target(p))
		}
		if want := []string{"n.md - - -", "out/further n.md - n.md", "- - - -"}[round]; strings.Join(got, " ") != want {
			t.Errorf("round %d: the links are %q, want %q", round, got, want)
		}
		fi, err := os.Stat(filepath.Join(b.dir, "sub"))
		if there := err == nil && fi.IsDir(); there != (round < 2) {
			t.Errorf("round %d: the folder of the submodule: %v", round, err)
		}
		size := int64(-1)
		if fi, err := os.Stat(filepath.Join(b.dir, "huge.md")); err == nil {
			size = fi.Size()
		}
		if want := []int64{b.large + 1, 6, -1}[round]; size != want {
			t.Errorf("round %d: huge.md has %d bytes, want %d", round, size, want)
		}
	}
	b.wants("doc.md", "a document\n")
	b.sync()
	run(t, dir, "pull", "-q")
	if s := run(t, dir, "ls-files", "link", "out", "sub", "doc.md"); s != "doc.md" {
		t.Errorf("the remote has %q", s)
	}
}

func TestLinksThatStayInside(t *testing.T) {
	for p, targets := range map[string]map[string]bool{
		"link":     {"n.md": true, "a/b.md": true, "../x": false, "/etc/passwd": false, ".git/config": false, ".GIT": false, "a/../../x": false, ".kist/token": false, "": false, "..": false},
		"a/b/link": {"../../n.md": true, "../../../n.md": false, "../x/../../../n.md": false, "../../.git": false, "../..": false, "c\\..\\..\\..\\x": false},
	} {
		for target, want := range targets {
			if names.StaysInside(p, target) != want {
				t.Errorf("%s -> %q stays inside: %t", p, target, !want)
			}
		}
	}
}

// pointing is a filter as Git LFS has it, with a folder for contents, in the user's own config. It notes when it is run to write a file.
func pointing(t *testing.T) (smudged string) {
	dir := t.TempDir()
	smudged = filepath.Join(dir, "smudged")
	clean := script(t, filepath.Join(dir, "clean"), `cat > "$0.$$"; if grep -aq '^version https://git-lfs' "$0.$$"; then cat "$0.$$"; else
set -- $(sha256sum < "$0.$$") $(wc -c < "$0.$$") "$0"; cp "$3.$$" "`+dir+`/$1" 2>/dev/null || cp "$0.$$" "`+dir+`/$1"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$1" "$3"; fi
`)
	smudge := script(t, filepath.Join(dir, "smudge"), `touch "`+smudged+`"; cat > "$0.$$"; cat "`+dir+`/$(sed -n 's/^oid sha256://p' "$0.$$")"
`)
	global(t, "[filter \"lfs\"]\n\tclean = "+clean+"\n\tsmudge = "+smudge+"\n\trequired = true\n[filter \"crypt\"]\n\tclean = rev\n\tsmudge = rev\n")
	return smudged
}

// TestPointersOfGitLFSAreBrought has another machine commit files by Git LFS: their pointers come, also where the content of the one
// before is here, and nothing runs; what was edited here stays, and holds the round.
func TestPointersOfGitLFSAreBrought(t *testing.T) {
	_, b, remote := pair(t)
	smudged := pointing(t)
	dir := plainClone(t, remote)
	write(t, dir, ".gitattributes", "x.bin filter=lfs -text\n*.key filter=crypt\n") // of files that are new, which git has no older state of to compare
	write(t, dir, "x.bin", "\x00one")
	pushes(t, dir)
	_ = os.Remove(smudged)
	b.sync()
	first := b.read("x.bin")
	if !strings.HasPrefix(first, "version https://git-lfs") || !strings.Contains(first, "size 4\n") {
		t.Errorf("x.bin is %q, want a pointer", first)
	}
	b.clean()
	b.remove("x.bin")
	if _, err := os.Stat(smudged); err == nil {
		t.Error("the filter was run")
	}
	b.git("checkout", "-q", "--", "x.bin") // as git lfs pull does
	b.wants("x.bin", "\x00one")
	write(t, dir, "x.bin", "\x00two")
	write(t, dir, "n.md", "n\n")
	pushes(t, dir)
	_ = os.Remove(smudged)
	b.sync()
	if second := b.read("x.bin"); second == first || !strings.HasPrefix(second, "version https://git-lfs") {
		t.Errorf("x.bin is %q, want the other pointer", second)
	}
	b.wants("n.md", "n\n")
	b.clean()
	if _, err := os.Stat(smudged); err == nil {
		t.Error("the filter was run")
	}

	b.write("x.bin", "\x00mine")
	write(t, dir, "x.bin", "\x00three")
	pushes(t, dir)
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "x.bin") {
		t.Errorf("%v, want ErrHeld of x.bin", err)
	}
	b.wants("x.bin", "\x00mine")
	b.git("checkout", "-q", "--", "x.bin")
	b.sync()
	b.clean()

	// A filter of another kind that the user's git has is for that.
	write(t, dir, "a.key", "secret\n")
	write(t, dir, "m.md", "m\n")
	pushes(t, dir)
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "git pull brings it") {
		t.Errorf("%v, want ErrHeld of a.key", err)
	}
	b.wants("m.md", "-")
	b.clean()
	b.git("pull", "-q", "--ff-only")
	b.sync()
	b.wants("a.key", "secret\n")
	b.clean()
}

// TestWhatHasAFilterIsSaid has a file changed here over which the user's git runs a filter: sync doesn't send it, and says so until he has.
func TestWhatHasAFilterIsSaid(t *testing.T) {
	a, _, remote := pair(t)
	pointing(t)
	a.write(".gitattributes", "*.key filter=crypt\n")
	a.write("x.key", "secret\n")
	o := a.sync()
	if len(o.Unsent) != 1 || o.Unsent[0] != (Unsent{Path: "x.key", Filter: "crypt"}) || a.sent(remote)["x.key"] {
		t.Errorf("%+v, want x.key to stay and be told", o)
	}
	if first, second := a.engine.News(), a.engine.News(); !strings.Contains(first, `x.key isn't sent as it is here: git runs the filter "crypt" over it`) || !strings.Contains(first, "with your own git") || second != "" {
		t.Errorf("the news are %q, then %q", first, second)
	}
	if s := a.engine.Status(t.Context()); !strings.Contains(s.Sentence(time.Now()), "x.key isn't sent") || s.Hint() != filterHint {
		t.Errorf("the status is %+v", s)
	}
	a.git("add", "x.key")
	a.git("commit", "-qm", "the key")
	if o := a.sync(); len(o.Unsent) != 0 || run(t, remote, "show", "main:x.key") != "terces" {
		t.Errorf("%+v is told, and his commit has it", o)
	}
}

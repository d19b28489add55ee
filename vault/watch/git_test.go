package watch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// git runs the real one in a folder.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.fsync=none"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// notes writes n files in 20 folders, the same text in half of them each time.
func notes(t *testing.T, root string, n int, text string) {
	t.Helper()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprint("folder", i%20))
		if i < 20 {
			mkdir(t, dir)
		}
		same := ""
		if i%2 == 0 {
			same = text
		}
		write(t, filepath.Join(dir, fmt.Sprintf("note%d.md", i)), fmt.Sprintf("note %d %s\n", i, same))
	}
}

// git writes thousands of files at once, each removed first. Set KIST_GIT to 5000
// or more for a long form.
func TestGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("left out: git is not installed")
	}
	n := rounds(t, "KIST_GIT", 300)
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	notes(t, root, n, "one")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "one")
	git(t, root, "checkout", "-q", "-b", "two")
	notes(t, root, n, "two")
	mkdir(t, filepath.Join(root, "only", "two"))
	write(t, filepath.Join(root, "only", "two", "note.md"), "text")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "two")
	git(t, root, "checkout", "-q", "main")
	write(t, filepath.Join(root, "main.md"), "text")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "main")

	steps := []struct {
		name string
		args []string
	}{
		{"checkout", []string{"checkout", "-q", "two"}},
		{"checkout back", []string{"checkout", "-q", "main"}},
		{"merge", []string{"merge", "-q", "--no-edit", "two"}},
		{"reset", []string{"reset", "-q", "--hard", "HEAD^"}},
		{"rebase", []string{"rebase", "-q", "main", "two"}},
		{"stash", []string{"stash", "-q", "-u"}},
		{"stash pop", []string{"stash", "pop", "-q"}},
		{"clean", []string{"clean", "-fdq"}},
	}
	opts := withCookies(t, root)
	write(t, filepath.Join(root, ".kist", ".gitignore"), "*\n")
	opts.Settle, opts.Ceiling = 250*time.Millisecond, 3*time.Second // on a busy machine git may stand still between two steps
	m := follow(t, root, opts)
	for _, step := range steps {
		if step.name == "stash" { // something to put away
			notes(t, root, n, "three")
			write(t, filepath.Join(root, "untracked.md"), "text")
			m.barrier()
		}
		before := m.now()
		git(t, root, step.args...)
		m.barrier()
		v := m.now()
		if diff := cmp.Diff(disk(t, root), v.files); diff != "" {
			t.Fatalf("%s: after the barrier the events don't add up to the disk (-disk +seen):\n%s", step.name, diff)
		}
		spurious, empty := 0, 0
		for path, seen := range v.history {
			fresh := seen[len(before.history[path]):]
			_, was := before.files[path]
			if _, is := v.files[path]; was && is && slices.Contains(fresh, "-") {
				spurious++
			}
			if slices.Contains(fresh, "") {
				empty++
			}
		}
		if spurious > 0 || empty > 0 || len(v.rescans) > len(before.rescans) {
			t.Errorf("%s: %d deletions of files that are there, %d empty texts, rescans %q", step.name, spurious, empty, v.rescans[len(before.rescans):])
		}
	}
}

package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/vault/ignore"
)

// folderRules ignores folders that .ignore in the root names, one a line.
type folderRules struct {
	root string

	mu    sync.Mutex
	names []string // guarded by mu; nil: not read
}

func (r *folderRules) ignore(path string, dir bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names == nil {
		text, _ := os.ReadFile(filepath.Join(r.root, ".ignore"))
		r.names = append(strings.Fields(string(text)), "-")
	}
	top, _, below := strings.Cut(path, "/")
	return markdown(path, dir) || ((dir || below) && slices.Contains(r.names, top))
}

func (r *folderRules) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = nil
}

// A change of what is ignored takes effect at once, in both directions.
func TestRulesChange(t *testing.T) {
	for _, polling := range []string{"", "test"} {
		t.Run("polling "+polling, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			mkdir(t, filepath.Join(root, "build", "deep"))
			note := filepath.Join(root, "build", "deep", "note.md")
			write(t, filepath.Join(root, ".ignore"), "build\n")
			rules := &folderRules{root: root}
			opts := withCookies(t, root)
			opts.Ignore, opts.Renew = rules.ignore, rules.renew
			opts.Rules = func(path string) bool { return filepath.Base(path) == ".ignore" }
			opts.Polling, opts.Poll = polling, 10*time.Millisecond
			m := follow(t, root, opts)

			write(t, note, "text")
			m.barrier()
			if v := m.now(); v.events > 0 {
				t.Errorf("%v and rescans %q for an ignored file", v.history, v.rescans)
			}
			write(t, filepath.Join(root, ".ignore"), "")
			m.barrier()
			if v := m.now(); !slices.Equal(v.rescans, []string{reasonRules}) || len(v.history) > 0 {
				t.Errorf("rescans %q, want one; paths %v", v.rescans, v.history)
			}
			write(t, note, "changed")
			m.barrier()
			if _, ok := m.now().history["build/deep/note.md"]; !ok {
				t.Error("a folder that is no longer ignored isn't watched")
			}
			// As an editor saves it: one rescan, not one for each step.
			write(t, filepath.Join(root, ".ignore"), "")
			write(t, filepath.Join(root, ".ignore"), "build\n")
			m.barrier()
			before := m.now()
			write(t, note, "changed again")
			m.barrier()
			if v := m.now(); v.events != before.events || len(v.rescans) > 2 {
				t.Errorf("an ignored file was reported, or rescans %q are more than two", v.rescans)
			}
			if got := m.watcher.Stats(); got.Restarts != 0 || got.Reason != reasonRules {
				t.Errorf("stats %+v", got)
			}
		})
	}
}

// A folder that comes with rules of its own was walked without knowing them.
func TestFolderWithRulesMovedIn(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	mkdir(t, filepath.Join(outside, "comes"))
	write(t, filepath.Join(outside, "comes", ".ignore"), "")
	write(t, filepath.Join(outside, "comes", "note.md"), "text")
	opts := withCookies(t, root)
	opts.Rules = func(path string) bool { return filepath.Base(path) == ".ignore" }
	m := follow(t, root, opts)
	rename(t, filepath.Join(outside, "comes"), filepath.Join(root, "comes"))
	m.barrier()
	if v := m.now(); !slices.Equal(v.rescans, []string{reasonRules}) {
		t.Errorf("rescans %q", v.rescans)
	}
}

// With the rules that a vault has.
func TestGitignore(t *testing.T) {
	root := t.TempDir()
	rules := ignore.New(func(path string) ([]byte, error) {
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	})
	opts := withCookies(t, root)
	opts.Ignore = func(path string, dir bool) bool { return markdown(path, dir) || rules.Match(path, dir) }
	opts.Rules, opts.Renew = ignore.IsRules, rules.Forget
	for _, dir := range []string{"build/deep", "notes"} {
		mkdir(t, filepath.Join(root, filepath.FromSlash(dir)))
	}
	write(t, filepath.Join(root, ".gitignore"), "build/\n*.draft.md\n")
	m := follow(t, root, opts)
	for _, name := range []string{"build/deep/x.md", "notes/x.draft.md", "notes/x.md", "notes/~$x.md"} {
		write(t, filepath.Join(root, filepath.FromSlash(name)), "text")
	}
	m.barrier()
	if v := m.now(); len(v.history) != 1 || v.files["notes/x.md"] != "text" {
		t.Errorf("reported %v, want notes/x.md alone", v.history)
	}
	// A new folder has its own rules before anything in it is reported.
	mkdir(t, filepath.Join(root, "copied"))
	write(t, filepath.Join(root, "copied", ".kistignore"), "*\n")
	write(t, filepath.Join(root, "copied", "x.md"), "text")
	m.barrier()
	write(t, filepath.Join(root, "copied", "y.md"), "text")
	m.barrier()
	if v := m.now(); v.history["copied/y.md"] != nil || !slices.Contains(v.rescans, reasonRules) {
		t.Errorf("reported %v, rescans %q", v.history, v.rescans)
	}
	remove(t, filepath.Join(root, ".gitignore"))
	m.barrier()
	write(t, filepath.Join(root, "build", "deep", "x.md"), "changed")
	m.barrier()
	if v := m.now(); v.history["build/deep/x.md"] == nil {
		t.Error("a folder that is no longer ignored isn't watched")
	}
}

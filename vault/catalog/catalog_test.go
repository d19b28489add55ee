package catalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/vaulttest"
)

// TestMain has the tests make their folders in memory: none is about the disk.
func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

// refs lists all tasks as path:line status title.
func refs(t *testing.T, v *vault.Vault) string {
	t.Helper()
	entries, err := catalog.List(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		for _, each := range e.Tasks {
			if doc, err := v.Document(each.Path); err == nil && each.Line > 0 { // that line alone says the same
				alone, ok := catalog.TaskAt(doc, each.Path, each.Line)
				if alone.Project = each.Project; !ok || !reflect.DeepEqual(alone, each) {
					t.Errorf("%s alone: %v, %v", each.Ref(), alone, ok)
				}
			}
			out = append(out, fmt.Sprintf("%s %s %s", each.Ref(), each.Status, each.Title))
		}
	}
	return strings.Join(out, "\n")
}

const places = `
-- Daily/2026-11-20.md --
# Friday

- [ ] Call Bo 📅 2026-12-01
- [/] Paint
> [!todo] Garden
> - [x] Dig
` + "```" + `
- [ ] code
` + "```" + `
-- projects/boat/project.md --
- [ ] Buy rope
-- projects/boat/tasks/hull.md --
---
title: Paint the hull
status: in_progress
---
- [ ] Sand it
-- projects/boat/notes/Old (conflict 2026-11-20 101112).md --
- [ ] twice
-- projects/boat/notes/list.conflict-laptop-2026-11-20.md --
- [ ] twice
-- projects/boat/conversations/2026-11-20-x.md --
- [ ] said
-- conversations/2026-11-20-x.md --
- [ ] said
-- drafts/idea.md --
- [ ] drafted
-- actions/mail.md --
- [ ] for others
-- Notes/typed.md --
---
type: task
title: A task of its own
due: 2026-12-01
---
-- Notes/said.md --
---
type: conversation
---
- [ ] said
-- sessions/x.md --
- [ ] state
-- Notes/links.md --
- [[link]]
`

const found = `Daily/2026-11-20.md:3 todo Call Bo
Daily/2026-11-20.md:4 in_progress Paint
Daily/2026-11-20.md:6 done Dig
Notes/typed.md todo A task of its own
projects/boat/project.md:1 todo Buy rope
projects/boat/tasks/hull.md in_progress Paint the hull
projects/boat/tasks/hull.md:5 todo Sand it`

func TestPlaces(t *testing.T) {
	v := vaulttest.New(t, places)
	if got := refs(t, v); got != found {
		t.Errorf("got\n%s", got)
	}
	hidden := v.Without(func(p string) bool { return strings.HasPrefix(p, "Daily") })
	if got := refs(t, hidden); strings.Contains(got, "Daily") || !strings.Contains(got, "Notes/typed.md") {
		t.Errorf("hidden: %s", got)
	}
	if got := refs(t, v); got != found {
		t.Errorf("the vault itself afterwards\n%s", got)
	}
}

// A list is as of the call, be the vault watched or not.
func TestFresh(t *testing.T) {
	for _, watched := range []bool{false, true} {
		v := vaulttest.New(t, places)
		if watched {
			vaulttest.Watch(t, v)
		}
		file := filepath.Join(v.Dir(), "Daily", "2026-11-20.md")
		for i := range 20 {
			text := fmt.Sprintf("- [ ] round %02d\n", i) // of one length, and as a rule within one tick of the clock
			if err := vaulttest.Savers[[]string{"in place", "rename"}[i%2]](file, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got, want := refs(t, v), fmt.Sprintf("Daily/2026-11-20.md:1 todo round %02d", i); !strings.HasPrefix(got, want+"\n") {
				t.Fatalf("watched %v, round %d: %s", watched, i, got)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if got := refs(t, v); strings.Contains(got, "Daily") {
			t.Errorf("watched %v: still there: %s", watched, got)
		}
		if err := os.Rename(filepath.Join(v.Dir(), "projects"), filepath.Join(v.Dir(), "Archive")); err != nil {
			t.Fatal(err)
		}
		if got := refs(t, v); !strings.Contains(got, "Archive/boat/project.md:1") || strings.Contains(got, "projects/") {
			t.Errorf("watched %v, a folder moved: %s", watched, got)
		}
		if err := os.WriteFile(filepath.Join(v.Dir(), ".kistignore"), []byte("Archive\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		// Rules are kept until they are heard of, which a busy machine may put off.
		for end := time.Now().Add(10 * time.Second); watched && strings.Contains(refs(t, v), "Archive"); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("what is ignored is still there: %s", refs(t, v))
			}
		}
	}
}

// What changed is put into the list as it would be in one that is made anew.
func TestAmended(t *testing.T) {
	v := vaulttest.New(t, places+"-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"Archive/\"]}\n")
	vaulttest.Watch(t, v)
	refs(t, v)
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"- [ ] one\n", "- [x] two\n- [ ] three\n", "nothing to do\n", "---\ntype: project\n---\n- [ ] four\n"}
	for round := range 200 {
		for range 1 + r.IntN(3) {
			file := filepath.Join(v.Dir(), []string{"", "Daily", "Archive"}[r.IntN(3)], fmt.Sprintf("n%d.md", r.IntN(6)))
			err := os.MkdirAll(filepath.Dir(file), 0o777)
			if r.IntN(4) == 0 {
				_ = os.Remove(file) // it may not be there
			} else if err == nil {
				err = os.WriteFile(file, []byte(texts[r.IntN(len(texts))]), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		got := refs(t, v)
		if err := catalog.Anew(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		if want := refs(t, v); got != want {
			t.Fatalf("round %d: amended\n%s\nanew\n%s", round, got, want)
		}
	}
}

// KIST_TASKS_FILES=100000 go test -run '^$' -bench Saved ./vault/catalog
func BenchmarkSaved(b *testing.B) {
	v := many(b)
	file := filepath.Join(v.Dir(), "Folder 0", "Note 0.md")
	for i := 0; b.Loop(); i++ {
		if err := os.WriteFile(file, fmt.Appendf(nil, "- [ ] %d\n", i), 0o666); err != nil {
			b.Fatal(err)
		}
		if _, err := catalog.List(context.Background(), v); err != nil {
			b.Fatal(err)
		}
	}
}

// Templates, and what Obsidian's user excluded, are no place for tasks, from the moment
// on at which that is said.
func TestLeftOut(t *testing.T) {
	v := vaulttest.New(t, "-- Archive/a.md --\n- [ ] old\n-- Meta/Templates/t.md --\n- [ ] {{title}}\n-- b.md --\n- [ ] now\n"+
		"-- .obsidian/templates.json --\n{\"folder\": \"Meta/Templates\"}\n")
	if got := refs(t, v); strings.Contains(got, "Templates") || !strings.Contains(got, "Archive") {
		t.Errorf("got %s", got)
	}
	if err := os.WriteFile(filepath.Join(v.Dir(), ".obsidian", "app.json"), []byte(`{"userIgnoreFilters": ["Archive/"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := refs(t, v); got != "b.md:1 todo now" {
		t.Errorf("got %s", got)
	}
}

// What is too much to be remembered is read anew.
func TestBounded(t *testing.T) {
	v := vaulttest.New(t, places)
	catalog.Limit(v, 3)
	for range 2 {
		if got := refs(t, v); got != found {
			t.Errorf("got\n%s", got)
		}
	}
}

// A wait for the watcher that took too long costs one look at all documents, not one more
// with the next list, and loses nothing.
func TestOneLookForAWaitTooLong(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("lists wait for the watcher on Linux alone")
	}
	v := vaulttest.New(t, "-- a.md --\n- [ ] one\n")
	vaulttest.Watch(t, v)
	refs(t, v)
	if err := catalog.Impatient(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.Dir(), "b.md"), []byte("- [ ] two\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	catalog.LookedAtAll(v)
	if got := refs(t, v); got != "a.md:1 todo one\nb.md:1 todo two" {
		t.Errorf("got %q", got)
	}
	if catalog.LookedAtAll(v) {
		t.Error("all documents were looked at once more")
	}
}

// KIST_TASKS_FILES=12000 go test -run '^$' -bench List ./vault/catalog
func BenchmarkList(b *testing.B) {
	v := many(b)
	for b.Loop() {
		if _, err := catalog.List(context.Background(), v); err != nil {
			b.Fatal(err)
		}
	}
}

// many is a vault of KIST_TASKS_FILES documents that is watched and was listed.
func many(b *testing.B) *vault.Vault {
	b.Helper()
	files := 1000
	fmt.Sscan(os.Getenv("KIST_TASKS_FILES"), &files)
	dir := b.TempDir()
	for i := range files {
		text := fmt.Sprintf("# Note %d\n\n%s", i, strings.Repeat("Some words of a note that is as long as notes are.\n\n", 30))
		if i%12 < 5 {
			text += fmt.Sprintf("- [ ] Do thing %d 📅 2026-12-%02d ⏫ #home\n", i, 1+i%28)
		}
		file := filepath.Join(dir, fmt.Sprintf("Folder %d", i%40), fmt.Sprintf("Note %d.md", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	v := vaulttest.Open(b, dir)
	vaulttest.Watch(b, v)
	if _, err := catalog.List(context.Background(), v); err != nil {
		b.Fatal(err)
	}
	return v
}

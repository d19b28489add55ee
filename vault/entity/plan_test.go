package entity_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/dimension"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// wholeTree returns all files of a vault with their texts, and all folders, without what
// kist itself keeps there.
func wholeTree(t testing.TB, v *vault.Vault) map[string]string {
	t.Helper()
	letSettle(v)
	out := map[string]string{}
	err := filepath.WalkDir(v.Dir(), func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(v.Dir(), p)
		rel = filepath.ToSlash(rel)
		switch {
		case p != "." && errors.Is(err, fs.ErrNotExist): // an emptied folder was removed while its parent was read
			return nil
		case err != nil:
			return err
		case rel == "operations" || rel == ".kist":
			return fs.SkipDir
		case d.IsDir():
			out[rel+"/"] = ""
		default:
			text, err := os.ReadFile(p)
			out[rel] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// thereAndBack applies steps as one batch, hands what they made to look, undoes the
// batch, and compares the tree with the one before, to the byte.
func thereAndBack(t *testing.T, v *vault.Vault, steps []vault.Step, look func(now map[string]string)) {
	t.Helper()
	before := wholeTree(t, v)
	ops, err := v.Apply(ctx, vault.Batch{Origin: you, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	look(wholeTree(t, v))
	if _, err := v.Undo(ctx, vault.UndoTarget{Batch: ops[0].Batch}, you); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, wholeTree(t, v)); diff != "" {
		t.Errorf("undone:\n%s", diff)
	}
	// And again, so that what is undone can be redone.
	if _, err := v.Redo(ctx, vault.UndoTarget{Batch: ops[0].Batch}, you); err != nil {
		t.Fatal(err)
	}
	look(wholeTree(t, v))
}

// two projects that hold all kinds of files, and the same names.
const twoProjects = `-- projects/boat/project.md --
---
id: 01BOAT00000000000000000000
type: project
name: Boat # mine
links: [{type: file, ref: hull.md}]
custom: [1, 2]
---

# Boat

An old boat.

## Goals & Momentum

Afloat by May.

## Decisions

- 2026-01-01: no gas
- shared

## Next steps

1. scrape
   with care
2. paint

-- projects/boat/tasks/one.md --
---
type: task
---
Do it.
-- projects/boat/notes/a.md --
boat's a
-- projects/boat/notes/no-end.md --
last line
-- projects/boat/conversations/2026-11-20-test.md --
---
type: conversation
---
-- projects/boat/pictures/deep/p.txt --
not Markdown
-- projects/yard/project.md --
# Yard

A yard.

## Decisions

- shared
- mine

## Goals and Momentum

Busy.

## Own

Text.
-- projects/yard/notes/a.md --
yard's a
-- projects/yard/conversations/2026-11-20-test.md --
---
type: conversation
---
`

func TestRenameProject(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	v := vaulttest.New(t, twoProjects)
	steps, err := entity.PlanRenameProject(ctx, v, "boat", "Ship: *Anna*")
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		text := now["projects/boat/project.md"]
		if !strings.Contains(text, "\nname: \"Ship: *Anna*\" # mine\n") || !strings.Contains(text, "\n# Boat\n") {
			t.Errorf("a title can't hold that name as it is: %q", text)
		}
	})
	v = vaulttest.New(t, twoProjects)
	if steps, err = entity.PlanRenameProject(ctx, v, "boat", "Ship"); err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		if text := now["projects/boat/project.md"]; !strings.Contains(text, "\nname: Ship # mine\n") || !strings.Contains(text, "\n# Ship\n") {
			t.Errorf("%q", text)
		}
	})
	for name, want := range map[string]error{"yard": vault.ErrExists, " ": vault.ErrInvalid} {
		if _, err := entity.PlanRenameProject(ctx, v, "boat", name); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestMoveProject(t *testing.T) {
	v := vaulttest.New(t, twoProjects)
	save(t, v, "projects/boat/picture.png", "\x89PNG\xff\x00")
	was := wholeTree(t, v)
	steps, err := entity.PlanMoveProject(ctx, v, "boat", "ship")
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		for p, text := range was {
			if rest, ok := strings.CutPrefix(p, "projects/boat/"); ok {
				if got, ok := now["projects/ship/"+rest]; !ok || got != text {
					t.Errorf("%s: %q", p, got)
				}
				if _, still := now[p]; still {
					t.Errorf("%s is still there", p)
				}
			}
		}
	})
	if p, err := entity.FindProject(ctx, v, "ship"); err != nil || p.ID != "01BOAT00000000000000000000" {
		t.Errorf("%+v, %v", p, err)
	}
	for slug, want := range map[string]error{"yard": vault.ErrExists, "A b": vault.ErrInvalid, "../x": vault.ErrInvalid, "": vault.ErrInvalid} {
		if _, err := entity.PlanMoveProject(ctx, v, "ship", slug); !errors.Is(err, want) {
			t.Errorf("%q: %v", slug, err)
		}
	}
}

func TestMergeProjects(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	v := vaulttest.New(t, twoProjects)
	was := wholeTree(t, v)
	steps, err := entity.PlanMergeProjects(ctx, v, "boat", "yard")
	if err != nil {
		t.Fatal(err)
	}
	want := `---
links: [{type: file, ref: hull.md, added_by: user}]
---
# Yard

A yard.

## Decisions

- shared
- mine
- 2026-01-01: no gas

## Next steps

1. scrape
   with care
2. paint

## Goals and Momentum

Busy.

Afloat by May.

## Own

Text.
`
	thereAndBack(t, v, steps, func(now map[string]string) {
		if diff := cmp.Diff(want, now["projects/yard/project.md"]); diff != "" {
			t.Error(diff)
		}
		if text := now["projects/yard/notes/boat.md"]; text != strings.Replace(was["projects/boat/project.md"], "type: project", "type: note", 1) {
			t.Errorf("as a note: %q", text)
		}
		texts := slices.Sorted(maps.Values(now))
		for p, text := range was {
			if p != "projects/boat/project.md" && p != "projects/yard/project.md" && !slices.Contains(texts, text) {
				t.Errorf("%s is lost", p)
			}
		}
		if now["projects/yard/notes/a.md"] != "yard's a\n" || now["projects/yard/notes/a-2.md"] != "boat's a\n" {
			t.Error("files of the same name")
		}
		if _, still := now["projects/boat/"]; still {
			t.Error("the folder is still there")
		}
	})
	if _, err := entity.PlanMergeProjects(ctx, v, "yard", "yard"); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("into itself: %v", err)
	}
}

func TestDeleteProject(t *testing.T) {
	v := vaulttest.New(t, twoProjects)
	steps, err := entity.PlanDeleteProject(ctx, v, "boat")
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		for p := range now {
			if strings.HasPrefix(p, "projects/boat") {
				t.Errorf("%s is still there", p)
			}
		}
	})
	if _, err := v.Undo(ctx, vault.UndoTarget{Session: "none"}, you); !errors.Is(err, vault.ErrNotFound) {
		t.Error(err)
	}
}

// What the log can't bring back isn't deleted, and the error names it.
func TestDeleteRefusesWhatCantComeBack(t *testing.T) {
	for name, make := range map[string]func(p string) error{
		"picture.png": func(p string) error { return os.WriteFile(p, []byte("\xff\xfe"), 0o666) },
		"large.txt":   func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("x", 17<<20)), 0o666) },
		"link.md":     func(p string) error { return os.Symlink("project.md", p) },
		".hidden":     func(p string) error { return os.WriteFile(p, nil, 0o666) },
		"twin.md":     func(p string) error { return os.Link(filepath.Join(filepath.Dir(p), "project.md"), p) },
	} {
		v := vaulttest.New(t, twoProjects)
		if err := make(filepath.Join(v.Dir(), "projects/boat", name)); err != nil {
			t.Fatal(err)
		}
		if _, err := entity.PlanDeleteProject(ctx, v, "boat"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		_, err := entity.PlanMoveProject(ctx, v, "boat", "ship")
		if movable := name == "picture.png" || name == "large.txt"; movable != (err == nil) {
			t.Errorf("move with %s: %v", name, err)
		}
	}
	v := vaulttest.New(t, twoProjects)
	save(t, v, "projects/boat/.DS_Store", "litter")
	if _, err := entity.PlanDeleteProject(ctx, v, "boat"); err != nil {
		t.Errorf("litter: %v", err)
	}
}

func TestDimensions(t *testing.T) {
	for _, name := range []string{"core_integrity_ideals", "Integrity & Ideals", "integrity and ideals", "INTEGRITY_IDEALS"} {
		if d, ok := dimension.Of(name); !ok || d.Key != "integrity_ideals" {
			t.Errorf("%q: %v", name, d)
		}
	}
	for _, name := range []string{"", "integrity", "ideals integrity", "core"} {
		if d, ok := dimension.Of(name); ok {
			t.Errorf("%q: %v", name, d)
		}
	}
	if n := len(dimension.All()); n != 9 {
		t.Errorf("%d dimensions", n)
	}
	v := vaulttest.New(t, "-- projects/boat/project.md --\n# Boat\n\nOld.\n\n## Decisions\n\n- one\n\n## Own\n\nmine")
	set := func(key, text, how string) {
		t.Helper()
		step, err := entity.PlanSetDimension(ctx, v, "boat", key, text, how)
		apply(t, v, step, err)
	}
	set("goals_momentum", "Afloat.", "replace")
	set("harmony_integration", "All of it.", "append")
	set("core_integrity_ideals", "Honest.", "replace")
	set("meaning_identity", "Mine.", "prepend")
	set("goals_momentum", "By May.", "append")
	want := "# Boat\n\nOld.\n\n## Integrity & Ideals\n\nHonest.\n\n## Goals & Momentum\n\nAfloat.\n\nBy May.\n\n## Meaning & Identity\n\nMine.\n\n## Harmony & Integration\n\nAll of it.\n\n## Decisions\n\n- one\n\n## Own\n\nmine\n"
	if diff := cmp.Diff(want, text(t, v, "projects/boat/project.md")); diff != "" {
		t.Error(diff)
	}
	b, err := entity.ProjectBrief(ctx, v, "boat")
	if err != nil || b.Dimensions["goals_momentum"] != "Afloat.\n\nBy May." || len(b.Dimensions) != 4 {
		t.Errorf("%q, %v", b.Dimensions, err)
	}
	for _, bad := range [][3]string{{"nothing", "x", "replace"}, {"goals_momentum", "x", "insert"}, {"goals_momentum", "## Decisions\n", "append"}, {"goals_momentum", " ", "append"}} {
		if _, err := entity.PlanSetDimension(ctx, v, "boat", bad[0], bad[1], bad[2]); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestDimensionIsFoundAsTheUserWroteIt(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n# Goals & Momentum\n\n## goals and momentum\r\n\r\nA.\r\n\r\n### Near\r\n\r\nB.\r\n")
	step, err := entity.PlanSetDimension(ctx, v, "boat", "goals_momentum", "C.", "replace")
	apply(t, v, step, err)
	if got := text(t, v, "projects/boat/project.md"); got != "# Goals & Momentum\n\n## goals and momentum\r\n\r\nC.\r\n\r\n### Near\r\n\r\nB.\r\n" {
		t.Errorf("%q", got)
	}
}

func TestLinks(t *testing.T) {
	const archive = "-- projects/boat/project.md --\n---\nname: Boat\nlinks: # what matters\n  - type: task\n    ref: tasks/a.md # first\n    relevance: 0.5\n  - \"[[Hull|the hull]]\"\n  - notes/plain.md\nlast: 1\n---\nSee [[Mast]] and [[Hull]].\n"
	v := vaulttest.New(t, archive)
	links, err := entity.Links(ctx, v, "boat")
	want := []entity.Link{
		{Type: "task", Ref: "tasks/a.md", Relevance: 0.5, AddedBy: "user"},
		{Type: "document", Ref: "Hull", Relevance: 1, AddedBy: "user"},
		{Type: "file", Ref: "notes/plain.md", Relevance: 1, AddedBy: "user"},
		{Type: "document", Ref: "Mast", Relevance: 1, AddedBy: "text"},
	}
	if diff := cmp.Diff(want, links); diff != "" || err != nil {
		t.Error(diff, err)
	}
	before := text(t, v, "projects/boat/project.md")
	added := entity.Link{Type: "person", Ref: "Anna: {a}, b", Relevance: 0.25, AddedBy: "automatic"}
	step, err := entity.PlanAddLinks(ctx, v, "boat", []entity.Link{added, {Type: "file", Ref: "notes/plain.md", Relevance: 1}})
	apply(t, v, step, err)
	after := text(t, v, "projects/boat/project.md")
	if line := "  - {type: person, ref: \"Anna: {a}, b\", relevance: 0.25, added_by: automatic}\n"; after != strings.Replace(before, "last: 1\n", line+"last: 1\n", 1) {
		t.Errorf("%s", after)
	}
	if links, _ = entity.Links(ctx, v, "boat"); !slices.Contains(links, added) {
		t.Errorf("%+v", links)
	}
	for _, ref := range []string{added.Ref, "[[Hull]]", "tasks/a.md"} {
		step, err := entity.PlanRemoveLink(ctx, v, "boat", ref)
		apply(t, v, step, err)
	}
	if got := text(t, v, "projects/boat/project.md"); got != "---\nname: Boat\nlinks: # what matters\n  - notes/plain.md\nlast: 1\n---\nSee [[Mast]] and [[Hull]].\n" {
		t.Errorf("%s", got)
	}
	if _, err := entity.PlanRemoveLink(ctx, v, "boat", "Mast"); !errors.Is(err, vault.ErrNotFound) {
		t.Error(err)
	}
	for _, bad := range []entity.Link{{Type: "file"}, {Type: "thing", Ref: "x"}, {Type: "file", Ref: "x", Relevance: 2}, {Type: "file", Ref: "x", AddedBy: "me"}} {
		if _, err := entity.PlanAddLinks(ctx, v, "boat", []entity.Link{bad}); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestCreateTasks(t *testing.T) {
	v := vaulttest.New(t, boat)
	steps, err := entity.PlanCreateTasks(ctx, v, "boat", []entity.NewTask{
		{Title: "Order", Duration: "2h", Body: "All of it.", Children: []entity.NewTask{
			{Title: "Cable", Due: "2026-12-01", Priority: "high", Children: []entity.NewTask{{Title: "Measure", Body: "twice"}}},
		}},
		{Title: "order"},
	})
	deep := entity.NewTask{Title: "x"}
	for range 10 {
		deep = entity.NewTask{Title: "x", Children: []entity.NewTask{deep}}
	}
	huge := entity.NewTask{Title: "Hull", Children: []entity.NewTask{{Title: "Keel", Priority: "huge"}}}
	if _, err := entity.PlanCreateTasks(ctx, v, "boat", []entity.NewTask{huge}); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("a priority that is none: %v", err)
	}
	if _, err := entity.PlanCreateTasks(ctx, v, "boat", []entity.NewTask{deep}); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("11 levels: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		_, body, _ := strings.Cut(now["projects/boat/tasks/order.md"], "---\n\n")
		if diff := cmp.Diff("All of it.\n\n- [ ] Cable [priority:: high] [due:: 2026-12-01]\n  - [ ] Measure\n\n    twice\n", body); diff != "" {
			t.Error(diff)
		}
	})
	tasks, err := entity.Tasks(ctx, v, "boat")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range tasks {
		got = append(got, fmt.Sprint(task.Title, task.Due, task.Priority, task.Duration))
	}
	if diff := cmp.Diff([]string{"Cable2026-12-01high", "paint the hull", "order", "Order2h", "Measure", "buy paint"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMoveMemory(t *testing.T) {
	v := vaulttest.New(t, boat+"-- memories/teal.md --\n---\nid: 01M\nscope: user # mine\n---\nTeal.\n-- projects/boat/memories/teal.md --\nother\n")
	step, err := entity.PlanMoveMemory(ctx, v, "01M", "boat")
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, []vault.Step{step}, func(now map[string]string) {
		if now["projects/boat/memories/teal-2.md"] != "---\nid: 01M\nscope: project # mine\n---\nTeal.\n" {
			t.Errorf("%q", now)
		}
	})
	if _, err := entity.PlanMoveMemory(ctx, v, "01M", "boat"); !errors.Is(err, vault.ErrStatus) {
		t.Error(err)
	}
	step, err = entity.PlanCreateMemory(ctx, v, entity.NewMemory{Content: "Blue.", Supersedes: "01M"}, vault.ActorAgent)
	op := apply(t, v, step, err)
	if m, err := entity.FindMemory(ctx, v, op.Entity.ID); err != nil || m.Supersedes != "01M" {
		t.Errorf("%+v, %v", m, err)
	}
}

// Whatever is in two projects, merging, moving and deleting undo to the same tree,
// and a merge loses no text.
func TestPlansUndoWhole(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	n := uint64(8)
	if long() {
		n = 300
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		write := func(p, text string) {
			t.Helper()
			p = filepath.Join(dir, filepath.FromSlash(p))
			if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, slug := range []string{"a", "b"} {
			write("projects/"+slug+"/project.md", randomText(r, slug))
			for range r.IntN(6) {
				p := []string{"notes/n.md", "notes/n-2.md", "tasks/t.md", "a.md", "x.txt", "notes/deep/n.md", "conversations/c.md", "notes/b.md", "memories/m"}[r.IntN(9)]
				write("projects/"+slug+"/"+p, randomText(r, slug+p))
			}
		}
		v := vaulttest.Open(t, dir)
		was := wholeTree(t, v)
		merge, err1 := entity.PlanMergeProjects(ctx, v, "a", "b")
		move, err2 := entity.PlanMoveProject(ctx, v, "a", "c")
		del, err3 := entity.PlanDeleteProject(ctx, v, "b")
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		steps := [][]vault.Step{merge, move, del}[r.IntN(3)]
		merged := &steps[0] == &merge[0]
		thereAndBack(t, v, steps, func(now map[string]string) {
			if !merged {
				return
			}
			all := strings.Join(slices.Collect(maps.Values(now)), "\n")
			for p, text := range was {
				for line := range strings.Lines(text) {
					if !strings.Contains(all, strings.TrimSpace(line)) && !strings.HasPrefix(line, "type:") {
						t.Errorf("seed %d: %q of %s is lost", seed, line, p)
					}
				}
			}
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// randomText is a document that says who it is of.
func randomText(r *rand.Rand, of string) string {
	parts := []string{"", "## Decisions", "## Next steps", "## People & Bonds", "- one", "- two\n  more", "text " + of, "```\ncode\n```", "## Own " + of, "1. first", "### Below", "\ttab", "> quote"}
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString("---\ntype: project\nlinks: [a, {ref: b}]\n---\n")
	}
	eol := []string{"\n", "\n\n", "\r\n"}[r.IntN(3)]
	seen := map[string]bool{}
	for range r.IntN(12) {
		p := parts[r.IntN(len(parts))]
		if strings.HasPrefix(p, "##") && seen[p] {
			continue // an ambiguous heading is refused
		}
		seen[p] = true
		b.WriteString(p + eol)
	}
	b.WriteString("end of " + of)
	return b.String()
}

// Front matter that is made above a text that begins with a dash.
func TestFirstLinkAboveAList(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n- [ ] first\n")
	step, err := entity.PlanAddLinks(ctx, v, "boat", []entity.Link{{Type: "file", Ref: "a.md", Relevance: 1}})
	apply(t, v, step, err)
	if got := text(t, v, "projects/boat/project.md"); got != "---\nlinks: [{type: file, ref: a.md, added_by: user}]\n---\n- [ ] first\n" {
		t.Errorf("%q", got)
	}
}

// A file that one operation moved and edited is what the log says it is, also when
// nothing but the log is left.
func TestMovedAndEditedIsExplainedByTheLog(t *testing.T) {
	v := vaulttest.New(t, boat+"-- memories/teal.md --\n---\nid: 01M\nscope: user\n---\nTeal.\n")
	step, err := entity.PlanMoveMemory(ctx, v, "01M", "boat")
	apply(t, v, step, err)
	dir := v.Dir()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".kist")); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	if err := v.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if ops, err := v.Operations(ctx, vault.Filter{Actor: vault.ActorEditor}); err != nil || len(ops) != 0 {
		t.Errorf("taken for an editor's: %+v, %v", ops, err)
	}
}

// A merge that is cut off at any call to the file system is there whole, or not at
// all, after the next start.
func TestMergeCutOff(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	gone := errors.New("gone")
	cutOff := func(at int) (calls int, before, after map[string]string) {
		var mu sync.Mutex
		open := false
		v, err := vault.Open(ctx, vaulttest.Write(t, twoProjects), vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: func(string) error {
			mu.Lock()
			defer mu.Unlock()
			if !open {
				return nil
			}
			if calls++; at > 0 && calls >= at {
				return gone
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		before = wholeTree(t, v)
		steps, err := entity.PlanMergeProjects(ctx, v, "boat", "yard")
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		open = true
		mu.Unlock()
		_, _ = v.Apply(ctx, vault.Batch{Origin: you, Steps: steps})
		_ = v.Close() // which looks at displaced texts
		after = wholeTree(t, vaulttest.Open(t, v.Dir()))
		// Displaced texts go with the first walk; an empty folder may stay behind.
		for _, tree := range []map[string]string{before, after} {
			maps.DeleteFunc(tree, func(p, _ string) bool { return strings.Contains(p, ".kist-") || strings.HasSuffix(p, "/") })
		}
		return calls, before, after
	}
	all, _, merged := cutOff(0)
	every := max(1, all/12)
	if long() {
		every = 1
	}
	whole, none := 0, 0
	for at := 1; at <= all; at += every {
		_, before, now := cutOff(at)
		switch {
		case cmp.Equal(now, before):
			none++
		case cmp.Equal(now, merged):
			whole++
		default:
			t.Errorf("cut off at call %d of %d:\n%s", at, all, cmp.Diff(merged, now))
		}
	}
	if none == 0 || whole == 0 {
		t.Errorf("%d times merged, %d times not", whole, none)
	}
}

package entity_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// TestMain has the tests make their folders in memory: none is about the disk.
func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

func apply(t *testing.T, v *vault.Vault, step vault.Step, err error) vault.Operation {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return mustApply(t, v, step)[0]
}

func ptr(s string) *string { return &s }

func TestProjectLife(t *testing.T) {
	v := vaulttest.New(t, "")
	step, err := entity.PlanCreateProject(v, entity.NewProject{Name: "Houseboat: Renovation", Description: "An old boat.", Tags: []string{"boat", "long term"}}, vault.ActorAgent)
	op := apply(t, v, step, err)
	want := "---\nid: " + op.Entity.ID + "\ntype: project\nname: \"Houseboat: Renovation\"\nstatus: active\ncreated: 2026-11-20T10:00:01Z\ncreated_by: agent\ntags: [boat, long term]\n---\n\n# Houseboat: Renovation\n\nAn old boat.\n"
	got := text(t, v, "projects/houseboat-renovation/project.md")
	if diff := cmp.Diff(strings.Split(want, "created:")[0], strings.Split(got, "created:")[0]); diff != "" {
		t.Error(diff)
	}
	p, err := entity.FindProject(ctx, v, "houseboat-renovation")
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "Houseboat: Renovation" || p.Description != "An old boat." || p.CreatedBy != "agent" || !cmp.Equal(p.Tags, []string{"boat", "long term"}) || p.Created.IsZero() {
		t.Errorf("read back as %+v", p)
	}
	for _, ref := range []string{p.ID, p.Path} {
		if q, err := entity.FindProject(ctx, v, ref); err != nil || q.Slug != p.Slug {
			t.Errorf("by %q: %+v, %v", ref, q, err)
		}
	}
	if _, err := entity.PlanCreateProject(v, entity.NewProject{Name: "houseboat renovation"}, vault.ActorUser); !errors.Is(err, vault.ErrExists) {
		t.Errorf("same slug again: %v", err)
	}
	step, err = entity.PlanUpdateProject(ctx, v, p.Slug, entity.ProjectUpdate{Status: ptr("archived"), Priority: ptr("high")})
	apply(t, v, step, err)
	if p, _ = entity.FindProject(ctx, v, p.Slug); p.Status != "archived" || p.Priority != "high" {
		t.Errorf("updated to %+v", p)
	}
	for _, d := range []string{"marine-grade wiring", "no gas on board"} {
		step, err = entity.PlanAddDecision(ctx, v, p.Slug, d)
		apply(t, v, step, err)
	}
	brief, err := entity.ProjectBrief(ctx, v, p.Slug)
	if err != nil || len(brief.Decisions) != 2 || !strings.HasSuffix(brief.Decisions[1], "no gas on board") {
		t.Errorf("brief %+v, %v", brief, err)
	}
}

// A write target is never a near match.
func TestNearMatchesAreOnlySuggested(t *testing.T) {
	v := vaulttest.New(t, "-- projects/node-a/project.md --\n# Node A\n-- projects/node-b/project.md --\n# Node B\n")
	for _, ref := range []string{"node-c", "node", "Node A", "NODE-A", "node-a/", "../projects/node-a", "projects/node-a"} {
		_, err := entity.PlanUpdateProject(ctx, v, ref, entity.ProjectUpdate{Status: ptr("archived")})
		if !errors.Is(err, vault.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
	_, err := entity.FindProject(ctx, v, "node-c")
	nf, ok := errors.AsType[*vault.NotFoundError](err)
	if !ok || !cmp.Equal(nf.Near, []string{"node-a", "node-b"}) {
		t.Errorf("suggestions in %v", err)
	}
}

const boat = `-- projects/boat/project.md --
---
type: project
name: Boat
---

- [ ] paint the hull
- [x] buy paint
`

func TestTaskLife(t *testing.T) {
	v := vaulttest.New(t, boat)
	var ids []string
	for range 2 {
		step, err := entity.PlanCreateTask(ctx, v, entity.NewTask{Project: "boat", Title: "Order the cable", Due: "2026-11-27", Priority: "high", Body: "50 m"}, vault.ActorAgent)
		ids = append(ids, apply(t, v, step, err).Entity.ID)
	}
	tasks, err := entity.Tasks(ctx, v, "boat")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range tasks {
		got = append(got, task.Path+" "+task.Title+" "+task.Status)
	}
	want := []string{
		"projects/boat/tasks/order-the-cable-2.md Order the cable todo",
		"projects/boat/tasks/order-the-cable.md Order the cable todo",
		"projects/boat/project.md paint the hull todo",
		"projects/boat/project.md buy paint done",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	step, err := entity.PlanUpdateTask(ctx, v, ids[0], entity.TaskUpdate{Due: ptr(""), Status: ptr("in_progress")})
	apply(t, v, step, err)
	if got := text(t, v, "projects/boat/tasks/order-the-cable-2.md"); !strings.Contains(got, "\ndue: 2026-11-27\n") {
		t.Errorf("a date is written as %q", got)
	}
	if task, _ := entity.FindTask(ctx, v, ids[0]); task.Due != "" || task.Status != "in_progress" || task.Priority != "high" {
		t.Errorf("updated to %+v", task)
	}
	step, err = entity.PlanCompleteTask(ctx, v, "projects/boat/project.md:6")
	apply(t, v, step, err)
	if got := text(t, v, "projects/boat/project.md"); !strings.Contains(got, "- [x] paint the hull") {
		t.Errorf("checkbox: %q", got)
	}
	step, err = entity.PlanDeleteTask(ctx, v, ids[1])
	del := apply(t, v, step, err)
	if _, err := entity.FindTask(ctx, v, ids[1]); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("deleted task: %v", err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: del.ID}, you); err != nil {
		t.Fatal(err)
	}
	if task, err := entity.FindTask(ctx, v, ids[1]); err != nil || task.Title != "Order the cable" {
		t.Errorf("undeleted: %+v, %v", task, err)
	}
	before := text(t, v, "projects/boat/project.md")
	step, err = entity.PlanDeleteTask(ctx, v, "projects/boat/project.md:6")
	del = apply(t, v, step, err)
	if got := text(t, v, "projects/boat/project.md"); strings.Contains(got, "paint the hull") || len(before)-len(got) != len("- [x] paint the hull\n") {
		t.Errorf("without the checkbox: %q", got)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: del.ID}, you); err != nil || text(t, v, "projects/boat/project.md") != before {
		t.Errorf("undo: %v, %q", err, text(t, v, "projects/boat/project.md"))
	}
	if _, err := entity.Tasks(ctx, v, "boot"); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("tasks of a project that isn't there: %v", err)
	}
	for _, bad := range []entity.NewTask{{Project: "boat"}, {Project: "boot", Title: "x"}, {Project: "boat", Title: "x", Due: "soon"}} {
		if _, err := entity.PlanCreateTask(ctx, v, bad, vault.ActorUser); err == nil {
			t.Errorf("planned %+v", bad)
		}
	}
}

func TestMemoryLife(t *testing.T) {
	v := vaulttest.New(t, boat)
	step, err := entity.PlanCreateMemory(ctx, v, entity.NewMemory{Content: "The owner prefers teal.", Confidence: 0.9, Source: "turn 1"}, vault.ActorAgent)
	op := apply(t, v, step, err)
	step, err = entity.PlanCreateMemory(ctx, v, entity.NewMemory{Content: "The marina closes in winter.", Project: "boat"}, vault.ActorUser)
	apply(t, v, step, err)
	all, err := entity.Memories(ctx, v, "")
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	m, err := entity.FindMemory(ctx, v, op.Entity.ID)
	if err != nil || m.Content != "The owner prefers teal." || m.Confidence != 0.9 || m.Scope != "user" || m.Source != "turn 1" {
		t.Errorf("%+v, %v", m, err)
	}
	if mine, _ := entity.Memories(ctx, v, "boat"); len(mine) != 1 || mine[0].Scope != "project" {
		t.Errorf("%+v", mine)
	}
	step, err = entity.PlanForgetMemory(ctx, v, m.Path)
	apply(t, v, step, err)
	if _, err := entity.FindMemory(ctx, v, m.ID); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("forgotten: %v", err)
	}
}

func TestInvalidFrontMatterIsNotWrittenInto(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n---\nname: [unclosed\n---\n# Boat\n\nText.\n")
	p, err := entity.FindProject(ctx, v, "boat")
	if err != nil || p.Name != "Boat" {
		t.Errorf("%+v, %v", p, err)
	}
	before := text(t, v, "projects/boat/project.md")
	_, err = entity.PlanUpdateProject(ctx, v, "boat", entity.ProjectUpdate{Status: ptr("archived")})
	if err == nil {
		t.Error("planned to write into invalid front matter")
	}
	if text(t, v, "projects/boat/project.md") != before {
		t.Error("changed")
	}
}

func TestAppendingNeverMakesFrontMatter(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n---\nnot: closed\n\nText.\n")
	if _, err := entity.PlanAppendNote(v, "a.md", "more\n\n---\n\nend"); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("%v", err)
	}
	step, err := entity.PlanAppendNote(v, "a.md", "more")
	apply(t, v, step, err)
	const front = "---\ntags: [daily]\n---" // and no end of the line
	if err := os.WriteFile(filepath.Join(v.Dir(), "b.md"), []byte(front), 0o600); err != nil {
		t.Fatal(err)
	}
	step, err = entity.PlanAppendNote(v, "b.md", "more\n\n---\n\nend")
	apply(t, v, step, err)
	if got := text(t, v, "b.md"); got != front+"\n\nmore\n\n---\n\nend" {
		t.Errorf("%q", got)
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Houseboat Renovation": "houseboat-renovation", "Emma's School!": "emmas-school", "  ": "untitled", "../../etc/passwd": "etc-passwd",
		"Größe & Maße": "größe-maße", "日本語 メモ": "日本語-メモ", "con": "con-1", "a\nb\x1b[31m": "a-b-31m", ".hidden": "hidden", "🎉": "untitled",
		strings.Repeat("long ", 40): "long-long-long-long-long-long-long-long-long-long-long-long",
	} {
		if got := vault.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestTypeAndProjectOfPaths(t *testing.T) {
	v := vaulttest.New(t, "")
	for p, want := range map[string][2]string{
		"a.md": {"", ""}, "projects/x/project.md": {"project", "x"}, "projects/x/tasks/t.md": {"task", "x"}, "projects/x/notes/n.md": {"note", "x"},
		"projects/x/memories/m.md": {"memory", "x"}, "projects/x/conversations/c.md": {"conversation", "x"}, "projects/x/y.md": {"", "x"},
		"memories/m.md": {"memory", ""}, "conversations/c.md": {"conversation", ""}, "drafts/d.md": {"draft", ""}, "projects/loose.md": {"", ""},
	} {
		if got := [2]string{v.TypeOf(p), v.ProjectOf(p)}; got != want {
			t.Errorf("%s: %v, want %v", p, got, want)
		}
	}
}

func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	if made, err := vault.Init(filepath.Join(dir, "deep")); !errors.Is(err, fs.ErrNotExist) || made != nil {
		t.Errorf("in a folder that isn't there: made %v, %v", made, err)
	}
	made, err := vault.Init(dir)
	if err != nil || !cmp.Equal(made, []string{".gitignore", ".gitattributes", "welcome.md", "kist.yaml"}) {
		t.Errorf("made %v, %v", made, err)
	}
	if made, err = vault.Init(dir); err != nil || made != nil {
		t.Errorf("again: made %v, %v", made, err)
	}
	dir = vaulttest.Write(t, "-- mine.md --\nmine\n-- .gitignore --\n*.log\n")
	made, err = vault.Init(dir)
	if err != nil || !cmp.Equal(made, []string{".gitattributes", "kist.yaml"}) {
		t.Errorf("existing folder: made %v, %v", made, err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, ".gitignore")); string(b) != "*.log\n" {
		t.Errorf(".gitignore became %q", b)
	}
}

// TestAFormerIDFindsWhatItWasJoinedWith looks for each kind of document by the id that it had on another machine.
func TestAFormerIDFindsWhatItWasJoinedWith(t *testing.T) {
	const id, former = "01KAVQ0000A1B2C3D4E5F6G7H8", "01KAVQ8W3B6M4T9ZC0R5Y7N2D1"
	files := ""
	for p, kind := range map[string]string{"projects/boat/project.md": "project", "drafts/boat.md": "draft", "memories/boat.md": "memory", "projects/boat/tasks/paint.md": "task"} {
		files += "-- " + p + " --\n---\nid: " + id + "\nformer_ids: [" + former + "]\ntype: " + kind + "\n---\nBlue.\n"
	}
	v := vaulttest.New(t, files)
	for kind, find := range map[string]func(string) (string, error){
		"project": func(ref string) (string, error) { x, err := entity.FindProject(t.Context(), v, ref); return x.ID, err },
		"draft":   func(ref string) (string, error) { x, err := entity.FindDraft(t.Context(), v, ref); return x.ID, err },
		"memory":  func(ref string) (string, error) { x, err := entity.FindMemory(t.Context(), v, ref); return x.ID, err },
		"task":    func(ref string) (string, error) { x, err := entity.FindTask(t.Context(), v, ref); return x.ID, err },
	} {
		for _, ref := range []string{id, former} {
			if got, err := find(ref); got != id || err != nil {
				t.Errorf("%s by %s: %s, %v", kind, ref, got, err)
			}
		}
	}
}

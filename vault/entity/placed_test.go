package entity_test

import (
	"errors"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

const placedVault = `
-- Projects/Boat/Boat.md --
---
type: project
Status: In Progress
tags: "boat, long/term"
Deadline: "[[2026-12-24]]" # the yard's
id: B1
---
# The Selkie

An old boat.

## To do

- [ ] Sand the hull 📅 2026-12-01 ⏫
- [x] Buy paint ✅ 2026-11-01

## Log

- plain
-- Projects/Boat/log.md --
- [ ] call the yard
-- Projects/Garden.md --
---
type: project
status: someday
---
Seeds. No last line feed: [ ]
`

// A note that is a project where it lies is read as people write it.
func TestPlacedProjectIsRead(t *testing.T) {
	v := vaulttest.New(t, placedVault)
	before := vaulttest.Tree(t, v.Dir())
	all, err := entity.Projects(ctx, v)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	boat, garden := all[1], all[0]
	if boat.Slug != "boat" || boat.Name != "The Selkie" || boat.Status != "active" || boat.Due != "2026-12-24" || boat.ID != "B1" ||
		strings.Join(boat.Tags, " ") != "boat long/term" || boat.OpenTasks != 2 || boat.DoneTasks != 1 || boat.Description != "An old boat." {
		t.Errorf("%+v", boat)
	}
	if garden.Slug != "garden" || garden.Name != "Garden" || garden.Status != "someday" {
		t.Errorf("%+v", garden)
	}
	for _, ref := range []string{"boat", "B1", "Projects/Boat/Boat.md"} {
		if p, err := entity.FindProject(ctx, v, ref); err != nil || p.Path != "Projects/Boat/Boat.md" {
			t.Errorf("%s: %v %v", ref, p, err)
		}
	}
	var nf *vault.NotFoundError
	if _, err := entity.FindProject(ctx, v, "The Selkie"); !errors.As(err, &nf) || len(nf.Near) != 1 || nf.Near[0] != "boat" {
		t.Errorf("by its name: %v", err)
	}
	tasks, err := entity.Tasks(ctx, v, "boat")
	if err != nil || len(tasks) != 3 || tasks[1].Ref() != "Projects/Boat/log.md:1" {
		t.Errorf("%v %v", tasks, err)
	}
	if after := vaulttest.Tree(t, v.Dir()); len(after) != len(before) {
		t.Error("reading wrote")
	}
}

// Whatever is set or added changes its own span alone, with the line ends and marks that are
// there, and an undo restores every byte.
func TestPlacedProjectIsEditedInPlace(t *testing.T) {
	for _, form := range []struct {
		name string
		of   func(string) string
	}{
		{"as it is", func(s string) string { return s }},
		{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"byte order mark, no last line feed", func(s string) string { return "\ufeff" + strings.TrimSuffix(s, "\n") }},
	} {
		t.Run(form.name, func(t *testing.T) {
			v := vaulttest.New(t, placedVault)
			const p = "Projects/Boat/Boat.md"
			was := form.of(text(t, v, p))
			save(t, v, p, was)
			for _, tc := range []struct {
				name, from, to string
				plan           func() (vault.Step, error)
			}{
				{"status", "Status: In Progress", "Status: completed", func() (vault.Step, error) {
					return entity.PlanUpdateProject(ctx, v, "boat", entity.ProjectUpdate{Status: ptr("completed")})
				}},
				{"due", `Deadline: "[[2026-12-24]]" #`, "Deadline: 2027-01-01 #", func() (vault.Step, error) {
					return entity.PlanUpdateProject(ctx, v, "boat", entity.ProjectUpdate{Due: ptr("2027-01-01")})
				}},
				{"task", "✅ 2026-11-01\n", "✅ 2026-11-01\n- [ ] Scrape 🔼 📅 2026-12-05\n", func() (vault.Step, error) {
					return entity.PlanCreateTask(ctx, v, entity.NewTask{Project: "boat", Title: "Scrape", Due: "2026-12-05", Priority: "medium"}, vault.ActorUser)
				}},
				{"tasks with parts", "✅ 2026-11-01\n", "✅ 2026-11-01\n- [ ] One\n  - [ ] part\n- [ ] Two\n  with care\n", func() (vault.Step, error) {
					steps, err := entity.PlanCreateTasks(ctx, v, "boat", []entity.NewTask{{Title: "One", Children: []entity.NewTask{{Title: "part"}}}, {Title: "Two", Body: "with care"}})
					if len(steps) != 1 {
						t.Fatalf("%d steps", len(steps))
					}
					return steps[0], err
				}},
				{"tick", "- [ ] Sand the hull 📅 2026-12-01 ⏫\n", "- [x] Sand the hull 📅 2026-12-01 ⏫ ✅ 2026-11-20\n", func() (vault.Step, error) {
					return entity.PlanCompleteTask(ctx, v, p+":14")
				}},
			} {
				want := strings.Replace(was, form.of(tc.from), form.of(tc.to), 1)
				if form.name != "as it is" && form.name != "CRLF" {
					want = strings.Replace(was, tc.from, tc.to, 1)
				}
				step, err := tc.plan()
				if err != nil {
					t.Fatalf("%s: %v", tc.name, err)
				}
				ops := mustApply(t, v, step)
				if got := text(t, v, p); got != want {
					t.Errorf("%s:\n%q\nwant\n%q", tc.name, got, want)
				}
				if _, err := v.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you); err != nil {
					t.Fatal(err)
				}
				if got := text(t, v, p); got != was {
					t.Errorf("%s: after undo %q", tc.name, got)
				}
			}
		})
	}
}

// A note without a task gets a section for them; the tasks that a step makes can be named.
func TestPlacedProjectGetsTasks(t *testing.T) {
	v := vaulttest.New(t, placedVault)
	step, err := entity.PlanCreateTask(ctx, v, entity.NewTask{Project: "garden", Title: "Dig", Due: "2027-03-01"}, vault.ActorUser)
	if err != nil {
		t.Fatal(err)
	}
	if refs := entity.Created(step); len(refs) != 1 || refs[0] != "Projects/Garden.md:9" {
		t.Errorf("%v", refs)
	}
	mustApply(t, v, step)
	if got := text(t, v, "Projects/Garden.md"); !strings.HasSuffix(got, "[ ]\n\n## Tasks\n\n- [ ] Dig 📅 2027-03-01\n") {
		t.Errorf("%q", got)
	}
	step, err = entity.PlanMoveTask(ctx, v, "Projects/Boat/log.md:1", "garden")
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, step)
	if got := text(t, v, "Projects/Garden.md"); !strings.HasSuffix(got, "2027-03-01\n- [ ] call the yard\n") || text(t, v, "Projects/Boat/log.md") != "" {
		t.Errorf("%q", got) // and the document that it leaves empty is still there
	}
	if step, err = entity.PlanAddLooseTask(t.Context(), v, entity.NewTask{Title: "Post the card", Body: "It's Toby's\n\nbirthday"}); err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, step)
	if got := text(t, v, "inbox.md"); !strings.HasSuffix(got, "- [ ] Post the card\n  It's Toby's\n\n  birthday\n") {
		t.Errorf("%q", got) // with its text
	}
	for _, bad := range []entity.NewTask{{Title: "x", Priority: "huge"}, {Title: "x", Due: "soon"}, {Title: " "}} {
		bad.Project = "boat"
		if _, err := entity.PlanCreateTask(ctx, v, bad, vault.ActorUser); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
		if _, err := entity.PlanAddLooseTask(t.Context(), v, bad); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("loose %+v: %v", bad, err)
		}
	}
}

// TestTasksAsTheVaultHasThem: a task that belongs nowhere is written as the inbox has its tasks,
// else as other documents of the vault have theirs.
func TestTasksAsTheVaultHasThem(t *testing.T) {
	const emoji, inline = "- [ ] Ring Bo ⏫ 📅 2026-12-01\n", "- [ ] Ring Bo [priority:: high] [due:: 2026-12-01]\n"
	for vaultText, want := range map[string]string{
		"-- a.md --\nA\n": inline,
		"-- Daily/a.md --\n- [ ] none\n- [ ] run 📅 2026-11-27\n":                                              emoji,
		"-- A/a.md --\n- [ ] run [due:: 2026-11-27]\n-- Daily/a.md --\n- [ ] sit 📅 2026-11-27\n- [ ] lie ⏫\n": emoji,
		"-- Daily/a.md --\n- [ ] run 📅 2026-11-27\n-- inbox.md --\n- [ ] pay [due:: 2026-11-27]\n":            inline,
		"-- Daily/a.md --\n- [ ] run [due:: 2026-11-27]\n-- inbox.md --\n- [x] pay 📅 2026-11-27\n- [ ] go\n":  emoji,
	} {
		v := vaulttest.New(t, vaultText)
		step, err := entity.PlanAddLooseTask(t.Context(), v, entity.NewTask{Title: "Ring Bo", Priority: "high", Due: "2026-12-01"})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(step.Changes[0].After); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", vaultText, got)
		}
		if got := entity.Restyle(t.Context(), v, "", inline); !strings.Contains(vaultText, "inbox") && got != want {
			t.Errorf("%s: %q", vaultText, got)
		}
	}
}

// TestDeletingNamesWhatIsBelow: what goes with a task is told.
func TestDeletingNamesWhatIsBelow(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n- [ ] dig\n  - [ ] rent a digger 📅 2026-12-03\n- [ ] fill\n- [ ] many\n"+"  - [x] y\n"+strings.Repeat("  - [ ] x\n", 12)+"- [ ] paint, and with it the shed\n-- t.md --\n---\ntype: task\ntitle: file\n---\n\n- [ ] part\n")
	for ref, want := range map[string]string{
		"a.md:1":  "delete “dig”, and with it the open task “rent a digger”",
		"a.md:3":  "delete “fill”",
		"a.md:4":  "delete “many”, and with it 12 open tasks: " + strings.Repeat("“x”, ", 10) + "and 2 more",
		"a.md:18": "delete “paint, and with it the shed”",
		"t.md":    "delete “file”, and with it the open task “part”",
	} {
		if step, err := entity.PlanDeleteTask(t.Context(), v, ref); err != nil || step.Reason != want || !strings.HasSuffix(want, "”"+step.Along) && step.Along != "" || (step.Along != "") != strings.Contains(want, "”, and with it") {
			t.Errorf("%s: %q, %q, %v", ref, step.Reason, step.Along, err)
		}
	}
}

// What means a folder of projects/ is refused, and what kist keeps of its own lies in its own
// folders.
func TestPlacedProjectHasNoFolderOfKists(t *testing.T) {
	v := vaulttest.New(t, placedVault+"-- projects/shed/project.md --\n# Shed\n")
	refused := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, vault.ErrInvalid) || !strings.Contains(err.Error(), "a project where it lies") || !hinted(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := entity.PlanMoveProject(ctx, v, "garden", "else")
	refused("move", err)
	_, err = entity.PlanMergeProjects(ctx, v, "garden", "shed")
	refused("merge", err)
	_, err = entity.PlanMergeProjects(ctx, v, "shed", "garden")
	refused("merge into", err)
	_, err = entity.PlanDeleteProject(ctx, v, "boat")
	refused("delete", err)
	_, err = entity.PlanCreateNote(ctx, v, entity.NewNote{Title: "x", Project: "garden"}, vault.ActorUser)
	refused("note", err)
	if _, err := entity.PlanMoveProject(ctx, v, "shed", "garden"); !errors.Is(err, vault.ErrExists) {
		t.Errorf("a folder with its name: %v", err)
	}
	if _, err := entity.PlanCreateProject(v, entity.NewProject{Name: "Garden"}, vault.ActorUser); !errors.Is(err, vault.ErrExists) || !strings.Contains(err.Error(), "Projects/Garden.md") {
		t.Errorf("a project with its name: %v", err)
	}
	for _, tc := range []struct {
		want string
		plan func() (vault.Step, error)
	}{
		{"Projects/Boat/anchor.md", func() (vault.Step, error) {
			return entity.PlanCreateNote(ctx, v, entity.NewNote{Title: "Anchor", Project: "boat"}, vault.ActorUser)
		}},
		{"Projects/Boat/inbox.md", func() (vault.Step, error) {
			return entity.PlanAddToInbox(ctx, v, "boat", []string{"It leaks."}, v.Now())
		}},
		{"inbox.md", func() (vault.Step, error) {
			return entity.PlanAddToInbox(ctx, v, "garden", []string{"It is dry."}, v.Now())
		}},
		{"memories/garden/fact.md", func() (vault.Step, error) {
			return entity.PlanCreateMemory(ctx, v, entity.NewMemory{Content: "Fact", Project: "garden"}, vault.ActorUser)
		}},
		{"actions/garden/mail.md", func() (vault.Step, error) {
			return entity.PlanExternal(ctx, v, entity.NewAction{Title: "Mail", Kind: "email", Project: "garden"})
		}},
	} {
		step, err := tc.plan()
		if err != nil || step.Changes[0].Path != tc.want {
			t.Errorf("%s: %+v %v", tc.want, step.Entity, err)
			continue
		}
		mustApply(t, v, step)
	}
	if got := text(t, v, "inbox.md"); !strings.Contains(got, "- 2026-11-20: [[Garden]] It is dry.\n") {
		t.Errorf("%q", got)
	}
	if list, err := entity.Memories(ctx, v, "garden"); err != nil || len(list) != 1 || list[0].Project != "garden" {
		t.Errorf("%v %v", list, err)
	}
	if err := catalog.Place(ctx, v); err != nil || v.ConversationDir("garden") != "conversations/garden" {
		t.Error(err, v.ConversationDir("garden"))
	}
}

// hinted reports whether an error says what to do about it in its own words.
func hinted(err error) bool {
	_, ok := errors.AsType[*vault.HintedError](err)
	return ok
}

package entity_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

func TestUpdateBox(t *testing.T) {
	tests := []struct {
		name, before, after string
		update              entity.TaskUpdate
	}{
		{"value", "- [ ] Order crates  [due:: 2026-12-05] (ask Bo) \r\n", "- [ ] Order crates  [due:: 2026-12-09] (ask Bo) \r\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"spaces", "* [ ] Order (due::  2026-12-05 )\n", "* [ ] Order (due::  2026-12-09 )\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"new", "  - [x] Order\n", "  - [x] Order [due:: 2026-12-09]\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"block name", "- [ ] Order ^b1\n", "- [ ] Order [due:: 2026-12-09] ^b1\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"gone", "- [ ] Order [due:: 2026-12-05] [priority:: high]", "- [ ] Order [priority:: high]", entity.TaskUpdate{Due: new("")}},
		{"no date", "- [ ] Order [due:: soon]\n", "- [ ] Order [due:: soon] [due:: 2026-12-09]\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"two", "- [ ] Order [start:: 2026-12-01]\n", "- [ ] Order [start:: 2026-12-02] [priority:: low] [due:: 2026-12-09]\n", entity.TaskUpdate{Start: new("2026-12-02"), Due: new("2026-12-09"), Priority: new("low")}},
		{"title", "- [ ] Order [due:: 2026-12-05]\n", "- [ ] Order 400 crates [due:: 2026-12-05]\n", entity.TaskUpdate{Title: new("Order 400 crates")}},
		{"done", "- [ ] Order\n", "- [x] Order\n", entity.TaskUpdate{Status: new("done")}},
		{"under way", "- [ ] Order\n", "- [/] Order\n", entity.TaskUpdate{Status: new("in_progress")}},
		{"emoji", "- [ ] Order 📅 2026-12-05 #shop ^b1\r\n- [ ] Other\r\n", "- [ ] Order 📅 2026-12-09 #shop ⏫ ^b1\r\n- [ ] Other\r\n", entity.TaskUpdate{Due: new("2026-12-09"), Priority: new("high")}},
		{"emoji of the document", "- [ ] Order\n- [ ] Other ⏳ 2026-12-01\n", "- [ ] Order 📅 2026-12-09\n- [ ] Other ⏳ 2026-12-01\n", entity.TaskUpdate{Due: new("2026-12-09")}},
		{"done with its day", "- [ ] Order 📅 2026-12-05 ^b\n", "- [x] Order 📅 2026-12-05 ✅ 2026-11-20 ^b\n", entity.TaskUpdate{Status: new("done")}},
		{"done as the others", "- [ ] Order\n- [x] Paint ✅ 2026-11-01\n", "- [x] Order ✅ 2026-11-20\n- [x] Paint ✅ 2026-11-01\n", entity.TaskUpdate{Status: new("done")}},
		{"done as Dataview has it", "- [ ] Order\n- [x] Paint [completion:: 2026-11-01]\n", "- [x] Order [completion:: 2026-11-20]\n- [x] Paint [completion:: 2026-11-01]\n", entity.TaskUpdate{Status: new("done")}},
		{"others have no day", "- [ ] Order 📅 2026-12-05\n- [x] Paint 📅 2026-12-05\n", "- [x] Order 📅 2026-12-05\n- [x] Paint 📅 2026-12-05\n", entity.TaskUpdate{Status: new("done")}},
		{"not done", "- [x] Order 📅 2026-12-05 ✅ 2026-11-19\n", "- [ ] Order 📅 2026-12-05\n", entity.TaskUpdate{Status: new("todo")}},
		{"dropped", "- [ ] Order ⏫\n", "- [-] Order ⏫ ❌ 2026-11-20\n", entity.TaskUpdate{Status: new("cancelled")}},
		{"the next one", "> - [ ] Water 🔁 every week 📅 2026-11-18 ^w\n> \n", "> - [ ] Water 🔁 every week 📅 2026-11-25\n> - [x] Water 🔁 every week 📅 2026-11-18 ✅ 2026-11-20 ^w\n> \n", entity.TaskUpdate{Status: new("done")}},
		{"the next one above its parts", "- [ ] Water [repeat:: every day when done] [due:: 2026-11-01]\n  - [ ] ferns\n", "- [ ] Water [repeat:: every day when done] [due:: 2026-11-21]\n- [x] Water [repeat:: every day when done] [due:: 2026-11-01]\n  - [ ] ferns\n", entity.TaskUpdate{Status: new("done")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := vaulttest.New(t, "-- projects/move/project.md --\nMoving.\n")
			p := "Daily/2026-11-20.md"
			file := filepath.Join(v.Dir(), p)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("# List\n\n"+tt.before), 0o666); err != nil {
				t.Fatal(err)
			}
			step, err := entity.PlanUpdateTask(t.Context(), v, p+":3", tt.update)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(step.Changes[0].After), "# List\n\n"+tt.after; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	v := vaulttest.New(t, "-- projects/move/project.md --\n- [ ] Order\n")
	for _, u := range []entity.TaskUpdate{{Due: new("soon")}, {Status: new("backlog")}, {Priority: new("[high]")}} {
		if _, err := entity.PlanUpdateTask(t.Context(), v, "projects/move/project.md:1", u); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("update %+v: %v", u, err)
		}
	}
}

// A recurring task is never just ticked.
func TestRecurringIsNotTicked(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n- [ ] Water 🔁 now and then 📅 2026-11-18\n- [ ] Feed 🔁 every day\n- [ ] Press the 🔁\n")
	if step, err := entity.PlanCompleteTask(t.Context(), v, "a.md:3"); err != nil || !strings.HasSuffix(string(step.Changes[0].After), "- [x] Press the 🔁 ✅ 2026-11-20\n") {
		t.Errorf("a sign without a rule: %v", err)
	}
	if _, err := entity.PlanCompleteTask(t.Context(), v, "a.md:1"); !errors.Is(err, vault.ErrInvalid) || !strings.Contains(err.Error(), "every 2 weeks") {
		t.Errorf("a rule that can't be read: %v", err)
	}
	if _, err := entity.PlanCheckItem(v, "a.md", 2, true); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("ticked: %v", err)
	}
	step, err := entity.PlanCompleteTask(t.Context(), v, "a.md:2")
	if err != nil || !strings.Contains(string(step.Changes[0].After), "- [ ] Feed 🔁 every day\n- [x] Feed 🔁 every day ✅ 2026-11-20\n") {
		t.Errorf("%s, %v", step.Changes[0].After, err)
	}
}

// The tasks of one document are those that a list has of it, with their project.
func TestTasksIn(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n- [ ] one\n- [x] two\n-- b.md --\nNo task.\n-- projects/boat/project.md --\n- [ ] three\n")
	for p, want := range map[string]int{"a.md": 2, "b.md": 0, "c.md": 0, "projects/boat/project.md": 1} {
		got, err := entity.TasksIn(ctx, v, p)
		all, err2 := entity.TasksThat(ctx, v, "", func(t entity.Task) bool { return t.Path == p })
		if err != nil || err2 != nil || len(got) != want || !reflect.DeepEqual(append([]entity.Task(nil), got...), all) {
			t.Errorf("%s: %v, of all %v (%v, %v)", p, got, all, err, err2)
		}
	}
}

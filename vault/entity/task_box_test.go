package entity_test

import (
	"errors"
	"os"
	"path/filepath"
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := vaulttest.New(t, "-- projects/move/project.md --\nMoving.\n")
			p := "projects/move/notes/list.md"
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
	for _, u := range []entity.TaskUpdate{{Due: new("soon")}, {Status: new("in_progress")}, {Priority: new("[high]")}} {
		if _, err := entity.PlanUpdateTask(t.Context(), v, "projects/move/project.md:1", u); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("update %+v: %v", u, err)
		}
	}
}

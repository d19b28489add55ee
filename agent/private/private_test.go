package private_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent/private"
	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

const archive = `
-- journal/2026/day.md --
Told nobody.
-- journalism.md --
Open.
-- notes/tag.md --
---
tags: [garden, Private/Health]
---
-- notes/inline.md --
Between us. #private
-- notes/privateer.md --
A #privateer is no such thing.
-- notes/said.md --
---
private: yes
---
-- notes/unsaid.md --
---
private: false
---
-- notes/broken.md --
---
private: [
---
-- notes/open.canvas --
{"nodes":[{"type":"text","text":"Between # private and\nthis"},{"type":"link","url":"x#private"}]}
-- notes/card.canvas --
{"nodes":[{"type":"text","text":"Open"},{"type":"text","text":"Told\n\nnobody. #private/health"}]}
-- notes/broken.canvas --
{"nodes":[{"type":"text","text":"Open
-- projects/divorce/board.canvas --
{}
-- projects/divorce/project.md --
---
name: The Divorce
---
-- projects/divorce/tasks/call.md --
Call.
-- projects/clinic/project.md --
---
private: true
---
-- projects/clinic/notes/a.md --
A.
-- projects/boat/project.md --
---
name: Boat
---
-- projects/boat/notes/a.md --
A.
`

func TestHides(t *testing.T) {
	v := vaulttest.New(t, archive)
	s := private.New(v, private.Fixed(private.Marks{Folders: []string{"Journal/"}, Tags: []string{"#private"}, Projects: []string{"divorce"}}))
	for p, want := range map[string]bool{
		"journal": true, "JOURNAL": true, "journal/2026": true, "journal/2026/day.md": true, "journal/gone.md": true, "./journal//2026/day.md": true,
		"journalism.md": false, "notes": false, "notes/gone.md": false, "gone": false,
		"notes/tag.md": true, "notes/inline.md": true, "notes/privateer.md": false, "notes/said.md": true, "notes/unsaid.md": false, "notes/broken.md": true,
		"notes/open.canvas": false, "notes/card.canvas": true, "notes/broken.canvas": true, "notes/gone.canvas": false, "projects/divorce/board.canvas": true,
		"projects": false, "projects/divorce": true, "projects/divorce/tasks": true, "projects/divorce/tasks/call.md": true, "projects/divorce/tasks/gone.md": true,
		"projects/clinic": true, "projects/clinic/notes/a.md": true, "projects/boat": false, "projects/boat/notes/a.md": false,
	} {
		if got := s.Hides(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
	if got := strings.Join(s.Names(), ", "); got != "clinic, divorce, The Divorce" {
		t.Error(got)
	}
	// It goes by what stands there now.
	name := filepath.Join(v.Dir(), "notes/unsaid.md")
	if err := os.WriteFile(name, []byte("---\nprivate: true\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if !s.Hides("notes/unsaid.md") {
		t.Error("a change isn't seen")
	}
	for _, folder := range []string{"", ".", "/journal", "../journal", `a\b`} {
		if err := (private.Marks{Folders: []string{folder}}).Check(); err == nil {
			t.Errorf("%q is taken for a folder", folder)
		}
	}
}

// TestTurns: what was said is private where it was said, what it leaned on, what it changed
// or whom it names is, and so is the file that has it.
func TestTurns(t *testing.T) {
	v := vaulttest.New(t, archive)
	ctx := context.Background()
	s := private.New(v, private.Fixed(private.Marks{Projects: []string{"divorce"}}))
	step, err := entity.PlanAddToInbox(ctx, v, "divorce", []string{"Call Ms Lang."}, vaulttest.Now)
	if err != nil {
		t.Fatal(err)
	}
	ops, err := v.Apply(ctx, vault.Batch{Steps: []vault.Step{step}})
	if err != nil {
		t.Fatal(err)
	}
	turn := func(change func(*conversation.Turn)) conversation.Turn {
		out := conversation.Turn{ID: v.NewID(), At: vaulttest.Now, User: "And now?", Reply: "Nothing."}
		change(&out)
		return out
	}
	for name, c := range map[string]struct {
		turn conversation.Turn
		want bool
	}{
		"nothing of it":        {turn(func(*conversation.Turn) {}), false},
		"its project":          {turn(func(t *conversation.Turn) { t.Project = "divorce" }), true},
		"another one":          {turn(func(t *conversation.Turn) { t.Project = "boat" }), false},
		"what it leaned on":    {turn(func(t *conversation.Turn) { t.Context = []string{"notes/privateer.md:1", "notes/said.md:3"} }), true},
		"what it changed":      {turn(func(t *conversation.Turn) { t.Operations = []string{ops[0].ID} }), true},
		"an operation unknown": {turn(func(t *conversation.Turn) { t.Operations = []string{"01ARZ3NDEKTSV4RRFFQ69G5FAV"} }), false},
		"whom it names":        {turn(func(t *conversation.Turn) { t.Reply = "In the DIVORCE, you mean?" }), true},
	} {
		if got := s.Turns(ctx)(c.turn); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	file, err := conversation.AppendTurn(ctx, v, turn(func(t *conversation.Turn) { t.Reply = "All is well." }))
	if err != nil || s.Hides(file) {
		t.Errorf("%s: %v", file, err)
	}
	if _, err := conversation.AppendTurn(ctx, v, turn(func(t *conversation.Turn) { t.Context = []string{"notes/said.md:3"} })); err != nil || !s.Hides(file) {
		t.Errorf("the file isn't private, %v", err)
	}
}

// TestMarksChange: what another pointer says counts at once, and what was found by the old
// marks doesn't.
func TestMarksChange(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n#secret\n-- journal/b.md --\nb\n-- projects/quux-affair/project.md --\n---\nname: Quux Affair\n---\n")
	marks := &private.Marks{}
	s := private.New(v, func() *private.Marks { return marks })
	hides := func(want ...bool) {
		t.Helper()
		for i, p := range []string{"a.md", "journal/b.md", "projects/quux-affair/project.md"} {
			if got := s.Hides(p); got != want[i] {
				t.Errorf("%s: %v", p, got)
			}
		}
	}
	hides(false, false, false)
	marks = &private.Marks{Tags: []string{"secret"}}
	hides(true, false, false)
	marks = &private.Marks{Folders: []string{"journal"}, Projects: []string{"Quux Affair"}} // by its name
	hides(false, true, true)
}

// TestTurnsOfThemselves: a conversation whose turns changed it, as a new name of a project does
// to what is said of it, or cite it, leads to itself, and is private only by what else it holds.
func TestTurnsOfThemselves(t *testing.T) {
	v := vaulttest.New(t, archive)
	ctx := context.Background()
	s := private.New(v, private.Fixed(private.Marks{Projects: []string{"divorce"}}))
	say := func(reply string, operations ...string) string {
		t.Helper()
		file, err := conversation.AppendTurn(ctx, v, conversation.Turn{ID: v.NewID(), At: vaulttest.Now, User: "And now?", Reply: reply, Operations: operations})
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := say("Nothing yet.")
	before, err := os.ReadFile(filepath.Join(v.Dir(), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	ops, err := v.Apply(ctx, vault.Batch{Steps: []vault.Step{{
		Type: vault.OpUpdate, Entity: vault.Entity{Type: "conversation", Path: file}, Reason: "another name",
		Changes: []vault.Change{{Path: file, Before: before, After: []byte(strings.Replace(string(before), "Nothing yet.", "Nothing at all.", 1))}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	say("I gave it another name.", ops[0].ID)
	if s.Hides(file) {
		t.Error("it is private by leading to itself")
	}
	say("The divorce is another matter.")
	if !s.Hides(file) {
		t.Error("what names a private project isn't private")
	}
}

// A note that is a project where it lies, and is private, hides what lies in its folder.
func TestHidesProjectsWhereTheyLie(t *testing.T) {
	v := vaulttest.New(t, "-- Work/Clinic/Clinic.md --\n---\ntype: project\nprivate: true\n---\n# The Clinic\n-- Work/Clinic/a.md --\nA.\n-- Work/b.md --\nB.\n")
	if err := catalog.Place(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	s := private.New(v, private.Fixed(private.Marks{}))
	if !s.Hides("Work/Clinic/a.md") || !s.Hides("Work/Clinic") || s.Hides("Work/b.md") || !s.Project("clinic") {
		t.Error("what is in the folder")
	}
	if names := s.Names(); !slices.Contains(names, "The Clinic") {
		t.Errorf("names: %v", names)
	}
}

package assist_test

import (
	"testing"

	"kist/vault/assist"
)

// Projects are completed wherever they lie, and nothing else that calls itself one.
func TestCompletesProjects(t *testing.T) {
	f := start(t, archive(`
-- projects/boat/project.md --
---
type: project
---
-- projects/boat/notes/a.md --
---
type: project
---
-- Work/Bow.md --
---
type: project
---
# A thruster
-- Work/Bore.md --
Words.
`))
	for prefix, want := range map[string][]string{"bo": {"boat", "bow"}, "thr": {"bow"}, "x": nil} {
		got, err := f.desk.Complete(t.Context(), assist.Question{}, assist.Blank{Kind: assist.Project, Prefix: prefix}, 0)
		if err != nil || len(got.List) != len(want) {
			t.Fatalf("%s: %v %v", prefix, got, err)
		}
		for i, c := range got.List {
			if c.Text != want[i] {
				t.Errorf("%s: %v, want %v", prefix, got.List, want)
			}
		}
	}
}

// A link to a project is by what it is called: the next project's file has the same name.
func TestLinksToProjectsLast(t *testing.T) {
	f := start(t, archive(`
-- projects/boat/project.md --
---
type: project
name: Houseboat
---
`))
	got, err := f.desk.Complete(t.Context(), assist.Question{}, assist.Blank{Kind: assist.Note, Prefix: "house"}, 0)
	if err != nil || len(got.List) != 1 || got.List[0].Text != "Houseboat" {
		t.Errorf("got %v, %v", got.List, err)
	}
}

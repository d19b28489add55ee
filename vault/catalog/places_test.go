package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/documents"
	"kist/vault/vaulttest"
)

// slugs lists the notes that are projects where they lie, as slug=path.
func slugs(t *testing.T, v *vault.Vault) string {
	t.Helper()
	if err := catalog.Place(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	all, err := v.ProjectSlugs()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, slug := range all {
		if p, ok := v.Place(slug); ok {
			out = append(out, slug+"="+p.Path)
		}
	}
	return strings.Join(out, " ")
}

const lying = `
-- .obsidian/templates.json --
{"folder": "Templates"}
-- Projects/Boat/Boat.md --
---
Type: "[[Project]]"
---
-- Projects/Boat/log.md --
Words.
-- Projects/Boat/sails/new.md --
Words.
-- Projects/Boat/engine/README.md --
---
type: [note, project]
---
-- Projects/Projects.md --
All of them.
-- Projects/Garden.md --
Words.
-- Work/Garden.md --
#Project/home
-- Work/Lot.md --
---
tags: [project]
type: task
---
-- Templates/New.md --
---
type: project
---
-- projects/shed/project.md --
A folder of kist's.
-- projects/shed/notes/inner.md --
---
type: project
---
-- Home/Shed.md --
---
type: project
---
-- memories/fact.md --
---
type: project
---
-- Broken.md --
---
type: project
type: project
---
-- Old (conflict 2026-11-20 101112).md --
---
type: project
---
`

func TestProjectsWhereTheyLie(t *testing.T) {
	rules := []string{"Projects/*.md", "tag:project"}
	dir := vaulttest.Write(t, lying)
	v := vaulttest.OpenWith(t, dir, vault.Options{Projects: func() []string { return rules }})
	want := "boat=Projects/Boat/Boat.md engine=Projects/Boat/engine/README.md home-shed=Home/Shed.md projects-garden=Projects/Garden.md work-garden=Work/Garden.md"
	if got := slugs(t, v); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for p, want := range map[string]string{
		"Projects/Boat/log.md": "boat", "Projects/Boat/sails/new.md": "boat", "Projects/Boat/engine/x.md": "engine", "Projects/Garden.md": "projects-garden",
		"Projects/Projects.md": "", "Home/Other.md": "", "projects/shed/notes/a.md": "shed", "memories/boat/a.md": "boat", "conversations/boat/a.md": "boat",
	} {
		if got := v.ProjectOf(p); got != want {
			t.Errorf("%s: in %q, want %q", p, got, want)
		}
	}
	save := func(p, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, p), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	known := documents.PlacesOf(v.Folder)
	save("Home/Other.md", "more words")
	if slugs(t, v); documents.PlacesOf(v.Folder) != known {
		t.Error("nothing changed, and the places are others")
	}
	rules = rules[1:]
	if got := slugs(t, v); strings.Contains(got, "Projects/Garden.md") || !strings.Contains(got, "garden=Work/Garden.md") {
		t.Errorf("after the rules changed: %s", got)
	}
	save("Projects/Boat/Boat.md", "no project any more")
	save("New.md", "---\ntype: project\n---\n")
	if got := slugs(t, v); strings.Contains(got, "boat=") || !strings.Contains(got, "new=New.md") {
		t.Errorf("after edits: %s", got)
	}
	hidden := v.Without(func(p string) bool { return p == "New.md" })
	if got := slugs(t, hidden); strings.Contains(got, "new=") {
		t.Errorf("where it is hidden: %s", got)
	}
}

// Names don't depend on the order in which notes come up, and no two projects share one.
func TestSlugsAreTheirOwn(t *testing.T) {
	var b strings.Builder
	for _, p := range []string{"a b/c.md", "a-b/c.md", "c.md", "a-b-c.md", "x/Ünï.md", "y/ünï.md", "z/???.md", "w/!!!.md"} {
		fmt.Fprintf(&b, "-- %s --\n---\ntype: project\n---\n", p)
	}
	v := vaulttest.Open(t, vaulttest.Write(t, b.String()))
	got := slugs(t, v)
	seen := map[string]bool{}
	for _, each := range strings.Fields(strings.ReplaceAll(got, "a b", "a_b")) {
		slug, _, _ := strings.Cut(each, "=")
		if seen[slug] || !documents.IsSlug(slug) {
			t.Errorf("%s twice, or no slug", slug)
		}
		seen[slug] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d projects: %s", len(seen), got)
	}
	again := slugs(t, vaulttest.Open(t, vaulttest.Write(t, b.String())))
	if again != got {
		t.Errorf("first %s\nthen  %s", got, again)
	}
}

func TestRules(t *testing.T) {
	for _, tc := range []struct{ rule, want string }{
		{"Projects/*.md", ""}, {"**/index.md", ""}, {"Projects/**", ""}, {"tag:project", ""}, {"tag:#area/home", ""},
		{"", "is empty"}, {"tag:", "no tag"}, {"tag:a b", "no tag"}, {"/abs/*.md", "no path in the vault"}, {"../x/*.md", "no path in the vault"},
		{"a/../b.md", "no path"}, {"Projects/[a.md", "no pattern"}, {"Projects/*.txt", "can't match a note"}, {"Projects", "can't match a note"},
		{`a\b.md`, "no path"}, {strings.Repeat("x", 300) + ".md", "longer than 200 bytes"},
	} {
		_, err := catalog.ParseRules([]string{tc.rule})
		if tc.want == "" && err != nil || tc.want != "" && (!errors.Is(err, catalog.ErrRule) || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%q: %v, want %q", tc.rule, err, tc.want)
		}
	}
	if _, err := catalog.ParseRules(make([]string, 51)); !errors.Is(err, catalog.ErrRule) {
		t.Error("51 rules")
	}
}

// A folder that is there whatever the case of its name is kist's, and its notes stay what they were.
func TestFolderOfAnotherCase(t *testing.T) {
	v := vaulttest.Open(t, vaulttest.Write(t, "-- Projects/Boat/Boat.md --\n---\ntype: project\n---\n-- Projects/Boat/log.md --\nWords.\n"))
	if l := v.Layout(); l.Projects != "Projects" || l.Drafts != "drafts" {
		t.Fatalf("%+v", l)
	}
	if got := slugs(t, v); !strings.Contains(got, "boat=Projects/Boat/Boat.md") || v.ProjectOf("Projects/Boat/log.md") != "boat" {
		t.Errorf("%s; log.md of %q", got, v.ProjectOf("Projects/Boat/log.md"))
	}
	v = vaulttest.Open(t, vaulttest.Write(t, "-- Drafts/blog.md --\n- [ ] write\n-- Drafts/own.md --\n---\ntype: draft\n---\n- [ ] no task\n"))
	if all, err := catalog.List(t.Context(), v); err != nil || len(all) != 1 || len(all[0].Tasks) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	for _, one := range []bool{true, false} {
		l := documents.Layout{Projects: "Work/x", Drafts: "a", Memories: "A", Sessions: "notes", Operations: "log"}.Found([]string{"work", "A", "Log", "Notes", "notes"}, func(string) bool { return one })
		if l.Projects != "work/x" || l.Drafts != "a" || l.Memories != "A" || l.Sessions != "notes" || (l.Operations == "Log") != one {
			t.Errorf("%+v", l)
		}
	}
	v = vaulttest.Open(t, vaulttest.Write(t, "-- Memories/1998.md --\nGreece.\n-- Operations/theatre.md --\nKnee.\n"))
	if l := v.Layout(); l.Memories != "memories" || l.Operations != "operations" {
		t.Errorf("somebody's folders are kist's: %+v", l)
	}
}

package adoption_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/adoption"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

var (
	ctx = context.Background()
	you = vault.Origin{Actor: vault.ActorUser, Client: "test"}
)

func text(t *testing.T, v *vault.Vault, p string) string {
	t.Helper()
	b, err := v.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const adoptable = `
-- .kistignore --
Ignored/
-- .obsidian/templates.json --
{"folder": "Projects/Templates"}
-- Projects/Plain.md --
# Plain

Text.
-- Projects/Front.md --
---
tags: [x] # mine
---
Text.
-- Projects/Empty.md --
---
Type:
id: X1
---
-- Projects/Blank.md --
-- Projects/Shed.md --
Text.
-- Projects/Done.md --
---
type: project
---
-- Projects/Ann.md --
---
type: person
---
-- Projects/Listed.md --
---
type: [a, b]
---
-- Projects/Broken.md --
---
a: 1
a: 2
---
-- Projects/Rule.md --
---
- [ ] an unclosed front matter
-- Projects/Old (conflict 2026-11-20 101112).md --
Text.
-- Projects/Templates/New.md --
Text.
-- Ignored/x.md --
Text.
-- Deep/er/x.md --
Text.
-- projects/shed/project.md --
# Shed
-- memories/m.md --
A fact.
`

// One operation writes what is missing into the notes that can be projects, and its undo
// restores every byte; the others are named, with the reason.
func TestAdopt(t *testing.T) {
	for name, form := range map[string]func(string) string{
		"as it is": func(s string) string { return s },
		"CRLF":     func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"BOM":      func(s string) string { return "\ufeff" + strings.TrimSuffix(s, "\n") },
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, adoptable)
			for _, p := range []string{"Projects/Plain.md", "Projects/Front.md", "Projects/Empty.md"} {
				if err := os.WriteFile(filepath.Join(v.Dir(), p), []byte(form(text(t, v, p))), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			before := vaulttest.Tree(t, v.Dir(), "operations", ".kist")
			step, list, err := adoption.Plan(ctx, v, []string{"Projects", "Projects/Templates", "Ignored/x.md", "memories/m"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range list {
				got = append(got, fmt.Sprintf("%s=%s (%s)", a.Path, a.Slug, a.Why))
			}
			const lies = "it lies where kist keeps something else, or is a copy that a conflict left"
			want := []string{
				"Projects/Blank.md=blank ()", "Projects/Empty.md=empty ()", "Projects/Front.md=front ()", "Projects/Plain.md=plain ()",
				"Projects/Shed.md=projects-shed (another project is called shed)",
				"Ignored/x.md= (.gitignore or .kistignore leave it out)",
				`Projects/Ann.md= (its type is "person", which is yours to change)`,
				`Projects/Broken.md= (its front matter can't be read: 3:1: key "a" is there twice)`,
				"Projects/Done.md= (it says so already)",
				"Projects/Listed.md= (it has types of its own, to which project can be added by hand)",
				"Projects/Old (conflict 2026-11-20 101112).md= (" + lies + ")",
				"Projects/Templates/New.md= (it is a template, or excluded by Obsidian's settings)",
				"memories/m.md= (" + lies + ")",
			}
			var rule string
			for i := range got {
				if strings.HasPrefix(got[i], "Projects/Rule.md") {
					rule = got[i]
				}
			}
			if !strings.HasPrefix(rule, "Projects/Rule.md= (edit Projects/Rule.md: ") && !strings.HasPrefix(rule, "Projects/Rule.md=rule") {
				t.Errorf("an unclosed front matter: %s", rule)
			}
			for _, w := range want {
				if !strings.Contains(strings.Join(got, "\n"), w) {
					t.Errorf("no %s in\n%s", w, strings.Join(got, "\n"))
				}
			}
			ops, err := v.Apply(ctx, vault.Batch{Origin: you, Steps: []vault.Step{step}})
			if err != nil {
				t.Fatal(err)
			}
			if len(ops) != 1 {
				t.Errorf("%d operations", len(ops))
			}
			if got := text(t, v, "Projects/Front.md"); !strings.HasPrefix(got, strings.TrimSuffix(form("---\ntags: [x] # mine\ntype: project\nid: 01"), "\n")) {
				t.Errorf("%q", got)
			}
			if got := text(t, v, "Projects/Empty.md"); !strings.HasPrefix(got, strings.TrimSuffix(form("---\nType: project\nid: X1"), "\n")) {
				t.Errorf("%q", got)
			}
			if p, err := entity.FindProject(ctx, v, "plain"); err != nil || p.ID == "" {
				t.Errorf("%+v %v", p, err)
			}
			if _, _, err := adoption.Plan(ctx, v, []string{"Projects/Plain.md"}); !errors.Is(err, vault.ErrNoChange) {
				t.Errorf("twice: %v", err)
			}
			if _, err := v.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you); err != nil {
				t.Fatal(err)
			}
			v.WaitSettled(ctx, time.Minute)
			for p, was := range before {
				if now := vaulttest.Tree(t, v.Dir(), "operations", ".kist")[p]; now != was {
					t.Errorf("%s: %q, was %q", p, now, was)
				}
			}
		})
	}
}

// What names no note is refused whole; without a name it is what rules make projects.
func TestAdoptNames(t *testing.T) {
	rules := []string{"Projects/P*.md"}
	v := vaulttest.OpenWith(t, vaulttest.Write(t, adoptable), vault.Options{Projects: func() []string { return rules }})
	for ref, want := range map[string]error{
		"Nope.md": vault.ErrNotFound, "Nope/*.md": vault.ErrNotFound, "../x.md": vault.ErrInvalidPath, "/etc/passwd": vault.ErrNotFound,
		".kistignore": vault.ErrInvalidPath, "Projects/*.txt": vault.ErrInvalid, "Projects/[.md*": vault.ErrInvalid,
	} {
		if _, _, err := adoption.Plan(ctx, v, []string{"Projects/Plain.md", ref}); err == nil || !errors.Is(err, want) && !errors.Is(err, vault.ErrInvalidPath) {
			t.Errorf("%s: %v, want %v", ref, err, want)
		}
	}
	step, list, err := adoption.Plan(ctx, v, nil)
	if err != nil || len(step.Changes) != 1 || step.Changes[0].Path != "Projects/Plain.md" || len(list) != 1 {
		t.Errorf("by rules: %v %v", list, err)
	}
	if _, list, err = adoption.Plan(ctx, v, []string{"**/x.md"}); err != nil || len(list) != 1 || list[0].Path != "Deep/er/x.md" {
		t.Errorf("a pattern: %v %v", list, err)
	}
	rules = nil
	if _, _, err := adoption.Plan(ctx, v, nil); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("no rules: %v", err)
	}
}

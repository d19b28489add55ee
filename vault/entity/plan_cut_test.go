package entity_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

const boatFile = "---\ntype: project\nname: Boat\n---\n"

// raw writes a file of a vault byte by byte, as an archive can't.
func raw(t *testing.T, v *vault.Vault, p, text string) {
	t.Helper()
	file := filepath.Join(v.Dir(), filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const (
	boatProject = "projects/boat/project.md"
	boatInbox   = "projects/boat/notes/inbox.md"
)

func TestCutItem(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	for _, tt := range []struct {
		name, path, src string
		line            int
		text, want      string
	}{
		{"an inbox line", boatInbox, "# Inbox\n\n- 2026-11-19: rent 900\n- 2026-11-20: mooring 14\n", 4, "2026-11-20: mooring 14", "# Inbox\n\n- 2026-11-19: rent 900\n"},
		{"of the vault's inbox", "inbox.md", "# Inbox\n\n- a\n- b\n", 3, "a", "# Inbox\n\n- b\n"},
		{"several lines", boatInbox, "- a\n  goes on\n\n  and on\n- b\n", 1, "a goes on and on", "- b\n"},
		{"with items in it", boatInbox, "- a\n  - n\n- b\n", 1, "a - n", "- b\n"},
		{"an item in it", boatInbox, "- a\n  - n\n- b\n", 2, "n", "- a\n- b\n"},
		{"crlf", boatInbox, "# Inbox\r\n\r\n- a\r\n  more\r\n- b\r\n", 3, "a more", "# Inbox\r\n\r\n- b\r\n"},
		{"the last one, without a newline", boatInbox, "# Inbox\n\n- a \n-  b", 4, "b", "# Inbox\n\n- a \n"},
		{"the only one", boatInbox, "# Inbox\n\n- a\n", 3, "a", "# Inbox\n\n"},
		{"a decision", boatProject, boatFile + "\n# Boat\n\n- no decision\n\n## Decisions\n\n- 2026-01-01: teak\n- shared\n\n## Next steps\n\n1. x\n", 12, "2026-01-01: teak",
			boatFile + "\n# Boat\n\n- no decision\n\n## Decisions\n\n- shared\n\n## Next steps\n\n1. x\n"},
		{"a decision below a smaller heading", boatProject, boatFile + "\n## Decisions\n\n### May\n\n- teak\n\n## Tasks\n", 10, "teak", boatFile + "\n## Decisions\n\n### May\n\n## Tasks\n"},
		{"blanks differ", boatInbox, "-   a   b\n- c\n", 1, " a b ", "- c\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := vaulttest.New(t, "")
			raw(t, v, boatProject, boatFile)
			raw(t, v, tt.path, tt.src)
			step, err := entity.PlanCutItem(v, tt.path, tt.line, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			thereAndBack(t, v, []vault.Step{step}, func(now map[string]string) {
				if diff := cmp.Diff(tt.want, now[tt.path]); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestCutItemRefused(t *testing.T) {
	v := vaulttest.New(t, "")
	raw(t, v, boatProject, boatFile+"\n## Decisions\n\n- teak\n  - it lasts\n\n> - quoted\n")
	raw(t, v, boatInbox, "# Inbox\n\n- a\n  goes on\n\n```\n- code\n```\n")
	before := wholeTree(t, v)
	for _, tt := range []struct {
		name, path string
		line       int
		text       string
		want       error
	}{
		{"stale text", boatInbox, 3, "b goes on", vault.ErrConflict},
		{"only its first line", boatInbox, 3, "a", vault.ErrConflict},
		{"what is in it isn't named", boatProject, 8, "teak", vault.ErrConflict},
		{"a line that goes on", boatInbox, 4, "goes on", markdown.ErrNotItem},
		{"a heading", boatInbox, 1, "# Inbox", markdown.ErrNotItem},
		{"code", boatInbox, 7, "code", markdown.ErrNotItem},
		{"no such line", boatInbox, 70, "a", markdown.ErrNotItem},
		{"no line", boatInbox, 0, "a", markdown.ErrNotItem},
		{"in a quote", boatProject, 11, "quoted", markdown.ErrNotItem},
		{"outside the vault", "../inbox.md", 1, "a", vault.ErrInvalidPath},
		{"no Markdown", "kist.yaml", 1, "a", vault.ErrInvalidPath},
		{"kist's records", "operations/inbox.md", 1, "a", vault.ErrInvalidPath},
		{"hidden", ".trash/inbox.md", 1, "a", vault.ErrInvalidPath},
		{"no file", "inbox.md", 1, "a", vault.ErrNotFound},
	} {
		if _, err := entity.PlanCutItem(v, tt.path, tt.line, tt.text); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if diff := cmp.Diff(before, wholeTree(t, v)); diff != "" {
		t.Error(diff)
	}
}

// A proposal is bound to the line as it was: changed meanwhile it isn't done, and where
// something else was changed it is shown once more.
func TestCutItemOfWhatChanged(t *testing.T) {
	for _, tt := range []struct {
		name, now string
		again     bool
	}{
		{"the line", "# Inbox\n\n- rent 950\n- mooring\n", false},
		{"the line is gone", "# Inbox\n\n- mooring\n", false},
		{"another one", "# Inbox\n\n- rent 900\n- mooring\n- buoy\n", true},
	} {
		v := vaulttest.New(t, "")
		raw(t, v, boatProject, boatFile)
		raw(t, v, boatInbox, "# Inbox\n\n- rent 900\n- mooring\n")
		step, err := entity.PlanCutItem(v, boatInbox, 3, "rent 900")
		if err != nil {
			t.Fatal(err)
		}
		ops, err := v.Propose(ctx, vault.Batch{Origin: you, Steps: []vault.Step{step}})
		if err != nil {
			t.Fatal(err)
		}
		raw(t, v, boatInbox, tt.now)
		if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); !errors.Is(err, vault.ErrConflict) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := text(t, v, boatInbox); got != tt.now {
			t.Errorf("%s: %q", tt.name, got)
		}
		waiting, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
		if err != nil || len(waiting) > 0 != tt.again {
			t.Errorf("%s: %+v, %v", tt.name, waiting, err)
		}
	}
}

func TestDeleteNote(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	v := vaulttest.New(t, "")
	raw(t, v, boatProject, boatFile)
	raw(t, v, boatInbox, "- a\n")
	raw(t, v, "projects/boat/notes/boiler.md", "---\nid: 01BOILER000000000000000000\n---\r\n# Boiler\r\n\r\nIt leaks")
	raw(t, v, "loose.md", "---\ntype: note\n---\n# Loose\n")
	raw(t, v, "journal.md", "# Journal\n")
	raw(t, v, "projects/boat/notes/plan.txt", "x")
	for _, p := range []string{"projects/boat/notes/boiler.md", "loose.md"} {
		step, err := entity.PlanDeleteNote(v, p)
		if err != nil {
			t.Fatal(err)
		}
		if step.Type != vault.OpDelete || step.Entity.Type != "note" {
			t.Errorf("%+v", step)
		}
		thereAndBack(t, v, []vault.Step{step}, func(now map[string]string) {
			if _, ok := now[p]; ok {
				t.Errorf("%s is there", p)
			}
		})
	}
	for p, want := range map[string]error{
		boatProject: vault.ErrInvalid, boatInbox: vault.ErrInvalid, "journal.md": vault.ErrInvalid, "../x.md": vault.ErrInvalidPath,
		"projects/boat/notes/plan.txt": vault.ErrInvalid, "sessions/x.md": vault.ErrInvalidPath, "projects/boat/notes/none.md": vault.ErrNotFound,
	} {
		if _, err := entity.PlanDeleteNote(v, p); !errors.Is(err, want) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

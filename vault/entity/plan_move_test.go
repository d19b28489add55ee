package entity_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

const boatAndYard = `-- projects/boat/project.md --
---
name: Old Boat
links: [{type: task, ref: projects/boat/tasks/paint.md}, {type: task, ref: 01PAINT}]
---
# Old Boat

See [[paint]].
-- projects/yard/project.md --
# Yard
-- projects/yard/tasks/paint.md --
yard's own
-- projects/shed/project.md --
---
status: archived
---
`

func TestMoveTask(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	tests := []struct{ name, file, before, ref, to, after, left string }{
		{name: "file", file: "projects/boat/tasks/call.md", before: "---\nid: 01CALL\nmine: [1] # kept\n---\nText", ref: "01CALL",
			to: "projects/yard/tasks/call.md", after: "---\nid: 01CALL\nmine: [1] # kept\n---\nText"},
		{name: "taken", file: "projects/boat/tasks/paint.md", before: "---\nid: 01PAINT\nblocked_by: 01CALL\n---\n- [ ] sand\n", ref: "projects/boat/tasks/paint.md",
			to: "projects/yard/tasks/paint-2.md", after: "---\nid: 01PAINT\nblocked_by: 01CALL\n---\n- [ ] sand\n"},
		{name: "key", file: "projects/boat/tasks/call.md", before: "---\r\nproject: boat # where\r\n---\r\nx\r\n", ref: "projects/boat/tasks/call.md",
			to: "projects/yard/tasks/call.md", after: "---\r\nproject: yard # where\r\n---\r\nx\r\n"},
		{name: "key by name", file: "projects/boat/tasks/call.md", before: "---\nproject: Old Boat\n---\n", ref: "projects/boat/tasks/call.md",
			to: "projects/yard/tasks/call.md", after: "---\nproject: Yard\n---\n"},
		{name: "other key", file: "projects/boat/tasks/call.md", before: "---\nproject: garden\n---\n", ref: "projects/boat/tasks/call.md",
			to: "projects/yard/tasks/call.md", after: "---\nproject: garden\n---\n"},
		{name: "invalid front matter", file: "projects/boat/tasks/call.md", before: "---\nproject: [boat\n---\n", ref: "projects/boat/tasks/call.md",
			to: "projects/yard/tasks/call.md", after: "---\nproject: [boat\n---\n"},
		{name: "box", file: "projects/boat/notes/list.md", before: "# List\r\n\r\n- [ ] one\r\n- [/] Ring Bo [due:: 2026-12-01] (priority:: high) ^b1\r\n  his number\r\n\r\n  - [x] find it\r\n    - deep\r\n- [x] two\r\n", ref: "projects/boat/notes/list.md:4",
			to: "projects/yard/tasks/ring-bo.md", after: "title: Ring Bo\nstatus: in_progress\npriority: high\ndue: 2026-12-01\n|his number\n\n- [x] find it\n  - deep\n", left: "# List\r\n\r\n- [ ] one\r\n- [x] two\r\n"},
		{name: "box below", file: "projects/boat/notes/list.md", before: "* [ ] one\n\t* [ ] part\n\t* [ ] other", ref: "projects/boat/notes/list.md:2",
			to: "projects/yard/tasks/part.md", after: "title: part\nstatus: todo\n", left: "* [ ] one\n\t* [ ] other"},
		{name: "last box", file: "projects/boat/tasks/own.md", before: "---\ntype: task\n---\n## Parts\n\n1. [ ] only\n\n   more\n\n## Next\n", ref: "projects/boat/tasks/own.md:6",
			to: "projects/yard/tasks/only.md", after: "title: only\nstatus: todo\n|more\n", left: "---\ntype: task\n---\n## Parts\n\n## Next\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := vaulttest.New(t, boatAndYard)
			place(t, v, tt.file, tt.before)
			step, err := entity.PlanMoveTask(ctx, v, tt.ref, "yard")
			if err != nil {
				t.Fatal(err)
			}
			was := wholeTree(t, v)
			thereAndBack(t, v, []vault.Step{step}, func(now map[string]string) {
				got := now[tt.to]
				if tt.left != "" {
					head, body, _ := strings.Cut(strings.TrimPrefix(got, "---\n"), "---\n\n")
					_, head, _ = strings.Cut(head, "type: task\n")
					head, _, _ = strings.Cut(head, "created: ")
					if got = head; body != "" {
						got += "|" + body
					}
				}
				if diff := cmp.Diff(tt.after, got); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(tt.left, now[tt.file]); diff != "" {
					t.Error(diff)
				}
				for p, text := range was {
					if p != tt.file && p != filepath.ToSlash(filepath.Dir(tt.file))+"/" && now[p] != text {
						t.Errorf("%s has changed to %q", p, now[p])
					}
				}
			})
		})
	}
}

// place writes a file as it is, with line ends that an archive can't have.
func place(t *testing.T, v *vault.Vault, p, text string) {
	t.Helper()
	p = filepath.Join(v.Dir(), filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestMoveTaskRefuses(t *testing.T) {
	tests := []struct {
		name, text, ref, project string
		want                     error
	}{
		{"same project", "- [ ] a\n", "projects/boat/notes/n.md:1", "boat", vault.ErrNoChange},
		{"archived", "- [ ] a\n", "projects/boat/notes/n.md:1", "shed", vault.ErrInvalid},
		{"unknown project", "- [ ] a\n", "projects/boat/notes/n.md:1", "yar", vault.ErrNotFound},
		{"unknown task", "- [ ] a\n", "01NOTASK", "yard", vault.ErrNotFound},
		{"no checkbox", "- [ ] a\nb\n", "projects/boat/notes/n.md:2", "yard", vault.ErrNotFound},
		{"no task", "- a\n", "projects/boat/notes/n.md", "yard", vault.ErrInvalid},
		{"in a quote", "> - [ ] a\n", "projects/boat/notes/n.md:1", "yard", markdown.ErrUnsupported},
		{"would begin front matter", "- [ ] a\n---\nb: c\n---\n", "projects/boat/notes/n.md:1", "yard", markdown.ErrUnsupported},
		{"only begun", "- [ ]\n", "projects/boat/notes/n.md:1", "yard", vault.ErrNotFound},
		{"no title", "- [ ] 📅 2026-12-01\n", "projects/boat/notes/n.md:1", "yard", vault.ErrInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := vaulttest.New(t, boatAndYard)
			place(t, v, "projects/boat/notes/n.md", tt.text)
			if step, err := entity.PlanMoveTask(ctx, v, tt.ref, tt.project); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v; %+v", err, tt.want, step)
			}
		})
	}
}

// What was proposed of a task is only done to the bytes that it was proposed of, and its
// undo doesn't cost what was written since.
func TestMoveTaskIsOfThoseBytes(t *testing.T) {
	v := vaulttest.New(t, boatAndYard)
	place(t, v, "projects/boat/tasks/call.md", "---\nid: 01CALL\n---\nRing.\n")
	place(t, v, "projects/boat/notes/n.md", "- [ ] box\n- [ ] other\n\n")
	for ref, file := range map[string]string{"01CALL": "projects/boat/tasks/call.md", "projects/boat/notes/n.md:1": "projects/boat/notes/n.md"} {
		step, err := entity.PlanMoveTask(ctx, v, ref, "yard")
		if err != nil {
			t.Fatal(err)
		}
		ops, err := v.Propose(ctx, vault.Batch{Origin: you, Steps: []vault.Step{step}})
		if err != nil {
			t.Fatal(err)
		}
		place(t, v, file, text(t, v, file)+"More.\n")
		if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err == nil {
			t.Errorf("%s: approved onto other bytes", ref)
		}
	}
	step, err := entity.PlanMoveTask(ctx, v, "01CALL", "yard")
	op := apply(t, v, step, err)
	place(t, v, "projects/yard/tasks/call.md", "---\nid: 01CALL\n---\nRing thrice.\n")
	_, _ = v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
	tree := wholeTree(t, v)
	if now := tree["projects/boat/tasks/call.md"] + tree["projects/yard/tasks/call.md"]; now != "---\nid: 01CALL\n---\nRing thrice.\n" {
		t.Errorf("after the undo: %q", now)
	}
}

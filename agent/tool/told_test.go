package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

const toldBoat = `
-- projects/boat/project.md --
---
type: project
name: Decisions
status: active
---

# Decisions

- no decision

## Decisions

- 2026-01-01: teak
  - it lasts
- no gas

### May

> - quoted

- grey paint

## Next steps

- scrape
-- projects/shed/project.md --
---
type: project
name: Shed
status: active
---
-- projects/boat/notes/inbox.md --
# Inbox

- 2026-11-19: rent is 900
- 2026-11-20: the mooring
  is berth 14

text
-- projects/boat/notes/boiler.md --
# Boiler

It leaks.
-- projects/boat/notes/list.md --
- milk
-- inbox.md --
- outside
-- loose.md --
---
type: note
---
# Loose
-- journal.md --
- mine
-- memories/tea.md --
---
id: 01TEA000000000000000000000
type: memory
---

They like tea
`

func newToldBench(t *testing.T) bench {
	return bench{newRegistry(t), &Env{Vault: vaulttest.New(t, toldBoat), Project: "boat", Now: vaulttest.Now}}
}

// Everything that is listed can be forgotten as it is listed, and comes back to the byte.
func TestToldIsListedAndForgotten(t *testing.T) {
	b := newToldBench(t)
	for args, want := range map[string]string{
		`{"told":true}`: "inbox outside|note Loose",
		`{"told":true,"project":"boat"}`: "note Boiler: It leaks.|inbox 2026-11-20: the mooring is berth 14|inbox 2026-11-19: rent is 900|note list|" +
			"decision grey paint|decision no gas|decision 2026-01-01: teak - it lasts",
	} {
		res, _ := b.ok(t, "list_memories", args)
		var got []string
		for _, told := range res.Value["told"].([]map[string]any) {
			got = append(got, fmt.Sprint(told["kind"], " ", told["content"]))
			b.forgets(t, told)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
		if len(res.Seen) == 0 {
			t.Errorf("%s doesn't say what it read", args)
		}
	}
}

// forgets forgets what was listed, and takes that back.
func (b bench) forgets(t *testing.T, told map[string]any) {
	t.Helper()
	args := map[string]any{"memory": told["path"]}
	if told["kind"] != "note" {
		args["text"] = told["content"]
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	before := vaulttest.Tree(t, b.env.Vault.Dir(), "operations", ".kist")
	res, _ := b.ok(t, "forget_memory", string(text))
	if len(res.Steps) != 1 || res.Steps[0].Reason == "" || fmt.Sprint(vaulttest.Tree(t, b.env.Vault.Dir(), "operations", ".kist")) != fmt.Sprint(before) {
		t.Fatalf("%s: %+v", text, res)
	}
	you := vault.Origin{Actor: vault.ActorUser}
	ops, err := b.env.Vault.Apply(context.Background(), vault.Batch{Steps: res.Steps, Origin: you})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	now, _ := b.env.Vault.Read(res.Steps[0].Changes[0].Path)
	if first, _, _ := strings.Cut(fmt.Sprint(told["content"]), " - "); told["kind"] != "note" && strings.Contains(string(now), first) || told["kind"] == "note" && now != nil {
		t.Errorf("%s: it is there: %s", text, now)
	}
	if _, err := b.env.Vault.Undo(context.Background(), vault.UndoTarget{IDs: []string{ops[0].ID}}, you); err != nil {
		t.Fatal(err)
	}
	if after := vaulttest.Tree(t, b.env.Vault.Dir(), "operations", ".kist"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%s: undone it is %v", text, after)
	}
}

func TestToldIsNotForgotten(t *testing.T) {
	b := newToldBench(t)
	const inbox, project = "projects/boat/notes/inbox.md", "projects/boat/project.md"
	for _, test := range []struct{ name, args, want string }{
		{"stale text", `{"memory":"` + inbox + `:3","text":"2026-11-20: rent is 900"}`, `line 3 says \"2026-11-19: rent is 900\"`},
		{"its first line alone", `{"memory":"` + inbox + `:4","text":"2026-11-20: the mooring"}`, "line 4 says"},
		{"no text", `{"memory":"` + inbox + `:3"}`, "path:line and text"},
		{"empty text", `{"memory":"` + inbox + `:3","text":""}`, "path:line and text"},
		{"no line", `{"memory":"` + inbox + `","text":"2026-11-19: rent is 900"}`, "path:line and text"},
		{"line 0", `{"memory":"` + inbox + `:0","text":"# Inbox"}`, "path:line and text"},
		{"a negative line", `{"memory":"` + inbox + `:-3","text":"x"}`, "path:line and text"},
		{"a heading", `{"memory":"` + inbox + `:1","text":"# Inbox"}`, "begins no item"},
		{"a line that goes on", `{"memory":"` + inbox + `:5","text":"is berth 14"}`, "begins no item"},
		{"behind the end", `{"memory":"` + inbox + `:500","text":"x"}`, "begins no item"},
		{"below the title", `{"memory":"` + project + `:9","text":"no decision"}`, "begins no item"},
		{"a next step", `{"memory":"` + project + `:25","text":"scrape"}`, "begins no item"},
		{"a list of a note", `{"memory":"projects/boat/notes/list.md:1","text":"milk"}`, "begins no item"},
		{"somebody's document", `{"memory":"journal.md:1","text":"mine"}`, "begins no item"},
		{"all of an inbox", `{"memory":"` + inbox + `"}`, "is not a note"},
		{"a project", `{"memory":"` + project + `"}`, "is not a note"},
		{"a document", `{"memory":"journal.md"}`, "is not a note"},
		{"outside", `{"memory":"../x.md"}`, "leads out of the vault"},
		{"outside, a line", `{"memory":"../../inbox.md:3","text":"x"}`, "leads out of the vault"},
		{"absolute", `{"memory":"/etc/passwd.md"}`, "relative to the vault"},
		{"no file", `{"memory":"projects/boat/notes/none.md"}`, "no file"},
		{"no memory", `{"memory":"teak"}`, "no memory"},
		{"a memory with text", `{"memory":"memories/tea.md","text":"They like tea"}`, "is a memory"},
	} {
		res := b.call(t, "forget_memory", test.args)
		if res.Fault == nil || !strings.Contains(quote(res.Fault.Error), test.want) || len(res.Steps) > 0 {
			t.Errorf("%s: %+v", test.name, res.Fault)
		}
	}
}

func TestToldIsMoved(t *testing.T) {
	b := newToldBench(t)
	before := vaulttest.Tree(t, b.env.Vault.Dir(), "operations", ".kist")
	res, _ := b.ok(t, "move_memory", `{"memory":"projects/boat/notes/inbox.md:3","text":"2026-11-19: rent is 900","project":"shed"}`)
	you := vault.Origin{Actor: vault.ActorUser}
	ops, err := b.env.Vault.Apply(context.Background(), vault.Batch{Steps: res.Steps, Origin: you})
	if err != nil || len(ops) != 1 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	from, _ := b.env.Vault.Read("projects/boat/notes/inbox.md")
	to, _ := b.env.Vault.Read("projects/shed/notes/inbox.md")
	if strings.Contains(string(from), "900") || !strings.Contains(string(to), "- 2026-11-19: rent is 900") {
		t.Errorf("it is there:\n%s\nand there:\n%s", from, to)
	}
	if _, err := b.env.Vault.Undo(context.Background(), vault.UndoTarget{IDs: []string{ops[0].ID}}, you); err != nil {
		t.Fatal(err)
	}
	if after := vaulttest.Tree(t, b.env.Vault.Dir(), "operations", ".kist"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("undone it is %v", after)
	}
}

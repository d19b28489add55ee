package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kist/index"
	"kist/index/rank"
	"kist/vault"
	"kist/vault/vaulttest"
)

const boat = `
-- projects/houseboat/project.md --
---
type: project
name: Houseboat
status: active
---

# Houseboat

The old canal boat.

## Decisions

- Teak.
-- projects/houseboat/tasks/order-cable.md --
---
type: task
title: Order the marine cable
status: todo
due: 2026-12-01
---
-- projects/old/project.md --
---
type: project
name: Old
status: archived
---
-- notes.md --
one
two
three
-- board.canvas --
{
"nodes":[
{"type":"text","text":"a \"card\"\nof two lines"}
]}
`

type bench struct {
	*Registry
	env *Env
}

func newBench(t *testing.T) bench {
	t.Helper()
	return bench{newRegistry(t), &Env{Vault: vaulttest.New(t, boat), Project: "houseboat", Source: "turn 1", Now: vaulttest.Now}}
}

func (b bench) call(t *testing.T, name, args string) Result {
	t.Helper()
	res, err := b.Call(context.Background(), b.env, name, json.RawMessage(args))
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	return res
}

// ok calls and returns the value as JSON.
func (b bench) ok(t *testing.T, name, args string) (Result, string) {
	t.Helper()
	res := b.call(t, name, args)
	if res.Fault != nil {
		t.Fatalf("%s %s: %+v", name, args, res.Fault)
	}
	text, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func TestToolsThatChangePlanAndDontWrite(t *testing.T) {
	b := newBench(t)
	before := vaulttest.Tree(t, b.env.Vault.Dir())
	for _, test := range []struct{ name, args, path, project string }{
		{"create_project", `{"name":"Winter Market","reason":"a plan"}`, "projects/winter-market/project.md", ""},
		{"create_task", `{"title":"Sand the hull","due":"2026-12-05","priority":"high","details":"both sides"}`, "projects/houseboat/tasks/sand-the-hull.md", "houseboat"},
		{"complete_task", `{"task":"projects/houseboat/tasks/order-cable.md"}`, "projects/houseboat/tasks/order-cable.md", "houseboat"},
		{"update_task", `{"task":"projects/houseboat/tasks/order-cable.md","due":""}`, "projects/houseboat/tasks/order-cable.md", "houseboat"},
		{"create_note", `{"title":"Berth","text":"Number 14"}`, "projects/houseboat/notes/berth.md", "houseboat"},
		{"append_note", `{"path":"notes.md","text":"four"}`, "notes.md", ""},
		{"remember", `{"content":"Bo is the electrician","scope":"project"}`, "projects/houseboat/memories/bo-is-the-electrician.md", "houseboat"},
		{"remember", `{"content":"I like tea"}`, "memories/i-like-tea.md", ""},
		{"add_decision", `{"text":"No diesel"}`, "projects/houseboat/project.md", "houseboat"},
	} {
		res, _ := b.ok(t, test.name, test.args)
		if len(res.Steps) != 1 || len(res.Steps[0].Changes) != 1 || res.Steps[0].Changes[0].Path != test.path || res.Project != test.project {
			t.Errorf("%s %s: %+v", test.name, test.args, res)
			continue
		}
		if res.Steps[0].Reason == "" {
			t.Errorf("%s gives no reason", test.name)
		}
	}
	after := vaulttest.Tree(t, b.env.Vault.Dir())
	for path, text := range after {
		if before[path] != text {
			t.Errorf("%s was written", path)
		}
	}
}

func TestToolsThatRead(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct{ name, args, want string }{
		{"list_projects", `{}`, `"count":1`},
		{"list_projects", `{"status":"all"}`, `"count":2`},
		{"show_project", ``, `"decisions":["Teak."]`},
		{"list_tasks", `{}`, `"title":"Order the marine cable"`},
		{"list_tasks", `{"due_to":"2026-11-30"}`, `"count":0`},
		{"list_tasks", `{"due_to":"2026-12-01"}`, `"count":1`},
		{"list_tasks", `{"status":"done"}`, `"count":0`},
		{"list_memories", `{}`, `"count":0`},
		{"read_document", `{"path":"notes.md","from":2,"lines":1}`, `"lines":["two"]`},
		{"read_document", `{"path":"board.canvas","from":3,"lines":1}`, `"lines":["a \"card\" of two lines"]`},
		{"switch_project", `{"project":"houseboat"}`, `"name":"Houseboat"`},
	} {
		res, text := b.ok(t, test.name, test.args)
		if len(res.Steps) > 0 || !strings.Contains(text, test.want) {
			t.Errorf("%s %s: %s, want %s", test.name, test.args, text, test.want)
		}
	}
}

// A task is moved in one step, whose reason says what and where.
func TestMoveTask(t *testing.T) {
	b := newBench(t)
	const cable, garden = "projects/houseboat/tasks/order-cable.md", "projects/garden/project.md"
	b.env.Vault = vaulttest.New(t, boat+"-- "+garden+" --\n# Kitchen Garden\n\n- [ ] buy seeds\n")
	for _, test := range []struct{ args, path, reason, of string }{
		{`{"task":"` + cable + `","project":"garden"}`, "projects/garden/tasks/order-cable.md", `move the task "Order the marine cable" to Kitchen Garden`, "houseboat"},
		{`{"task":"` + garden + `:3","project":"houseboat","reason":"why"}`, "projects/houseboat/tasks/buy-seeds.md", "why", "garden"},
	} {
		res, text := b.ok(t, "move_task", test.args)
		if len(res.Steps) != 1 || res.Steps[0].Type != vault.OpMove || res.Steps[0].Entity.Path != test.path || res.Steps[0].Reason != test.reason || res.Project != test.of || !strings.Contains(text, test.path) {
			t.Errorf("%s: %s %+v", test.args, text, res)
		}
	}
	for _, test := range []struct{ args, fault, suggestion string }{
		{`{"task":"` + cable + `","project":"houseboat"}`, "is in Houseboat already", ""},
		{`{"task":"` + cable + `","project":"old"}`, "Old is archived", "want it back"},
		{`{"task":"` + cable + `","project":"gardn"}`, `no project "gardn"`, "garden"},
		{`{"task":"order marine cable","project":"garden"}`, "no task", cable},
		{`{"task":"` + cable + `"}`, "schema", "needed: task, project"},
		{`{"task":"` + cable + `","project":""}`, "schema", "needed"},
		{`{"task":"` + cable + `","to":"garden"}`, `no argument "to"`, ""},
	} {
		res := b.call(t, "move_task", test.args)
		if res.Fault == nil || !strings.Contains(res.Fault.Error, test.fault) || !strings.Contains(res.Fault.Suggestion, test.suggestion) || len(res.Steps) > 0 {
			t.Errorf("%s: %+v", test.args, res.Fault)
		}
	}
}

// What is there already isn't made a second time, and what is so already isn't changed.
func TestAlready(t *testing.T) {
	b := newBench(t)
	const cable = "projects/houseboat/tasks/order-cable.md"
	b.env.Vault = vaulttest.New(t, boat+"-- inbox.md --\n- [ ] Ring Bo [due:: 2026-12-01]\n")
	for _, test := range []struct {
		name, args string
		already    bool
	}{
		{"create_task", `{"project":"houseboat","title":"order the marine  cable"}`, true},
		{"create_task", `{"project":"houseboat","title":"Order the marine cable","due":"2031-01-01"}`, false},
		{"create_task", `{"project":"-","title":"Order the marine cable"}`, false},
		{"create_task", `{"project":"-","title":"ring Bo","due":"2026-12-01"}`, true},
		{"create_task", `{"project":"houseboat","title":"Ring Bo"}`, false},
		{"update_task", `{"task":"inbox.md:1","due":"2026-12-01"}`, true},
		{"update_task", `{"task":"inbox.md:1","due":"2026-12-02"}`, false},
		{"update_task", `{"task":"` + cable + `","title":"Order the marine cable"}`, true},
	} {
		res, text := b.ok(t, test.name, test.args)
		if got := strings.Contains(text, `"already":true`); got != test.already || got == (len(res.Steps) > 0) {
			t.Errorf("%s %s: %s", test.name, test.args, text)
		}
	}
}

// A target is named exactly, or it isn't found: the near one is a suggestion.
func TestNearMissesAreOnlySuggested(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct{ name, args, suggestion string }{
		{"switch_project", `{"project":"housebot"}`, "houseboat"},
		{"create_task", `{"title":"x","project":"house boat"}`, ""},
		{"complete_task", `{"task":"order marine cable"}`, "projects/houseboat/tasks/order-cable.md"},
		{"complete_task", `{"task":"projects/houseboat/tasks/order-cables.md"}`, ""},
		{"update_task", `{"task":"projects/houseboat/tasks/order-cable.md"}`, "give title"},
		{"append_note", `{"path":"note.md","text":"x"}`, ""},
		{"append_note", `{"path":"../x.md","text":"x"}`, ""},
		{"append_note", `{"path":".kist/token.md","text":"x"}`, ""},
		{"read_document", `{"path":"kist.yaml"}`, "search"},
		{"read_document", `{"path":"../../etc/passwd.md"}`, ""},
		{"go_back", `{}`, "switch_project"},
		{"search", `{"query":"x"}`, ""},
	} {
		res := b.call(t, test.name, test.args)
		if res.Fault == nil || !strings.Contains(res.Fault.Suggestion, test.suggestion) {
			t.Errorf("%s %s: %+v", test.name, test.args, res.Fault)
		}
	}
}

// finder is a Searcher that answers what it was given.
type finder struct {
	query   index.Query
	err     error
	late    bool
	pending int
}

func (f *finder) Search(_ context.Context, q index.Query) (*rank.Results, error) {
	f.query = q
	return &rank.Results{Total: 1, Freshness: rank.Freshness{Pending: f.pending}, Hits: []rank.Hit{{Path: "notes.md", Line: 2, Excerpt: "two"}}}, f.err
}

func (f *finder) Wait(ctx context.Context, _ vault.Seq) error {
	if f.late {
		<-ctx.Done()
	}
	return ctx.Err()
}

func TestSearch(t *testing.T) {
	b := newBench(t)
	f := &finder{}
	b.env.Search = f
	res, text := b.ok(t, "search", `{"query":" two ","project":"houseboat","type":"note"}`)
	if f.query.Text != "two" || f.query.Project != "houseboat" || f.query.Type != "note" || f.query.Limit != 5 {
		t.Errorf("query %+v", f.query)
	}
	if len(res.Sources) != 1 || res.Sources[0] != "notes.md:2" || !strings.Contains(text, `"line":2`) || strings.Contains(text, "notice") {
		t.Errorf("%s %v", text, res.Sources)
	}
	f.late, b.env.After = true, 7
	if _, text := b.ok(t, "search", `{"query":"two"}`); !strings.Contains(text, "catching up") {
		t.Errorf("a stale answer doesn't say so: %s", text)
	}
	f.late, f.pending = false, 40
	if _, text := b.ok(t, "search", `{"query":"two"}`); !strings.Contains(text, "catching up") {
		t.Errorf("an answer during the first build doesn't say so: %s", text)
	}
	f.err = errors.New("index is damaged")
	if res := b.call(t, "search", `{"query":"two"}`); res.Fault == nil || res.Fault.Error != "index is damaged" {
		t.Errorf("%+v", res)
	}
}

func TestCancelledToolIsAnError(t *testing.T) {
	b := newBench(t)
	b.env.Search = &finder{err: context.Canceled}
	if _, err := b.Call(context.Background(), b.env, "search", json.RawMessage(`{"query":"x"}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

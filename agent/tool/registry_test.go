package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func newRegistry(t *testing.T) *Registry {
	t.Helper()
	r, err := NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSchemasFitTheBudget(t *testing.T) {
	r := newRegistry(t)
	for _, tool := range r.All() {
		if !strings.HasSuffix(tool.Description, ".") || strings.Count(tool.Description, ". ") > 0 {
			t.Errorf("%s: the description is not one sentence: %q", tool.Name, tool.Description)
		}
		if !json.Valid(tool.Schema) {
			t.Errorf("%s: schema is not JSON", tool.Name)
		}
	}
	// About four bytes make a token; the design allows 4,000 tokens and 40 tools in one
	// request, in which all contexts may hold but seven: see sweepTasks, waitingTools, syncTools, movingTier, severalTier and refileTier.
	for _, e := range []Env{{External: true}, {}, {External: true, Draft: "d", Mode: "project_create"}, {Draft: "d", Mode: "project_create"}, {Refile: true}} {
		e.Memories, e.Syncing = !e.Refile, !e.Refile
		e.Project, e.Back, e.Restructure, e.Refile, e.Waiting, e.Several = "a", true, true, true, true, true
		offered, size := r.Offer(&e), 0
		for _, tool := range offered {
			size += len(tool.Name) + len(tool.Description) + len(tool.Schema)
		}
		if len(offered) > 40 || e.Draft != "" && len(offered) < len(r.All())-7 || size/4 > 4000 {
			t.Errorf("%d of %d tools, about %d tokens", len(offered), len(r.All()), size/4)
		}
	}
}

func TestInvalidCallsNeverRun(t *testing.T) {
	r := newRegistry(t)
	tests := []struct {
		name, tool, args string
		wantError        string
		wantSuggestion   string
	}{
		{"unknown tool", "create_tasks", `{}`, "no tool", `did you mean "create_task"`},
		{"far unknown tool", "format_disk", `{}`, "no tool", ""},
		{"not JSON", "create_task", `{"title": `, "not a JSON object", "schema"},
		{"an array", "create_task", `["x"]`, "not a JSON object", ""},
		{"null", "create_task", `null`, "not a JSON object", ""},
		{"two objects", "create_task", `{"title":"a"}{"title":"b"}`, "not a JSON object", ""},
		{"unknown argument", "create_task", `{"titel":"x"}`, "no argument", `did you mean "title"`},
		{"missing argument", "create_task", `{}`, "title", "needed: title"},
		{"wrong type", "create_task", `{"title":[7]}`, "schema", "needed"},
		{"null argument", "create_task", `{"title":null}`, "schema", "needed"},
		{"blank title", "create_task", `{"title":" \n\u200b "}`, "schema", ""},
		{"long title", "create_task", `{"title":"` + strings.Repeat("x", 201) + `"}`, "schema", ""},
		{"bad date", "create_task", `{"title":"x","due":"next Friday"}`, "schema", ""},
		{"bad month", "create_task", `{"title":"x","due":"2026-13-01"}`, "schema", ""},
		{"bad priority", "create_task", `{"title":"x","priority":"1"}`, "schema", ""},
		{"huge", "create_note", `{"title":"x","text":"` + strings.Repeat("x", MaxArguments) + `"}`, "limit", "less"},
		{"fraction", "search", `{"query":"x","limit":2.5}`, "schema", ""},
		{"negative", "search", `{"query":"x","limit":-1}`, "schema", ""},
		{"confidence", "remember", `{"content":"x","confidence":1.5}`, "schema", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// A nil vault: a tool that ran would panic.
			res, err := r.Call(context.Background(), &Env{}, test.tool, json.RawMessage(test.args))
			if err != nil {
				t.Fatal(err)
			}
			if res.Fault == nil || !res.Fault.Invalid {
				t.Fatalf("the call was accepted: %+v", res)
			}
			if !strings.Contains(res.Fault.Error, test.wantError) || !strings.Contains(res.Fault.Suggestion, test.wantSuggestion) {
				t.Errorf("fault = %+v", res.Fault)
			}
		})
	}
}

func FuzzCall(f *testing.F) {
	for _, seed := range []string{`{"title":"x"}`, `{`, `{"title":{"a":[1]}}`, `{"query":"\ud800"}`, "{\"title\":\"a\x00b\"}", `{"task":"a","due":""}`, `{"limit":1e400}`} {
		f.Add("create_task", []byte(seed))
	}
	r, err := NewRegistry()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string, args []byte) {
		// Only what fails validation is called: what passes would need a vault.
		if r.Fits(name, args) {
			return
		}
		res, err := r.Call(context.Background(), &Env{}, name, args)
		if err != nil || res.Fault == nil || !res.Fault.Invalid {
			t.Fatalf("Call(%q, %q) = %+v, %v", name, args, res, err)
		}
	})
}

func TestTidy(t *testing.T) {
	if got := tidy("  a\x1b[31m\u202eb\nc\u200b\r ", false); got != "a[31mb c" {
		t.Errorf("one line: %q", got)
	}
	if got := tidy("a\r\n\n- b\t\n", true); got != "a\n\n- b" {
		t.Errorf("lines: %q", got)
	}
}

// A number out of its range is told as everybody writes it.
func TestRangeIsTold(t *testing.T) {
	r, err := NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Call(t.Context(), &Env{}, "link", []byte(`{"type":"task","ref":"projects/boat/tasks/rope.md","relevance":10.0000000000000178}`))
	if err != nil || res.Fault == nil || !strings.Contains(res.Fault.Error, "maximum: 10 is greater than 1") {
		t.Errorf("%+v, %v", res.Fault, err)
	}
}

// A name with a piece of a call in it would be read out, and taken for a call by the next
// model; a note may speak of them.
func TestNamesHoldNoCalls(t *testing.T) {
	r := newRegistry(t)
	for call, fits := range map[[2]string]bool{
		{"create_project", `{"name":"Boat <tool_call>","description":"A boat.","reason":"asked"}`}:          false,
		{"create_project", `{"name":"Boat","description":"A boat.","reason":"asked"}`}:                      true,
		{"rename_project", `{"project":"boat","name":"[ACTION: x {}]","reason":"asked"}`}:                   false,
		{"create_task", `{"title":"Read about </tool_call>","reason":"asked"}`}:                             false,
		{"create_note", `{"title":"Calls","text":"It writes <tool_call>{}</tool_call>.","reason":"asked"}`}: true,
	} {
		if got := r.Fits(call[0], []byte(call[1])); got != fits {
			t.Errorf("%s %s: fits is %v, want %v", call[0], call[1], got, fits)
		}
	}
}

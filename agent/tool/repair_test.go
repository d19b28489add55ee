package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// caught is the registry with tools that keep the arguments they get.
func caught(t *testing.T) (r *Registry, got *string) {
	t.Helper()
	r, got = newRegistry(t), new(string)
	r = &Registry{slices.Clone(r.tools), r.names}
	for i := range r.tools {
		r.tools[i].run = func(_ context.Context, _ *Env, args []byte) (Result, error) {
			*got = string(args)
			return Result{}, nil
		}
	}
	return r, got
}

func TestRepairs(t *testing.T) {
	tests := []struct {
		name, tool, args, want string
		repaired               []string
	}{
		{"nothing to do", "create_task", `{"title":"x","due":""}`, `{"due":"","title":"x"}`, nil},
		{"null", "update_task", `{"task":"x","due":null,"title":null}`, `{"task":"x"}`, []string{`"title": left out, it held nothing`, `"due": left out, it held nothing`}},
		{"an empty date removes one", "update_task", `{"task":"x","due":""}`, `{"due":"","task":"x"}`, nil},
		{"an empty word of a list", "create_task", `{"title":"x","priority":" "}`, `{"title":"x"}`, []string{`"priority": left out, it held nothing`}},
		{"empty words of a set", "list_tasks", `{"status":""}`, `{}`, []string{`"status": left out, it held nothing`}},
		{"an empty number, list and choice", "update_draft_dimension", `{"tasks":"","follow_up":"","name":""}`, `{"name":""}`, []string{`"tasks": left out, it held nothing`, `"follow_up": left out, it held nothing`}},
		{"a number as text", "search", `{"query":"x","limit":" 5 "}`, `{"limit":5,"query":"x"}`, []string{`"limit": 5 as text`}},
		{"a fraction as text", "remember", `{"content":"x","confidence":"0.5"}`, `{"confidence":0.5,"content":"x"}`, []string{`"confidence": 0.5 as text`}},
		{"true as text", "undo", `{"today":"true","redo":"false"}`, `{"redo":false,"today":true}`, []string{`"today": true as text`, `"redo": false as text`}},
		{"a number for text", "create_task", `{"title":1.10}`, `{"title":"1.10"}`, []string{`"title": the number 1.10`}},
		{"a big number for text", "create_task", `{"title":123456789012345678901234567890}`, `{"title":"123456789012345678901234567890"}`, []string{`"title": the number 123456789012345678901234567890`}},
		{"an exponent for text", "create_task", `{"title":1E3}`, `{"title":"1E3"}`, []string{`"title": the number 1E3`}},
		{"a list in a string", "update_draft_dimension", `{"tasks":"[\"Sand\", 7]"}`, `{"tasks":["Sand","7"]}`, []string{`"tasks": an array in a string`, `"tasks[]": the number 7`}},
		{"one for a list", "update_draft_dimension", `{"tasks":"Sand the hull, then paint"}`, `{"tasks":["Sand the hull, then paint"]}`, []string{`"tasks": one value without an array`}},
		{"a fence", "create_task", "\n```json\n{\"title\":\"x\"}\n```\n", `{"title":"x"}`, []string{"arguments: a code fence around them"}},
		{"a fence without a name", "create_task", "``` {\"title\":\"x\"}```", `{"title":"x"}`, []string{"arguments: a code fence around them"}},
		{"encoded twice", "create_task", `"{\"title\":\"x\"}"`, `{"title":"x"}`, []string{"arguments: an object in a string"}},
		{"nothing, encoded twice", "list_projects", `"{}"`, `{}`, []string{"arguments: an object in a string"}},
		{"case", "create_task", `{"title":"x","priority":" High "}`, `{"priority":"high","title":"x"}`, []string{`"priority": case of " High "`}},
		{"in items", "build_subtree", `{"tasks":"[{\"title\":5,\"due\":null,\"priority\":\"LOW\",\"children\":\"a\"}]"}`, `{"tasks":[{"children":["a"],"priority":"low","title":"5"}]}`,
			[]string{`"tasks": an array in a string`, `"tasks[].title": the number 5`, `"tasks[].due": left out, it held nothing`, `"tasks[].priority": case of "LOW"`, `"tasks[].children": one value without an array`}},
		{"an item in a string", "build_subtree", `{"tasks":["{\"title\":\"a\\nb\"}"]}`, `{"tasks":[{"title":"a b"}]}`, []string{`"tasks[]": an object in a string`}},
		{"lines stay", "create_task", `{"title":7,"details":"a\nb"}`, `{"details":"a\nb","title":"7"}`, []string{`"title": the number 7`}},
		{"a fence within a value", "create_note", "{\"title\":\"x\",\"text\":\"```json\\n{}\\n```\"}", "{\"text\":\"```json\\n{}\\n```\",\"title\":\"x\"}", nil},
		{"an object within a value", "create_note", `{"title":"{\"a\":1}","text":"\"x\""}`, `{"text":"\"x\"","title":"{\"a\":1}"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, got := caught(t)
			res, err := r.Call(t.Context(), &Env{}, tt.tool, json.RawMessage(tt.args))
			if err != nil || res.Fault != nil || !r.Fits(tt.tool, json.RawMessage(tt.args)) {
				t.Fatalf("%+v, %v", res.Fault, err)
			}
			if *got != tt.want {
				t.Errorf("ran with %s, want %s", *got, tt.want)
			}
			if diff := cmp.Diff(tt.repaired, res.Repaired); diff != "" {
				t.Error(diff)
			}
			shown, repaired := r.Repair(tt.tool, json.RawMessage(tt.args))
			if tt.repaired != nil && string(shown) != tt.want || tt.repaired == nil && string(shown) != tt.args {
				t.Errorf("shown as %s", shown)
			}
			if diff := cmp.Diff(tt.repaired, repaired); diff != "" {
				t.Errorf("told: %s", diff)
			}
			if again, err := r.Call(t.Context(), &Env{}, tt.tool, json.RawMessage(*got)); err != nil || again.Repaired != nil || *got != tt.want {
				t.Errorf("a second time %q, %v", again.Repaired, err)
			}
		})
	}
}

func TestNotRepaired(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	object := `{"title":"x"}`
	tests := []struct{ name, tool, args string }{
		{"null where something is needed", "create_task", `{"title":null}`},
		{"empty where something is needed", "link", `{"type":"","ref":"x"}`},
		{"an empty title", "update_task", `{"task":"x","title":""}`},
		{"an unknown argument that is null", "create_task", `{"title":"x","force":null}`},
		{"another case of a name", "create_task", `{"Title":"x"}`},
		{"a number of another kind", "search", `{"query":"x","limit":"five"}`},
		{"a plus", "search", `{"query":"x","limit":"+5"}`},
		{"a leading zero", "search", `{"query":"x","limit":"05"}`},
		{"a fraction", "search", `{"query":"x","limit":"5.5"}`},
		{"beyond the limit", "search", `{"query":"x","limit":"21"}`},
		{"beyond all numbers", "search", `{"query":"x","limit":"1e999"}`},
		{"a number in a number in quotes", "search", `{"query":"x","limit":"\"5\""}`},
		{"TRUE", "undo", `{"today":"TRUE"}`},
		{"yes", "undo", `{"today":1}`},
		{"true for text", "create_task", `{"title":true}`},
		{"a list for text", "create_task", `{"title":["x"]}`},
		{"nearly a word", "create_task", `{"title":"x","priority":"hi"}`},
		{"a number for a word", "create_task", `{"title":"x","priority":1}`},
		{"words of a set in other case", "list_tasks", `{"status":"TODO"}`},
		{"a number for a list", "update_draft_dimension", `{"tasks":5}`},
		{"null for a list, as text", "update_draft_dimension", `{"tasks":"null"}`},
		{"an object for a list", "update_draft_dimension", `{"tasks":"{\"title\":\"x\"}"}`},
		{"half a list", "update_draft_dimension", `{"tasks":"[\"a\", \"b\""}`},
		{"lines for a list", "update_draft_dimension", `{"tasks":"- a\n- b"}`},
		{"an empty list", "update_draft_dimension", `{"tasks":"[]"}`},
		{"one text for a list of objects", "build_subtree", `{"tasks":"x"}`},
		{"one object for a list of objects", "build_subtree", `{"tasks":{"title":"x"}}`},
		{"a list encoded twice", "build_subtree", `{"tasks":` + quoted(quoted(`[{"title":"x"}]`)) + `}`},
		{"a deep list", "build_subtree", `{"tasks":` + quoted(deep) + `}`},
		{"a deep list of texts", "update_draft_dimension", `{"tasks":` + quoted(deep) + `}`},
		{"too many in a string", "build_subtree", `{"tasks":` + quoted("["+strings.Repeat(object+",", 60)+object+"]") + `}`},
		{"a fence of another language", "create_task", "```js\n" + object + "\n```"},
		{"half a fence", "create_task", "```json\n" + object},
		{"a fence and words", "create_task", "```json\n" + object + "\n``` Done."},
		{"two fences", "create_task", "```\n```json\n" + object + "\n```\n```"},
		{"two objects in a fence", "create_task", "```json\n" + object + "\n" + object + "\n```"},
		{"a string in a fence", "create_task", "```json\n" + quoted(object) + "\n```"},
		{"a fence in a string", "create_task", quoted("```json\n" + object + "\n```")},
		{"encoded three times", "create_task", quoted(quoted(object))},
		{"encoded often", "create_task", quoted(quoted(quoted(quoted(quoted(object)))))},
		{"a list in a string", "create_task", quoted("[" + object + "]")},
		{"an empty string", "list_projects", `""`},
		{"null in a string", "list_projects", `"null"`},
		{"a long title in a fence", "create_task", "```{\"title\":\"" + strings.Repeat("x", 201) + "\"}```"},
		{"too long for its fence", "create_task", "```json\n" + object + strings.Repeat(" ", MaxArguments) + "\n```"},
		{"too long for its quotes", "create_task", quoted(`{"title":"x","details":"` + strings.Repeat(`\\`, 3*MaxArguments/8) + `"}`)},
		{"longer within", "create_task", `"` + strings.Repeat("\xff", MaxArguments/2) + `"`},
		{"a long number", "search", `{"query":"x","limit":"0.0` + strings.Repeat("9", MaxArguments-100) + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, got := caught(t)
			res, err := r.Call(t.Context(), &Env{}, tt.tool, json.RawMessage(tt.args))
			if err != nil || res.Fault == nil || !res.Fault.Invalid || res.Repaired != nil || *got != "" {
				t.Errorf("%+v, %v, ran with %q", res, err, *got)
			}
			if r.Fits(tt.tool, json.RawMessage(tt.args)) {
				t.Error("it fits")
			}
			if shown, repaired := r.Repair(tt.tool, json.RawMessage(tt.args)); !bytes.Equal(shown, []byte(tt.args)) || repaired != nil {
				t.Errorf("shown as %.300s", shown)
			}
		})
	}
}

// What no tool wants yet: words that differ in case alone, a date that can't be empty, an
// object.
func TestMenderKnowsEverySchema(t *testing.T) {
	text := func(s string) *jsonschema.Schema { return &jsonschema.Schema{Type: s} }
	schema := &jsonschema.Schema{
		Type: "object", PropertyOrder: []string{"word", "date", "place", "free"},
		Properties: map[string]*jsonschema.Schema{
			"word":  {Type: "string", Enum: []any{"us", "US", "it", ""}},
			"date":  {Type: "string", Pattern: datePattern},
			"place": {Type: "object", PropertyOrder: []string{"at"}, Properties: map[string]*jsonschema.Schema{"at": text("integer")}},
			"free":  {},
		},
	}
	for args, want := range map[string]string{
		`{"word":"Us"}`:                      `{"word":"Us"}`,
		`{"word":"us"}`:                      `{"word":"us"}`,
		`{"word":"IT"}`:                      `{"word":"it"}`,
		`{"word":""}`:                        `{"word":""}`,
		`{"date":""}`:                        `{}`,
		`{"place":""}`:                       `{"place":""}`,
		`{"place":"{\"at\":\"1\"}"}`:         `{"place":{"at":1}}`,
		`{"place":{"at":null,"x":null}}`:     `{"place":{"x":null}}`,
		`{"free":"","place":{"at":{"a":1}}}`: `{"free":"","place":{"at":{"a":1}}}`,
		`{"free":"5","word":7}`:              `{"free":"5","word":"7"}`,
	} {
		v, _ := literal(args)
		obj := v.(map[string]any)
		(&mender{}).object(schema, obj, "")
		if got, err := json.Marshal(obj); err != nil || string(got) != want {
			t.Errorf("%s: %s, want %s, %v", args, got, want, err)
		}
	}
}

// However much is put right, little is told of it.
func TestRepairsAreBounded(t *testing.T) {
	r, _ := caught(t)
	task := `{"title":1,"due":null,"priority":"` + strings.Repeat(" ", 500) + `LOW"}`
	res, err := r.Call(t.Context(), &Env{}, "build_subtree", json.RawMessage(`{"tasks":[`+strings.Repeat(task+",", 59)+task+`]}`))
	if err != nil || res.Fault != nil || len(res.Repaired) != mostRepairs {
		t.Fatalf("%d told of, %v, %v", len(res.Repaired), res.Fault, err)
	}
	for _, what := range res.Repaired {
		if len(what) > 500 {
			t.Errorf("%d bytes: %s", len(what), what)
		}
	}
}

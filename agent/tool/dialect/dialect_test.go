package dialect

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"kist/agent/model"
	"kist/agent/tool"
)

var samples = flag.Int("samples", 100, "how many values of each tool and dialect are tried")

func registry(t *testing.T) (*tool.Registry, []model.Tool) {
	t.Helper()
	r, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	var tools []model.Tool
	for _, x := range r.All() {
		tools = append(tools, model.Tool{Name: x.Name, Description: x.Description, Schema: x.Schema})
	}
	return r, tools
}

// Whatever a server's schema lets a model write can be called, and whatever a tool takes
// can be written.
func TestSamplesFit(t *testing.T) {
	r, tools := registry(t)
	for _, kind := range []Kind{AsIs, Strict, Grammar} {
		for i, x := range For(kind, tools) {
			t.Run(string("kind "+kind)+"/"+x.Name, func(t *testing.T) {
				s := &sampler{t, rand.New(rand.NewPCG(uint64(i), 7)), kind == AsIs, map[string]int{}}
				schema, resolved := s.resolve(x.Schema)
				for range *samples {
					v := s.value(schema, "")
					args, err := json.Marshal(v)
					if err != nil {
						t.Fatal(err)
					}
					var read any
					if json.Unmarshal(args, &read) != nil || resolved.Validate(read) != nil {
						t.Fatalf("the sampler made %s of %s", args, x.Schema)
					}
					if !r.Fits(x.Name, args) {
						t.Fatalf("%s doesn't fit; %s", args, x.Schema)
					}
				}
				original, _ := s.resolve(tools[i].Schema)
				for _, place := range places(original, "") {
					if s.seen[place] == 0 {
						t.Errorf("%s was never written; %s", place, x.Schema)
					}
				}
			})
		}
	}
}

// places lists what a schema speaks of: arguments, words of lists, the empty date, and
// several words where that may be.
func places(p *jsonschema.Schema, at string) []string {
	all := []string{at}
	for _, word := range p.Enum {
		all = append(all, at+"="+word.(string))
	}
	switch {
	case strings.HasPrefix(p.Pattern, "^$|"):
		all = append(all, at+"=one")
	case p.Pattern != "":
		all = append(all, at+"=one", at+"=several")
	}
	if p.Items != nil {
		all = append(all, places(p.Items, at+"[]")...)
	}
	for name, sub := range p.Properties {
		all = append(all, places(sub, at+"."+name)...)
	}
	return all
}

func TestStrictSchemas(t *testing.T) {
	_, tools := registry(t)
	tools = append(tools, model.Tool{Name: "union", Schema: Union(tools, true)})
	for _, x := range For(Strict, tools) {
		schema := &jsonschema.Schema{}
		if err := json.Unmarshal(x.Schema, schema); err != nil {
			t.Fatal(err)
		}
		within(schema, func(p *jsonschema.Schema) {
			if p.Type == "object" && (p.AdditionalProperties == nil || len(p.Required) != len(p.Properties) || p.Properties == nil) {
				t.Errorf("%s: an open object: %s", x.Name, x.Schema)
			}
			if p.MinLength != nil || p.MaxLength != nil || strings.Contains(p.Pattern, "|^") || strings.Contains(p.Pattern, "|$") {
				t.Errorf("%s: %s", x.Name, x.Schema)
			}
		})
	}
}

func TestGrammarSchemas(t *testing.T) {
	_, tools := registry(t)
	for _, x := range For(Grammar, tools) {
		schema := &jsonschema.Schema{}
		if err := json.Unmarshal(x.Schema, schema); err != nil {
			t.Fatal(err)
		}
		within(schema, func(p *jsonschema.Schema) {
			inner := strings.TrimSuffix(strings.TrimPrefix(p.Pattern, "^"), "$")
			if p.MaxLength != nil || strings.ContainsAny(inner, "^$") || strings.Contains(p.Description, "matches") || p.MaxItems != nil && *p.MaxItems > mostRepeated {
				t.Errorf("%s: %s", x.Name, x.Schema)
			}
		})
	}
}

// within calls fn for a schema and all that are in it.
func within(p *jsonschema.Schema, fn func(*jsonschema.Schema)) {
	fn(p)
	if p.Items != nil {
		within(p.Items, fn)
	}
	for _, sub := range p.Properties {
		within(sub, fn)
	}
	for _, sub := range p.AnyOf {
		within(sub, fn)
	}
}

func TestFor(t *testing.T) {
	const given = `{"type":"object","properties":{"z":{"type":"string","description":"d","minLength":1,"maxLength":9000},"due":{"type":"string","description":"empty removes it","pattern":"^$|^[0-9]{4}$"},` +
		`"how":{"type":"string","enum":["a","b"]},"many":{"type":"string","pattern":"^((a|b)(,|$))+$"},"odd":{"type":"string","pattern":"^\\d+$"},` +
		`"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"additionalProperties":false},"minItems":1,"maxItems":5000},"one":{"const":1}},"required":["z"],"additionalProperties":false}`
	for kind, want := range map[Kind]string{
		AsIs: given,
		Strict: `{"type":"object","properties":{"z":{"type":"string","description":"d"},"due":{"description":"empty removes it","anyOf":[{"type":"string","enum":[""]},{"type":"string","pattern":"^[0-9]{4}$"},{"type":"null"}]},` +
			`"how":{"type":["string","null"],"enum":["a","b",null]},"many":{"type":["string","null"],"pattern":"^(a|b)(,(a|b)){0,1}$"},"odd":{"type":["string","null"],"description":"matches ^\\d+$"},` +
			`"list":{"type":["array","null"],"items":{"type":"object","properties":{"n":{"type":["integer","null"],"minimum":1}},"additionalProperties":false,"required":["n"]},"minItems":1,"maxItems":5000},` +
			`"one":{"anyOf":[{"const":1},{"type":"null"}]}},"required":["z","due","how","many","odd","list","one"],"additionalProperties":false}`,
		Grammar: `{"type":"object","properties":{"z":{"type":"string","description":"d","minLength":1},"due":{"type":"string","description":"empty removes it","anyOf":[{"type":"string","enum":[""]},{"type":"string","pattern":"^[0-9]{4}$"}]},` +
			`"how":{"type":"string","enum":["a","b"]},"many":{"type":"string","pattern":"^(a|b)(,(a|b)){0,1}$"},"odd":{"type":"string","description":"matches ^\\d+$"},` +
			`"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"additionalProperties":false},"minItems":1},"one":{"const":1}},"required":["z"],"additionalProperties":false}`,
	} {
		tools := []model.Tool{{Name: "t", Description: "D.", Schema: json.RawMessage(given), Rank: 3}}
		got := For(kind, tools)
		if diff := cmp.Diff(want, string(got[0].Schema)); diff != "" {
			t.Errorf("%q: %s", kind, diff)
		}
		if again := For(kind, got); string(again[0].Schema) != want {
			t.Errorf("%q: a second time %s", kind, again[0].Schema)
		}
		if got[0].Name != "t" || got[0].Description != "D." || got[0].Rank != 3 || string(tools[0].Schema) != given {
			t.Errorf("%q: %+v of %+v", kind, got, tools)
		}
	}
}

// What is no schema of a tool goes through, and nothing breaks.
func TestForeignSchemas(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 300) + `{}` + strings.Repeat(`}`, 300)
	for _, schema := range []string{
		``, `null`, `true`, `[]`, `{`, `{}`, `{"properties":7,"items":[1],"anyOf":{},"required":5,"type":["object"],"pattern":4,"enum":1}`,
		`{"type":"object","properties":{"":{"type":"object"},"a":true,"b":{"enum":7}}}`, `{"pattern":"(","minItems":"x"}`, `{"pattern":"^a{99999}$"}`, deep,
	} {
		for _, kind := range []Kind{AsIs, Strict, Grammar, "other"} {
			got := For(kind, []model.Tool{{Name: "t", Schema: json.RawMessage(schema)}})
			if json.Valid([]byte(schema)) && !json.Valid(got[0].Schema) {
				t.Errorf("%q of %.100s: %.100s", kind, schema, got[0].Schema)
			}
		}
		if json.Valid([]byte(schema)) && !json.Valid(Union([]model.Tool{{Name: "t", Schema: json.RawMessage(schema)}}, false)) {
			t.Errorf("the union of %.100s", schema)
		}
	}
}

func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string][]string{
		`^a$`:             {"a"},
		`^$`:              {""},
		`^$|^a$`:          {"", "a"},
		`^(a|b)$|^[|)]$`:  {"(a|b)", "[|)]"},
		`^((a|b)(,|$))+$`: {"(a|b)(,(a|b)){0,1}"},
		`^[0-9]{4}-(0[1-9]|1[0-2])$`: {
			"[0-9]{4}-(0[1-9]|1[0-2])",
		},
		`^a?b*c+$`:             {"a?b*c+"},
		`^[a-z]{1,200}$`:       {"[a-z]{1,200}"},
		`^[a-z]{1,201}$`:       nil,
		`^[a-z]{2000}$`:        nil,
		`a`:                    nil,
		`^a|b$`:                nil,
		`^a$|b`:                nil,
		`^(^a|b)$`:             nil,
		`^(a$|b)$`:             nil,
		`^a.b$`:                nil,
		`^"$`:                  nil,
		`^[^a]$`:               nil,
		`^["]$`:                nil,
		`^\d$`:                 nil,
		`^a\$`:                 nil,
		`^(?:a)$`:              nil,
		`^(?i)a$`:              nil,
		`^(|a)$`:               nil,
		`^(a|)$`:               nil,
		`^(a||b)$`:             nil,
		`^()$`:                 nil,
		`^a*?$`:                nil,
		`^(a$`:                 nil,
		`^a)$`:                 nil,
		`^((a)(b|c)(,|$))+$`:   nil,
		`^((a)x)|((b)(,|$))+$`: nil,
	} {
		if diff := cmp.Diff(want, alternatives(pattern)); diff != "" {
			t.Errorf("%s: %s", pattern, diff)
		}
	}
}

// The patterns of the tools take the same texts as before, but for a comma at the end.
func TestPatternsMeanTheSame(t *testing.T) {
	_, tools := registry(t)
	texts := []string{"", "2026-12-01", "2026-13-01", "2026-12-32", "2026-12-01\n", " 2026-12-01", "2026-12-012", "^$", "$", "open$", "open", "open,todo", "open,,todo", "open,todo,", "low,low,low", ",open", "opentodo", "done,cancelled,all", "Open", "none,urgent", "low", "low|high"}
	seen := 0
	for i, x := range For(Grammar, tools) {
		var before, after jsonschema.Schema
		if err := json.Unmarshal(tools[i].Schema, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(x.Schema, &after); err != nil {
			t.Fatal(err)
		}
		for name, p := range before.Properties {
			if p.Pattern == "" {
				continue
			}
			seen++
			resolved, err := after.Properties[name].Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				want := regexp.MustCompile(p.Pattern).MatchString(text) && !strings.HasSuffix(text, ",")
				if got := resolved.Validate(text) == nil; got != want {
					t.Errorf("%s, %s: %q fits: %v", x.Name, name, text, got)
				}
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d patterns", seen)
	}
}

func TestUnion(t *testing.T) {
	r, tools := registry(t)
	s := &sampler{t, rand.New(rand.NewPCG(1, 9)), false, map[string]int{}}
	for _, words := range []bool{true, false} {
		schema, resolved := s.resolve(Union(tools, words))
		called := map[string]int{}
		for range len(tools) * max(10, *samples/10) {
			text, err := json.Marshal(s.value(schema, ""))
			if err != nil {
				t.Fatal(err)
			}
			var step struct {
				Say  *string
				Call *struct {
					Tool      string
					Arguments json.RawMessage
				}
			}
			var read any
			if err := json.Unmarshal(text, &step); err != nil || step.Say == nil || json.Unmarshal(text, &read) != nil || resolved.Validate(read) != nil {
				t.Fatalf("%s: %v", text, err)
			}
			switch {
			case step.Call != nil && !r.Fits(step.Call.Tool, step.Call.Arguments):
				t.Fatalf("%s doesn't fit", text)
			case step.Call != nil:
				called[step.Call.Tool]++
			case !words:
				t.Fatalf("%s calls nothing", text)
			default:
				called[""]++
			}
		}
		if want := len(tools); len(called) != want && !words || words && len(called) != want+1 {
			t.Errorf("words %v: %d of %d tools were called", words, len(called), want)
		}
	}
	const none = `{"type":"object","properties":{"say":{"type":"string"},"call":{"anyOf":[{"type":"null"}]}},"required":["say","call"],"additionalProperties":false}`
	if got := Union(nil, false); string(got) != none {
		t.Errorf("without tools %s", got)
	}
	if size := len(Union(tools, true)); size > 32<<10 {
		t.Errorf("the union of all tools is %d bytes", size)
	}
}

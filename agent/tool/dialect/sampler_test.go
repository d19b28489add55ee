package dialect

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// A sampler makes up values that match a schema, each branch of it now and then. What no
// dialect says stays within the bounds of every tool: a text without a pattern has 1 to 40
// letters, and a list at most 3 items more than it needs.
type sampler struct {
	*testing.T
	rng     *rand.Rand
	anchors bool // patterns may have anchors within; grammars know none
	// seen counts where a value stood that isn't null: the names that lead to it, and what
	// it was where only some texts are taken.
	seen map[string]int
}

func (s *sampler) resolve(text json.RawMessage) (*jsonschema.Schema, *jsonschema.Resolved) {
	s.Helper()
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(text, schema); err != nil {
		s.Fatalf("%v: %s", err, text)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		s.Fatalf("%v: %s", err, text)
	}
	return schema, resolved
}

func (s *sampler) value(p *jsonschema.Schema, at string) any {
	switch {
	case p.AnyOf != nil:
		return s.value(p.AnyOf[s.rng.IntN(len(p.AnyOf))], at)
	case p.Const != nil:
		return *p.Const
	case p.Enum != nil:
		v := p.Enum[s.rng.IntN(len(p.Enum))]
		if word, ok := v.(string); ok {
			s.seen[at+"="+word]++
			s.seen[at]++
		}
		return v
	}
	typ := p.Type
	if p.Types != nil {
		typ = p.Types[s.rng.IntN(len(p.Types))]
	}
	if typ != "null" {
		s.seen[at]++
	}
	switch typ {
	case "null":
		return nil
	case "boolean":
		return s.rng.IntN(2) == 0
	case "integer", "number":
		return s.number(p, typ)
	case "string":
		return s.text(p, at)
	case "array":
		list := make([]any, least(p.MinItems)+s.rng.IntN(4))
		if p.MaxItems != nil {
			list = list[:min(len(list), *p.MaxItems)]
		}
		for i := range list {
			list[i] = s.value(p.Items, at+"[]")
		}
		return list
	case "object":
		obj := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
			if slices.Contains(p.Required, name) || s.rng.IntN(2) == 0 {
				obj[name] = s.value(p.Properties[name], at+"."+name)
			}
		}
		return obj
	}
	s.Fatalf("%s: a schema without a type: %+v", at, p)
	return nil
}

func least(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func (s *sampler) number(p *jsonschema.Schema, typ string) any {
	if p.Minimum == nil || p.Maximum == nil {
		s.Fatalf("a number without limits: %+v", p)
	}
	span := *p.Maximum - *p.Minimum
	if typ == "number" {
		return *p.Minimum + s.rng.Float64()*span
	}
	return int(*p.Minimum) + s.rng.IntN(int(span)+1)
}

func (s *sampler) text(p *jsonschema.Schema, at string) string {
	if p.Pattern == "" {
		letters := []rune("abcxyzABC019-_./:,;'\"\\{}[]<&é語😀")
		var b strings.Builder
		for range 1 + s.rng.IntN(40) {
			b.WriteRune(letters[s.rng.IntN(len(letters))])
		}
		return b.String()
	}
	tree, err := syntax.Parse(p.Pattern, syntax.Perl)
	if err != nil {
		s.Fatal(err)
	}
	text := s.match(tree)
	for s.anchors && !regexp.MustCompile(p.Pattern).MatchString(text) {
		text = s.match(tree)
	}
	if ok, err := regexp.MatchString(p.Pattern, text); err != nil || !ok {
		s.Fatalf("%s: %q was made of %s: there are anchors within, %v", at, text, p.Pattern, err)
	}
	s.seen[at+"="+map[bool]string{true: "several", false: "one"}[strings.Contains(text, ",")]]++
	return text
}

// match makes a text of a pattern, as a grammar would that knows no anchors.
func (s *sampler) match(re *syntax.Regexp) string {
	times := func(least, most int) string {
		if most < 0 {
			most = least + 3
		}
		var b strings.Builder
		for range least + s.rng.IntN(most-least+1) {
			b.WriteString(s.match(re.Sub[0]))
		}
		return b.String()
	}
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		pair := 2 * s.rng.IntN(len(re.Rune)/2)
		return string(re.Rune[pair] + rune(s.rng.IntN(int(re.Rune[pair+1]-re.Rune[pair])+1)))
	case syntax.OpCapture:
		return s.match(re.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(s.match(sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return s.match(re.Sub[s.rng.IntN(len(re.Sub))])
	case syntax.OpStar:
		return times(0, -1)
	case syntax.OpPlus:
		return times(1, -1)
	case syntax.OpQuest:
		return times(0, 1)
	case syntax.OpRepeat:
		return times(re.Min, re.Max)
	}
	return "" // anchors, and nothing
}

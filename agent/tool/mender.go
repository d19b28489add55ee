package tool

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// mostRepairs bounds how many repairs of one call are told of.
const mostRepairs = 100

// literal reads a JSON value with its numbers as they are written; ones that no float64
// can hold are no value.
func literal(text string) (v any, ok bool) {
	if json.Unmarshal([]byte(text), new(any)) != nil {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

// floats makes of a literal value one as decode returns it.
func floats(val any) any {
	switch val := val.(type) {
	case json.Number:
		if f, err := val.Float64(); err == nil {
			return f
		}
	case []any:
		for i := range val {
			val[i] = floats(val[i])
		}
	case map[string]any:
		for key := range val {
			val[key] = floats(val[key])
		}
	}
	return val
}

// A mender puts values right and notes what it did. How deep it goes is the depth of the
// schema, not that of the value.
type mender struct{ repaired []string }

func (m *mender) did(at, what string, args ...any) {
	if len(m.repaired) < mostRepairs {
		m.repaired = append(m.repaired, quote(at)+": "+fmt.Sprintf(what, args...))
	}
}

func (m *mender) object(s *jsonschema.Schema, obj map[string]any, at string) {
	for _, name := range s.PropertyOrder {
		v, ok := obj[name]
		if !ok {
			continue
		}
		p := s.Properties[name]
		if !slices.Contains(s.Required, name) && standsForNothing(p, v) {
			m.did(at+name, "left out, it held nothing")
			delete(obj, name)
			continue
		}
		obj[name] = m.value(p, v, at+name)
	}
}

// standsForNothing: a value by which a model leaves an optional argument out. An empty
// text is one only where it can't be meant.
func standsForNothing(p *jsonschema.Schema, v any) bool {
	if v == nil {
		return true
	}
	s, ok := v.(string)
	if !ok || tidy(s, false) != "" {
		return false
	}
	switch {
	case p.Type == "number", p.Type == "integer", p.Type == "boolean", p.Type == "array":
		return true
	case p.Type != "string":
		return false
	case p.Enum != nil:
		return !slices.Contains(p.Enum, any(""))
	}
	fits, err := regexp.MatchString(p.Pattern, "")
	return err == nil && !fits
}

func (m *mender) value(p *jsonschema.Schema, v any, at string) any {
	if p.Type == "string" {
		return m.text(p, v, at)
	}
	s, isString := v.(string)
	s = strings.TrimSpace(s)
	switch p.Type {
	case "number", "integer":
		if within, _ := literal(s); isString {
			if n, ok := within.(json.Number); ok {
				m.did(at, "%s as text", clip(n.String(), 60))
				return n
			}
		}
	case "boolean":
		if s == "true" || s == "false" {
			m.did(at, "%s as text", s)
			return s == "true"
		}
	case "array":
		return m.list(p, v, at)
	case "object":
		if within, _ := literal(s); isString {
			if obj, ok := within.(map[string]any); ok {
				m.did(at, "an object in a string")
				v = obj
			}
		}
		if obj, ok := v.(map[string]any); ok {
			m.object(p, obj, at+".")
		}
	}
	return v
}

func (m *mender) text(p *jsonschema.Schema, v any, at string) any {
	if n, ok := v.(json.Number); ok {
		m.did(at, "the number %s", clip(n.String(), 60))
		return n.String()
	}
	s, ok := v.(string)
	if !ok {
		return v
	}
	var meant []any
	for _, e := range p.Enum {
		word, ok := e.(string)
		if word == tidy(s, false) {
			return v
		}
		if ok && strings.EqualFold(word, tidy(s, false)) {
			meant = append(meant, e)
		}
	}
	if len(meant) != 1 {
		return v
	}
	m.did(at, "case of %s", quote(clip(s, 60)))
	return meant[0]
}

func (m *mender) list(p *jsonschema.Schema, v any, at string) any {
	if s, ok := v.(string); ok {
		within, isJSON := literal(s)
		list, isList := within.([]any)
		switch {
		case isList:
			m.did(at, "an array in a string")
			v = list
		case p.Items.Type == "string" && !isJSON && isSingle(s):
			m.did(at, "one value without an array")
			v = []any{s}
		}
	}
	if list, ok := v.([]any); ok {
		for i := range list {
			list[i] = m.value(p.Items, list[i], at+"[]")
		}
	}
	return v
}

// isSingle: a text that is one value, not several in a form of its own.
func isSingle(s string) bool {
	s = strings.TrimSpace(s)
	return !strings.ContainsAny(s, "\r\n") && !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "{")
}

package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"kist/vault/dimension"
)

// datePattern is the only form a date has in a file.
const datePattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`

// schemaFor derives the JSON Schema of an argument struct. Beside the json and
// jsonschema tags (name, description) it reads a limit tag: comma-separated
// min=N, max=N (length of a string, value of a number), date, lines (may hold
// newlines), enum=a|b, set=a|b (several of them, a comma between), dimension (a key of
// one), and of a list items=N (how many at most) and each=N (length
// of each string). Every string needs a max, every list its items.
func schemaFor(t reflect.Type) (*jsonschema.Schema, map[string]bool, error) {
	s, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, nil, err
	}
	lines := map[string]bool{}
	return s, lines, limits(s, t, lines)
}

// limits puts the limit tags of a struct into its schema; lines gets the names of
// strings that may hold newlines, unless it is nil.
func limits(s *jsonschema.Schema, t reflect.Type, lines map[string]bool) error {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil {
			return fmt.Errorf("field %s has no property", field.Name)
		}
		// Optional arguments may be left out; null is not a value of any.
		if len(p.Types) == 2 {
			p.Type, p.Types = p.Types[1], nil
		}
		for limit := range strings.SplitSeq(field.Tag.Get("limit"), ",") {
			if limit == "lines" && lines != nil {
				lines[name] = true
			} else if err := applyLimit(p, limit); err != nil {
				return fmt.Errorf("field %s: %w", field.Name, err)
			}
		}
		switch {
		case p.Type == "string" && p.MaxLength == nil && p.Pattern == "" && p.Enum == nil,
			p.Type == "array" && p.MaxItems == nil,
			p.Type == "array" && p.Items.Type == "string" && p.Items.MaxLength == nil:
			return fmt.Errorf("field %s has no max", field.Name)
		case p.Type == "array" && p.Items.Type == "object":
			if err := limits(p.Items, field.Type.Elem(), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func applyLimit(p *jsonschema.Schema, limit string) error {
	key, value, _ := strings.Cut(limit, "=")
	switch key {
	case "":
	case "date":
		// An empty date is how an update removes one.
		p.Pattern = "^$|" + datePattern
	case "enum":
		for v := range strings.SplitSeq(value, "|") {
			p.Enum = append(p.Enum, v)
		}
	case "set":
		p.Pattern = "^((" + value + ")(,|$))+$"
	case "dimension":
		for _, key := range dimension.Keys() {
			p.Enum = append(p.Enum, key)
		}
	case "items", "each":
		n, err := strconv.Atoi(value)
		if err != nil || p.Items == nil {
			return fmt.Errorf("limit %q", limit)
		}
		if key == "items" {
			p.MinItems, p.MaxItems = new(1), &n
		} else {
			p.Items.MinLength, p.Items.MaxLength = new(1), &n
		}
	case "min", "max":
		n, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		bound(p, key, n)
	default:
		return fmt.Errorf("unknown limit %q", limit)
	}
	return nil
}

func bound(p *jsonschema.Schema, key string, n int) {
	switch {
	case p.Type == "string" && key == "min":
		p.MinLength = &n
	case p.Type == "string":
		p.MaxLength = &n
	case key == "min":
		p.Minimum = new(float64(n))
	default:
		p.Maximum = new(float64(n))
	}
}

// decode reads arguments as a JSON object and tidies its strings: outer blanks
// go, as do control characters, and newlines where only one line is wanted.
func decode(args []byte, lines map[string]bool) (map[string]any, error) {
	if len(strings.TrimSpace(string(args))) == 0 {
		return map[string]any{}, nil // a tool without arguments, as many models call it
	}
	var v map[string]any
	if err := json.Unmarshal(args, &v); err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("null is not an object")
	}
	for key, val := range v {
		v[key] = tidyAll(val, lines[key])
	}
	return v, nil
}

// tidyAll tidies every string within a value.
func tidyAll(val any, lines bool) any {
	switch val := val.(type) {
	case string:
		return tidy(val, lines)
	case []any:
		for i := range val {
			val[i] = tidyAll(val[i], lines)
		}
	case map[string]any:
		for key := range val {
			val[key] = tidyAll(val[key], lines)
		}
	}
	return val
}

func tidy(s string, lines bool) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			if lines {
				return r
			}
			return ' '
		case unicode.IsControl(r), isHidden(r):
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// isHidden reports marks that change how text reads without being seen:
// direction overrides, zero-width spaces and the byte order mark. Joiners stay,
// since scripts and emoji need them.
func isHidden(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0xfeff
}

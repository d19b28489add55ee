/*
Package tooltest checks by its own means what package tool promises: that only
calls which match a tool's arguments run, or would but for a form that can be put right
without a loss. [Valid] reads the arguments' struct tags and a JSON parser of its own; a
[Generator] makes calls of all kinds, valid and not. Neither shares code, or a library,
with what it checks. It is for tests.

These forms are as good as the right one:

  - one code fence around all arguments, or all of them as a JSON string;
  - for an optional argument null, and "" unless that says something: where a number, a
    list, true or false, or one of some words is wanted;
  - a number, true or false in quotes, and a number without them where text is wanted;
  - a word of a fixed list in other case, unless two words of the list differ in that alone;
  - a list or an object as a JSON string, and a lone text for a list of texts, unless it
    has several lines, is JSON, or begins like a list or an object.
*/
package tooltest

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/vault/dimension"
)

// Valid reports whether text may run a tool whose arguments are a struct like args;
// nil is no tool. Longer texts than limit may not.
func Valid(args any, text []byte, limit int) bool {
	if args == nil || len(text) > limit {
		return false
	}
	v, ok := parse(text)
	if fenced := fence.FindSubmatch(text); fenced != nil {
		v, ok = parse(fenced[1])
	} else if s, isText := v.(string); isText && len(s) <= limit {
		v = within(s)
	}
	obj, isObject := v.(map[string]any)
	return ok && isObject && validStruct(reflect.TypeOf(args), obj, true)
}

// fence is a code fence around an object, and nothing else.
var fence = regexp.MustCompile("^(?s:[\\s\\p{Z}\\x{85}]*```(?i:json)?[\\s\\p{Z}\\x{85}]*(\\{.*\\})[\\s\\p{Z}\\x{85}]*```[\\s\\p{Z}\\x{85}]*)$")

// within is the value that a text is as JSON; nil: none, or null.
func within(s string) any {
	if v, ok := parse([]byte(s)); ok && strings.TrimSpace(s) != "" {
		return v
	}
	return nil
}

// parse reads one JSON value; nothing at all stands for no arguments.
func parse(text []byte) (any, bool) {
	if strings.TrimSpace(string(text)) == "" {
		return map[string]any{}, true
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, ok := value(d)
	if !ok {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// value reads the next value token by token; the last of equal keys counts.
func value(d *json.Decoder) (any, bool) {
	token, err := d.Token()
	if err != nil {
		return nil, false
	}
	switch token {
	case json.Delim('{'):
		obj := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, false
			}
			name, isName := key.(string)
			v, ok := value(d)
			if !isName || !ok {
				return nil, false
			}
			obj[name] = v
		}
		_, err := d.Token()
		return obj, err == nil
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, ok := value(d)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err == nil
	case json.Delim('}'), json.Delim(']'):
		return nil, false
	}
	if n, ok := token.(json.Number); ok {
		f, err := strconv.ParseFloat(n.String(), 64)
		_ = f
		return n, err == nil
	}
	return token, true
}

func validStruct(t reflect.Type, obj map[string]any, top bool) bool {
	known := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = true
		v, there := obj[name]
		ft := f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		limits, multi := limitsOf(f.Tag.Get("limit"))
		if !there || v == nil || empty(v) && !takesEmpty(ft, limits) {
			if rest != "omitempty" {
				return false
			}
			continue
		}
		if !validValue(ft, v, limits, multi && top) || tagged(name, v) {
			return false
		}
	}
	for name := range obj {
		if !known[name] {
			return false
		}
	}
	return true
}

// tagged: names are no pieces of calls.
func tagged(name string, v any) bool {
	text, _ := written(v)
	return (name == "name" || name == "title") && (strings.Contains(text, "tool_call>") && strings.Contains(text, "<") || strings.Contains(text, "[ACTION:"))
}

func empty(v any) bool {
	s, ok := v.(string)
	return ok && clean(s, false) == ""
}

// takesEmpty: an empty text there is more than an argument left out, be it right or wrong.
func takesEmpty(t reflect.Type, limits map[string]string) bool {
	words := limits["enum"] != "" || limits["set"] != ""
	return t.Kind() == reflect.String && !words || t.Kind() == reflect.Struct
}

func limitsOf(tag string) (limits map[string]string, multi bool) {
	limits = map[string]string{}
	for _, l := range strings.Split(tag, ",") {
		k, v, _ := strings.Cut(l, "=")
		if k == "dimension" {
			k, v = "enum", strings.Join(dimension.Keys(), "|")
		}
		limits[k] = v
	}
	_, multi = limits["lines"]
	return limits, multi
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func validValue(t reflect.Type, v any, limits map[string]string, multi bool) bool {
	switch t.Kind() {
	case reflect.String:
		s, ok := written(v)
		return ok && validText(clean(s, multi), limits)
	case reflect.Bool:
		if s, ok := v.(string); ok {
			v = within(s)
		}
		_, ok := v.(bool)
		return ok
	case reflect.Int, reflect.Float64:
		if s, ok := v.(string); ok {
			v = within(strings.TrimSpace(s))
		}
		n, ok := v.(json.Number)
		if !ok {
			return false
		}
		x, ok := new(big.Float).SetString(n.String())
		if !ok || t.Kind() == reflect.Int && !x.IsInt() {
			return false
		}
		if least, ok := limits["min"]; ok && x.Cmp(big.NewFloat(float64(number(least)))) < 0 {
			return false
		}
		most, ok := limits["max"]
		return !ok || x.Cmp(big.NewFloat(float64(number(most)))) <= 0
	case reflect.Slice:
		if s, ok := v.(string); ok {
			v = listOf(s, t.Elem())
		}
		list, ok := v.([]any)
		if !ok || len(list) < 1 || len(list) > number(limits["items"]) {
			return false
		}
		for _, item := range list {
			if !validItem(t.Elem(), item, limits["each"], multi) {
				return false
			}
		}
		return true
	}
	return false
}

// written is a text, or a number as it stands there.
func written(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

// listOf is the list for which a text may stand; nil: none.
func listOf(s string, of reflect.Type) any {
	if list, ok := within(s).([]any); ok {
		return list
	}
	plain := strings.TrimSpace(s)
	_, isJSON := parse([]byte(s))
	if of.Kind() != reflect.String || isJSON || plain[0] == '[' || plain[0] == '{' || strings.Contains(plain, "\n") || strings.Contains(plain, "\r") {
		return nil
	}
	return []any{s}
}

func validItem(t reflect.Type, item any, each string, multi bool) bool {
	if t.Kind() == reflect.Struct {
		if s, ok := item.(string); ok {
			item = within(s)
		}
		obj, ok := item.(map[string]any)
		return ok && validStruct(t, obj, false)
	}
	s, ok := written(item)
	n := utf8.RuneCountInString(clean(s, multi))
	return ok && n >= 1 && n <= number(each)
}

func validText(s string, limits map[string]string) bool {
	n := utf8.RuneCountInString(s)
	if values, ok := limits["enum"]; ok {
		like := 0
		for _, v := range strings.Split(values, "|") {
			if s == v {
				return true
			}
			if strings.EqualFold(s, v) {
				like++
			}
		}
		return like == 1
	}
	if values, ok := limits["set"]; ok {
		for _, v := range strings.Split(strings.TrimSuffix(s, ","), ",") {
			if !slices.Contains(strings.Split(values, "|"), v) {
				return false
			}
		}
		return true
	}
	if _, ok := limits["date"]; ok {
		return s == "" || validDate(s)
	}
	if least, ok := limits["min"]; ok && n < number(least) {
		return false
	}
	return n <= number(limits["max"])
}

// validDate knows the form YYYY-MM-DD with months to 12 and days to 31.
func validDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	for i := range len(s) {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	month, day := number(s[5:7]), number(s[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// clean is what becomes of a text before it is judged: line breaks and tabs are blanks
// unless several lines are wanted, control and hidden characters go, blanks around too.
func clean(s string, multi bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case (r == '\n' || r == '\t') && !multi:
			b.WriteByte(' ')
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20, r >= 0x7f && r <= 0x9f:
		case r == 0x200b, r == 0xfeff, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimFunc(b.String(), unicode.IsSpace)
}

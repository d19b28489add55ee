/*
Package tooltest checks by its own means what package tool promises: that only
calls which match a tool's arguments run. [Valid] reads the arguments' struct tags
and a JSON parser of its own; a [Generator] makes calls of all kinds, valid and not.
Neither shares code, or a library, with what it checks. It is for tests.
*/
package tooltest

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"reflect"
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
	if !ok {
		return false
	}
	obj, ok := v.(map[string]any)
	return ok && validStruct(reflect.TypeOf(args), obj, true)
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
		if !there {
			if rest != "omitempty" {
				return false
			}
			continue
		}
		ft := f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		limits, multi := limitsOf(f.Tag.Get("limit"))
		if !validValue(ft, v, limits, multi && top) {
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
		s, ok := v.(string)
		return ok && validText(clean(s, multi), limits)
	case reflect.Bool:
		_, ok := v.(bool)
		return ok
	case reflect.Int, reflect.Float64:
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

func validItem(t reflect.Type, item any, each string, multi bool) bool {
	if t.Kind() == reflect.Struct {
		obj, ok := item.(map[string]any)
		return ok && validStruct(t, obj, false)
	}
	s, ok := item.(string)
	n := utf8.RuneCountInString(clean(s, multi))
	return ok && n >= 1 && n <= number(each)
}

func validText(s string, limits map[string]string) bool {
	n := utf8.RuneCountInString(s)
	if values, ok := limits["enum"]; ok {
		for _, v := range strings.Split(values, "|") {
			if s == v {
				return true
			}
		}
		return false
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

package index

import (
	"fmt"
	"kist/index/day"
	"kist/index/match"
	"strconv"
	"strings"
	"unicode"
)

// Limits on what of a front matter can be asked for as key:value. What is beyond
// is found as text.
const (
	maxProperties    = 200 // values of a file, their words included
	maxPropertyValue = 128 // bytes
	maxPropertyWords = 8   // a value of more words isn't found by each of them
)

// A property is a key of the front matter with one of its values.
type property struct{ key, value string }

// term is what is indexed of it.
func (p property) term() string { return propertyPrefix(p.key) + p.value }

func propertyPrefix(key string) string { return strings.ToLower(key) + "\x00" }

// propertyValue brings a value into the form that is compared: in lower case and
// without the brackets of a wiki link.
func propertyValue(v string) string {
	v = strings.TrimSpace(v)
	if inner, ok := strings.CutPrefix(v, "[["); ok {
		v, _, _ = strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
	}
	return strings.ToLower(strings.Join(strings.Fields(v), " "))
}

// describeProperty notes the values of one key: each as a whole and, where it has
// some, its words.
func (f *file) describeProperty(key string, values []string) {
	if !isKey(key) {
		return
	}
	add := func(value string) {
		if len(f.props) < maxProperties && len(value) <= maxPropertyValue {
			f.props = append(f.props, property{key, value})
		}
	}
	for _, v := range values {
		v = propertyValue(v)
		add(v)
		words := strings.FieldsFunc(v, func(r rune) bool { return !match.IsWordRune(r) && r != '-' && r != '_' })
		if len(words) > maxPropertyWords {
			continue
		}
		for _, w := range words {
			if w != v {
				add(w)
			}
		}
	}
}

// isKey reports whether key can be written before a colon in a query.
func isKey(key string) bool {
	if key == "" || len(key) > 64 {
		return false
	}
	for i, r := range key {
		if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && r != '_' && r != '-') && r != '_' {
			return false
		}
	}
	return true
}

// queryDay is parseDay for a query.
func queryDay(field, text string) (day.Day, error) {
	d, ok := day.Parse(text)
	if !ok {
		return 0, fmt.Errorf("%w: %s needs a date such as 2026, 2026-11 or 2026-11-20, not %s", ErrQuery, field+":", strconv.Quote(clip(text, 40)))
	}
	return d, nil
}

func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return string(match.WholeRunes([]byte(text[:n]))) + "..."
}

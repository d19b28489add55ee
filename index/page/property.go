package page

import (
	"kist/index/match"
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
func (p property) term() string { return PropertyPrefix(p.key) + p.value }

func PropertyPrefix(key string) string { return strings.ToLower(key) + "\x00" }

// PropertyValue brings a value into the form that is compared: in lower case and
// without the brackets of a wiki link.
func PropertyValue(v string) string {
	v = strings.TrimSpace(v)
	if inner, ok := strings.CutPrefix(v, "[["); ok {
		v, _, _ = strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
	}
	return strings.ToLower(strings.Join(strings.Fields(v), " "))
}

// describeProperty notes the values of one key: each as a whole and, where it has
// some, its words.
func (f *File) describeProperty(key string, values []string) {
	if !IsKey(key) {
		return
	}
	add := func(value string) {
		if len(f.props) < maxProperties && len(value) <= maxPropertyValue {
			f.props = append(f.props, property{key, value})
		}
	}
	for _, v := range values {
		v = PropertyValue(v)
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

// IsKey reports whether key can be written before a colon in a query.
func IsKey(key string) bool {
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

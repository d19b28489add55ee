package query

import (
	"errors"
	"fmt"
	"kist/index/day"
	"kist/index/match"
	"kist/index/page"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrQuery: a query that can't be carried out, such as one that is too long.
var ErrQuery = errors.New("invalid query")

// Limits on a query, so that no text costs more than a moment.
const (
	MaxQuery    = 64 << 10 // bytes; more is an error
	MaxValue    = 512      // bytes of a filter's value; more is an error
	MaxClauses  = 64       // words, phrases and filters; the rest is ignored
	maxPrefixes = 16       // words with a star; the rest is ignored
	MaxLimit    = 1000     // hits
)

// A Query says what to look for.
//
// Words of Text rank documents: those with more and rarer ones come first. The other
// parts of it are conditions that every hit meets:
//
//	"some words"              as they stand; a quote that isn't closed goes to the end
//	-word -"phrase" -key:v    not these
//	wor*                      ranks as a word: any that begins so
//	title:x heading:x body:x  a word or "phrase" there
//	project:slug type:task tag:name lang:de
//	path:folder/ path:*x*.md  what the path begins with, or all of it with stars
//	after:D before:D          dated on the first day of D or later, or before it; D is
//	                          2026, 2026-11 or 2026-11-20. A document's date is its
//	                          front matter's `date`, else `created`, else the day
//	                          on which the file was last written
//	key:value key:val* key:*  a value of the front matter, the beginning of one, any;
//	                          a key that no document has makes it a word
//
// Front matter and the words of the path are searched as text too. Words that say
// nothing ("the") count only where a query has no others; then the files are read.
type Query struct {
	Text    string // empty: all that passes the filters, newest first
	Project string // slug
	Type    string
	Tags    []string // all of them
	Limit   int      // 0: 10; at most 1,000
	Mode    Mode     // how documents are ranked
	Explain bool     // say of each hit why it is one; takes about twice as long
	WhyNot  string   // a path: say why this document isn't shown, or where; includes Explain
}

// Most is how many hits are shown.
func (q Query) Most() int {
	if q.Limit <= 0 {
		return 10
	}
	return min(q.Limit, MaxLimit)
}

// A Clause is one word, phrase or filter of a query.
type Clause struct {
	Filter string // field of a filter; empty: text
	Key    string // of a filter by a key of the front matter
	raw    string // as written, for a filter that turns out to be text
	Fields page.Fields
	Text   string
	Phrase bool
	Prefix bool
	Not    bool
}

// plain: it is a word that is looked for as its forms and, failing that, its likes.
func (c Clause) Plain() bool { return c.Filter == "" && !c.Not && !c.Phrase && !c.Prefix }

// The filters that are no fields of the index.
const (
	FilterBefore = "before"
	FilterAfter  = "after"
)

// Clauses takes a query apart. cut says that some of it was left out.
func (q Query) Clauses() (all []Clause, cut bool, err error) {
	if len(q.Text) > MaxQuery {
		return nil, false, fmt.Errorf("%w: it is %d bytes long, the limit is %d", ErrQuery, len(q.Text), MaxQuery)
	}
	prefixes := 0
	rest := strings.ToValidUTF8(q.Text, " ")
	for {
		var c Clause
		var ok bool
		if c, rest, ok = nextClause(rest); !ok {
			break
		}
		if c.Filter == "" && !hasWord(c.Text) || c.repeats(all) {
			continue
		}
		if len(all) == MaxClauses || c.Prefix && prefixes == maxPrefixes {
			cut = true
			continue
		}
		if c.Prefix {
			prefixes++
		}
		all = append(all, c)
	}
	add := func(field, value string) {
		if value != "" {
			all = append(all, Clause{Filter: field, Text: value})
		}
	}
	add(page.FieldProject, q.Project)
	add(page.FieldType, q.Type)
	for _, t := range q.Tags {
		add(page.FieldTag, t)
	}
	for _, c := range all {
		if err := c.check(); err != nil {
			return nil, false, err
		}
	}
	return all, cut, nil
}

// repeats reports whether a condition is among others already. A word that comes
// twice counts twice.
func (c Clause) repeats(all []Clause) bool {
	return (c.Filter != "" || c.Not || c.Phrase || c.Prefix) && slices.Contains(all, c)
}

// check returns ErrQuery for a filter that can't be carried out.
func (c Clause) check() error {
	if c.Filter == "" {
		return nil
	}
	if len(c.Text) > MaxValue {
		return fmt.Errorf("%w: the value of %s: is %d bytes long, the limit is %d", ErrQuery, c.Filter, len(c.Text), MaxValue)
	}
	if c.Filter == FilterBefore || c.Filter == FilterAfter {
		_, err := QueryDay(c.Filter, c.Text)
		return err
	}
	return nil
}

// nextClause cuts the first clause off a text.
func nextClause(text string) (c Clause, rest string, ok bool) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if text == "" {
		return c, "", false
	}
	// "--flag" is a word to look for, "-flag" one to avoid.
	if len(text) > 1 && text[0] == '-' && text[1] != '-' && !unicode.IsSpace(rune(text[1])) {
		c.Not = true
		text = text[1:]
	}
	if inner, after, quoted := cutQuoted(text); quoted {
		c.Text, c.Phrase = inner, true
		return c, after, true
	}
	if rest, ok := c.field(text); ok {
		return c, rest, true
	}
	c.Text, rest = cutWord(text)
	c.star()
	return c, rest, true
}

// star makes a prefix of a word that ends with one.
func (c *Clause) star() {
	if t, star := strings.CutSuffix(c.Text, "*"); star && hasWord(t) {
		c.Text, c.Prefix = t, true
	}
}

// field reads key:value.
func (c *Clause) field(text string) (rest string, ok bool) {
	word, _ := cutWord(text)
	key, _, found := strings.Cut(word, ":")
	if !found || !page.IsKey(key) {
		return "", false
	}
	value := text[len(key)+1:]
	inner, rest, quoted := cutQuoted(value)
	if !quoted {
		inner, rest = cutWord(value)
	}
	switch key = strings.ToLower(key); key {
	case page.FieldProject, page.FieldType, page.FieldTag, page.FieldPath, page.FieldLang:
		c.Filter, c.Text = key, inner
	case FilterBefore, FilterAfter:
		if inner == "" {
			return "", false // "after: the flood"
		}
		c.Filter, c.Text = key, inner
	case "title", "heading", "headings", "body":
		if !hasWord(inner) {
			return "", false
		}
		c.Fields, c.Text, c.Phrase = page.FieldsNamed(key), inner, quoted
		if !quoted {
			c.star()
		}
	default:
		if inner == "" || strings.HasPrefix(inner, "//") {
			return "", false
		}
		c.Filter, c.Key, c.Text, c.raw = page.FieldProperty, key, inner, text[:len(text)-len(rest)]
	}
	return rest, true
}

// AsText is what a filter by a key that no document has means.
func (c Clause) AsText() Clause {
	w := Clause{Text: strings.Map(func(r rune) rune {
		if isQuote(r) {
			return ' '
		}
		return r
	}, c.raw), Not: c.Not}
	w.star()
	return w
}

// cutQuoted takes a quoted text off the front; typographic quotes count as well. One
// that isn't closed goes to the end.
func cutQuoted(text string) (inner, rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	if !isQuote(r) {
		return "", text, false
	}
	end := strings.IndexFunc(text[n:], isQuote)
	if end < 0 {
		return text[n:], "", true
	}
	_, m := utf8.DecodeRuneInString(text[n+end:])
	return text[n : n+end], text[n+end+m:], true
}

func isQuote(r rune) bool {
	return strings.ContainsRune("\"\u201c\u201d\u201e\u00ab\u00bb", r) && r > 0
}

func cutWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

func hasWord(text string) bool { return strings.IndexFunc(text, match.IsWordRune) >= 0 }

// QueryDay is parseDay for a query.
func QueryDay(field, text string) (day.Day, error) {
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

// Condition reports whether a clause is one that every hit meets.
func (c Clause) Condition() bool { return c.Filter != "" || c.Not || c.Phrase || c.Fields != 0 }

// String is the clause as written in a query.
func (c Clause) String() string {
	text := c.Text
	if c.Phrase || strings.ContainsAny(text, " \t\n") {
		text = `"` + text + `"`
	}
	if c.Prefix {
		text += "*"
	}
	key := c.Filter
	if c.Filter == page.FieldProperty {
		key = c.Key
	}
	for _, name := range []string{"title", "heading", "body"} {
		if c.Fields == page.FieldsNamed(name) {
			key = name
		}
	}
	if key != "" {
		text = key + ":" + text
	}
	if c.Not {
		text = "-" + text
	}
	return text
}

// A Mode says how a query's words rank documents. Filters, phrases and exclusions
// hold in all of them, and where there are no vectors, all of them are Text.
type Mode int

// The modes.
const (
	// Hybrid: by words and by nearness in meaning, so that documents without any of
	// the words can be found as well.
	Hybrid Mode = iota
	// Text: by words alone (BM25).
	Text
	// Vector: by nearness in meaning alone.
	Vector
)

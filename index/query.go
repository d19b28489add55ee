package index

import (
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

// Limits on a query, so that no text costs more than a moment.
const (
	maxQuery    = 64 << 10 // bytes; more is an error
	maxValue    = 512      // bytes of a filter's value; more is an error
	maxClauses  = 64       // words, phrases and filters; the rest is ignored
	maxPrefixes = 16       // words with a star; the rest is ignored
	maxLimit    = 1000     // hits
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

// limit is how many hits are shown.
func (q Query) limit() int {
	if q.Limit <= 0 {
		return 10
	}
	return min(q.Limit, maxLimit)
}

// A clause is one word, phrase or filter of a query.
type clause struct {
	filter string // field of a filter; empty: text
	key    string // of a filter by a key of the front matter
	raw    string // as written, for a filter that turns out to be text
	fields page.Fields
	text   string
	phrase bool
	prefix bool
	not    bool
}

// plain: it is a word that is looked for as its forms and, failing that, its likes.
func (c clause) plain() bool { return c.filter == "" && !c.not && !c.phrase && !c.prefix }

// The filters that are no fields of the index.
const (
	filterBefore = "before"
	filterAfter  = "after"
)

// clauses takes a query apart. cut says that some of it was left out.
func (q Query) clauses() (all []clause, cut bool, err error) {
	if len(q.Text) > maxQuery {
		return nil, false, fmt.Errorf("%w: it is %d bytes long, the limit is %d", ErrQuery, len(q.Text), maxQuery)
	}
	prefixes := 0
	rest := strings.ToValidUTF8(q.Text, " ")
	for {
		var c clause
		var ok bool
		if c, rest, ok = nextClause(rest); !ok {
			break
		}
		if c.filter == "" && !hasWord(c.text) || c.repeats(all) {
			continue
		}
		if len(all) == maxClauses || c.prefix && prefixes == maxPrefixes {
			cut = true
			continue
		}
		if c.prefix {
			prefixes++
		}
		all = append(all, c)
	}
	add := func(field, value string) {
		if value != "" {
			all = append(all, clause{filter: field, text: value})
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
func (c clause) repeats(all []clause) bool {
	return (c.filter != "" || c.not || c.phrase || c.prefix) && slices.Contains(all, c)
}

// check returns ErrQuery for a filter that can't be carried out.
func (c clause) check() error {
	if c.filter == "" {
		return nil
	}
	if len(c.text) > maxValue {
		return fmt.Errorf("%w: the value of %s: is %d bytes long, the limit is %d", ErrQuery, c.filter, len(c.text), maxValue)
	}
	if c.filter == filterBefore || c.filter == filterAfter {
		_, err := queryDay(c.filter, c.text)
		return err
	}
	return nil
}

// nextClause cuts the first clause off a text.
func nextClause(text string) (c clause, rest string, ok bool) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if text == "" {
		return c, "", false
	}
	// "--flag" is a word to look for, "-flag" one to avoid.
	if len(text) > 1 && text[0] == '-' && text[1] != '-' && !unicode.IsSpace(rune(text[1])) {
		c.not = true
		text = text[1:]
	}
	if inner, after, quoted := cutQuoted(text); quoted {
		c.text, c.phrase = inner, true
		return c, after, true
	}
	if rest, ok := c.field(text); ok {
		return c, rest, true
	}
	c.text, rest = cutWord(text)
	c.star()
	return c, rest, true
}

// star makes a prefix of a word that ends with one.
func (c *clause) star() {
	if t, star := strings.CutSuffix(c.text, "*"); star && hasWord(t) {
		c.text, c.prefix = t, true
	}
}

// field reads key:value.
func (c *clause) field(text string) (rest string, ok bool) {
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
		c.filter, c.text = key, inner
	case filterBefore, filterAfter:
		if inner == "" {
			return "", false // "after: the flood"
		}
		c.filter, c.text = key, inner
	case "title", "heading", "headings", "body":
		if !hasWord(inner) {
			return "", false
		}
		c.fields, c.text, c.phrase = page.FieldsNamed(key), inner, quoted
		if !quoted {
			c.star()
		}
	default:
		if inner == "" || strings.HasPrefix(inner, "//") {
			return "", false
		}
		c.filter, c.key, c.text, c.raw = page.FieldProperty, key, inner, text[:len(text)-len(rest)]
	}
	return rest, true
}

// asText is what a filter by a key that no document has means.
func (c clause) asText() clause {
	w := clause{text: strings.Map(func(r rune) rune {
		if isQuote(r) {
			return ' '
		}
		return r
	}, c.raw), not: c.not}
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

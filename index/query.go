package index

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on a query, so that no text costs more than a moment.
const (
	maxQuery   = 64 << 10 // bytes; more is an error
	maxClauses = 64       // words and phrases; the rest is ignored
	maxLimit   = 1000     // hits
)

// A Query says what to look for.
//
// In Text, words rank documents (those with more and rarer ones first), a
// "quoted phrase" must occur as it stands, -word, -"phrase" and -filter:value
// exclude documents, wor* stands for all words that begin so, and project:slug,
// type:task, tag:name and path:folder/ filter. Quotes that don't close are
// ignored. Front matter and words of the path are searched too.
type Query struct {
	Text    string // empty: all that passes the filters, newest first
	Project string // slug
	Type    string
	Tags    []string // all of them
	Limit   int      // 0: 10; at most 1,000
}

// A clause is one word, phrase or filter of a query.
type clause struct {
	filter string // field of a filter; empty: text
	text   string
	phrase bool
	prefix bool
	not    bool
}

// clauses takes a query apart.
func (q Query) clauses() ([]clause, error) {
	if len(q.Text) > maxQuery {
		return nil, fmt.Errorf("%w: it is %d bytes long, the limit is %d", ErrQuery, len(q.Text), maxQuery)
	}
	var all []clause
	rest := strings.ToValidUTF8(q.Text, " ")
	for len(all) < maxClauses {
		var c clause
		var ok bool
		if c, rest, ok = nextClause(rest); !ok {
			break
		}
		if c.filter != "" || hasWord(c.text) {
			all = append(all, c)
		}
	}
	add := func(field, value string) {
		if value != "" {
			all = append(all, clause{filter: field, text: value})
		}
	}
	add(fieldProject, q.Project)
	add(fieldType, q.Type)
	for _, t := range q.Tags {
		add(fieldTag, t)
	}
	return all, nil
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
	if field, value, found := strings.Cut(text, ":"); found && isFilter(field) {
		c.filter = strings.ToLower(field)
		if inner, after, quoted := cutQuoted(value); quoted {
			c.text = inner
			return c, after, true
		}
		c.text, rest = cutWord(value)
		return c, rest, true
	}
	c.text, rest = cutWord(text)
	if t, star := strings.CutSuffix(c.text, "*"); star && hasWord(t) {
		c.text, c.prefix = t, true
	}
	return c, rest, true
}

func isFilter(field string) bool {
	switch strings.ToLower(field) {
	case fieldProject, fieldType, fieldTag, fieldPath:
		return true
	}
	return false
}

// cutQuoted takes a quoted text off the front; typographic quotes count as well.
func cutQuoted(text string) (inner, rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	if !isQuote(r) {
		return "", text, false
	}
	end := strings.IndexFunc(text[n:], isQuote)
	if end < 0 {
		return "", text, false
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

func hasWord(text string) bool { return strings.IndexFunc(text, isWordRune) >= 0 }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

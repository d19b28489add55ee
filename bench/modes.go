package bench

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"kist/index"
)

// A Ranker is one way to rank the documents of a collection for a query.
type Ranker struct {
	Name string
	rank func(ctx context.Context, c *collection, query string) ([]string, error)
}

// Modes returns the ways that [Quality] compares. One more way to search is one
// more row.
func Modes() []Ranker {
	text := Ranker{"text only", searched(func(text string) index.Query { return index.Query{Text: text, Mode: index.Text} })}
	hybrid := Ranker{"hybrid", searched(func(text string) index.Query { return index.Query{Text: text} })}
	return []Ranker{
		{"grep-like", grepLike},
		text,
		{"vectors only", searched(func(text string) index.Query { return index.Query{Text: text, Mode: index.Vector} })},
		hybrid,
		withErrors(text),
		withErrors(hybrid),
	}
}

// searched ranks by the index, asked as query says.
func searched(query func(text string) index.Query) func(context.Context, *collection, string) ([]string, error) {
	return func(ctx context.Context, c *collection, text string) ([]string, error) {
		q := query(plainQuery(text))
		q.Limit = depth
		res, err := c.index.Search(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", q.Text, err)
		}
		ranking := make([]string, len(res.Hits))
		for i, h := range res.Hits {
			ranking[i] = documentID(h.Path)
		}
		return ranking, nil
	}
}

// plainQuery takes the query syntax out of a sentence: nothing of it is meant.
func plainQuery(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"\u201c\u201d\u201e\u00ab\u00bb*:", r) {
			return ' '
		}
		return r
	}, text)
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.TrimLeft(w, "-")
	}
	return strings.Join(words, " ")
}

// grepLike ranks by how many different words of the query a document has, as whole
// words and in whatever case; equal ones by path.
func grepLike(_ context.Context, c *collection, query string) ([]string, error) {
	asked := wordSet(query)
	counts := make([]int, len(c.docs))
	most := 0
	for i, d := range c.docs {
		for w := range asked {
			if d.words[w] {
				counts[i]++
			}
		}
		most = max(most, counts[i])
	}
	var ranking []string
	for n := most; n > 0 && len(ranking) < depth; n-- {
		for i, d := range c.docs { // in the order of paths
			if counts[i] == n {
				ranking = append(ranking, d.id)
			}
		}
	}
	return ranking[:min(len(ranking), depth)], nil
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range wordsOf(text) {
		set[w] = true
	}
	return set
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

const (
	// maxExpansion is how many terms a prefix stands for: the most frequent ones.
	maxExpansion = 200
	// minFuzzy is the length in runes of the shortest word whose spelling is
	// questioned.
	minFuzzy = 5
)

// A group is what one word of a query becomes: terms that must all be in an
// entry ("e-mail" is two), each given by one or more alternatives.
type group struct {
	terms  [][]string
	words  []string // that the terms come from, in lower case
	prefix string   // the word was a prefix
	phrase bool
}

// group analyses a word or phrase. A word of stop words alone gives no terms.
func (x *Index) group(r *scorch.IndexSnapshot, c clause) (group, error) {
	var g group
	if c.prefix {
		g.prefix = strings.ToLower(c.text)
		terms, err := expand(r, g.prefix)
		if err != nil {
			return g, err
		}
		// "running*" must find what is indexed as "run".
		for _, t := range x.analyzer.Analyze([]byte(c.text)) {
			if strings.HasPrefix(g.prefix, string(t.Term)) {
				terms = append(terms, string(t.Term))
			}
		}
		g.terms = [][]string{terms}
		return g, nil
	}
	for _, t := range x.analyzer.Analyze([]byte(c.text)) {
		if term := string(t.Term); !slices.ContainsFunc(g.terms, func(o []string) bool { return o[0] == term }) {
			g.terms = append(g.terms, []string{term})
			g.words = append(g.words, strings.ToLower(c.text[t.Start:t.End]))
		}
	}
	return g, nil
}

// expand returns the most frequent terms that begin with prefix.
func expand(r *scorch.IndexSnapshot, prefix string) ([]string, error) {
	counts := map[string]uint64{}
	for f := range numFields {
		dict, err := r.FieldDictPrefix(f.name(), []byte(prefix))
		if err != nil {
			return nil, err
		}
		if err := addCounts(counts, dict); err != nil {
			return nil, err
		}
	}
	return mostFrequent(counts, maxExpansion), nil
}

func addCounts(counts map[string]uint64, dict bleve.FieldDict) error {
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			return err
		}
		counts[e.Term] += e.Count
	}
}

func mostFrequent(counts map[string]uint64, n int) []string {
	terms := make([]string, 0, len(counts))
	for t := range counts {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(a, b string) int {
		if counts[a] != counts[b] {
			if counts[a] > counts[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return terms[:min(n, len(terms))]
}

// respell returns the most frequent live term at one edit from an unknown one
// with the same first letter; empty: none. Short words and ones with digits are
// left alone: they are names and numbers, and their neighbours are other things.
func respell(r *scorch.IndexSnapshot, term string) (string, error) {
	if utf8.RuneCountInString(term) < minFuzzy || strings.ContainsFunc(term, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return "", nil
	}
	first, _ := utf8.DecodeRuneInString(term)
	counts := map[string]uint64{}
	for f := range numFields {
		dict, err := r.FieldDictFuzzy(f.name(), term, 1, string(first))
		if err != nil {
			return "", err
		}
		if err := addCounts(counts, dict); err != nil {
			return "", err
		}
	}
	for _, t := range mostFrequent(counts, maxExpansion) {
		live, err := occurs(r, t)
		if err != nil {
			return "", err
		}
		if live {
			return t, nil
		}
	}
	return "", nil
}

// occurs reports whether any entry has the term. Dictionaries also list terms of
// deleted entries.
func occurs(r *scorch.IndexSnapshot, term string) (bool, error) {
	for f := range numFields {
		found := false
		err := postings(r, f.name(), []byte(term), func(*bleve.TermFieldDoc) error {
			found = true
			return errStop
		})
		if found {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

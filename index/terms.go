package index

import (
	"context"
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

// respell returns the most frequent term at one edit from an unknown word with
// the same first letter; empty: none. The word is tried as written and as a term,
// since a misspelt ending can be taken for a suffix and be cut off. Short words
// and ones with digits are left alone: they are names and numbers, and their
// neighbours are other things.
func respell(r *scorch.IndexSnapshot, word, term string) (string, error) {
	if utf8.RuneCountInString(word) < minFuzzy || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return "", nil
	}
	spellings := []string{word}
	if utf8.RuneCountInString(term) >= minFuzzy {
		spellings = append(spellings, term)
	}
	first, _ := utf8.DecodeRuneInString(word)
	near := map[string]uint64{}
	for f := range numFields {
		for _, t := range spellings {
			dict, err := r.FieldDictFuzzy(f.name(), t, 1, string(first))
			if err == nil {
				err = addCounts(near, dict)
			}
			if err != nil {
				return "", err
			}
		}
	}
	// bleve leaves the counts out here, and lists terms of deleted entries too.
	for t := range near {
		n, err := frequency(r, t)
		if err != nil {
			return "", err
		}
		if near[t] = n; n == 0 {
			delete(near, t)
		}
	}
	if best := mostFrequent(near, 1); len(best) > 0 {
		return best[0], nil
	}
	return "", nil
}

// frequency is the number of live postings of a term.
func frequency(r *scorch.IndexSnapshot, term string) (n uint64, err error) {
	for f := range numFields {
		tfr, err := r.TermFieldReader(context.Background(), []byte(term), f.name(), false, false, false)
		if err != nil {
			return 0, err
		}
		n += tfr.Count()
		tfr.Close()
	}
	return n, nil
}

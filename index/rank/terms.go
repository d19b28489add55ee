package rank

import (
	"github.com/blevesearch/bleve/v2/analysis"
	"kist/index/analyze"
	"kist/index/match"
	"kist/index/query"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxExpansion is how many terms a prefix stands for: the most frequent ones.
	// Several prefixes share maxExpansions.
	maxExpansion  = 200
	maxExpansions = 800
	// minFuzzy is the length in runes of the shortest word whose spelling is
	// questioned, maxRespelt how many words of a query are.
	minFuzzy = 5
	// minBeside is that of the shortest one where others of the query are found, which then
	// tell what is meant.
	minBeside = 4
	// minApart is that of the shortest word which may be one that no document has beside the
	// others of the query.
	minApart   = 7
	maxRespelt = 8
	// A word is left out that says nothing in the commonest language, or in one
	// that so many documents are in.
	stopShare = 5 // one in
)

// group analyses a word or phrase.
func (s *Search) group(c query.Clause) (group, error) {
	g := group{fields: c.Fields, phrase: c.Phrase, text: c.Text, required: c.Fields != 0 || c.Phrase}
	if c.Prefix {
		return s.prefixGroup(g, c)
	}
	for i, lang := range s.View.Languages {
		stream := analyse(s.Desk.Files.Langs.Of(lang.Name), c.Text)
		if c.Phrase {
			g.spoken = append(g.spoken, stream)
		}
		if len(stream) == 0 && lang.Documents > 0 {
			g.rare = true
			g.stop = g.stop || i == 0 || lang.Documents*stopShare > s.documents
		}
		if lang.Name != "cjk" && g.known(stream) {
			continue
		}
		w := newWay(stream, c.Text)
		if lang.Name == "cjk" && w.single() {
			// Signs are indexed by twos.
			pairs, err := s.Snapshot.Expand(c.Fields, w.terms[0], maxPairs)
			if err != nil {
				return g, err
			}
			g.rare = true // it may be the second sign of each
			g.ways = append(g.ways, way{terms: [][]string{append(pairs, w.terms[0]...)}, words: w.words, starts: []int{-1}})
			continue
		}
		g.add(w)
	}
	return g, nil
}

// prefixGroup finds the terms that begin as a word does: as it is written, and as the
// languages write it, which may drop accents. "running*" must find what is indexed as
// "run" as well.
func (s *Search) prefixGroup(g group, c query.Clause) (group, error) {
	g.prefix = strings.ToLower(c.Text)
	prefixes, whole := []string{g.prefix}, []string(nil)
	for _, lang := range s.View.Languages {
		stream := analyse(s.Desk.Files.Langs.Of(lang.Name), c.Text)
		if len(stream) != 1 {
			continue
		}
		switch t := string(stream[0].Term); {
		case slices.Contains(prefixes, t) || slices.Contains(whole, t):
		case utf8.RuneCountInString(t) == utf8.RuneCountInString(g.prefix):
			prefixes = append(prefixes, t)
		case strings.HasPrefix(g.prefix, t):
			whole = append(whole, t)
		}
	}
	terms, err := s.Snapshot.Expand(g.fields, prefixes, s.expansion())
	if err != nil {
		return g, err
	}
	for _, t := range whole {
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	g.ways = []way{{terms: [][]string{terms}, words: []string{g.prefix}}}
	return g, nil
}

// expansion is how many terms each prefix of the query may stand for.
func (s *Search) expansion() int {
	n := 0
	for _, c := range s.clauses {
		if c.Prefix {
			n++
		}
	}
	return min(maxExpansion, maxExpansions/max(1, n))
}

// newWay makes a way of a language's tokens.
func newWay(stream analysis.TokenStream, text string) (w way) {
	for _, t := range stream {
		term := string(t.Term)
		if slices.ContainsFunc(w.terms, func(o []string) bool { return o[0] == term }) {
			continue
		}
		w.terms = append(w.terms, []string{term})
		w.words = append(w.words, strings.ToLower(text[t.Start:t.End]))
		w.starts = append(w.starts, t.Start)
	}
	return w
}

// maxPairs is how many pairs a single Chinese or Japanese sign stands for.
const maxPairs = 50

// single reports whether the way is one sign of a script without spaces.
func (w way) single() bool {
	return len(w.terms) == 1 && utf8.RuneCountInString(w.terms[0][0]) == 1 && match.Unbounded([]byte(w.terms[0][0]))
}

// analyse has a language analyse a word, which is remembered, or a phrase.
func analyse(a analyze.Analyzer, text string) analysis.TokenStream {
	if strings.ContainsFunc(text, unicode.IsSpace) {
		return a.Analyze([]byte(text))
	}
	return a.Word([]byte(text))
}

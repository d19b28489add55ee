package rank

import (
	"github.com/blevesearch/bleve/v2/analysis"
	"kist/index/page"
	"slices"

	"kist/index/store"
)

const (
	// maxAlternatives is how many terms of different languages a word stands for.
	maxAlternatives = 12
	// maxWays is how many ways of cutting a text into terms are tried.
	maxWays = 6
)

// A group is what one word or phrase of a query becomes: an entry that has all the
// terms of one of the ways has it. Each language of the vault analyses the text in
// its own way; most cut it at the same places, and then their terms are alternatives
// of one another.
type group struct {
	ways     []way
	fields   page.Fields
	prefix   string // the word was a prefix
	phrase   bool
	text     string                 // of a phrase
	spoken   []analysis.TokenStream // what each language of the view makes of that
	required bool                   // every hit has it
	stop     bool                   // it says nothing, being made of stop words
	rare     bool                   // the index may lack it in some language
	entries  []uint32               // that have it, once it was scored
}

// A way is a sequence of terms ("e-mail" is two), each given by one or more
// alternatives.
type way struct {
	terms  [][]string
	words  []string    // that the terms come from, in lower case
	starts []int       // where in the text they are
	found  []foundTerm // by term, once they were looked up
}

// add takes up a way, into one that cuts the text at the same places if there is one.
func (g *group) add(w way) {
	if len(w.terms) == 0 {
		return
	}
	for _, o := range g.ways {
		if !slices.Equal(o.starts, w.starts) {
			continue
		}
		for i, t := range w.terms {
			if len(o.terms[i]) < maxAlternatives && !slices.Contains(o.terms[i], t[0]) {
				o.terms[i] = append(o.terms[i], t[0])
			}
		}
		return
	}
	if len(g.ways) < maxWays {
		g.ways = append(g.ways, w)
	}
}

// known reports whether a way has all that a language makes of the text.
func (g *group) known(stream analysis.TokenStream) bool {
	return slices.ContainsFunc(g.ways, func(w way) bool {
		if len(w.terms) != len(stream) {
			return false
		}
		for i, t := range stream {
			if w.starts[i] != t.Start || !slices.Contains(w.terms[i], string(t.Term)) {
				return false
			}
		}
		return true
	})
}

// shown is a word of the group as the query has it.
func (g group) shown(word string) string {
	if g.prefix != "" {
		word += "*"
	}
	return word
}

// lists are where its terms are, once they were looked up, by term.
func (g *group) lists() map[string][]store.Lists {
	all := map[string][]store.Lists{}
	for _, w := range g.ways {
		for i, alternatives := range w.terms {
			for _, term := range alternatives {
				if _, known := all[term]; !known {
					all[term] = listsOf(w.found[i].lists, term)
				}
			}
		}
	}
	return all
}

// listsOf are those of some lists that one term has.
func listsOf(lists []store.Lists, term string) (of []store.Lists) {
	for _, h := range lists {
		all := h.Lists
		h.Lists = nil
		for _, l := range all {
			if l.Term == term {
				h.Lists = append(h.Lists, l)
			}
		}
		if len(h.Lists) > 0 {
			of = append(of, h)
		}
	}
	return of
}

// A foundTerm is what there is of a term, given by its alternatives.
type foundTerm struct {
	idf   float64 // how telling it is
	files int     // that have it
	lists []store.Lists
}

package offline

import (
	"slices"
	"strings"
)

// What a phrase aims at: a project by its name, the active one, or neither.
type aimed int

const (
	aimless   aimed = iota // something that is no project
	aimHere                // "this", "it", "the plan", or nothing at all: the active project
	aimPart                // a part of a project's name, which may well mean something else
	aimWhole               // a name that leaves no doubt, or the word "project" beside it
	aimAbsent              // a project that doesn't exist
)

// aim reads what an order to do something with a project is about.
func (r *reader) aim(c *clause, toks []token) (reference, aimed) {
	toks = trimPhrase(toks)
	if len(toks) > 1 && lastIn(toks, "description|write-up|documentation") && strings.HasSuffix(toks[len(toks)-2].norm, "'s") {
		toks = slices.Clone(toks[:len(toks)-1]) // "this project's description"
		toks[len(toks)-1].norm = strings.TrimSuffix(toks[len(toks)-1].norm, "'s")
	}
	words := contentWords(toks)
	planned := has(toks, "<planword>")
	rest := words[:0:0]
	for _, w := range words {
		if !class("<planword>", w) && !in("this|that|it|these|here|whole|entire|current|active|present|existing|thing|everything|we|us|own|old|new", w) {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		if len(toks) > 0 && in("a|an|another|any|some|no", toks[0].norm) || has(toks, "projects|plans|ideas") {
			return reference{}, aimless
		}
		if len(toks) > 0 && !planned && !has(toks, "this|that|it|these|them|here|everything|thing|whole|one") {
			return reference{}, aimless // "the", and its noun is somewhere else
		}
		return reference{empty: true, named: planned}, aimHere
	}
	ref := refer(c, toks, r.sit.Projects)
	switch {
	case len(ref.found) > 0 && !ref.partial:
		if ref.exact || planned || len(rest) > 1 {
			return ref, aimWhole
		}
		return ref, aimPart
	case ref.partial && len(ref.found) == 1 && planned:
		ref.partial = false
		return ref, aimWhole
	case ref.named && len(rest) <= 4 && !has(toks, "projects"):
		return ref, aimAbsent
	}
	return reference{}, aimless
}

// clearly: a project that was named, or the active one called a project or plan.
func clearly(ref reference, a aimed) bool {
	return a == aimWhole || a == aimAbsent || a == aimHere && ref.named
}

// orders reports whether the clause tells kist to do something.
func (c *clause) orders() bool {
	return c.plain() && !c.question && len(c.body) > 0 && !c.body[0].quoted
}

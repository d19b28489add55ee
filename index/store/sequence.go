package store

import (
	"slices"

	"github.com/blevesearch/bleve/v2/analysis"

	"kist/index/section"
	"kist/index/sift"
)

// A Sequence is a phrase as the languages of a view have it.
type Sequence struct {
	Spoken []Spoken
	// Unsure are the languages, by analyzer, in which nobody can tell from the index whether the
	// words stand together: one counts at most, and nothing is known to be beside it.
	Unsure map[string]bool
}

// A Spoken pattern is that of some languages, by analyzer.
type Spoken struct {
	Pattern   Pattern
	Languages map[string]bool
}

// Sequence is that of a phrase, of which the view's languages, in order, have made tokens; nothing
// is spoken where the index can't tell in any language, as
// its words aren't written apart.
func (v View) Sequence(text string, tokens []analysis.TokenStream) Sequence {
	q := Sequence{Unsure: map[string]bool{}}
	if slices.ContainsFunc([]rune(text), sift.Unspaced) {
		return q
	}
	for i, lang := range v.Languages {
		p, told := patternOf(text, tokens[i])
		if !told {
			q.Unsure[lang.Name] = true
		} else if i := slices.IndexFunc(q.Spoken, func(o Spoken) bool { return slices.Equal(o.Pattern, p) }); i >= 0 {
			q.Spoken[i].Languages[lang.Name] = true
		} else {
			q.Spoken = append(q.Spoken, Spoken{p, map[string]bool{lang.Name: true}})
		}
	}
	return q
}

// patternOf makes a pattern of a phrase's tokens, and reports whether the index can tell by it.
func patternOf(text string, tokens analysis.TokenStream) (p Pattern, told bool) {
	told = len(tokens) > 1
	var before, after *analysis.Token
	for i, t := range tokens {
		if after = nil; i+1 < len(tokens) {
			after = tokens[i+1]
		}
		want := section.Wanted(text, before, t, after)
		p = append(p, PatternTerm{string(t.Term), t.Position, want, section.WantedForm(text, t)})
		told = told || want != 0
		before = t
	}
	return p, told
}

package store

import (
	"slices"

	"kist/index/analyze"
	"kist/index/sift"
)

// A Sequence is a phrase as the languages of a view have it.
type Sequence struct {
	Spoken []Spoken
	// Unsure are the languages, by analyzer, in which nobody can tell from the index whether the
	// words stand together: they are fewer than two there.
	Unsure map[string]bool
}

// A Spoken pattern is that of some languages, by analyzer.
type Spoken struct {
	Pattern   Pattern
	Languages map[string]bool
}

// Sequence is that of a phrase; nothing is spoken where the index can't tell in any language, as
// its words aren't written apart.
func (v View) Sequence(langs *analyze.Languages, text string) Sequence {
	q := Sequence{Unsure: map[string]bool{}}
	if slices.ContainsFunc([]rune(text), sift.Unspaced) {
		return q
	}
	for _, lang := range v.Languages {
		var p Pattern
		for _, t := range langs.Of(lang.Name).Analyze([]byte(text)) {
			p = append(p, PatternTerm{string(t.Term), t.Position})
		}
		if len(p) < 2 {
			q.Unsure[lang.Name] = true
		} else if i := slices.IndexFunc(q.Spoken, func(o Spoken) bool { return slices.Equal(o.Pattern, p) }); i >= 0 {
			q.Spoken[i].Languages[lang.Name] = true
		} else {
			q.Spoken = append(q.Spoken, Spoken{p, map[string]bool{lang.Name: true}})
		}
	}
	return q
}

package store

import (
	"slices"

	"github.com/blevesearch/bleve/v2/analysis"

	"kist/index/analyze"
	"kist/index/section"
	"kist/index/sift"
)

// A Sequence is a phrase as the languages of a view have it.
type Sequence struct {
	Spoken []Spoken
	Alone  []Alone
	// Unsure are the languages, by analyzer, in which nobody can tell from the index whether the
	// words stand together: they are fewer than two there.
	Unsure map[string]bool
}

// A Spoken pattern is that of some languages, by analyzer.
type Spoken struct {
	Pattern   Pattern
	Languages map[string]bool
}

// An Alone is the one word of a phrase that counts in some languages, by analyzer, and what has
// to be beside it.
type Alone struct {
	Term      string
	Beside    section.Beside
	Languages map[string]bool
}

// alone takes up that a language has one word of a phrase, and reports whether that can be told by
// the index. Offsets of tokens of texts without spaces, and of those that an analyzer shortens, say
// nothing.
func (q *Sequence) alone(lang, text string, t *analysis.Token) bool {
	want, ok := section.Around(text, t.Start, t.End)
	if !ok || lang == "cjk" || lang == "fa" {
		return false
	}
	term := string(t.Term)
	i := slices.IndexFunc(q.Alone, func(o Alone) bool { return o.Term == term && o.Beside == want })
	if i < 0 {
		i = len(q.Alone)
		q.Alone = append(q.Alone, Alone{term, want, map[string]bool{}})
	}
	q.Alone[i].Languages[lang] = true
	return true
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
		tokens := langs.Of(lang.Name).Analyze([]byte(text))
		for _, t := range tokens {
			p = append(p, PatternTerm{string(t.Term), t.Position})
		}
		if len(p) == 1 && q.alone(lang.Name, text, tokens[0]) {
			continue
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

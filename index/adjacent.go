package index

import (
	"kist/index/store"
	"slices"

	"kist/index/sift"
)

// patterns are those of a phrase; none where the index can't tell in some language whether its
// words stand together: they are fewer than two there, or not written apart.
func patterns(s *search, text string) (all []store.Pattern) {
	if slices.ContainsFunc([]rune(text), sift.Unspaced) {
		return nil
	}
	for _, lang := range s.view.Languages {
		var p store.Pattern
		for _, t := range s.index.langs.Of(lang.Name).Analyze([]byte(text)) {
			p = append(p, store.PatternTerm{Term: string(t.Term), At: t.Position})
		}
		switch {
		case len(p) < 2:
			return nil
		case !slices.ContainsFunc(all, func(o store.Pattern) bool { return slices.Equal(o, p) }):
			all = append(all, p)
		}
	}
	return all
}

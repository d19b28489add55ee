package index

import (
	"maps"
	"slices"

	"kist/index/page"
	"kist/index/sift"
	"kist/index/store"
)

// A sequence is a phrase as the languages of the vault have it.
type sequence struct {
	spoken []spoken
	// unsure are the languages, by analyzer, in which the index can't tell whether the words
	// stand together: they are fewer than two there.
	unsure map[string]bool
}

// A spoken pattern is that of some languages, by analyzer.
type spoken struct {
	pattern   store.Pattern
	languages map[string]bool
}

// sequence is that of a phrase; nothing is spoken where the index can't tell in any language, as
// its words aren't written apart.
func (s *search) sequence(text string) sequence {
	q := sequence{unsure: map[string]bool{}}
	if slices.ContainsFunc([]rune(text), sift.Unspaced) {
		return q
	}
	for _, lang := range s.view.Languages {
		var p store.Pattern
		for _, t := range s.index.langs.Of(lang.Name).Analyze([]byte(text)) {
			p = append(p, store.PatternTerm{Term: string(t.Term), At: t.Position})
		}
		if len(p) < 2 {
			q.unsure[lang.Name] = true
		} else if i := slices.IndexFunc(q.spoken, func(o spoken) bool { return slices.Equal(o.pattern, p) }); i >= 0 {
			q.spoken[i].languages[lang.Name] = true
		} else {
			q.spoken = append(q.spoken, spoken{p, map[string]bool{lang.Name: true}})
		}
	}
	return q
}

// standing returns the files of some entries in which a phrase stands together, as their own
// languages have it, and those of which the index can't tell. A file whose language isn't known
// is asked in all of them.
func (s *search) standing(entries []uint32, q sequence, fields page.Fields) (files, unsure map[int32]bool, err error) {
	files, unsure = map[int32]bool{}, map[int32]bool{}
	languages := s.languagesOf(entries)
	for i, e := range entries {
		if lang := languages[i]; q.unsure[lang] || lang == "" && len(q.unsure) > 0 {
			unsure[s.view.Refs[e].File] = true
		}
	}
	for _, p := range q.spoken {
		var of []uint32
		for i, e := range entries {
			if lang := languages[i]; p.languages[lang] || lang == "" {
				of = append(of, e)
			}
		}
		if of, err = s.snapshot.Adjacent(of, []store.Pattern{p.pattern}, fields); err != nil {
			return nil, nil, err
		}
		maps.Copy(files, s.filesOf(of))
	}
	return files, unsure, nil
}

// languagesOf are the languages, by analyzer, that entries were indexed in; empty: not known.
func (s *search) languagesOf(entries []uint32) []string {
	all := make([]string, len(entries))
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	for i, e := range entries {
		path := s.view.Paths[s.view.Refs[e].File]
		if s.over != nil && !s.over.lacks(path) || s.manifest.Writing[path] {
			continue
		}
		all[i] = s.manifest.Files[path].Lang
	}
	return all
}

// phrased returns the files with a phrase's terms, which some entries have, as far as they may have
// the phrase, and notes with the phrase's check what the index has told.
func (s *search) phrased(entries []uint32, text string, fields page.Fields) (map[int32]bool, error) {
	q := s.sequence(text)
	if len(q.spoken) == 0 {
		return s.filesOf(entries), nil
	}
	files, unsure, err := s.standing(entries, q, fields)
	if err != nil {
		return nil, err
	}
	for i := range s.checks {
		if c := &s.checks[i]; c.text == text && c.fields == fields && !c.not {
			c.together, c.unsure = true, unsure
		}
	}
	maps.Copy(files, unsure)
	return files, nil
}

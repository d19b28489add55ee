package rank

import (
	"maps"

	"kist/index/store"
)

// standing returns the files of some entries in which a phrase stands together, as their own
// languages have it, and those of which the index can't tell. A file whose language isn't known
// is asked in all of them.
func standing(s *Search, g *group, entries []uint32, q store.Sequence) (files, unsure map[int32]bool, err error) {
	files, unsure = map[int32]bool{}, map[int32]bool{}
	languages := languagesOf(s, entries)
	for i, e := range entries {
		if lang := languages[i]; q.Unsure[lang] || lang == "" && len(q.Unsure) > 0 {
			unsure[s.View.Refs[e].File] = true
		}
	}
	in := func(spoken map[string]bool) (of []uint32) {
		for i, e := range entries {
			if lang := languages[i]; spoken[lang] || lang == "" {
				of = append(of, e)
			}
		}
		return of
	}
	lists := g.lists()
	for _, p := range q.Spoken {
		of := in(p.Languages)
		for _, t := range p.Pattern {
			if _, known := lists[t.Term]; !known && len(of) > 0 {
				if lists[t.Term], _, err = s.Snapshot.Lists([]string{t.Term}, g.fields); err != nil {
					return nil, nil, err
				}
			}
		}
		if of, err = s.Snapshot.Adjacent(of, p.Pattern, lists); err != nil {
			return nil, nil, err
		}
		maps.Copy(files, s.filesOf(of))
	}
	return files, unsure, nil
}

// languagesOf are the languages, by analyzer, that entries were indexed in; empty: not known.
func languagesOf(s *Search, entries []uint32) []string {
	all := make([]string, len(entries))
	s.Desk.Lock.Lock()
	defer s.Desk.Lock.Unlock()
	for i, e := range entries {
		path := s.View.Paths[s.View.Refs[e].File]
		if s.over != nil && !s.over.Lacks(path) || s.Manifest.Writing[path] {
			continue
		}
		all[i] = s.Manifest.Files[path].Lang
	}
	return all
}

// phrased returns the files with a phrase's terms, which some entries have, as far as they may have
// the phrase, and notes with the phrase's check what the index has told.
func phrased(s *Search, g *group, entries []uint32) (map[int32]bool, error) {
	q := s.View.Sequence(g.text, g.spoken)
	if len(q.Spoken) == 0 {
		return s.filesOf(entries), nil
	}
	files, unsure, err := standing(s, g, entries, q)
	if err != nil {
		return nil, err
	}
	for i := range s.checks {
		if c := &s.checks[i]; c.text == g.text && c.fields == g.fields && !c.not {
			c.together, c.unsure = true, unsure
		}
	}
	maps.Copy(files, unsure)
	return files, nil
}

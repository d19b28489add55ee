package rank

import (
	"maps"

	"kist/index/page"
	"kist/index/store"
)

// standing returns the files of some entries in which a phrase stands together, as their own
// languages have it, and those of which the index can't tell. A file whose language isn't known
// is asked in all of them.
func standing(s *Search, entries []uint32, q store.Sequence, fields page.Fields) (files, unsure map[int32]bool, err error) {
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
	for _, p := range q.Spoken {
		of := in(p.Languages)
		if of, err = s.Snapshot.Adjacent(of, p.Pattern, fields); err != nil {
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
func phrased(s *Search, entries []uint32, text string, fields page.Fields) (map[int32]bool, error) {
	q := s.View.Sequence(s.Desk.Files.Langs, text)
	if len(q.Spoken) == 0 {
		return s.filesOf(entries), nil
	}
	files, unsure, err := standing(s, entries, q, fields)
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

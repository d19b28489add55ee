package rank

import (
	"kist/index/page"
	"strings"
	"unicode"
)

// named returns the files that are called exactly what the query says, whose conditions don't
// count.
func named(s *Search) (map[int32]bool, error) {
	var words []string
	for _, c := range s.clauses {
		switch {
		case c.Condition() && !c.Phrase || c.Not || c.Fields != 0:
		case c.Prefix:
			return nil, nil
		default:
			words = append(words, c.Text)
		}
	}
	key := page.NameKey(strings.Join(words, " "))
	if key == "" || strings.IndexFunc(key, unicode.IsLetter) < 0 && len(words) > 1 {
		return nil, nil
	}
	files := map[int32]bool{}
	err := s.Snapshot.FilesWith(s.View, page.FieldName, key, func(file int32) { files[file] = true })
	return files, err
}

// putNamed puts documents that are called what the query says before all others: the score of
// the best is added to theirs. Those that found has and best hasn't take the last places.
func putNamed(s *Search, files map[int32]bool, found, best []ranked) []ranked {
	if len(files) == 0 || len(best) == 0 || best[0].score <= 0 {
		return best
	}
	here := map[int32]bool{}
	for _, r := range best {
		here[r.file] = true
	}
	for _, r := range found {
		if files[r.file] && !here[r.file] {
			best = append(best, r)
		}
	}
	most := best[0].score
	for i := range best {
		if r := &best[i]; files[r.file] {
			r.score += most
			s.trace.name(r.file, most)
		}
	}
	inOrder(best, s.View.Paths)
	return best
}

func (t *trace) name(file int32, score float32) {
	if t != nil {
		t.named[file] = score
	}
}

package rank

import (
	"kist/index/page"
	"strings"
	"unicode/utf8"
)

// meant is the one of some terms that a word is taken for; empty: none. Where other words of the
// query are found, what stands beside them in good documents is more likely meant than what is
// frequent, and a word that isn't long is left alone if nothing like it stands there.
func meant(s *Search, word string, near []string) (string, error) {
	if len(near) == 0 || len(s.touched) == 0 {
		return strings.Join(near[:min(1, len(near))], ""), nil
	}
	best, most := "", float32(0)
	for _, term := range near {
		lists, _, err := s.Snapshot.Lists([]string{term}, 0)
		if err != nil {
			return "", err
		}
		beside := float32(0)
		for _, l := range lists {
			if err := l.Each(s.Snapshot.Room, 0, l.Size, func(e uint32, _ page.Field, _, _ float64) { beside += s.scores[e] }); err != nil {
				return "", err
			}
		}
		if beside > most {
			best, most = term, beside
		}
	}
	if best == "" && utf8.RuneCountInString(word) >= minApart {
		best = near[0]
	}
	return best, nil
}

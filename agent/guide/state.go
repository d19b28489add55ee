package guide

import (
	"maps"
	"slices"
	"strings"

	"kist/agent/model"
)

// StateOf is the state of the session that a situation describes. What was said so
// far is the draft's own text.
func StateOf(s model.Situation) State {
	st := State{Asked: s.Asked, Questions: len(s.Asked), Seed: s.Session}
	if s.Draft == nil {
		return st
	}
	said := s.Draft.Description
	for _, key := range slices.Sorted(maps.Keys(s.Draft.Dimensions)) {
		said += "\n\n" + s.Draft.Dimensions[key]
		if strings.TrimSpace(s.Draft.Dimensions[key]) != "" {
			st.Covered = append(st.Covered, key)
		}
	}
	for _, key := range Covered(said) {
		if !slices.Contains(st.Covered, key) {
			st.Covered = append(st.Covered, key)
		}
	}
	st.Name, st.FollowUp = s.Draft.Name, s.Draft.FollowUp
	st.Questions = max(st.Questions, s.Draft.Questions)
	st.Scores = Score(said, nil)
	st.Complex, _, _ = Complexity(said, st.Scores)
	return st
}

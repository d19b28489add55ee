package guide

import (
	"maps"
	"slices"
	"strings"

	"kist/agent/model"
)

// WorkingTitle stands in until the user has a name for what is being made.
const WorkingTitle = "New Project"

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
	}
	st.Name, st.FollowUp = s.Draft.Name, s.Draft.FollowUp
	st.Questions = max(st.Questions, s.Draft.Questions)
	st.Scores = Score(said)
	st.Complex = Complexity(said, st.Scores)
	// Of a complex project, a word on something isn't enough: there, what was told
	// by the way is asked about, and what was asked about is not asked again.
	full, _ := Completeness(s.Draft.Dimensions, st.Complex)
	also := alsoTold(said)
	for _, key := range Dimensions() {
		told := strings.TrimSpace(s.Draft.Dimensions[key]) != "" || also[key]
		if told && (!st.Complex || full[key] >= 7 || askedOf(s.Asked, key) > 0) {
			st.Covered = append(st.Covered, key)
		}
	}
	return st
}

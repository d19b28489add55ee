package guide

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/model"
)

// A State is what [Next] must know of a session: what was found in the brain
// dump, and what has become of the questions so far.
type State struct {
	Name      string             // of the project; may be empty
	Scores    map[string]float64 // of Score
	Covered   []string           // dimensions that were told or answered
	FollowUp  []string           // dimensions left open ("I don't know", skipped): not asked again
	Asked     []string           // ids of all questions asked
	Questions int                // how many were asked, for the limit; at least len(Asked)
	Seed      string             // the session's id
	Complex   bool               // see Complexity
}

// Limits returns how many questions a project is asked: 3 to 5 if it is simple,
// 7 to 10 if it is complex. The lower number is what there should be questions
// for; what was volunteered is still not asked.
func Limits(complex bool) (least, most int) {
	if complex {
		return 7, 10
	}
	return 3, 5
}

// maxAsked is how often one dimension is asked about: once, and once more in
// other words if the answer was about something else.
const maxAsked = 2

// Next returns the next question of a session; false when there is nothing left
// to ask, or the limit is reached. It asks about the core dimensions and those
// that score 6 and more, in the order of Core and then by score, each once before
// any twice; of a complex project then the others, up to the lower limit; skipping what is covered or left open. It never repeats a question,
// and for the same state it is always the same.
func Next(s State) (Question, bool) {
	least, most := Limits(s.Complex)
	if max(s.Questions, len(s.Asked)) >= most {
		return Question{}, false
	}
	agenda := Agenda(s.Scores)
	if s.Complex && max(s.Questions, len(s.Asked)) < least {
		agenda = append(agenda, slices.DeleteFunc(Dimensions(), func(key string) bool { return slices.Contains(agenda, key) })...)
	}
	for round := range maxAsked {
		for _, key := range agenda {
			if slices.Contains(s.Covered, key) || slices.Contains(s.FollowUp, key) || askedOf(s.Asked, key) != round {
				continue
			}
			if q, ok := Ask(s, key); ok {
				return q, true
			}
		}
	}
	return Question{}, false
}

// After returns the question that comes next if the open one is answered, or left open, and
// the answer tells of nothing else.
func After(s State, open model.Question) (Question, bool) {
	if q, ok := Asked(open); ok {
		s.Covered = append(slices.Clone(s.Covered), q.Dimension)
		if q.ID != Unlisted && !slices.Contains(s.Asked, q.ID) {
			s.Asked = append(slices.Clone(s.Asked), q.ID)
		}
	}
	return Next(s)
}

// Ask returns a question about one dimension that wasn't asked yet, whatever the
// limits: for when the user wants to be asked about it. False if all were asked.
func Ask(s State, key string) (Question, bool) {
	list := Variants(key, s.Name)
	for i := range list {
		q := list[(pick(len(list), s.Seed, key)+i)%len(list)]
		if !slices.Contains(s.Asked, q.ID) {
			return q, true
		}
	}
	return Question{}, false
}

// Agenda returns the dimensions worth asking about, in order.
func Agenda(scores map[string]float64) []string {
	out := Core()
	var rest []string
	for _, key := range Dimensions() {
		if scores[key] >= Relevant && !slices.Contains(out, key) {
			rest = append(rest, key)
		}
	}
	slices.SortStableFunc(rest, func(a, b string) int {
		return cmp.Compare(scores[b], scores[a])
	})
	return append(out, rest...)
}

func askedOf(ids []string, key string) (n int) {
	for _, id := range ids {
		if cutID(id) == key {
			n++
		}
	}
	return n
}

// Complexity judges from a brain dump and its scores whether a project is
// complex.
func Complexity(text string, scores map[string]float64) bool {
	points, relevant := 0, 0
	for _, v := range scores {
		if v >= Relevant {
			relevant++
		}
	}
	switch {
	case relevant >= 6:
		points += 3
	case relevant >= 4:
		points++
	}
	ws := words(clip(text))
	switch {
	case len(ws) >= 250:
		points += 2
	case len(ws) >= 120:
		points++
	}
	return points+size(ws) >= 3
}

// size weighs the words that make a project sound big or small.
func size(ws []word) (points int) {
	big, small := 0, 0
	for i, w := range ws {
		switch {
		case slices.Contains(bigWords(), w.stem), w.is("<big>") && len(w.norm) >= 6, w.is("<money>") && strings.HasSuffix(w.norm, "m"):
			big++
		case slices.Contains(smallWords(), w.stem):
			small++
		case w.stem == "year" && i > 0 && ws[i-1].is("<num>"):
			big++
		}
	}
	return min(big, 3) - min(small, 2)
}

func bigWords() []string {
	return []string{"company", "startup", "business", "team", "investor", "wed", "migration", "migrat", "department", "nationwide", "international", "construction", "permit", "regulation", "contractor", "grant", "festival", "conferenc", "thesi", "stakeholder", "employee", "custom", "phase", "renovat", "renovation"}
}

func smallWords() []string {
	return []string{"small", "quick", "simpl", "littl", "tiny", "weekend", "afternoon", "hobby", "just", "easy"}
}

package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
)

// fillSwitch finds where to go: the project that stands where such a one does, and never
// the one that is left.
func (r *Reader) fillSwitch(c *Clause, m Meaning) Meaning {
	args := r.arguments(c, intent.Switch)
	goals, left := args.every("project"), args.every("left")
	if len(goals) > 0 && len(left) > 0 && joined(c, [][]language.Token{left[len(left)-1], goals[len(goals)-1]}) {
		goals, left = slices.Concat(left, goals), nil // "the boat and the shop"
	}
	var refs []refer.Reference
	for _, toks := range goals {
		if ref := r.Scope().Goal(c.Src, toks); len(ref.Found) > 0 || ref.Phrase != "" {
			refs = append(refs, ref)
		}
	}
	switch ref := r.Scope().Subject(c.Src, language.Without(c.All, left), true); {
	case len(refs) == 0:
		m.Project = ref
	case len(refs) > 1 && joined(c, goals) && len(refs[0].Found) == 1 && len(refs[1].Found) == 1 && refs[0].Found[0].Slug != refs[1].Found[0].Slug:
		m.Project, m.two = refer.Reference{Found: []model.Project{refs[0].Found[0], refs[1].Found[0]}}, true
	default:
		m.Project = refs[len(refs)-1] // "open the boat, no, sorry, the shop"
		if len(m.Project.Found) == 0 && len(ref.Found) > 0 {
			m.Project = ref
		}
	}
	if len(m.Project.Found) == 0 && !refer.GoesTo(c.All, m.Project.Phrase) {
		return m.Nothing()
	}
	return m
}

// joined: the last two of several stand beside each other, with "and" or "or" between.
func joined(c *Clause, goals [][]language.Token) bool {
	first, second := goals[len(goals)-2], goals[len(goals)-1]
	for i, t := range c.All {
		if t.Start == second[0].Start {
			for i--; i > 0 && language.Class("<det>", c.All[i].Norm); i-- {
			}
			return i > 0 && language.In("and|or|versus|vs", c.All[i].Norm) && c.All[i-1].End <= first[len(first)-1].End
		}
	}
	return false
}

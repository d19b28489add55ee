package interpret

import (
	_ "embed"
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/apart"
	"kist/agent/offline/naming"
	"kist/agent/offline/refer"
)

// That something is a project of its own the trained model has no label for.

// apart is the wish for a project that a clause holds, or what it tells of one: beside best,
// which the model read, and in place of most.
func (r *Reader) apart(c *Clause, best Meaning) (Meaning, bool) {
	if c = unnegated(c); c.Negated || c.supposed || takesAway(best.Intent) && best.Score >= surely && best.Intent != intent.RenameProject {
		return best, false
	}
	if m, ok := engaged(r, c); ok {
		return m, true
	}
	o, ok := r.ownIn(c)
	if !ok || c.Question && !o.Asked {
		return best, false
	}
	if _, exists := refer.To(c.Src, o.Thing, r.sit.Projects).One(); exists && len(o.Thing) > 0 {
		return best, false
	}
	m := Meaning{Intent: intent.CreateProject, Score: max(best.Score, Likely), Clause: c, Apart: true, Points: len(o.Thing) == 0, Project: refer.Reference{Empty: true}}
	m.Name = naming.Called(c.Src, c.All)
	wonders := c.Question && language.Begins(c.All, "should|shall|must|do|did|is|are|am|was")
	m.Given, m.Sure = m.Name != "", (o.Asked || m.Name != "") && !wonders
	switch spelt := language.Spell(c.Src, o.Thing); {
	case m.Given:
	case m.Points:
		m.Name = r.Undertaking(c.beside())
	default:
		if m.Name = naming.Kept(spelt); m.Name == "" {
			m.Name = language.TitleCase(language.Spell(c.Src, language.Inner(o.Thing)))
		}
	}
	return m, true
}

// unnegated is what a clause says behind what it denies: "I shouldn't mix them, so that should be
// kept apart".
func unnegated(c *Clause) *Clause {
	i := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Norm == "," && !t.Quoted })
	if !c.Negated || i < 0 {
		return c
	}
	if rest, ok := newClause(c.Src, c.All[i+1:], c.Question); ok {
		return &rest
	}
	return c
}

// engaged is the project of what a clause introduces with its name: "new client: Brightwater".
func engaged(r *Reader, c *Clause) (Meaning, bool) {
	name := naming.Engaged(c.Text(c.All))
	if _, exists := refer.ByName(r.sit.Projects, name); exists || name == "" || c.Question {
		return Meaning{}, false
	}
	return Meaning{Intent: intent.CreateProject, Score: 1, Clause: c, Name: name, Given: true, Sure: true, Project: refer.Reference{Empty: true}}, true
}

// beside is the message without the clause.
func (c *Clause) beside() string {
	return c.Src[:c.All[0].Start] + c.Src[c.All[len(c.All)-1].End:]
}

// ownIn reads from a clause what it says to be a project of its own.
func (r *Reader) ownIn(c *Clause) (apart.Own, bool) {
	if apart.IsBare(c.All) && language.HasWord(language.Tokenize(c.beside())) {
		return apart.Own{Asked: true}, true
	}
	var name []string
	if r.sit.Project != nil {
		name = refer.NameWords(*r.sit.Project)
	}
	return apart.Read(c.All, name)
}

// oneApart leaves of what a message says of one project to be made a single meaning, with the
// name that a clause behind it gives: "that's a project of its own. Call it Kestrel".
func oneApart(list []Meaning) []Meaning {
	made := -1
	for i, m := range list {
		switch {
		case made < 0:
			if m.Intent == intent.CreateProject {
				made = i
			}
			continue
		case m.Apart:
			if it := &list[made]; m.Given || !it.Given && (it.Name == "" || it.Points && !m.Points) {
				it.Name, it.Given = m.Name, m.Given
			}
			list[made].Sure, list[made].Points, list[made].Apart = list[made].Sure || m.Sure, list[made].Points || m.Points, true
		case m.Intent == intent.RenameProject || m.Intent == intent.UpdateTask || m.Intent == intent.None:
			name := CalledInstead(m.Clause.Text(m.Clause.All))
			if name == "" || list[made].Given {
				continue
			}
			list[made].Name, list[made].Given, list[made].Sure = name, true, true
		default:
			continue
		}
		list[i] = Meaning{Clause: m.Clause, Score: m.Score}
	}
	return slices.DeleteFunc(list, func(m Meaning) bool { return m.Intent == "" })
}

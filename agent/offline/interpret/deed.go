package interpret

import (
	"kist/agent/intent"
	"kist/agent/language"
)

// What was done, said in passing.

// maybeDone is how probable it must be that something was done, to look for a task whose
// words leave no doubt.
const maybeDone = 0.2

// A Deed is what a clause may say was done.
type Deed struct {
	Title string // of a task, as it was said
	P     float64
}

// Deeds are the things that a message may say were done.
func (r *Reader) Deeds(text string) []Deed {
	var out []Deed
	list := r.Clauses(text)
	for i := range list {
		c := &list[i]
		for _, reading := range r.model().Read(r.part(text, list, i)) {
			if reading.Intent != intent.CompleteTask || reading.P < maybeDone || c.Question || c.supposed || r.vetoed(c, intent.CompleteTask) != allowed {
				continue
			}
			for _, title := range r.Filled(c, intent.CompleteTask, reading.P).Titles {
				out = append(out, Deed{title, reading.P})
			}
		}
	}
	return out
}

// Happened is how many words of a clause may tell what has happened. Of what is to be, or
// hangs on something, or isn't so, there is none.
func (c *Clause) Happened() int {
	n := 0
	for _, t := range c.All {
		if t.Word && language.Past(t.Norm) {
			n++
		}
	}
	if !c.Stands() || language.Has(c.All, "<unreal>") {
		return 0
	}
	return n
}

// Stands: a clause asks and denies nothing, and hangs on nothing.
func (c *Clause) Stands() bool { return !c.Question && !c.supposed && !c.Negated }

// NamesAnother: a clause may only name another task than one before it spoke of.
func NamesAnother(c *Clause) bool { return another(c) != "" }

// another is the title that such a clause has.
func another(c *Clause) string {
	if toks := also(c.All); toks != nil {
		return titleOf(c, toks)
	}
	return ""
}

// OfAnother is the meaning of a clause that only names another task than one before it
// spoke of; false: it says more.
func (m Meaning) OfAnother(c *Clause) (Meaning, bool) {
	title := another(c)
	if !OfTasks(m.Intent) || title == "" || m.Change.Title != "" {
		return Meaning{}, false
	}
	m.Titles, m.Title, m.Points, m.Righted, m.Clause, m.Also = []string{title}, "", false, false, c, true
	return m, true
}

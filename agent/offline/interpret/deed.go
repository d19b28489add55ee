package interpret

import (
	"slices"
	"time"

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
	if c.Question || c.supposed || c.Negated || language.Has(c.All, "<unreal>") {
		return 0
	}
	return n
}

// Needed is the day by which a clause says that something has to be, or to which it says
// that something has moved, from tomorrow on, and the words for that; empty: it says of none.
func (c *Clause) Needed(now time.Time) (what, day string) {
	for _, part := range append(language.Listed(c.All), c.All) {
		d, ok := language.FindDay(part, now) // each thing that is listed, and all of them
		if !ok || c.Question || c.supposed || c.Negated || language.ISODay(d.Day) <= language.ISODay(now) {
			continue
		}
		if language.Has(part, "have|has|need|needs|must|due|deadline|until|till") || language.Has(part[:d.Start], "<later>|<sooner>|<shifted>") && slices.ContainsFunc(part[max(0, d.Start-1):d.Start+1], func(t language.Token) bool { return language.In("to|until|till|auf", t.Norm) }) {
			return language.Spell(c.Src, language.Cut(part, d.Start, d.End)), language.ISODay(d.Day)
		}
	}
	return "", ""
}

// OfAnother is the meaning of a clause that only names another task than one before it
// spoke of; false: it says more.
func (m Meaning) OfAnother(c *Clause) (Meaning, bool) {
	title := ""
	if toks := also(c.All); toks != nil {
		title = titleOf(c, toks)
	}
	if !OfTasks(m.Intent) || title == "" || m.Change.Title != "" {
		return Meaning{}, false
	}
	m.Titles, m.Title, m.Points, m.Righted, m.Pairs, m.Clause, m.Also = []string{title}, "", false, false, nil, c, true
	return m, true
}

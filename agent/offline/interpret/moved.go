package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
)

// datesMoved reads news of another date: "the deadline slipped by two weeks". Whether
// something has that date is for the files to tell. p is how probable it is that something
// has changed.
func (r *Reader) datesMoved(c *Clause, otherwise Meaning, p float64) Meaning {
	if otherwise.About != string(intent.News) && (otherwise.About != "" || p < Likely) || c.Question || c.supposed {
		return otherwise
	}
	args := r.arguments(c, intent.News)
	m := Meaning{Intent: intent.UpdateTask, Score: max(otherwise.Score, p), Clause: c, Project: refer.Reference{Empty: true}}
	for _, slot := range []string{"value", "due"} {
		if d, ok := todo.DateIn(args.first(slot), r.sit.Now); ok {
			m.Change.Due = language.ISODay(d.Day)
		}
	}
	if by := args.first("by"); by != nil {
		m.Moved, m.Change.Due = todo.MovedBy(by, c.All), ""
	}
	what := args.first("what")
	if what == nil || m.Change.Due == "" && !m.Moved.Set() || refer.IsPlace(c.All, what) {
		return otherwise
	}
	m.Title, m.Moved.Start = r.datedThing(c, what)
	m.Moved.Stated = true
	return m
}

// datedThing spells what has another date now: "" for the project as a whole. start
// says that it is its beginning.
func (r *Reader) datedThing(c *Clause, toks []language.Token) (title string, start bool) {
	start = language.Has(toks, "start|starting|beginning|kickoff|kick-off")
	words := slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool {
		return !t.Quoted && (!t.Word || language.Class("<dateword>", t.Norm) || language.Class("<det>", t.Norm) || language.In("of|for|by|on|new|old|final|planned|extension|now", t.Norm))
	})
	return language.Spell(c.Src, words), start
}

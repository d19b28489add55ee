package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/field"
	"kist/agent/offline/naming"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
)

// To make several of a task that names several things, and to list documents, are no labels of the model's.
const SplitTask, ListNotes intent.Name = "split_task", "list_notes"

// ordered is what a clause orders, by its words (see slots), of a task that it names as one or of
// one of its fields, and which project it names and calls otherwise.
func ordered(r *Reader, c *Clause) (Meaning, bool) {
	if c.Question && !polite(c.Toks) || c.Negated || c.supposed || c.asked {
		return Meaning{}, false
	}
	toks := bareOrder(c.All)
	if o, task, ok := field.Read(c.Src, toks, r.sit.Now); ok && titleOf(c, task) != "" {
		return Meaning{Intent: intent.UpdateTask, Score: 1, Clause: c, Project: refer.Reference{Empty: true}, Titles: []string{titleOf(c, task)}, Field: o}, true
	}
	for _, name := range []intent.Name{intent.UpdateTask, intent.DeleteTask, SplitTask} {
		placed := func(place string, toks []language.Token) bool {
			return place == "task" && name == SplitTask && onlyPoints(toks) || placeOfOrder(place, toks)
		}
		for _, l := range leads()[name] {
			f, ok := l.Fill(toks, placed)
			if !ok {
				continue
			}
			m := Meaning{Intent: name, Score: 1, Clause: c, Project: refer.Reference{Empty: true}}
			switch {
			case onlyPoints(f.Places["task"]):
				m = ofBefore(c, m)
			case pointsToLast(f.Places["task"]):
				m.Points = true
			default:
				m.Titles = []string{titleOf(c, f.Places["task"])}
			}
			called := slices.Concat(f.Places["title"], f.Places["name"])
			if len(called) == 0 {
				return m, true
			}
			m.Change = todo.Read(c.Src, called, r.sit.Now)
			if quoted := language.Quotations(c.Src, called); len(quoted) > 0 {
				m.Change.Title = language.Capital(quoted[0])
			}
			return m, m.Change.Title != ""
		}
	}
	to, ok := r.Scope().Renaming(c.Src, toks, r.sit.Archived)
	return Meaning{Intent: intent.RenameProject, Score: 1, Clause: c, Project: to.Project, Name: naming.NewName(c.Src, to.Name)}, ok && to.Sure
}

// bareOrder are the words of an order without what leads to it, and without why.
func bareOrder(toks []language.Token) []language.Token {
	toks = afterMends(toks)
	if n, ok := language.MatchAny(toks, "can|could|would|will you", "let us", "we|you can|should|may", "i want|like you? to", "i would like you? to"); ok {
		toks = language.SkipOpeners(toks[n:])
	}
	toks = trimPhraseEnd(toks)
	if i := slices.IndexFunc(toks, func(t language.Token) bool { return t.Norm == "," && !t.Quoted }); i > 0 && i+1 < len(toks) && language.Fits(toks[i+1], "<pronoun>|<subject>|because") {
		toks = toks[:i] // and why
	}
	return toks
}

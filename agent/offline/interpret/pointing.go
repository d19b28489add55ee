package interpret

import (
	"slices"
	"time"

	"kist/agent/language"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
	"kist/agent/offline/value"
)

// A task may say what is to be done by pointing to what was told just before: "gravel for
// the path, have to buy some", "there's no plan yet, someone needs to write one".

// Pointing: a title that only says to do something with what was told before.
func Pointing(words string) bool {
	toks := language.Tokenize(words)
	named := slices.DeleteFunc(language.ContentWords(toks), func(w string) bool {
		return language.Class("<pronoun>", w) || language.In("one|ones|some|put|write|note|jot|down|why|how", w) || value.Of("state", language.Tokenize(w)) != ""
	})
	return len(named) < 2 && language.Has(toks, "it|that|this|them|these|those|some|one|ones|one's|das|es|sie|ihn|welche")
}

// whole gives a task that only points the words that it points to: what it says joins the
// one beside it, and alone it begins where its clause does.
func (c *Clause) whole(todos []todo.Todo, args arguments, now time.Time) []todo.Todo {
	if len(todos) == 1 && (Pointing(todos[0].Title) || title.Points(todos[0].Title)) {
		slot := args.first("task")
		if slot == nil {
			return todos
		}
		before := c.All
		for language.Begins(before, "and|but|so|then|also|und|aber") {
			before = before[1:]
		}
		before = before[:max(0, slices.IndexFunc(before, func(t language.Token) bool { return t.Start >= slot[0].Start }))]
		before = before[1+slices.IndexFunc(before, func(t language.Token) bool { return t.Norm == ":" }):] // "add a task: fix it"
		if n, ok := language.MatchAny(before, "please? "+newTask+" to|for|about"); ok {
			before = before[n:]
		}
		if len(language.ContentWords(before)) > 1 && !language.Begins(before, "<subject>") {
			todos[0].Title = language.Capital(language.Limit(c.Text(todo.Unordered(append(slices.Clone(before), slot...), now)), 200))
		}
		return todos
	}
	if len(todos) != 2 || Pointing(todos[0].Title) == Pointing(todos[1].Title) {
		return todos // of a list each is one: "a cover, an index, somebody to proofread it"
	}
	if Pointing(todos[0].Title) {
		return []todo.Todo{todos[1].With(todos[0])}
	}
	return []todo.Todo{todos[0].With(todos[1])}
}

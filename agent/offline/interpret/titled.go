package interpret

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

// What was said outright to be a task is one, whatever it is called; of the rest only what
// has the form of one, see title.OfTask.

// titled leaves the things to do that may be tasks. A detail joins the one before it. Where
// none is left, the clause only tells something, or the day of what was named before.
func (m Meaning) titled() Meaning {
	c := m.Clause
	if todo.OnlyName(c.Src, c.All, m.Todos) {
		return m.untold(nil)
	}
	if c.wanted() {
		return m
	}
	var good, pointing []todo.Todo
	for _, one := range m.Todos {
		worded, ok := title.OfTask(one.Title)
		switch n := len(good) - 1; {
		case ok && (n < 0 || !title.Price(one.Title)):
			one.Title = worded
			good = append(good, one)
		case n >= 0 && title.Price(one.Title):
			good[n] = good[n].With(one)
			good[n].Title += ", " + c.spelt(one.Title)
		case one.Due != "":
			pointing = append(pointing, one)
		}
	}
	if m.Todos = good; len(good) == 0 {
		return m.untold(pointing)
	}
	return m
}

// owed leaves things to do where somebody says that they are to be done.
func (m Meaning) owed(r *Reader) Meaning {
	if m.Intent != intent.AddTask || m.Clause.wanted() {
		return m
	}
	all := m.Todos
	if m.Todos = todo.Owed(m.Clause.Src, m.Clause.All, all, r.sit.Now); len(m.Todos) == 0 {
		return m.untold(slices.DeleteFunc(all, func(one todo.Todo) bool { return one.Due == "" || !Pointing(one.Title) }))
	}
	return m
}

// wanted: it was said outright that these are tasks, or they are a list.
func (c *Clause) wanted() bool {
	i := title.Colon(c.All)
	return c.outright() || i >= 0 && !title.Labelled(c.All)
}

// outright: it was said outright that these are tasks.
func (c *Clause) outright() bool {
	return c.asked || language.Has(c.All, "<taskword>") || language.Begins(language.SkipOpeners(c.All), "add|put|remind")
}

// untold is what looked like things to do and is none: it tells something, at most a day.
func (m Meaning) untold(dates []todo.Todo) Meaning {
	return Meaning{Intent: intent.None, About: string(intent.News), Clause: m.Clause, Project: m.Project, Todos: dates, idle: true}
}

// spelt is a title as it was written.
func (c *Clause) spelt(words string) string {
	if at := strings.Index(strings.ToLower(c.Src), strings.ToLower(words)); at >= 0 {
		return c.Src[at : at+len(words)]
	}
	return words
}

// dated gives the last thing to do of what was said before the day that a clause says of
// it: "book the hall, and I should have that done by Friday".
func dated(before []Meaning, m Meaning) ([]Meaning, Meaning) {
	if m.Intent != intent.None || len(m.Todos) == 0 {
		return before, m
	}
	day := m.Todos[0].Due
	m.Todos = nil
	if len(before) == 0 {
		return before, m
	}
	switch last := &before[len(before)-1]; {
	case last.Intent == intent.AddTask:
		todo := &last.Todos[len(last.Todos)-1]
		todo.Due = cmp.Or(todo.Due, day)
	}
	return before, m
}

// headed is what the head of a clause says is to be done, where the rest only tells more of
// it, and was taken for all there is: "we have to end the contract, the number is 4471".
func headed(r *Reader, c *Clause, best Meaning) Meaning {
	i := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Norm == "," && !t.Quoted })
	if best.Intent != intent.None || c.Question || c.Negated || c.supposed || i < 0 || !title.Tells(c.All[i+1:]) || !title.Owes(language.SkipOpeners(c.All[:i])) {
		return best
	}
	text := c.Text(c.All[:i])
	head, _ := newClause(text, language.Tokenize(text), false)
	p := Probable(r.Readings(text), intent.AddTask)
	m, ok := r.possible(&head, intent.Reading{Intent: intent.AddTask, P: p}, nil)
	if !ok || p < Likely || m.Intent != intent.AddTask {
		return best
	}
	for i := range m.Todos {
		m.Todos[i].Said = true
	}
	m.Clause, m.Score = c, p
	return m
}

// aside: the i-th slot holds what is told beside the things to do: "rent a cello, [the shop
// has one for 28 a month]", "I bought [a cello]", and what is listed behind those.
func (c *Clause) aside(args arguments, i int) bool {
	toks := args[i].toks
	lead := language.SkipOpeners(language.Between(c.All, 0, toks[0].Start-1))
	if language.Begins(lead, "i|we <saying>") && !language.Has(lead, "to|would|will|must|should|have") {
		return true // "I said okay, book it"
	}
	if title.Does(toks[0]) {
		return false
	}
	if _, _, ok := language.Find(lead[max(0, len(lead)-5):], "it|that|this|there is|was"); ok {
		return true // "it is Toby's birthday on Saturday"
	}
	last := -1
	for j, a := range args[:i] {
		if a.slot == "task" {
			last = j
		}
	}
	if last < 0 {
		return len(lead) > 1 && len(lead) < 5 && told(append(slices.Clone(lead), toks[0])) && !language.In("promised|forgot|agreed|needed|wanted|meant", lead[1].Norm)
	}
	_, ok := title.OfTask(c.Text(args[last].toks))
	return c.aside(args, last) || !ok && !Pointing(c.Text(args[last].toks)) || title.Tells(toks)
}

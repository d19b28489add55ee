package interpret

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
	"kist/agent/offline/value"
)

// fillTodos finds the things to do. What is said of one stands beside it: before the
// first, or behind it.
func (r *Reader) fillTodos(c *Clause, m Meaning, args arguments) Meaning {
	if m.Todos = todo.Labelled(c.Src, c.All, goesOn, r.sit.Now); len(m.Todos) > 0 {
		return m
	}
	var all todo.Todo // what stands before the first
	refused := false
	for i, a := range args {
		one := &all
		if len(m.Todos) > 0 {
			one = &m.Todos[len(m.Todos)-1]
		}
		switch a.slot {
		case "task":
			switch {
			case len(m.Todos) > 0 && (c.goesOn(args, i) || todo.Detail(a.toks) || c.listed(args, i)):
				c.goOn(one, args, i)
			case c.deniedBefore(a.toks), !c.wanted() && c.aside(args, i), !c.outright() && len(m.Todos) > 0 && c.tells(a.toks):
				refused = true
			default:
				m = r.addTodos(c, m, c.alsoBehind(c.wholeTitle(args, i), args), all)
			}
		case "due":
			one.Due = r.dayOf(c, a.toks)
			c.extend(one, todo.BesideDay(a.toks, one.Due != "", r.sit.Now))
		case "priority":
			c.prioritise(one, a.toks, args)
		}
	}
	if len(m.Todos) == 0 && refused {
		return m.untold(nil)
	}
	m.Todos = todo.Named(c.Src, m.Todos, refused)
	m.Todos = r.moreTodos(c, c.whole(m.Todos, args, r.sit.Now), all, args)
	if len(m.Todos) == 0 && !language.Has(c.All, "<taskword>") {
		return m.Nothing() // "I need to"
	}
	r.dateTodos(c, m.Todos, args)
	return m.titled().owed(r)
}

// prioritise gives a thing to do its priority, or the words that stand where one would.
func (c *Clause) prioritise(one *todo.Todo, toks []language.Token, args arguments) {
	one.Priority = value.Of("priority", toks)
	switch {
	case one.Priority == "":
		c.extend(one, c.alsoBehind(toks, args))
	case c.denied(toks):
		one.Priority = ""
	}
}

// goesOn: words go on with what stands before their comma.
func goesOn(toks []language.Token) bool {
	return language.Begins(toks, onward, "<subject>") && !language.Class("<det>", toks[0].Norm)
}

// tells: a slot holds the subject of what the clause only tells: "ring the vicar, [the
// heating] is off".
func (c *Clause) tells(toks []language.Token) bool {
	rest := c.behind(toks)
	if i := slices.IndexFunc(rest, func(t language.Token) bool { return !t.Word }); i >= 0 {
		rest = rest[:i]
	}
	return !title.Does(toks[0]) && (title.Tells(slices.Concat(toks, rest)) || language.Begins(toks, "<subject>") && !title.Owes(toks))
}

// dayOf is the day that words name, or that was named before them: "she moves on 27
// February, I have to hire a van for that day", "... before that".
func (r *Reader) dayOf(c *Clause, toks []language.Token) string {
	d, ok := todo.DateIn(toks, r.sit.Now)
	day := language.Has(toks, "that|same") && language.Has(toks, "day|date|evening|morning|weekend")
	if n, only := language.Match(toks, "before|by|until|till that|then"); !ok && (day || only && n == len(toks)) {
		d, ok = todo.LastDay(language.Tokenize(c.Src[:toks[0].Start]), toks[0].Norm == "before", r.sit.Now)
	}
	if !ok {
		return ""
	}
	return language.ISODay(d.Day)
}

// moreTodos finds what stands outside of all slots: behind them, before the clause, or
// where the model saw none. all is what is said of each.
func (r *Reader) moreTodos(c *Clause, todos []todo.Todo, all todo.Todo, args arguments) []todo.Todo {
	missing := len(todos) == 0 && args.first("task") == nil && language.Has(c.All, "it|that|this|them|das|es|<taskword>|must|needs")
	if before := c.shortBefore(); before != "" && r.after != intent.AddTask && !OfTasks(r.after) && (missing || len(todos) == 1 && (Pointing(todos[0].Title) || language.Begins(c.Toks, "that|it|this needs|wants|must|has|should"))) {
		todos = []todo.Todo{withBefore(append(todos, all)[0], len(todos) == 1, before)}
	}
	if due := args.first("due"); len(todos) == 0 && due != nil {
		left := language.Between(c.All, 0, due[0].Start-1)
		for len(left) > 0 && (!left[len(left)-1].Word || language.In("be|is|to|has|have|must|needs|need|by|on|it", left[len(left)-1].Norm)) {
			left = left[:len(left)-1]
		}
		if len(language.ContentWords(left)) > 1 { // "the balloons need picking up, has to be the day before the party"
			day := r.dayOf(c, due)
			if day == "" {
				left = c.All // whatever it is, it is said in the title
			}
			one := todo.Read(c.Src, language.SkipOpeners(left), r.sit.Now)
			one.Due = cmp.Or(day, one.Due)
			return append(todos, one)
		}
	}
	if one, ok := c.besideTo(r.sit.Now); ok && len(todos) == 0 {
		return append(todos, one)
	}
	return todos
}

// onList is what an order puts on the list, or where we are: "add milk to the list", "and put
// the raffle in there".
func onList(r *Reader, c *Clause) (Meaning, bool) {
	toks := bareOrder(c.All)
	i, n, ok := language.Find(toks, "to|on|onto <det>? <listword>|<taskword>", "in|into|on|onto there|here")
	if !ok || n < len(toks) || c.Question && !polite(c.Toks) || !c.Stands() && !c.Question || !language.Begins(toks, "put|add|stick|throw|write|enter|pop *") {
		return Meaning{}, false
	}
	put := toks[1:i]
	m := Meaning{Intent: intent.AddTask, Score: 1, Clause: c, Project: refer.Reference{Empty: true}}
	parts := [][]language.Token{put}
	if slices.ContainsFunc(put, func(t language.Token) bool { return t.Norm == "," && !t.Quoted }) {
		parts = language.Listed(put)
	}
	for _, part := range parts {
		m.Todos = append(m.Todos, todo.Read(c.Src, part, r.sit.Now))
	}
	return m, len(language.ContentWords(put)) > 0 && len(put) <= longestTitle && !Pointing(m.Todos[0].Title) && !language.Has(put, "<noteword>|<taskword>")
}

// putDown is what a clause wants put down that is to be done: "put that down for me, to ask about
// the licence", "put down that I have to check it first".
func putDown(r *Reader, c *Clause, otherwise Meaning) Meaning {
	toks := bareOrder(c.All)
	n, ok := language.MatchAny(toks, "put|note|write|jot it|that|this down", "put|note|write|jot down that i|we have|need|ought", "put me down")
	if !ok || c.supposed || c.Negated || otherwise.Intent != intent.None && otherwise.Intent != intent.Unsupported {
		return otherwise
	}
	i := n + slices.IndexFunc(toks[n:min(len(toks), n+toBehind)], func(t language.Token) bool { return t.Norm == "to" && !t.Quoted })
	if i < n || i+1 == len(toks) || !title.Does(toks[i+1]) {
		return otherwise
	}
	return Meaning{Intent: intent.AddTask, Score: 1, Clause: c, Project: refer.Reference{Empty: true}, Todos: []todo.Todo{todo.Read(c.Src, toks[i+1:], r.sit.Now)}}
}

// besideTo is the thing to do of an order in which the model saw none: "remind me to go to the
// shop".
func (c *Clause) besideTo(now time.Time) (todo.Todo, bool) {
	i := slices.IndexFunc(c.All, func(t language.Token) bool { return language.In("to|:", t.Norm) && !t.Quoted })
	if i < 0 {
		return todo.Todo{}, false
	}
	return todo.Read(c.Src, c.All[i+1:], now), i > 0 && len(language.ContentWords(c.All[i:])) > 0
}

// longestTitle is how many words put on a list are a title, and longestBefore how many that stand
// before a clause it can mean by "that"; toBehind within how many behind "down" the thing to do begins.
const longestTitle, longestBefore, toBehind = 14, 20, 8

// shortBefore is what stands before the clause, without a label, if that is short.
func (c *Clause) shortBefore() string {
	before := c.Before()
	if _, said, ok := strings.Cut(before, ": "); ok {
		before = said // "decided: teak for the deck"
	}
	if len(strings.Fields(before)) > longestBefore || !saysMore(before) || extract.Courteous(before) {
		return ""
	}
	return before
}

// goesOn: the i-th slot is no other task, but more of the one before it: "call the landlord
// by Wednesday about the keys", "ask the choir whether they'd do it".
func (c *Clause) goesOn(args arguments, i int) bool {
	toks, last := args[i].toks, args[i-1].toks
	at := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Start >= toks[0].Start })
	from := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Start > last[len(last)-1].Start })
	if at < 0 || from < 0 || from > at {
		return false
	}
	gap := c.All[from:at]
	if c.afterDay(args, i) {
		return true
	}
	if args[i-1].slot == "task" && language.Begins(toks, "whether|if|ob|how|wie|wann") && !language.HasWord(gap) || args[i-1].slot == "due" && len(gap) == 0 && language.Begins(toks, "after|before *") {
		return true
	}
	if slices.ContainsFunc(gap, func(t language.Token) bool {
		return !t.Word || language.In("and|or|then|also|plus|und|dann|oder", t.Norm)
	}) {
		return false
	}
	return len(gap) > 0 && args[i-1].slot == "task" || language.Begins(toks, onward) || toks[0].Norm[0] >= '0' && toks[0].Norm[0] <= '9'
}

// afterDay: the i-th slot tells more of the thing before a day: "ring the insurers tomorrow about
// [cover for the guests]".
func (c *Clause) afterDay(args arguments, i int) bool {
	lead := c.ahead(args[i].toks, 1)
	return i > 0 && args[i-1].slot == "due" && len(lead) == 1 && language.Fits(lead[0], "about|because|concerning|regarding|re")
}

// goOn adds to a title what stands in the i-th slot, without a day between.
func (c *Clause) goOn(one *todo.Todo, args arguments, i int) {
	if toks := args[i].toks; c.afterDay(args, i) {
		one.Title = language.Limit(one.Title+" "+c.Text(slices.Concat(c.ahead(toks, 1), toks)), 200)
	} else {
		c.extend(one, toks)
	}
}

// wholeTitle is what stands in the i-th slot, up to the next one where it breaks off: "ask
// the office whether".
func (c *Clause) wholeTitle(args arguments, i int) []language.Token {
	toks := args[i].toks
	last := toks[len(toks)-1]
	if counted := todo.Counted(toks, c.behind(toks)); counted != nil {
		return counted
	}
	if last.Quoted || !language.In(dangling, last.Norm) {
		return toks
	}
	end := c.All[len(c.All)-1].Start
	for _, next := range args[i+1:] {
		if next.slot == "due" || next.slot == "priority" || next.slot == "task" {
			end = next.toks[0].Start - 1
			break
		}
	}
	return language.TrimMarks(language.Between(c.All, toks[0].Start, end))
}

// behind is what follows some tokens.
func (c *Clause) behind(toks []language.Token) []language.Token {
	return language.Between(c.All, toks[len(toks)-1].Start+1, len(c.Src))
}

// listed: a thing is one more of those that the order before it names: "buy milk, eggs and
// bread", "send photos, the receipt and a statement". One of which something is told is none: "ring the vicar, the
// heating is off".
func (c *Clause) listed(args arguments, i int) bool {
	marks := func(toks []language.Token) bool {
		return !slices.ContainsFunc(toks, func(t language.Token) bool { return !language.In(",|.|!|and|or|und|oder", t.Norm) })
	}
	behind := c.behind(args[i].toks)
	if i+1 < len(args) {
		behind = language.Between(behind, 0, args[i+1].toks[0].Start-1)
	}
	if !marks(behind) {
		return false
	}
	for i > 0 && args[i-1].slot == "task" && !title.Acts(args[i].toks) {
		i--
		gap := language.Between(c.behind(args[i].toks), 0, args[i+1].toks[0].Start-1)
		if len(gap) == 0 || !marks(gap) {
			return false
		}
		if title.Does(args[i].toks[0]) {
			return true
		}
	}
	return false
}

// extend adds to a title what stands in a slot that it is no value for.
func (c *Clause) extend(one *todo.Todo, toks []language.Token) {
	if one.Title == "" || len(toks) == 0 {
		return
	}
	all := c.between(one.Title, toks)
	for i, t := range all {
		if t.Norm == "," && !t.Quoted && title.Tells(all[i+1:]) {
			return // "return the books, the fine is two euros a day"
		}
	}
	one.Title = language.Capital(language.Limit(language.Spell(c.Src, all), 200))
}

// between is what stands from a title on to the end of tokens behind it.
func (c *Clause) between(title string, toks []language.Token) []language.Token {
	low := strings.ToLower(title)
	from := slices.IndexFunc(c.All, func(t language.Token) bool {
		return strings.HasPrefix(strings.ToLower(c.Src[t.Start:]), low)
	})
	to := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Start > toks[len(toks)-1].Start })
	switch {
	case from < 0:
		return toks
	case to < 0:
		return c.All[from:]
	}
	return c.All[from:to]
}

// ahead are as many of the tokens directly before some others.
func (c *Clause) ahead(toks []language.Token, n int) []language.Token {
	i := max(0, slices.IndexFunc(c.All, func(t language.Token) bool { return t.Start >= toks[0].Start }))
	return c.All[max(0, i-n):i]
}

// deniedBefore: "she must not find out", "no time to paint" is nothing to do.
func (c *Clause) deniedBefore(toks []language.Token) bool {
	before := c.ahead(toks, 3)
	if language.Begins(before, "no time|need|reason|chance|point|way|budget|money|plan|plans|point to|in") {
		return true
	}
	if n := len(before); n > 0 && language.In("that|which|who|because|although|though|if|unless|until|since|while", before[n-1].Norm) && !language.Has(before, "sure|remember|check|note|forget|remind|when") && !title.Does(toks[0]) {
		return true // "provided that the brewery confirms"
	}
	return len(before) > 0 && language.In("not|never|cannot", before[len(before)-1].Norm) && !language.Has(toks[:1], "forget|let")
}

// addTodos adds what stands in one slot, with what stood before the first.
func (r *Reader) addTodos(c *Clause, m Meaning, toks []language.Token, before todo.Todo) Meaning {
	if where, rest := refer.PlaceOf(c.Src, toks, r.sit.Projects); !where.Empty && m.Project.Empty {
		m.Project, toks = where, rest
	}
	if n, ok := language.Match(toks, newOne); ok {
		toks = toks[n:] // "add one for the bus"
	}
	for _, each := range todo.Lines(toks) {
		if item := todo.Read(c.Src, each, r.sit.Now); item.Title != "" && (!language.Begins(each, halves) || c.infinitive(each)) {
			item.Due, item.Priority = cmp.Or(item.Due, before.Due), cmp.Or(item.Priority, before.Priority)
			m.Todos = append(m.Todos, item)
		}
	}
	return m
}

// dateTodos gives a date to those that it is said of.
func (r *Reader) dateTodos(c *Clause, todos []todo.Todo, args arguments) {
	n := len(todos)
	if n > 1 && language.Has(c.All, "both|all|each|beide|beides|alle") {
		for i := range todos {
			todos[i].Due = cmp.Or(todos[i].Due, todos[n-1].Due)
		}
	}
	if n == 1 && todos[0].Due == "" {
		todos[0].Due, _ = dayIn(c, args, r.sit.Now)
	}
}

// alsoBehind is a title with the last of several things it names, "milk, eggs and
// bread", where nothing else stands behind it.
func (c *Clause) alsoBehind(toks []language.Token, args arguments) []language.Token {
	last := toks[len(toks)-1]
	i := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Start > last.Start })
	if i < 0 {
		return toks
	}
	more := c.All[i:]
	for _, a := range args {
		if a.toks[0].Start <= last.Start {
			continue
		}
		if a.slot != "due" {
			return toks
		}
		more = language.Between(more, 0, a.toks[0].Start-1)
		break
	}
	if len(more) < 2 || !language.In("and|or|,", more[0].Norm) || !language.Has(more, "and|or") || len(more) > 5 {
		return toks
	}
	for _, t := range more {
		if !t.Word && t.Norm != "," || language.IsFiller(t) || language.Class("<pronoun>", t.Norm) || language.Class("<aux>", t.Norm) {
			return toks
		}
	}
	return slices.Concat(toks, more)
}

// infinitive: what begins a title is an infinitive, "to have the boiler serviced".
func (c *Clause) infinitive(toks []language.Token) bool {
	return toks[0].Norm == "have" && len(toks) > 1 && language.Has(c.ahead(toks, 1), "to|must|should|shall")
}

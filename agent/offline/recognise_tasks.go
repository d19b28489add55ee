package offline

import (
	"slices"
	"strings"
	"time"
)

// tasking recognises things to do: asked for by name ("add a task"), as a
// reminder, for a list, or as an obligation of the speaker's.
func (r *reader) tasking(c *clause) meaning {
	body := c.body
	if n, ok := matchAny(body, "remind me|us to|about|of|that", "remind me|us", "reminding to|about|of"); ok && !c.question && n < len(body) && c.frame != obligation {
		if _, asking := matchAny(body[n:], "what|who|when|where|why|how|which|whether|if"); asking {
			return meaning{}
		}
		return r.task(c, reminder(body, n, r.sit.Now), 0.92)
	}
	if n, ok := matchAny(body, "do not forget to|about", "do not let me|us forget to|about|that?", "remember to", "make sure to|that? i|we?", "make sure i|we", "note to self : ", "must not forget to", "can not forget to", "not forget to"); ok && !c.question && n < len(body) {
		return r.task(c, body[n:], 0.9)
	}
	if c.question {
		return meaning{}
	}
	if head := toList(trimPhraseEnd(c.toks)); len(head) > 1 && !c.negated {
		return r.task(c, head, 0.9)
	}
	if m := r.namedTask(c); m.score > 0 {
		return m
	}
	if m := r.listed(c); m.score > 0 {
		return m
	}
	return r.obliged(c)
}

// reminder keeps what to be reminded of when only a date follows "remind me":
// "remind me tomorrow to call".
func reminder(body []token, n int, now time.Time) []token {
	if i, e, ok := find(body[n:], "to"); ok && i > 0 && i <= 4 {
		when := body[n : n+i]
		if _, isDate := findDate(when, now); isDate {
			return slices.Concat(body[n+e:], when)
		}
	}
	return body[n:]
}

// toList: "the builder needs a call, put it on my list", "call Bo needs to go on the
// list": what is to be done comes first.
func toList(toks []token) []token {
	i, e, ok := find(toks, ",|:|- please? put|add|stick|enter it|that|this on|to|onto|as|in a|my|the|our? to? do? <taskword>|list list?", "needs|has|ought|must|should to? go|be on|onto|added|put on|to? my|the|our to? do? <taskword>|list list?")
	if !ok || i < 2 || e < len(toks) || has(toks[:i], "not|never|<hearsay>") {
		return nil
	}
	return toks[:i]
}

// namedTask: the word task, or its like, stands where the object of making is.
func (r *reader) namedTask(c *clause) meaning {
	body := c.body
	n, ok := matchAny(body, "jot|note|put|write|set|take down <det>? new? <taskword>", "there? is? something|thing|things to do :", "one|another|two|some more|other? thing|things to do|remember :", "give me a|another <taskword>", "schedule|plan a|another|the? <taskword>", "<addverb>|need|want|have <det>? new|quick|small|another|following|high-priority|urgent|important|low-priority? priority? <taskword>",
		"<addverb> <det>? high|low|medium|top priority <taskword>", "<addverb> one|two|three|four|five|these|some|several more? <taskword>", "new urgent|important? <taskword>", "<taskword>", "to do :",
		"a|another new? <taskword>", "<addverb> me a <taskword>", "<addverb> <det>? to do", "<addverb> to <det>? <taskword> list? :")
	if !ok {
		return meaning{}
	}
	if n == len(body) {
		if _, asked := match(body, "<addverb>|new|a"); asked && lastIn(body, "task|todo|reminder|to-do") && !has(body, "the|this|that") {
			return meaning{intent: addTask, score: 0.6, project: reference{empty: true}} // without a title yet
		}
		return meaning{}
	}
	head, rest := body[:n], body[n:]
	bare := class("<taskword>", firstWord(head)) || in("a|another", firstWord(head))
	quick := in("todo|to-do", lastWord(head)) && class("<verb>", rest[0].norm) && len(rest) > 1 // "todo book flights"
	if i, _, ok := find(rest, ":"); ok && bare && i > 1 && i <= 4 && in("for|on|by|due", rest[0].norm) && i+1 < len(rest) {
		rest = slices.Concat(rest[i:], rest[1:i]) // "a reminder for Friday: pay the invoice"
	}
	if bare && !quick && !in(":|-|,", rest[0].norm) && rest[0].norm != "to" || has(head, "list|show") {
		return meaning{}
	}
	if in("the|this|that|these", firstWord(head[1:])) && !in(":", rest[0].norm) && !in("following", lastWord(head[:len(head)-1])) {
		return meaning{} // "put the task first", "set that task to Friday"
	}
	m := r.place(c, rest)
	toks := m.rest
	if k, ok := matchAny(toks, "to|for|about|called|named|:|-|saying|that|of|titled|which says|reads", "to|for me|us to", "for me : ", "called :"); ok {
		toks = toks[k:]
	}
	toks = trimMarks(toks)
	out := r.taskIn(c, toks, 0.95, m.project)
	if level, _, _, ok := priorityOf(head); ok || has(head, "urgent|important|high-priority|low-priority") {
		if !ok {
			level = headPriority(head)
		}
		for i := range out.todos {
			out.todos[i].priority = level
		}
	}
	return out
}

func headPriority(head []token) string {
	switch {
	case has(head, "urgent"):
		return "urgent"
	case has(head, "low-priority"):
		return "low"
	}
	return "high"
}

// placed is a phrase with the project it began with taken out.
type placed struct {
	project reference
	rest    []token
}

// place reads "to the houseboat: order cable" and "for the coffee shop to call
// the landlord".
func (r *reader) place(c *clause, toks []token) placed {
	if !in("to|for|in|on|under", toks[0].norm) {
		return placed{reference{empty: true}, toks}
	}
	for i := 1; i < len(toks) && i <= 7; i++ {
		last := i == len(toks)-1
		if !in(":|to|-|called|,|saying|about", toks[i].norm) && !last {
			continue
		}
		phrase, rest := toks[1:i], toks[i:]
		if last {
			continue
		}
		ref := refer(c, phrase, r.sit.Projects)
		if len(contentWords(phrase)) > 0 && (len(ref.found) > 0 && !ref.partial || ref.named) {
			return placed{ref, rest}
		}
	}
	return placed{reference{empty: true}, toks}
}

// listed: "put milk on my list", "add 'call Bo' to the tasks".
func (r *reader) listed(c *clause) meaning {
	n, ok := matchAny(c.body, "<addverb>")
	if !ok {
		return meaning{}
	}
	rest := c.body[n:]
	if k, ok := matchAny(rest, "to|on|onto <det>? *? list|tasks|todos :", "to|on|onto <det>? to do list :"); ok && k < len(rest) {
		return r.task(c, rest[k:], 0.9)
	}
	i, e, found := find(rest, "to|on|onto|in <det>? to do list", "to|on|onto|in <det>? *? <taskword> list", "to|on|onto|in <det>? list|tasks|todos|to-dos|backlog|todo", "as a|another new? <taskword>", "to|on <det> * list")
	if !found || i == 0 {
		return meaning{}
	}
	tail := rest[e:]
	item := rest[:i]
	m := r.taskIn(c, slices.Concat(item, tail), 0.9, reference{empty: true})
	if len(tail) > 0 {
		if k, ok := matchAny(tail, "of|for|in"); ok {
			if ref := refer(c, tail[k:], r.sit.Projects); len(ref.found) > 0 || ref.named {
				m = r.taskIn(c, item, 0.9, ref)
			}
		}
	}
	return m
}

// obliged: "I need to order cable, call the marina and book a van".
func (r *reader) obliged(c *clause) meaning {
	body := c.body
	if n, ok := matchAny(c.toks, "there is|are"); ok && !c.negated {
		if i, e, ok := find(c.toks[n:], "i|we have? got|need|have|must|ought to? <verb>", "that|which? needs|need|has|have to be"); ok && i > 1 && in("i|we|that|which", c.toks[n+i].norm) && in("i|we", c.toks[n+i].norm) && len(c.toks) < 20 {
			verb := n + e - 1
			return r.task(c, slices.Concat(c.toks[verb:verb+1], c.toks[n:n+i], c.toks[verb+1:]), 0.75) // "there's a bug I have to fix"
		}
	}
	if c.frame == bare && !c.negated {
		all := skipOpeners(c.all)
		if d, ok := findDate(all, r.sit.Now); ok && d.start <= 1 && d.end < len(all) && in("i|we", all[d.end].norm) {
			later, ok := newClause(c.src, slices.Concat(all[d.end:], all[:d.end]), false)
			if ok && later.frame == obligation {
				return r.obliged(&later) // "tomorrow I have to call the builder"
			}
		}
	}
	if c.frame != obligation || len(body) == 0 || c.negated {
		return meaning{}
	}
	if r.errand(c) {
		return r.task(c, body, 0.75)
	}
	if !class("<verb>", body[0].norm) {
		return meaning{}
	}
	switch {
	case class("<mindverb>", body[0].norm) && !in("leave|wait|see", body[0].norm), has(body[:min(2, len(body))], "how|why|what|whether|if"):
		return meaning{}
	case body[0].norm == "have", len(trimPhraseEnd(body)) == 1:
		return meaning{}
	}
	if _, ok := matchAny(body, "figure out|find out", "work on|out|hard|harder|faster|together|more|less", "get going|up|out|started|ready|better|used|away|going|back|over|there", "try harder|again", "keep going|calm", "start over|again|somewhere|small|early", "be",
		"take it|care|time", "do something|better|this|that|it|more|less|so", "make sure|sense", "look forward|at", "change|stop|switch *?", "move on", "help", "ask you|yourself", "tell you", "give up|it|you", "run"); ok {
		if _, fine := matchAny(body, "work on <det> * <texttype>", "get back to", "change <det> *", "switch on|off <det> *", "look at <det> *"); !fine {
			return meaning{}
		}
	}
	// "we should" is advice unless it has a date.
	if _, weak := match(skipOpeners(c.toks), "i|we should|could|ought"); weak {
		if _, dated := findDate(body, r.sit.Now); !dated {
			return meaning{}
		}
	}
	m := r.task(c, body, 0.75)
	if len(m.todos) == 1 && !strings.Contains(m.todos[0].title, " ") {
		return meaning{} // "we should meet on Friday"
	}
	return m
}

// errand: "I have to go to the bank on Monday", "drive to the tip to drop the
// rubble": a way to somewhere in the world, with a day or a purpose.
func (r *reader) errand(c *clause) bool {
	n, ok := matchAny(c.body, "go|drive|travel|run|head|walk|cycle|get|come|pop|nip back|over|round|down|up? to|by|into the|my|our|a|an")
	if !ok || n >= len(c.body) || len(mentioned(c.body, r.sit.Projects)) > 0 || has(c.body, "<projectword>|<generic>|<wh>") {
		return false
	}
	rest := c.body[n-1:]
	if ref, _, ok := r.target(c, rest); ok && ref.exact {
		return false
	}
	_, dated := findDate(rest, r.sit.Now)
	_, _, purpose := find(rest, "to|and <verb>", "for <det>? *")
	return dated || purpose
}

// task reads the things to do in toks, with the project named at their end.
func (r *reader) task(c *clause, toks []token, score float64) meaning {
	return r.taskIn(c, toks, score, reference{empty: true})
}

func (r *reader) taskIn(c *clause, toks []token, score float64, project reference) meaning {
	if project.empty {
		project, toks = r.placeInside(c, toks)
	}
	m := meaning{intent: addTask, score: score, project: project}
	for _, item := range splitItems(toks) {
		if t := readTodo(c.src, item, r.sit.Now); t.title != "" {
			m.todos = append(m.todos, t)
		}
	}
	if len(m.todos) == 0 {
		m.score = min(score, 0.6) // a task without a title: ask for it
	}
	// A date or priority said once at the end is meant for all.
	if last := len(m.todos) - 1; last > 0 {
		for i := range m.todos[:last] {
			if m.todos[i].due == "" && m.todos[i].priority == "" {
				m.todos[i].due = m.todos[last].due
				m.todos[i].priority = m.todos[last].priority
			}
		}
	}
	return m
}

// placeInside finds the project at the end of the phrase, behind which a date
// may still follow.
func (r *reader) placeInside(c *clause, toks []token) (reference, []token) {
	if d, ok := findDate(toks, r.sit.Now); ok && d.start > 0 {
		ref, head := placeOf(c, toks[:d.start], r.sit.Projects)
		if !ref.empty {
			return ref, slices.Concat(head, toks[d.start:])
		}
	}
	return placeOf(c, toks, r.sit.Projects)
}

// splitItems takes a list of things to do apart. A comma or "and" divides only
// where the next part begins with a verb, so that "buy milk, eggs and bread" is
// one thing; semicolons and lines always do.
func splitItems(toks []token) [][]token {
	var out [][]token
	start := 0
	flush := func(end int) {
		if hasWord(toks[start:end]) {
			out = append(out, trimMarks(toks[start:end]))
		}
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.quoted {
			continue
		}
		if !t.word && in(";|\n", t.norm) {
			flush(i)
			start = i + 1
			continue
		}
		if t.norm != "," && t.norm != "and" && t.norm != "then" {
			continue
		}
		n, ok := matchAny(toks[i:], ", and? then? also? to?", "and then? also? to?", "then to?", ", and? another|one|two <taskword>? to", "and another|one <taskword>? to")
		if !ok || i+n >= len(toks) || !beginsTask(toks[i+n:]) || i == start {
			continue
		}
		flush(i)
		start, i = i+n, i+n-1
	}
	flush(len(toks))
	return out
}

// beginsTask: a verb with something behind it that can be its object.
func beginsTask(toks []token) bool {
	if _, ok := matchAny(toks, "remind me to", "a|another <taskword> to"); ok {
		return true
	}
	if toks[0].quoted || !class("<verb>", toks[0].norm) {
		return false
	}
	if len(toks) == 1 {
		return in("varnish|paint|sand|cook|clean|iron|vacuum|test|pack|call|deploy|wash|weed", toks[0].norm)
	}
	next := toks[1]
	// Nouns that look like verbs: "call and order forms", "plan of work".
	return next.word && !in("of|is|are|and|or|was|were", next.norm) || next.quoted || next.norm == `"`
}

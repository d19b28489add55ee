package offline

import (
	"slices"
	"time"
)

// tasking recognises things to do: asked for by name ("add a task"), as a
// reminder, for a list, or as an obligation of the speaker's.
func (r *reader) tasking(c *clause) meaning {
	body := c.body
	if n, ok := matchAny(body, "remind me|us to|about|of|that", "remind me|us"); ok && !c.question && n < len(body) && c.frame != obligation {
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

// namedTask: the word task, or its like, stands where the object of making is.
func (r *reader) namedTask(c *clause) meaning {
	body := c.body
	n, ok := matchAny(body, "<addverb>|need|want|have <det>? new|quick|small|another|following|high-priority|urgent|important|low-priority? priority? <taskword>",
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
	bare := class("<taskword>", firstWord(head))
	if bare && !in(":|-|,", rest[0].norm) && rest[0].norm != "to" || has(head, "list|show") {
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
	if c.frame != obligation || len(body) == 0 || c.negated || !class("<verb>", body[0].norm) {
		return meaning{}
	}
	switch {
	case class("<mindverb>", body[0].norm) && !in("leave|wait|see", body[0].norm), has(body[:min(2, len(body))], "how|why|what|whether|if"):
		return meaning{}
	case has(body, "have") && body[0].norm == "have", len(body) == 1:
		return meaning{}
	}
	if _, ok := matchAny(body, "figure out|find out", "decide", "work on|out|hard|harder|faster|together|more|less", "get going|up|out|started|ready|better|used|away|going|back|over|there", "try harder|again", "keep going|calm", "start over|again|somewhere|small|early", "be",
		"take it|care|time", "do something|better|this|that|it|more|less|so", "make sure|sense", "look forward|at", "change|stop|switch *?", "move on", "help", "ask you|yourself", "tell you", "give up|it|you", "run"); ok {
		if _, fine := matchAny(body, "work on <det> * <texttype>", "get back to", "change <det> *", "look at <det> *"); !fine {
			return meaning{}
		}
	}
	// "we should" is advice unless it has a date.
	if _, weak := match(skipOpeners(c.toks), "i|we should|could|ought"); weak {
		if _, dated := findDate(body, r.sit.Now); !dated {
			return meaning{}
		}
	}
	return r.task(c, body, 0.75)
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
	ref, rest := placeOf(c, toks, r.sit.Projects)
	if !ref.empty {
		return ref, rest
	}
	if d, ok := findDate(toks, r.sit.Now); ok && d.start > 0 {
		ref, head := placeOf(c, toks[:d.start], r.sit.Projects)
		if !ref.empty {
			return ref, slices.Concat(head, toks[d.start:])
		}
	}
	return ref, toks
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
		n, ok := matchAny(toks[i:], ", and? then? also? to?", "and then? also? to?", "then to?")
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

// completing recognises that something is done.
func (r *reader) completing(c *clause) meaning {
	if c.question || c.negated {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	if c.frame == wish || c.frame == obligation {
		return meaning{}
	}
	if n, ok := matchAny(body, "mark|set|flag|call|consider as? <doneword> :?"); ok && n < len(body) && has(body[:n], "mark|set") {
		return r.done(c, body[n:], 0.9)
	}
	if n, ok := match(body, "mark|set|flag|consider"); ok {
		if i, _, found := find(body[n:], "as|to|is <doneword>", "<doneword>", "off"); found && i > 0 {
			return r.done(c, body[n:n+i], 0.93)
		}
	}
	if n, ok := match(body, "tick|check|cross off"); ok && n < len(body) {
		return r.done(c, withoutList(body[n:]), 0.92)
	}
	if n, ok := match(body, "tick|check|cross"); ok {
		if i, _, found := find(body[n:], "off"); found && i > 0 && listOnly(body[n+i+1:]) {
			return r.done(c, body[n:n+i], 0.92)
		}
	}
	if n, ok := match(body, "complete|close|finish|resolve <det>? <taskword>"); ok && n < len(body) {
		return r.done(c, body[n:], 0.9)
	}
	if n, ok := match(body, "complete|close"); ok && n < len(body) && (c.frame == bare || c.frame == request) && (body[n].norm == `"` || body[n].norm == "'" || lastIn(body, "<taskword>")) {
		return r.done(c, body[n:], 0.85)
	}
	if n, ok := matchAny(body, "done|finished|through with", "all? done|finished :", "finished|completed"); ok && n < len(body) && (c.frame == intention || c.frame == bare) {
		return r.finished(c, body, n)
	}
	if n, ok := matchAny(c.toks, "i|we have? finished|completed", "i|we have? ticked|wrapped off|up", "i|we have? got <det>? done", "i|we have done"); ok && n < len(c.toks) {
		return r.done(c, c.toks[n:], 0.85)
	}
	return r.stated(c)
}

func (r *reader) finished(c *clause, body []token, n int) meaning {
	if in("my|for|by|early|late|it|that|this|now|yet", body[n].norm) && !has(body[n:], "<taskword>") && len(body)-n <= 1 {
		return meaning{}
	}
	if has(body[:n], "finished|completed") && !has(body[:n], "with") && c.frame == bare && len(c.toks) == len(c.body) && !has(body[:n], ":") && !in("the|my|our|painting|writing", body[n].norm) {
		return meaning{}
	}
	return r.done(c, body[n:], 0.85)
}

func lastIn(toks []token, elem string) bool {
	return len(toks) > 0 && fits(toks[len(toks)-1], elem)
}

// listOnly: nothing is left, or only whose list it was.
func listOnly(toks []token) bool {
	n, _ := matchAny(toks, "from|on|of? my|the|our *? list|lists|tasks")
	return n == len(toks)
}

func withoutList(toks []token) []token {
	if i, _, ok := find(toks, "from|on|in the|my|our *? list|lists"); ok && i > 0 {
		return toks[:i]
	}
	return toks
}

// stated: "ordering the cable is done", "cable: done".
func (r *reader) stated(c *clause) meaning {
	toks := trimPhraseEnd(c.toks)
	if len(toks) < 3 || c.frame != bare || has(toks[:1], "if|when|once|after|until|everything|nothing|dinner|it|this|that|what|he|she|they|who") {
		return meaning{}
	}
	last := toks[len(toks)-1]
	if last.quoted || !in("done|finished|complete|completed", last.norm) {
		return meaning{}
	}
	head := toks[:len(toks)-1]
	for len(head) > 0 && (isFiller(head[len(head)-1]) || in("all|now|been|fully", head[len(head)-1].norm)) {
		head = head[:len(head)-1]
	}
	if len(head) < 2 {
		return meaning{}
	}
	verb := head[len(head)-1]
	switch {
	case in("is|are|has|have|was", verb.norm) && !verb.quoted:
		head = head[:len(head)-1]
	case in(":|-|,|=", verb.norm):
	case class("<verb>", head[0].norm): // "order cable done"
	default:
		return meaning{}
	}
	if has(head, "not|never|must|should|will|be|to|almost|nearly|half|until|when|if|and") && !class("<verb>", head[0].norm) || has(head, "not|never|almost|nearly|half|n't") {
		return meaning{}
	}
	return r.done(c, head, 0.8)
}

// done reads the title of what is done.
func (r *reader) done(c *clause, toks []token, score float64) meaning {
	toks = trimMarks(toks)
	if n, ok := matchAny(toks, "<det>? <taskword> called|named|:|to|of?", "<det>? <taskword> \""); ok && n < len(toks) {
		if toks[n-1].norm == `"` {
			n--
		}
		toks = toks[n:]
	}
	if n := len(toks); n > 1 && class("<taskword>", toks[n-1].norm) && !toks[n-1].quoted {
		toks = toks[:n-1]
	}
	title := unwrap(spell(c.src, unquoted(toks)))
	words := contentWords(toks)
	if title == "" || len(words) == 0 || len(words) > 14 || len(words) == 1 && class("<pronoun>", words[0]) || in("it|that|this|them|everything|all|work|today|for", words[0]) && len(words) == 1 {
		return meaning{}
	}
	return meaning{intent: completeTask, score: score, title: title}
}

// updating recognises a new date or priority for a task that is there.
func (r *reader) updating(c *clause) meaning {
	if c.question && c.frame == bare || c.frame == obligation && !c.negated {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	m := meaning{intent: updateTask, score: 0.85}
	if n, ok := matchAny(body, "move|push|postpone|reschedule|delay|shift|bring|extend|defer|put back|off|out?", "set|change|update|make <det>? due date|deadline|priority of|for|on", "set|change|update <det>? deadline|priority|due of|for|on", "postpone|defer|delay"); ok && n < len(body) {
		if t := r.changed(c, body[n:], body[0].norm); t.title != "" {
			m.title, m.change = t.title, todo{due: t.due, priority: t.priority}
			return m
		}
	}
	if n, ok := matchAny(body, "make|set|give|mark|prioritise|prioritize|change|update"); ok && n < len(body) {
		if level, s, e, ok := findPriority(body[n:]); ok && s > 0 {
			title := r.titleOf(c, dropTail(body[n:][:s], "as|to|is|a|have|has|be|priority|with"))
			if e+n == len(body) && title != "" {
				m.title, m.change = title, todo{priority: level}
				return m
			}
		}
	}
	return r.dueStated(c, m)
}

// findPriority finds a level of priority also where no word "priority" is.
func findPriority(toks []token) (string, int, int, bool) {
	if level, s, e, ok := priorityOf(toks); ok {
		return level, s, e, true
	}
	if i, e, ok := find(toks, "high|urgent|low|medium|important"); ok && e == len(toks) && i > 0 {
		switch toks[i].norm {
		case "important":
			return "high", i, e, true
		}
		return toks[i].norm, i, e, true
	}
	return "", 0, 0, false
}

// changed reads "<title> to <date or priority>".
func (r *reader) changed(c *clause, toks []token, verb string) todo {
	level, ps, pe, prio := findPriority(toks)
	if d, ok := findDate(toks, r.sit.Now); ok && d.start > 0 && d.end == len(toks) {
		head := dropTail(toks[:d.start], "to|until|till|for|by|on|back|forward|out|up|off|date|due|from")
		return todo{title: r.titleOf(c, head), due: isoDay(d.day)}
	}
	if prio && ps > 0 && pe == len(toks) && in("set|change|update|make", verb) {
		return todo{title: r.titleOf(c, dropTail(toks[:ps], "to|as|is|at")), priority: level}
	}
	return todo{}
}

// dueStated: "the cable is due on Friday", "the deadline for the quote is 5 December".
func (r *reader) dueStated(c *clause, m meaning) meaning {
	toks := trimPhraseEnd(c.toks)
	if c.frame != bare || c.question {
		return meaning{}
	}
	d, ok := findDate(toks, r.sit.Now)
	if !ok || d.end != len(toks) || d.start == 0 {
		return meaning{}
	}
	head := toks[:d.start]
	if n, ok := matchAny(head, "<det>? deadline|due for|of", "<det>? due date for|of"); ok && n < len(head) && lastIn(dropTail(head, "now|on|by"), "is") {
		m.title = r.titleOf(c, dropTail(head[n:], "is|now|on|by"))
	} else if i, _, ok := find(toks, "is|are now? due"); ok && i > 0 && i < d.start {
		m.title = r.titleOf(c, toks[:i])
	}
	m.change.due = isoDay(d.day)
	if m.title == "" || has(toks[:1], "it|this|that|what|which|when|rent|everything") {
		return meaning{}
	}
	m.score = 0.7
	return m
}

// titleOf spells the title of a task that is referred to.
func (r *reader) titleOf(c *clause, toks []token) string {
	toks = trimMarks(toks)
	if n, ok := matchAny(toks, "<det>? <taskword> called|named|:|to?"); ok && n < len(toks) {
		toks = toks[n:]
	}
	if n := len(toks); n > 1 && class("<taskword>", toks[n-1].norm) && !toks[n-1].quoted {
		toks = toks[:n-1]
	}
	if words := contentWords(toks); len(words) == 0 || len(words) > 12 || len(words) == 1 && (class("<pronoun>", words[0]) || in("us|me|house|forward", words[0])) {
		return ""
	}
	return unwrap(spell(c.src, unquoted(toks)))
}

func dropTail(toks []token, words string) []token {
	for len(toks) > 0 && !toks[len(toks)-1].quoted && (in(words, toks[len(toks)-1].norm) || !toks[len(toks)-1].word && toks[len(toks)-1].norm != `"`) {
		toks = toks[:len(toks)-1]
	}
	return toks
}

package offline

import (
	"slices"

	"kist/agent/language"
	"kist/agent/model"
)

// fill finds the arguments of a reading. Where those are missing without which it is
// nothing, the meaning comes back as none.
func (r *reader) fill(c *clause, m meaning) meaning {
	m.project = reference{empty: true}
	switch m.intent {
	case switchTo:
		return r.fillSwitch(c, m)
	case goBack, undoLast, greet, thanks, help, listProjects, listMemories, listDrafts, listPending, listChanges:
		return m
	case decline:
		m.project = r.subject(c, c.all, false)
		return m
	case elsewhere:
		return r.fillElsewhere(c, m)
	case news, approval:
		// Nothing is done for these alone: the engine knows what assent is, and what
		// becomes of news depends on the files.
		m.intent, m.about = none, string(m.intent)
		return m
	case createProject:
		return r.fillCreate(c, m)
	case whichProject:
		m.text = belonging(c)
		return m
	case status, completeness, openQuestions:
		m.project = r.whole(c)
		return m
	case startMode:
		if m.about != "project_create" {
			m.project = r.whole(c)
		}
		return m
	case ask:
		return r.fillAsk(c, m)
	case listTasks:
		return r.fillList(c, m)
	case unsupported:
		m.about = beyond(c)
		return m
	case addTask, updateTask, completeTask, deleteTask:
		return r.fillTask(c, m)
	case addNote, addDecision, remember, forgetMemory, moveMemory, abandonDraft:
		return r.fillText(c, m)
	case renameProject, mergeProjects, archiveProject, deleteProject:
		return r.fillProjects(c, m)
	}
	m.intent = none
	return m
}

func (m meaning) nothing() meaning { return meaning{intent: none, clause: m.clause} }

// fillTask finds tasks by what is said of them.
func (r *reader) fillTask(c *clause, m meaning) meaning {
	s := r.slotsOf(c, m.intent)
	if m.intent == updateTask {
		if moved := r.shifting(c); moved.score > 0.86 || moved.score > 0 && s.places == nil {
			moved.score, moved.clause = m.score, c
			return moved
		}
	}
	if m.intent == addTask {
		return r.fillTodos(c, m, s)
	}
	if d, ok := deedOf(c); ok && m.intent == completeTask && !d.came && !language.Has(c.all, "<doneword>|<finishverb>|off") {
		m.intent, m.about = none, string(completeTask) // a task that it seems to complete is asked about
		return m
	}
	toks := s.places["task"]
	if s.places == nil && m.intent != updateTask && m.score >= certain {
		toks = beforeOrder(c.toks) // "the sign's ordered, you can tick that off"
	}
	m.title = titleOf(c, toks)
	if m.title == "" {
		return m.nothing()
	}
	if d, ok := language.FindDate(s.places["date"], r.sit.Now); ok {
		m.change.due = language.ISODay(d.Day)
	}
	if level := s.places["level"]; len(level) > 0 {
		m.change.priority = levelOf(level)
	} else if m.intent == updateTask {
		m.change.priority = s.means
	}
	return m
}

func (r *reader) fillTodos(c *clause, m meaning, s slots) meaning {
	toks := s.places["todo"]
	switch {
	case s.places == nil:
		toks = c.body
	case len(s.places["deed"]) > 0: // "there's a bug I have to fix"
		toks = slices.Concat(s.places["deed"], s.places["thing"])
	}
	place := reference{empty: true}
	if where := s.places["place"]; len(where) > 0 {
		place = refer(c, where, r.sit.Projects)
	}
	if when := s.places["when"]; len(when) > 0 {
		toks = slices.Concat(toks, when)
	}
	if s.words == 0 && len(toks) > 0 && language.Class("<mindverb>", toks[0].Norm) || s.words < 4 && len(contentWords(toks)) < 2 && !language.Has(c.body, "<taskword>") {
		return m.nothing() // "I need to think"
	}
	if bareTask(toks) {
		toks = nil // "add a task": its title is still to be asked for
	}
	out := r.taskIn(c, toks, m.score, place)
	out.score, out.clause = m.score, c
	if level := headPriority(c.body[:len(c.body)-min(len(c.body), len(toks))]); level != "" {
		for i := range out.todos {
			if out.todos[i].priority == "" {
				out.todos[i].priority = level
			}
		}
	}
	return out
}

// beforeOrder is what a clause tells before it orders something with "it" or "that".
func beforeOrder(toks []language.Token) []language.Token {
	i, _, ok := language.Find(toks, "so|and|please? you|please? can? tick|check|cross|mark|strike|take|remove|delete|drop|cancel that|it|this|the|off", "you can|could tick|check|cross|mark|strike|drop|remove|delete that|it|this|the|off", ", the|my|our")
	if ok && i > 1 {
		toks = toks[:i]
	}
	return dropTail(toks, "done|finished|ordered|so|and|is|are|now|,|superfluous|any|more")
}

// bareTask: nothing but words for a task.
func bareTask(toks []language.Token) bool {
	for _, t := range toks {
		if t.Word && !language.Class("<taskword>", t.Norm) && !language.Class("<addverb>", t.Norm) && !language.Class("<det>", t.Norm) && !language.IsFiller(t) && !language.In("new|need|want|to|do", t.Norm) {
			return false
		}
	}
	return true
}

// fillText finds the text that is to be kept, or by which something kept is found.
func (r *reader) fillText(c *clause, m meaning) meaning {
	s := r.slotsOf(c, m.intent)
	if where := s.places["place"]; len(where) > 0 {
		m.project = refer(c, where, r.sit.Projects)
	}
	switch m.intent {
	case abandonDraft:
		if draft := s.places["draft"]; len(contentWords(draft)) > 0 && !language.Has(draft, "whole|current|entire|draft") {
			m.name = language.Spell(c.src, unquoted(draft))
		}
		return m
	case forgetMemory, moveMemory:
		toks := s.places["memory"]
		if s.places == nil {
			toks = c.body
		}
		m.text = memoryText(c, toks)
		if where := s.places["project"]; len(where) > 0 {
			m.project, _ = r.aim(c, where)
		}
		if m.text == "" {
			return m.nothing()
		}
		return m
	}
	toks := s.places["text"]
	if s.places == nil && m.intent != remember {
		return m.nothing()
	}
	if s.places == nil {
		toks = skipOpeners(c.all)
	}
	toks = language.TrimMarks(toks)
	if m.intent == remember {
		m.scope = "project"
		if aboutUser(toks) {
			m.scope = "user"
		}
	}
	m.text = language.Capital(language.Limit(language.Unwrap(c.text(toks)), 900))
	if len(contentWords(toks)) == 0 {
		return m.nothing()
	}
	return m
}

// fillProjects finds the projects that are to be changed, and their new name.
func (r *reader) fillProjects(c *clause, m meaning) meaning {
	s := r.slotsOf(c, m.intent)
	if both := s.places["both"]; len(both) > 0 {
		if two := r.both(c, both); len(two) == 2 {
			m.project, m.other = reference{found: two[:1]}, reference{found: two[1:]}
		} else {
			m.project = refer(c, both, r.sit.Projects)
		}
		return m
	}
	m.project = r.subject(c, c.all, false)
	if toks := s.places["project"]; len(toks) > 0 {
		m.project, _ = r.aim(c, toks)
	}
	if toks := s.places["other"]; len(toks) > 0 {
		m.other, _ = r.aim(c, toks)
	}
	if m.intent == mergeProjects && m.project.empty && len(m.other.found) == 1 && r.sit.Project != nil && m.other.found[0].Slug != r.sit.Project.Slug {
		m.project = reference{empty: true}
	}
	if ref, ok := r.mended(c); ok {
		m.project = ref
	}
	toks := s.places["name"]
	if len(toks) == 0 {
		toks = s.places["proper"]
	}
	if len(toks) > 0 && m.intent == renameProject {
		m.name = newName(c, toks)
	}
	return m
}

// newName is a name that a project is to have from now on.
func newName(c *clause, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	for len(toks) > 1 && language.In("be|called|named|simply|just|something|like", toks[0].Norm) && !toks[0].Quoted {
		toks = language.TrimMarks(toks[1:])
	}
	if i, _, ok := language.Find(toks, "from now on", "instead", "please", "if you", ", change|rename|please"); ok && i > 0 {
		toks = toks[:i]
	}
	if len(toks) == 0 || len(toks) > 10 {
		return ""
	}
	if language.In(`"|'`, toks[0].Norm) {
		return quotedText(c, toks)
	}
	return titleCase(language.Spell(c.src, language.TrimMarks(toks)))
}

// fillAsk keeps what a question is about.
func (r *reader) fillAsk(c *clause, m meaning) meaning {
	s := r.slotsOf(c, ask)
	m.about = s.means
	if found := mentioned(c.all, r.sit.Projects); len(found) == 1 {
		m.project = reference{found: found}
	}
	toks := s.places["topic"]
	if len(toks) == 0 {
		toks = skipOpeners(c.toks)
	}
	if source := s.places["source"]; len(source) > 0 {
		if m.project = refer(c, source, r.sit.Projects); len(m.project.found) == 0 {
			m.about, toks = "", skipOpeners(c.toks)
		}
	}
	if two := r.both(c, toks); m.about == "compare" && len(two) == 2 {
		m.project = reference{found: two}
	}
	m.text, m.name = topic(toks), span(c, toks)
	if m.text == "" {
		m.text, m.name = topic(c.toks), span(c, c.toks)
	}
	return m
}

// fillList finds which tasks are to be listed.
func (r *reader) fillList(c *clause, m meaning) meaning {
	toks := c.all
	for _, scope := range []struct{ words, name string }{{"overdue|late", "overdue"}, {"today|tonight", "today"}, {"tomorrow", "tomorrow"}, {"week", "week"}} {
		if m.scope == "" && language.Has(toks, scope.words) {
			m.scope = scope.name
		}
	}
	for i := len(toks) - 2; i > 0 && m.project.empty; i-- {
		if language.In("in|for|of|on|with|from", toks[i].Norm) && !toks[i].Quoted {
			if ref := refer(c, toks[i+1:], r.sit.Projects); len(ref.found) > 0 || ref.named && len(contentWords(toks[i+1:])) > 0 {
				m.project = ref
			}
		}
	}
	if found := mentioned(toks, r.sit.Projects); m.project.empty && len(found) == 1 {
		m.project = reference{found: found}
	}
	if language.Has(toks, "all|every|everywhere|everything") {
		m.about = "everywhere"
	}
	return m
}

// fillElsewhere finds the other project that news is about. It isn't a wish to go
// there, so that it is only ever a ground to ask.
func (r *reader) fillElsewhere(c *clause, m meaning) meaning {
	m = m.nothing()
	if r.sit.Project == nil {
		return m
	}
	ref := r.subject(c, c.all, true)
	if p, ok := ref.one(); ok && p.Slug != r.sit.Project.Slug {
		m.project, m.about = ref, "elsewhere"
	}
	return m
}

// fillCreate names the project that is to be made. Where there is one of that name
// already, that one is meant.
func (r *reader) fillCreate(c *clause, m meaning) meaning {
	made := r.newProject(c)
	m.name, m.sure = made.name, made.sure && (made.explicit || m.score >= certain)
	if made.explicit {
		return m
	}
	if m.name == "" || !made.worthy {
		return m.nothing()
	}
	if p, ok := refer(c, made.noun, r.sit.Projects).one(); ok && len(made.noun) > 0 {
		if r.sit.Project != nil && r.sit.Project.Slug == p.Slug && !refer(c, made.noun, r.sit.Projects).exact {
			return m.nothing() // more about what we are talking of
		}
		return meaning{intent: switchTo, score: m.score, clause: c, project: reference{found: []model.Project{p}, exact: true}, about: "exists"}
	}
	return m
}

// beyond says what kind of thing is asked for that kist can't do.
func beyond(c *clause) string {
	if n, ok := language.Match(c.body, "<draftverb>"); ok {
		if _, _, text := language.Find(c.body[n:min(len(c.body), n+6)], "<texttype>"); text || language.In("summarise|summarize|translate|proofread|rephrase|paraphrase|brainstorm|rewrite", c.body[0].Norm) {
			return "write"
		}
	}
	if _, ok := language.MatchAny(c.body, "delete|remove|archive|rename|merge|erase|trash|destroy"); ok {
		return "restructure"
	}
	return "deed"
}

package offline

import (
	"cmp"
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
)

// fill finds the arguments of a reading. Where those are missing without which it is
// nothing, the meaning comes back as none.
func (r *reader) fill(c *clause, m meaning) meaning {
	m.project = refer.Reference{Empty: true}
	switch m.intent {
	case intent.Switch:
		return r.fillSwitch(c, m)
	case intent.Undo, intent.Redo:
		return r.fillUndo(c, m)
	case intent.Back:
		return r.fillBack(c, m)
	case intent.Greet, intent.Thanks, intent.Help, intent.ListProjects, intent.ListMemories, intent.ListDrafts, intent.ListPending, intent.ListChanges:
		return m
	case intent.Decline:
		m.project = r.scope().Subject(c.src, c.all, false)
		return m
	case intent.Elsewhere:
		return r.fillElsewhere(c, m)
	case intent.News, intent.Consent:
		// Nothing is done for these alone: the engine knows what assent is, and what
		// becomes of news depends on the files.
		m.intent, m.about = intent.None, string(m.intent)
		return m
	case intent.CreateProject:
		return r.fillCreate(c, m)
	case intent.WhichProject:
		m.text = belonging(c)
		return m
	case intent.Status, intent.Completeness, intent.OpenQuestions:
		m.project = r.scope().Whole(c.src, c.all)
		return m
	case startMode:
		if m.about != "project_create" {
			m.project = r.scope().Whole(c.src, c.all)
		}
		return m
	case intent.Ask:
		return r.fillAsk(c, m)
	case intent.ListTasks:
		return r.fillList(c, m)
	case intent.Unsupported:
		m.about = beyond(c)
		return m
	case intent.AddTask, intent.UpdateTask, intent.CompleteTask, intent.DeleteTask:
		return r.fillTask(c, m)
	case intent.AddNote, intent.AddDecision, intent.Remember, intent.ForgetMemory, intent.MoveMemory, intent.AbandonDraft:
		return r.fillText(c, m)
	case intent.RenameProject, intent.MergeProjects, intent.ArchiveProject, intent.DeleteProject:
		return r.fillProjects(c, m)
	case intent.ReopenProject:
		return r.fillReopen(c, m)
	}
	m.intent = intent.None
	return m
}

func (m meaning) nothing() meaning { return meaning{intent: intent.None, clause: m.clause} }

// fillBack: who names a project goes to that one, however often "back" was said.
func (r *reader) fillBack(c *clause, m meaning) meaning {
	if ref := r.scope().Subject(c.src, c.all, false); len(ref.Found) > 0 {
		m.intent, m.project = intent.Switch, ref
	} else if toks := r.arguments(c, intent.Switch).first("project"); len(r.sit.Stack) == 0 && len(language.ContentWords(toks)) > 0 && !language.Has(toks, "previous|before|last|earlier|other|one|thing|topic|subject|where|what") {
		m.intent, m.project = intent.Switch, r.scope().Goal(c.src, toks) // which there may not be
	}
	return m
}

// fillText finds the text that is to be kept, or by which something kept is found.
func (r *reader) fillText(c *clause, m meaning) meaning {
	args := r.arguments(c, m.intent)
	if where := args.first("project"); where != nil {
		m.project = refer.To(c.src, where, r.sit.Projects)
	}
	toks := language.TrimMarks(args.from(c, "text"))
	switch m.intent {
	case intent.AbandonDraft:
		m.name = draftName(c, args.first("name"))
		for _, d := range r.sit.Drafts {
			if m.name == "" && language.Covers(language.ContentWords(c.all), language.ContentWords(language.Tokenize(d.Name))) {
				m.name = d.Name
			}
		}
		return m
	case intent.ForgetMemory, intent.MoveMemory:
		if toks == nil && language.Begins(c.body, "<deleteverb>|forget|vergiss") {
			toks = c.body[1:] // behind the verb
		}
		m.text = memoryText(c, toks)
		if m.points = m.text == ""; m.points && (m.intent == intent.MoveMemory || recordNamed(c) == "") {
			return m.nothing()
		}
		return m // "that wasn't a decision": of what was said before
	case intent.Remember:
		m.scope = "project"
		if aboutUser(toks) || aboutUser(language.SkipOpeners(c.all)) {
			m.scope = "user"
		}
	}
	if before := c.before(); before != "" && (toks == nil || pointing(language.Spell(c.src, toks))) && len(language.ContentWords(c.all)) < 4 {
		m.text = language.Capital(before) // "The key hangs in the shed. Remember that, please."
		return m
	}
	toks = keptText(c, m.intent, toks)
	m.text = language.Capital(language.Limit(language.Unwrap(c.text(toks)), 900))
	if len(language.ContentWords(toks)) == 0 {
		return m.nothing()
	}
	return m
}

// draftName is what a draft is called, without the word for one.
func draftName(c *clause, toks []language.Token) string {
	return language.Spell(c.src, slices.DeleteFunc(slices.Clone(language.Inner(toks)), func(t language.Token) bool {
		return language.Class("<det>", t.Norm) || language.Class("<draftword>", t.Norm) || t.Norm == "draft"
	}))
}

// keptText is what is kept of a clause: what the model saw as the text, and rather all of
// it than a part that lacks what it hangs on.
func keptText(c *clause, i intent.Name, toks []language.Token) []language.Token {
	part := (i == intent.Remember || i == intent.AddDecision) && len(toks) > 0 && !askedToKeep(c, toks)
	if part || len(language.ContentWords(toks)) == 0 && i != intent.AddNote {
		return language.SkipOpeners(c.all)
	}
	return toks
}

// askedToKeep: what stands before a text asks to keep it, and isn't part of it.
func askedToKeep(c *clause, text []language.Token) bool {
	for i, t := range c.all {
		if t.Start == text[0].Start {
			return len(language.ContentWords(c.all[:i])) == 0 || language.Has(c.all[:i], "remember|note|mind|forget|know|keep|memory|record|fyi|reference|memorise|memorize|save|store|merk|merke|notiere|behalte|behalt|denk|vergiss|wisse|gedächtnis|:|<decideverb>|go|went|with|settled|agreed|decision|beschlossen|entschieden") && !language.Has(c.all[:i], "between")
		}
	}
	return true
}

// fillProjects finds the projects that are to be changed, and their new name.
func (r *reader) fillProjects(c *clause, m meaning) meaning {
	args := r.arguments(c, m.intent)
	named := args.every("project")
	switch {
	case len(named) > 1 && m.intent == intent.MergeProjects && args.first("other") == nil:
		m.project, _ = r.scope().Aim(c.src, named[0])
		m.other, _ = r.scope().Aim(c.src, named[1])
	case len(named) > 0:
		var a refer.Aim
		m.project, a = r.scope().Aim(c.src, named[len(named)-1]) // "the boat, no, the shop"
		if stored := r.archived().Subject(c.src, c.all, false); a == refer.Aimless && m.intent != intent.MergeProjects && len(stored.Found) != 1 {
			return m.nothing()
		}
	default:
		m.project = r.scope().Subject(c.src, c.all, false)
	}
	if named == nil && len(m.project.Found) == 0 && r.sit.Project == nil && !language.Has(c.all, "<projectword>") {
		return m.nothing()
	}
	if ref := r.archived().Subject(c.src, c.all, false); len(m.project.Found) == 0 && len(ref.Found) == 1 && m.intent != intent.ArchiveProject {
		m.project = ref
	}
	if two := bothOf(c, args, r.sit.Projects); m.intent == intent.MergeProjects && len(m.project.Found) == 0 && len(two.Found) == 2 {
		m.project = two
		return m
	}
	if toks := args.first("other"); toks != nil {
		m.other, _ = r.scope().Aim(c.src, toks)
	}
	if m.intent == intent.RenameProject {
		m.name = cmp.Or(newName(c, args.first("name")), calledInstead(c.text(c.all)))
	}
	return m
}

// bothOf are two projects that one name fits: "the two app projects".
func bothOf(c *clause, args arguments, projects []model.Project) refer.Reference {
	if len(args) == 0 {
		return refer.Reference{}
	}
	last := args[len(args)-1].toks
	return refer.To(c.src, language.Drop(c.spanned(args[0].toks[0].Start, last[len(last)-1].Start), "the|my|our|two|both"), projects)
}

// spanned are the tokens from one byte to another.
func (c *clause) spanned(from, to int) []language.Token {
	var out []language.Token
	for _, t := range c.all {
		if t.Start >= from && t.Start <= to {
			out = append(out, t)
		}
	}
	return out
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
	return language.TitleCase(language.Spell(c.src, language.TrimMarks(toks)))
}

// fillAsk keeps what a question is about.
func (r *reader) fillAsk(c *clause, m meaning) meaning {
	s := r.questionOf(c)
	m.about = s.means
	if found := refer.Mentioned(c.all, r.sit.Projects); len(found) == 1 {
		m.project = refer.Reference{Found: found}
	}
	toks := s.places["topic"]
	if len(toks) == 0 {
		toks = language.SkipOpeners(c.toks)
	}
	if source := s.places["source"]; len(source) > 0 {
		if m.project = refer.To(c.src, source, r.sit.Projects); len(m.project.Found) == 0 {
			m.about, toks = "", language.SkipOpeners(c.toks)
		}
	}
	if two := refer.EitherSide(toks, r.sit.Projects); m.about == "compare" && len(two) == 2 {
		m.project = refer.Reference{Found: two}
	}
	m.text, m.name = language.Topic(toks), span(c, toks)
	if m.text == "" {
		m.text, m.name = language.Topic(c.toks), span(c, c.toks)
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
	ref := r.scope().Subject(c.src, c.all, true)
	if p, ok := ref.One(); ok && p.Slug != r.sit.Project.Slug {
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
	if m.name == "" {
		return m.nothing()
	}
	// What somebody begins with in an empty vault is the undertaking.
	m.sure = m.sure && made.worthy || len(r.sit.Projects) == 0 && m.score >= surely
	if p, ok := r.scope().Subject(c.src, c.all, true).One(); ok {
		if r.sit.Project != nil && r.sit.Project.Slug == p.Slug {
			return m.nothing() // more about what we are talking of
		}
		return meaning{intent: intent.Switch, score: m.score, clause: c, project: refer.Reference{Found: []model.Project{p}, Exact: true}, about: "exists"}
	}
	return m
}

// beyond says what kind of thing is asked for that kist can't do.
func beyond(c *clause) string {
	if _, n, ok := language.Find(c.all, "<draftverb>"); ok {
		if language.Has(c.all[n:min(len(c.all), n+6)], "<texttype>") || language.In("summarise|summarize|translate|proofread|rephrase|paraphrase|brainstorm|rewrite", c.all[n-1].Norm) {
			return "write"
		}
	}
	if language.Has(c.all, "delete|remove|archive|rename|merge|erase|trash|destroy") {
		return "restructure"
	}
	return "deed"
}

// asIf reads a text once more, as what somebody said it was.
func (r *reader) asIf(text string, name intent.Name) meaning {
	r, toks := r.prepared(text)
	list := r.clausesOf(text, toks)
	if len(list) != 1 {
		return meaning{intent: intent.None}
	}
	return r.filled(&list[0], name, 1)
}

// filled is a reading with its arguments.
func (r *reader) filled(c *clause, name intent.Name, p float64) meaning {
	m := meaning{intent: name, about: modeOf(name), score: p, clause: c}
	if m.about != "" {
		m.intent = startMode
	}
	return r.fill(c, m)
}

// fillReopen finds the archived project that is wanted back.
func (r *reader) fillReopen(c *clause, m meaning) meaning {
	toks := r.arguments(c, intent.ReopenProject).first("project")
	if toks == nil {
		toks = c.all
	}
	if m.project = r.archived().Subject(c.src, toks, false); len(m.project.Found) == 0 {
		return m.nothing()
	}
	return m
}

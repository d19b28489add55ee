package interpret

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/apart"
	"kist/agent/offline/naming"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/passage"
)

// fill finds the arguments of a reading. Where those are missing without which it is
// nothing, the meaning comes back as none.
func (r *Reader) fill(c *Clause, m Meaning) Meaning {
	m.Project = refer.Reference{Empty: true}
	switch m.Intent {
	case intent.Switch:
		return r.fillSwitch(c, m)
	case intent.Undo, intent.Redo:
		return r.fillUndo(c, m)
	case intent.Back:
		return r.fillBack(c, m)
	case intent.Greet, intent.Thanks, intent.Help, intent.ListProjects, intent.ListMemories, intent.ListDrafts, intent.ListPending, intent.ListChanges:
		return m
	case intent.Decline:
		m.Project = r.Scope().Subject(c.Src, c.All, false)
		return m
	case intent.Elsewhere:
		return r.fillElsewhere(c, m)
	case intent.News, intent.Consent:
		// Nothing is done for these alone: the engine knows what assent is, and what
		// becomes of news depends on the files.
		m.Intent, m.About = intent.None, string(m.Intent)
		return m
	case intent.CreateProject:
		return r.fillCreate(c, m)
	case intent.WhichProject:
		m.Text = queries.Belonging(c.Src, c.Toks)
		return m
	case intent.Status, intent.Completeness, intent.OpenQuestions, StartMode:
		return wholeOrPart(r, c, m)
	case intent.Ask:
		return r.fillAsk(c, m)
	case intent.ListTasks:
		return r.fillList(c, m)
	case intent.Unsupported:
		m.About = queries.Beyond(c.All)
		return m
	case intent.AddTask, intent.UpdateTask, intent.CompleteTask, intent.DeleteTask:
		return r.fillTask(c, m)
	case intent.AddNote, intent.AddDecision, intent.Remember, intent.ForgetMemory, intent.MoveMemory, intent.AbandonDraft:
		return r.fillText(c, m)
	case intent.RenameProject, intent.MergeProjects, intent.ArchiveProject, intent.DeleteProject:
		return fillWhole(r, c, m)
	case intent.ReopenProject:
		return r.fillReopen(c, m)
	}
	m.Intent = intent.None
	return m
}

// wholeOrPart finds the project that a question for all of one is about. It may ask for a
// part of it: "where are we with the roof?".
func wholeOrPart(r *Reader, c *Clause, m Meaning) Meaning {
	if m.About == "project_create" {
		return m
	}
	m.Project = r.Scope().Whole(c.Src, c.All)
	if part := refer.Part(c.All); m.Intent == intent.Status && m.Project.Empty && part != nil {
		return r.Filled(&Clause{Src: c.Src, Toks: part, Body: part, All: part, Question: true}, intent.Ask, m.Score)
	}
	return m
}

// Nothing is the meaning of the same clause where it has none.
func (m Meaning) Nothing() Meaning { return Meaning{Intent: intent.None, Clause: m.Clause} }

// fillBack: who names a project goes to that one, however often "back" was said.
func (r *Reader) fillBack(c *Clause, m Meaning) Meaning {
	if ref := r.Scope().Subject(c.Src, c.All, false); len(ref.Found) > 0 {
		m.Intent, m.Project = intent.Switch, ref
	} else if toks := r.arguments(c, intent.Switch).first("project"); len(language.ContentWords(language.Drop(toks, "previous|before|last|earlier|other|one|thing|topic|subject|where|what|we|i|was|were"))) > 0 {
		m.Intent, m.Project = intent.Switch, r.Scope().Goal(c.Src, toks) // which there may not be
	}
	return m
}

// fillText finds the text that is to be kept, or by which something kept is found.
func (r *Reader) fillText(c *Clause, m Meaning) Meaning {
	args := r.arguments(c, m.Intent)
	if where := args.first("project"); where != nil {
		m.Project = refer.To(c.Src, where, r.sit.Projects)
	}
	toks := language.TrimMarks(args.from(c, "text"))
	switch m.Intent {
	case intent.AbandonDraft:
		m.Name = draftName(c, args.first("name"))
		return m
	case intent.ForgetMemory, intent.MoveMemory:
		if toks == nil && language.Begins(c.Body, "<deleteverb>|forget|vergiss") {
			toks = c.Body[1:] // behind the verb
		}
		m.Text = memoryText(c, toks)
		if m.Points = m.Text == ""; m.Points && (m.Intent == intent.MoveMemory || RecordNamed(c) == "") {
			return m.Nothing()
		}
		return m // "that wasn't a decision": of what was said before
	case intent.Remember:
		m.Scope = "project"
		if aboutUser(toks) || aboutUser(language.SkipOpeners(c.All)) {
			m.Scope = "user"
		}
	}
	if before := c.Before(); before != "" && (toks == nil || Pointing(language.Spell(c.Src, toks))) && len(language.ContentWords(c.All)) < 4 {
		m.Text = language.Capital(before) // "The key hangs in the shed. Remember that, please."
		return m
	}
	toks = keptText(c, m.Intent, toks)
	m.Text = todo.Beside(c.Src, language.Capital(language.Limit(language.Unwrap(c.Text(toks)), maxText)))
	if len(language.ContentWords(toks)) == 0 {
		return m.Nothing()
	}
	return m
}

// maxText is how long a text that is kept may be.
const maxText = 900

// draftName is what a draft is called, without the word for one.
func draftName(c *Clause, toks []language.Token) string {
	return language.Spell(c.Src, slices.DeleteFunc(slices.Clone(language.Inner(toks)), func(t language.Token) bool {
		return language.Class("<det>", t.Norm) || language.Class("<draftword>", t.Norm) || t.Norm == "draft"
	}))
}

// keptText is what is kept of a clause: what the model saw as the text, and rather all of
// it than a part that lacks what it hangs on.
func keptText(c *Clause, i intent.Name, toks []language.Token) []language.Token {
	part := (i == intent.Remember || i == intent.AddDecision) && len(toks) > 0 && !askedToKeep(c, toks)
	if part || len(language.ContentWords(toks)) == 0 && i != intent.AddNote {
		return language.SkipOpeners(c.All)
	}
	return toks
}

// askedToKeep: what stands before a text asks to keep it, and isn't part of it.
func askedToKeep(c *Clause, text []language.Token) bool {
	for i, t := range c.All {
		if t.Start == text[0].Start {
			return len(language.ContentWords(c.All[:i])) == 0 || language.Has(c.All[:i], keeps+"|save|store|gedächtnis|:|<decideverb>|go|went|with|settled|agreed|decision|beschlossen|entschieden") && !language.Has(c.All[:i], "between")
		}
	}
	return true
}

// fillProjects finds the projects that are to be changed.
func (r *Reader) fillProjects(c *Clause, m Meaning) Meaning {
	args := r.arguments(c, m.Intent)
	named := args.every("project")
	switch {
	case len(named) > 1 && m.Intent == intent.MergeProjects && args.first("other") == nil:
		m.Project, _ = r.Scope().Aim(c.Src, named[0])
		m.Other, _ = r.Scope().Aim(c.Src, named[1])
	case len(named) > 0:
		var a refer.Aim
		m.Project, a = r.Scope().Aim(c.Src, named[len(named)-1]) // "the boat, no, the shop"
		if stored := r.archived().Subject(c.Src, c.All, false); a == refer.Aimless && m.Intent != intent.MergeProjects && len(stored.Found) != 1 {
			return m.Nothing()
		}
	default:
		m.Project = r.Scope().Subject(c.Src, c.All, false)
	}
	if named == nil && len(m.Project.Found) == 0 && r.sit.Project == nil && !language.Has(c.All, "<projectword>") {
		return m.Nothing()
	}
	if ref := r.archived().Subject(c.Src, c.All, false); len(m.Project.Found) == 0 && len(ref.Found) == 1 && m.Intent != intent.ArchiveProject {
		m.Project = ref
	}
	if two := bothOf(c, args, r.sit.Projects); m.Intent == intent.MergeProjects && len(m.Project.Found) == 0 && len(two.Found) == 2 {
		m.Project = two
		return m
	}
	if toks := args.first("other"); toks != nil {
		m.Other, _ = r.Scope().Aim(c.Src, toks)
	}
	return m
}

// fillWhole finds the projects that are to be changed whole, and the new name of one that is
// to be called otherwise.
func fillWhole(r *Reader, c *Clause, m Meaning) Meaning {
	if m.Intent != intent.RenameProject {
		return r.fillProjects(c, m)
	}
	to, ok := r.Scope().Renaming(c.Src, bareOrder(c.All), r.sit.Archived)
	if !ok {
		if m = r.fillProjects(c, m); m.Intent == intent.RenameProject {
			m.Name = cmp.Or(naming.NewName(c.Src, r.arguments(c, m.Intent).first("name")), CalledInstead(c.Text(c.All)))
		}
		return m
	}
	m.Project, m.Name = to.Project, naming.NewName(c.Src, to.Name)
	if !to.Sure && len(m.Project.Found) == 0 && !m.Project.Empty {
		return m.Nothing() // what isn't called a project may be a task
	}
	return m
}

// bothOf are two projects that one name fits: "the two app projects".
func bothOf(c *Clause, args arguments, projects []model.Project) refer.Reference {
	if len(args) == 0 {
		return refer.Reference{}
	}
	last := args[len(args)-1].toks
	return refer.To(c.Src, language.Drop(language.Between(c.All, args[0].toks[0].Start, last[len(last)-1].Start), "the|my|our|two|both"), projects)
}

// fillAsk keeps what a question is about.
func (r *Reader) fillAsk(c *Clause, m Meaning) Meaning {
	all := c.All
	if queries.LooksBack(all, r.sit.Now) {
		m.Intent = intent.ListChanges
		return m
	}
	if asked := passage.Asked(all); len(asked) < len(all) { // "I'm at the yard, how high did we want it?"
		c = &Clause{Src: c.Src, Toks: asked, Body: asked, All: asked, Question: c.Question}
		m.Clause = c
	}
	s := r.questionOf(c)
	m.About = s.means
	if found := refer.Mentioned(all, r.sit.Projects); len(found) == 1 {
		m.Project = refer.Reference{Found: found}
	}
	toks := s.places["topic"]
	if len(toks) == 0 {
		toks = language.SkipOpeners(c.Toks)
	}
	if source := s.places["source"]; len(source) > 0 {
		if m.Project = refer.To(c.Src, source, r.sit.Projects); len(m.Project.Found) == 0 {
			m.About, toks = "", language.SkipOpeners(c.Toks)
		}
	}
	m.Text, m.Name = language.Topic(toks), Span(c, toks)
	if m.Text == "" {
		m.Text, m.Name = language.Topic(c.Toks), Span(c, c.Toks)
	}
	if language.In("both|both look|both stand|both doing", m.Text) {
		m.Intent = intent.Status // "how do both look?"
	}
	return m
}

// fillElsewhere finds the other project that news is about. It isn't a wish to go
// there, so that it is only ever a ground to ask.
func (r *Reader) fillElsewhere(c *Clause, m Meaning) Meaning {
	m = m.Nothing()
	if r.sit.Project == nil {
		return m
	}
	ref := r.Scope().Subject(c.Src, c.All, true)
	if p, ok := ref.One(); ok && p.Slug != r.sit.Project.Slug {
		m.Project, m.About = ref, "elsewhere"
	}
	return m
}

// fillCreate names the project that is to be made. Where there is one of that name
// already, that one is meant.
func (r *Reader) fillCreate(c *Clause, m Meaning) Meaning {
	made := r.NewProject(c)
	m.Name, m.Given, m.Sure = made.Name, made.given, made.sure && (made.Explicit || m.Score >= certain)
	if kept := naming.Kept(c.Text(c.Toks)); !m.Given && !strings.HasPrefix(strings.ToLower(m.Name), strings.ToLower(kept)) {
		m.Name = kept // a name may go on in small letters
	}
	if made.Explicit {
		if made.ofTold { // of what was told before: "make a project for it"
			m.Apart, m.Points, m.Sure = true, true, true
		}
		if made.ofTold && !m.Given {
			m.Name = ""
		}
		return m
	}
	if m.Name == "" {
		return m.Nothing()
	}
	// What somebody begins with in an empty vault is the undertaking.
	m.Sure = m.Sure && made.Worthy || len(r.sit.Projects)+r.sit.Turns == 0 && m.Score >= surely && !queries.Obliges(c.Body)
	beside := apart.Beside(c.All)
	m.Sure = m.Sure || beside && m.Score >= Likely
	if p, ok := r.Scope().Subject(c.Src, c.All, true).One(); ok && !beside {
		if r.sit.Project != nil && r.sit.Project.Slug == p.Slug {
			return m.Nothing() // more about what we are talking of
		}
		return Meaning{Intent: intent.Switch, Score: m.Score, Clause: c, Project: refer.Reference{Found: []model.Project{p}, Exact: true}, About: "exists"}
	}
	return m
}

// AsIf reads a text once more, as what somebody said it was.
func (r *Reader) AsIf(text string, name intent.Name) Meaning {
	r, toks := r.prepared(text)
	list := r.clausesOf(text, toks)
	if len(list) != 1 {
		return Meaning{Intent: intent.None}
	}
	list[0].asked = true
	return r.Filled(&list[0], name, 1)
}

// Filled is a reading with its arguments.
func (r *Reader) Filled(c *Clause, name intent.Name, p float64) Meaning {
	if _, listed := queries.Notes(c.Src, c.All); listed {
		return Meaning{Intent: ListNotes, Score: p, Clause: c}
	} else if name == intent.Help && queries.OfOthers(c.All) {
		name = intent.Ask // "how do I reach the surveyor?"
	}
	m := Meaning{Intent: name, About: modeOf(name), Score: p, Clause: c}
	if m.About != "" {
		m.Intent = StartMode
	}
	return r.fill(c, m)
}

// fillReopen finds the archived project that is wanted back.
func (r *Reader) fillReopen(c *Clause, m Meaning) Meaning {
	toks := r.arguments(c, intent.ReopenProject).first("project")
	if toks == nil {
		toks = c.All
	}
	if m.Project = r.archived().Subject(c.Src, toks, false); len(m.Project.Found) == 0 {
		return m.Nothing()
	}
	return m
}

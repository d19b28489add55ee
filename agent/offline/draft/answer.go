package draft

import (
	"slices"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// Replies to the questions that are asked while a project is being made.

// answered deals with what is said while a draft is open.
func (t *Session) answered(d *model.Draft) bool {
	asked, _ := guide.Asked(t.Situation.Question)
	switch toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(t.Text))); {
	case len(toks) > 9:
	case language.Begins(toks, "give up|abandon|drop|discard|delete|scrap|forget|cancel <det>? *? *? draft|project", "give up|abandon it|this|that", "abandon *? *?", "give it up"):
		return t.abandon(d)
	case language.Begins(toks, "show|read me? us? <det>? *? draft|preview|project|it", "preview|draft", "what have|do you have|got so far|now?", "where are we", "show|see me? what you have|got"):
		t.preview(d)
		return true
	}
	if name := renamesDraft(t.Text); name != "" && name != d.Name {
		t.rename(d, asked, name)
		return true
	}
	if key := nthAsked(t.Text, t.Situation.Asked); key != "" {
		t.askAbout(d, asked, key)
		return true
	}
	if t.studyOfDraft(d) {
		return true
	}
	if c := consent.Read(t.Text); (c == consent.Yes || c == consent.Go) && t.bareYes(d, asked) {
		return true
	}
	ans := guide.ReadAnswer(t.Text, asked)
	switch ans.Kind {
	case guide.OffTopic, guide.Asks:
		return t.aside(d, asked, ans)
	case guide.Enough:
		if interpret.IsFinished(t.Text) && len(t.Situation.Asked) <= 1 && t.Situation.Question.Kind != guide.KindFinalize {
			askOn(t, d, asked)
			return true // with the telling, not with the questions
		}
		t.keepAnswer(d, asked, ans, func() { t.preview(d) })
	case guide.DontKnow, guide.Skip, guide.Later:
		t.leaveOpen(d, asked, ans)
	case guide.Back:
		t.askAbout(d, asked, ans.Dimension)
	case guide.Correction:
		if ans.Dimension == "" {
			ans.Dimension = t.Situation.Question.Args["dimension"]
		}
		t.correct(d, ans)
	default:
		takeAnswer(t, d, asked, ans)
	}
	return true
}

// takeAnswer keeps what is said of the project: as a correction, under the dimension that
// was asked about, or wherever it belongs.
func takeAnswer(t *Session, d *model.Draft, asked guide.Question, ans guide.Answer) {
	key := t.Situation.Question.Args["dimension"]
	switch {
	case t.Situation.Question.Kind == turn.AskInstead && key != "":
		ans.Dimension = key
		t.correct(d, ans)
	case asked.ID == "":
		t.keepDraft(d, t.Text, false)
	default:
		t.keepAnswer(d, asked, ans, func() { t.askNext(d) })
	}
}

// bareYes deals with a yes that no question asked for, which would say nothing in a draft.
func (t *Session) bareYes(d *model.Draft, asked guide.Question) bool {
	switch {
	case asked.YesNo:
		return false // "Does it need a permission?"
	case asked.ID != "":
		t.Say("Tell me in a few words, or say “skip”.")
		t.Question = new(t.Situation.Question)
	case t.Situation.Phase == "gathering_info":
		t.Say("%s", guide.Acknowledge(t.Situation.Turns))
	case t.Situation.Phase == "finalizing":
		t.preview(d)
	default:
		t.askNext(d)
	}
	return true
}

// studyOfDraft: "audit the wedding" is no answer to a question about it, and a draft has
// nothing to study yet. Of another project it is done.
func (t *Session) studyOfDraft(d *model.Draft) bool {
	sit := t.Situation
	draft := model.Project{Slug: d.Slug, Name: d.Name, Status: "active"}
	sit.Project, sit.Projects = &draft, append(slices.Clone(sit.Projects), draft)
	r := interpret.NewReader(sit, t.Trained)
	for _, m := range r.Read(t.Text) {
		if m.Intent != interpret.StartMode || !language.In("project_audit|project_forecast", m.About) {
			continue
		}
		if p, ok := m.Project.One(); ok && p.Slug != d.Slug {
			return false
		}
		t.Say("**%s** is a draft still. That can be done once it is a project.", d.Name)
		t.Question = new(t.Situation.Question)
		return true
	}
	return false
}

// askOn asks again what waits for an answer, or else what comes next.
func askOn(t *Session, d *model.Draft, asked guide.Question) {
	if asked.ID == "" {
		t.askNext(d)
		return
	}
	t.Question = new(t.Situation.Question)
}

// keepAnswer keeps an answer: under the dimension that was asked about, and what it
// says beside that where it belongs.
func (t *Session) keepAnswer(d *model.Draft, asked guide.Question, ans guide.Answer, then func()) {
	if asked.ID == "" {
		keepParted(t, d, ans.Text, then)
		return
	}
	l := lay(d, asked.Dimension, ans)
	a := t.Act(nil)
	wants := keepParts(a, d, l.parts)
	if key := asked.Dimension; l.open && d.Dimensions[key] == "" {
		wants = append(wants, a.Want("update_draft_dimension", map[string]any{"dimension": key, "follow_up": true}))
		d.FollowUp = append(slices.Clone(d.FollowUp), key)
	}
	a.Then = func() {
		for _, w := range wants {
			if t.Failed(w) {
				return
			}
		}
		if len(l.parts[asked.Dimension]) > 0 {
			t.Say("%s", guide.Thanks(len(t.Situation.Asked)))
		}
		t.speakLayout(asked.Dimension, l)
		then()
	}
}

// leaveOpen marks a dimension for later.
func (t *Session) leaveOpen(d *model.Draft, asked guide.Question, ans guide.Answer) {
	key := asked.Dimension
	if ans.Dimension != "" || ans.Kind == guide.Later {
		key = ans.Dimension // without one, all of it is for later
	}
	switch {
	case key == "" && ans.Kind != guide.Later && t.Situation.Question.Kind == guide.KindFinalize:
		t.Say("All right.")
		t.askFinalize(d)
		return
	case key == "":
		t.Say("The draft **%s** is kept. Come back to it whenever you like.", d.Name)
		return
	}
	a := t.Act(nil)
	w := a.Want("update_draft_dimension", map[string]any{"dimension": key, "follow_up": true})
	d.FollowUp = append(slices.Clone(d.FollowUp), key)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("%s", guide.NoMatter(len(d.FollowUp)-1))
		t.askNext(d)
	}
}

// askAbout asks about a dimension that the user wants to go back to.
func (t *Session) askAbout(d *model.Draft, asked guide.Question, key string) {
	if key == "" {
		key = asked.Dimension
	}
	st := t.stateOf(d)
	q, ok := guide.Ask(st, key)
	if !ok || key == "" {
		t.askNext(d)
		return
	}
	if said := d.Dimensions[key]; said != "" {
		t.Say("On %s you said: “%s”", guide.Title(key), language.Limit(language.OneLine(said), 300))
	}
	t.Question = new(q.Ask())
}

// aside deals with a command or a question in between, and then asks again.
func (t *Session) aside(d *model.Draft, asked guide.Question, ans guide.Answer) bool {
	meanings := t.Read(t.Text)
	if tasks := t.draftTasks(t.Text); len(tasks) > 0 && t.Here == nil {
		t.keepTasks(d, asked, tasks)
		return true
	}
	unclear := slices.ContainsFunc(meanings, vague)
	if unclear && ans.Kind == guide.Asks && asked.ID != "" {
		meanings = nil
	}
	understood := slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return interpret.Substantial(m.Intent) })
	if !understood || unclear && t.Situation.Question.Kind == guide.KindFinalize {
		if t.Situation.Question.Kind == guide.KindFinalize {
			t.Say("I'd write a page for **%s** with what you said, and a file for each task. All of it stays yours to edit.", d.Name)
			t.askFinalize(d)
			return true
		}
		if asked.ID == "" {
			return false
		}
		if ans.Kind == guide.Asks {
			if other, ok := guide.Ask(t.stateOf(d), asked.Dimension); ok {
				t.Say("In other words:")
				t.Question = new(other.Ask())
				return true
			}
		}
		t.Question = new(t.Situation.Question)
		return true
	}
	t.Plan(meanings)
	if t.Question == nil && asked.ID != "" {
		t.Question = new(t.Situation.Question)
	}
	return true
}

// keepTasks notes things to do in the draft and asks again.
func (t *Session) keepTasks(d *model.Draft, asked guide.Question, tasks []string) {
	a := t.Act(nil)
	w := a.Want("update_draft_dimension", map[string]any{"tasks": tasks})
	d.Tasks = append(slices.Clone(d.Tasks), tasks...)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Bullets("Among the first tasks:", undated(tasks))
		askOn(t, d, asked)
	}
}

// vague: it asks about nothing in particular, or what kist meant.
func vague(m interpret.Meaning) bool {
	return m.Intent == intent.Help && m.Clause != nil && language.Has(m.Clause.All, "mean|understand") || m.Intent == intent.Ask && (m.Text == "" || len(language.ContentWords(language.Tokenize(m.Text))) < 2 && !m.Project.Named && len(m.Project.Found) == 0)
}

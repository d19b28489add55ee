package offline

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/offline/draft"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// Guided sessions. What kist knows of them comes from the situation: the mode, the
// phase, the draft, the questions asked. The flow of project_create is in create.go.

// guided deals with a message of a guided session; false leaves it to the general
// conversation.
func (t *talk) guided() bool {
	switch t.Situation.Mode {
	case "project_create":
		return t.drafting().Converse()
	case "project_update":
		return t.updating()
	case "project_audit":
		return t.auditing() || movesOn(t)
	case "project_forecast":
		return t.forecasting() || movesOn(t)
	case "task_update":
		return t.ticking()
	}
	return false
}

// movesOn ends a session that only looked, with the first message that is about something else than to
// know more; its rest is plain talk.
func movesOn(t *talk) bool {
	if t.Situation.Phase == "gathering_info" || t.onlyAsks() {
		return false
	}
	t.Act(nil).Want("start_session", map[string]any{"mode": "general"})
	t.Situation.Mode = "general"
	return false
}

// onlyAsks reports whether a message wants to know something and nothing else.
func (t *talk) onlyAsks() bool {
	meanings := t.Read(t.Text)
	for _, m := range meanings {
		if m.Intent != intent.Ask && m.Intent != intent.Status {
			return false
		}
	}
	return len(meanings) > 0
}

// drafting is this turn as one in which a project is made.
func (t *talk) drafting() *draft.Session { return &draft.Session{Turn: t.Turn, Plan: t.plan} }

// commanded reports whether a message asks for something in particular, beside
// what the session is for.
func (t *talk) commanded() bool {
	return slices.ContainsFunc(t.Read(t.Text), func(m interpret.Meaning) bool {
		return interpret.Substantial(m.Intent) && m.Intent != intent.Ask && m.Intent != intent.Consent && m.Intent != interpret.StartMode && m.Intent != intent.Status
	})
}

// ticking goes over the tasks: "the cable is ordered" is about one of them.
func (t *talk) ticking() bool {
	if t.Here == nil || t.commanded() {
		return false
	}
	if interpret.IsFinished(t.Text) {
		t.leave("Good, the tasks of **" + t.Here.Name + "** are up to date.")
		return true
	}
	a := t.Act(nil)
	a.Then = func() {
		if !t.OfferTicks(t.Text) && len(t.Calls) == 0 {
			t.Say("I found no open task like that. Say it with the task's words.")
		}
	}
	return true
}

// begin starts a guided session from within the conversation.
func (t *talk) begin(m interpret.Meaning) {
	if len(m.Project.Found) > 1 {
		t.Which(m.Project.Found)
		return
	}
	if m.About == "project_audit" && t.Here != nil && len(m.Project.Found) == 0 && t.AsksRisks(m) {
		t.Risks(*t.Here, func() { t.start(m) }) // what was told of them comes first
		return
	}
	t.start(m)
}

// start starts a guided session.
func (t *talk) start(m interpret.Meaning) {
	a := t.Act(nil)
	p := t.Here
	if found, ok := m.Project.One(); ok {
		p = &found
		if t.Here == nil || t.Here.Slug != found.Slug {
			a.Want("switch_project", map[string]any{"project": found.Slug})
			t.Here = &found
		}
	}
	if p == nil && m.About != "project_create" && m.About != "task_update" {
		t.Say("Which project is it about?")
		t.ListProjects()
		return
	}
	w := a.Want("start_session", map[string]any{"mode": m.About})
	var study *turn.Want
	switch m.About {
	case "project_audit":
		study = a.Want("audit", map[string]any{})
	case "project_forecast":
		study = a.Want("forecast", map[string]any{})
	}
	a.Then = func() {
		switch {
		case t.Failed(w):
		case study != nil:
			t.speakStudy(study)
		case m.About == "project_create":
			t.open()
		default:
			t.Say("%s", guide.Opening(m.About, turn.NameOf(p), t.Situation.Session))
		}
	}
}

// open is how the making of a project begins.
func (t *talk) open() {
	if resumable(t) {
		return
	}
	t.Say("%s", guide.Opening("project_create", "", t.Situation.Session))
}

// resumable offers to go on with an unfinished draft; false: there is none.
func resumable(t *talk) bool {
	said, q, ok := guide.Resume(t.Situation.Drafts, t.Situation.Now)
	if ok {
		t.Say("%s", said)
		t.Question = &q
	}
	return ok
}

// updating puts what changed where it belongs: what the general conversation
// understands, and else the dimensions that the sentences are about.
func (t *talk) updating() bool {
	if t.Here == nil {
		return false
	}
	if t.Situation.Question.Kind == turn.AskMore && consent.Read(t.Text) == consent.No || interpret.IsFinished(t.Text) {
		a := t.Act(nil)
		w := a.Want("start_session", map[string]any{"mode": "general"})
		a.Then = func() {
			if !t.Failed(w) {
				t.Say("Good, **%s** is up to date.", t.Here.Name)
			}
		}
		return true
	}
	var rest []string
	understood := 0
	for _, s := range guide.Sentences(t.Text) {
		known := false
		for _, m := range t.Read(s) {
			if interpret.Substantial(m.Intent) && m.Intent != intent.Ask {
				known = true
				t.handle(m)
			}
		}
		if !known {
			rest = append(rest, s)
		} else {
			understood++
		}
	}
	if understood == 0 && strings.HasSuffix(strings.TrimSpace(t.Text), "?") {
		return false
	}
	t.Ask(turn.AskMore, nil)
	if len(rest) > 0 && !t.tell(strings.Join(rest, " "), understood > 0) {
		t.Question = nil
		return false
	}
	return true
}

// tell deals with sentences that ask for nothing: what was done is offered to be
// ticked off, and the rest placed in the dimensions that it is about. false: they are
// about nothing known.
func (t *talk) tell(text string, among bool) bool {
	var told, rest []string
	for _, s := range guide.Sentences(text) {
		if len(t.Deeds(s)) > 0 {
			told = append(told, s)
		} else {
			rest = append(rest, s)
		}
	}
	if len(told) == 0 {
		return t.place(text) || among
	}
	a := t.Act(nil)
	a.Then = func() {
		offered := t.OfferTicks(strings.Join(told, " "))
		if len(t.Calls) > 0 {
			return
		}
		if offered {
			t.place(strings.Join(rest, " "))
			return
		}
		if !t.place(text) && !among && len(t.Calls) == 0 {
			t.Question = nil
			t.Late(t.fallback)
		}
	}
	return true
}

// place writes the sentences of a message into the dimensions they are about.
func (t *talk) place(text string) bool {
	parts := draft.Single(guide.Split(text))
	if len(parts) == 0 {
		return false
	}
	a := t.Unplanned()
	var wants []*turn.Want
	var titles []string
	for _, key := range guide.Dimensions() {
		if len(parts[key]) == 0 {
			continue
		}
		titles = append(titles, guide.Title(key))
		wants = append(wants, a.Want("update_project_dimension", map[string]any{"dimension": key, "text": strings.Join(parts[key], " "), "how": "append"}))
	}
	for _, w := range wants {
		t.Fetch(w)
	}
	if len(t.Calls) > 0 && !slices.ContainsFunc(wants, func(w *turn.Want) bool { return w.Answered }) {
		return true
	}
	a.Then = func() {
		proposed := false
		for _, w := range wants {
			if t.Failed(w) {
				return
			}
			proposed = proposed || w.Result.Status == "proposed"
		}
		where := strings.Join(titles, ", ")
		if proposed {
			t.Waits = true
			t.Say("I'd note that under %s.", where)
			return
		}
		t.Say("Noted under %s.", where)
	}
	a.Then()
	return true
}

// leave ends a guided session.
func (t *talk) leave(words string) {
	a := t.Act(nil)
	w := a.Want("start_session", map[string]any{"mode": "general"})
	a.Then = func() {
		if !t.Failed(w) {
			t.Say("%s", words)
		}
	}
}

// complete tells how much of a project is written down.
func (t *talk) complete(m interpret.Meaning) {
	if t.Here == nil && len(m.Project.Found) == 0 {
		t.ListTasks(m, false)
		return
	}
	t.measured(m, func(result, each map[string]any) {
		overall, _ := result["overall"].(float64)
		if overall == 0 && t.Situation.Mode == "general" { // it isn't written along the dimensions: what is left is to do
			t.Late(func() { t.ListTasks(m, false) })
			return
		}
		var lines []string
		for _, key := range guide.Dimensions() {
			lines = append(lines, fmt.Sprintf("%s: %d of 10", guide.Title(key), turn.Num(each, key)))
		}
		t.Say("**%s** is %.0f%% written down:\n- %s", turn.Str(result, "name"), 100*overall, strings.Join(lines, "\n- "))
	})
}

// measured has then called with how complete the project is that is meant, and each of
// its dimensions.
func (t *talk) measured(m interpret.Meaning, then func(result, each map[string]any)) {
	args := map[string]any{}
	switch p, ok := m.Project.One(); {
	case ok:
		args["project"] = p.Slug
	case len(m.Project.Found) > 1:
		t.Which(m.Project.Found)
		return
	case t.Here == nil:
		t.Say("Which project do you mean?")
		t.ListProjects()
		return
	}
	a := t.Act(nil)
	w := a.Want("project_completeness", args)
	a.Then = func() {
		if !t.Failed(w) {
			each, _ := w.Result.Result["dimensions"].(map[string]any)
			then(w.Result.Result, each)
		}
	}
}

// drafts lists the unfinished ones.
func (t *talk) drafts() {
	if resumable(t) {
		return
	}
	t.Say("There are no unfinished drafts.")
}

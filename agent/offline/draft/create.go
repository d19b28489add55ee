package draft

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// The making of a project: listen, ask, show, make.

// A Session is a turn of a session in which a project is made.
type Session struct {
	*turn.Turn
	Plan func([]interpret.Meaning) // does what is asked for in between
}

// Converse deals with a message of a project_create session.
func (t *Session) Converse() bool {
	if done, ok := t.resuming(); done {
		return ok
	}
	if t.Situation.Draft == nil {
		return t.listenFirst()
	}
	if t.Situation.Draft.Status != "in_progress" {
		return false
	}
	d := *t.Situation.Draft
	d.Dimensions = maps.Clone(d.Dimensions)
	if t.Situation.Question.Kind == turn.AskName {
		return t.named(&d)
	}
	if t.Situation.Question.Kind == guide.KindFinalize {
		if done, ok := t.decideDraft(&d); done {
			return ok
		}
	}
	return t.answered(&d)
}

// resuming reads the answer to the offer to go on with a draft. done says that the
// message was that answer.
func (t *Session) resuming() (done, ok bool) {
	if t.Situation.Question.Kind != guide.KindResume || len(t.Situation.Drafts) == 0 || t.Situation.Draft != nil {
		return false, false
	}
	words := language.ContentWords(language.Tokenize(t.Text))
	fresh := slices.ContainsFunc(words, func(w string) bool {
		return w == "fresh" || w == "new" || w == "anew" || w == "start" || w == "neither" || w == "scratch"
	})
	if consent.Read(t.Text) == consent.No || fresh && len(words) <= 6 {
		t.Say("%s", guide.Opening("project_create", "", t.Situation.Session))
		return true, true
	}
	if d, found := t.chosenDraft(words); found {
		t.resume(d)
		return true, true
	}
	return false, false
}

// chosenDraft is the one named, or with a plain yes the first.
func (t *Session) chosenDraft(words []string) (model.Draft, bool) {
	for _, d := range t.Situation.Drafts {
		name := language.ContentWords(language.Tokenize(d.Name))
		if len(name) > 0 && len(words) <= 8 && language.Covers(words, name) {
			return d, true
		}
	}
	c := consent.Read(t.Text)
	if c == consent.Yes || c == consent.Go || len(words) <= 3 && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "continu") || w == "resume" }) {
		return t.Situation.Drafts[0], true
	}
	return model.Draft{}, false
}

func (t *Session) resume(d model.Draft) {
	a := t.Act(nil)
	w := a.Want("start_session", map[string]any{"mode": "project_create", "draft": d.Slug})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("We go on with **%s**.", d.Name)
		t.askNext(&d)
	}
}

// listenFirst keeps the first words about a project. Nothing is asked but a name,
// where there is none to be found in them, until the user has said it all.
func (t *Session) listenFirst() bool {
	meanings := t.Read(t.Text)
	name := t.projectName(meanings)
	for _, m := range meanings {
		switch m.Intent {
		case intent.Switch, intent.Back, intent.ListProjects, intent.Help, intent.Status, intent.Decline, intent.Undo:
			return false
		case interpret.StartMode:
			if name == "" || m.About != "project_create" {
				return false
			}
		}
	}
	if name == "" {
		if len(strings.Fields(t.Text)) < 4 {
			return false
		}
		d := model.Draft{Name: workingTitle(t.Situation.Drafts), Description: About(t.Text), Dimensions: map[string]string{}, Status: "in_progress"}
		keepParted(t, &d, t.Text, func() {
			if guide.IsBrainDump(t.Text, true) {
				t.Say("I have all of that.")
			} else {
				t.Say("%s", guide.Acknowledge(1))
			}
			t.Ask(turn.AskName, nil)
		})
		return true
	}
	d := model.Draft{Name: name, Description: About(t.Text), Dimensions: map[string]string{}, Status: "in_progress"}
	t.keepDraft(&d, t.Text, true)
	return true
}

// About is what stands for the project as a whole: the first sentence, and those
// that belong under no dimension.
func About(text string) string {
	parts := guide.Unplaced(text)
	text = language.OneLine(text)
	if i := strings.IndexAny(text, ".!?"); i > 20 {
		text = text[:i+1]
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.Contains(text, s) })
	return language.Limit(strings.Join(append([]string{language.Limit(text, 600)}, parts...), " "), 1900)
}

// keepDraft writes what a piece of text says into the draft, and goes on.
func (t *Session) keepDraft(d *model.Draft, text string, first bool) {
	keepParted(t, d, text, func() {
		switch poured := guide.IsBrainDump(text, true); {
		case first && !poured && !interpret.IsFinished(t.Text):
			t.Say("I've begun a draft, **%s**. %s", d.Name, guide.Acknowledge(len(d.Dimensions)))
			t.Say("Say “that's all” when you're done.")
			return
		case first:
			t.Say("I've begun a draft, **%s**, and sorted what you said.", d.Name)
		case t.Situation.Phase == "gathering_info" && !poured && !interpret.IsFinished(text):
			t.Say("%s", guide.Acknowledge(t.Situation.Turns))
			return
		case t.Situation.Question.Kind == guide.KindFinalize:
			t.Say("I've added that to the draft.")
		}
		t.askNext(d)
	})
}

// keepParted writes the sentences of a text under the dimensions that they are about, and
// what there is to do among the tasks. A draft without a file is begun.
func keepParted(t *Session, d *model.Draft, text string, then func()) {
	a := t.Act(nil)
	var wants []*turn.Want
	if d.Slug == "" {
		wants = append(wants, a.Want("update_draft_dimension", map[string]any{"name": d.Name, "description": d.Description}))
	}
	wants = append(wants, keepParts(a, d, Single(guide.Split(text)))...)
	if tasks := t.draftTasks(text); len(tasks) > 0 {
		wants = append(wants, a.Want("update_draft_dimension", map[string]any{"tasks": tasks}))
		d.Tasks = append(d.Tasks, tasks...)
	}
	a.Then = func() {
		for _, w := range wants {
			if t.Failed(w) {
				return
			}
		}
		then()
	}
}

// Single leaves each sentence in one dimension, where it weighs most. What is read twice
// in a document looks like a mistake.
func Single(parts map[string][]string) map[string][]string {
	best := map[string]string{}
	for _, key := range guide.Dimensions() {
		for _, s := range parts[key] {
			if was, ok := best[s]; !ok || guide.Score(s)[key] > guide.Score(s)[was] {
				best[s] = key
			}
		}
	}
	out := map[string][]string{}
	for key, list := range parts {
		for _, s := range list {
			if best[s] == key {
				out[key] = append(out[key], s)
			}
		}
	}
	return out
}

// keepParts plans to write sentences into dimensions.
func keepParts(a *turn.Act, d *model.Draft, parts map[string][]string) []*turn.Want {
	var wants []*turn.Want
	for _, key := range guide.Dimensions() {
		text := strings.TrimSpace(strings.Join(parts[key], " "))
		if text == "" || strings.Contains(d.Dimensions[key], text) {
			continue
		}
		wants = append(wants, a.Want("update_draft_dimension", map[string]any{"dimension": key, "text": text, "how": "append"}))
		if d.Dimensions[key] != "" {
			text = d.Dimensions[key] + "\n\n" + text
		}
		d.Dimensions[key] = text
		d.FollowUp = slices.DeleteFunc(slices.Clone(d.FollowUp), func(k string) bool { return k == key })
	}
	return wants
}

// draftTasks finds what there is to do in a text.
func (t *Session) draftTasks(text string) []string {
	var out []string
	for _, m := range t.Read(text) {
		if m.Intent != intent.AddTask {
			continue
		}
		for _, item := range m.Todos {
			if item.Title == "" || len(out) == 20 {
				continue
			}
			if item.Due != "" {
				item.Title += " @" + item.Due
			}
			if !slices.Contains(out, item.Title) {
				out = append(out, item.Title)
			}
		}
	}
	return out
}

// GiveUp abandons a draft from within another conversation: the one that is named,
// or the only one.
func (t *Session) GiveUp(m interpret.Meaning) {
	all := t.Situation.Drafts
	if t.Situation.Draft != nil {
		all = append([]model.Draft{*t.Situation.Draft}, all...)
	}
	words := language.ContentWords(language.Tokenize(m.Name))
	var fit []model.Draft
	for _, d := range all {
		if len(words) == 0 || language.Covers(language.ContentWords(language.Tokenize(d.Name)), words) {
			fit = append(fit, d)
		}
	}
	switch {
	case len(fit) == 1:
		t.abandon(&fit[0])
	case len(all) == 0:
		t.Say("There are no unfinished drafts.")
	default:
		var names []string
		for _, d := range all {
			names = append(names, "**"+d.Name+"**")
		}
		t.Say("Which draft: %s?", strings.Join(names, " or "))
	}
}

// abandon gives the draft up. Its file stays.
func (t *Session) abandon(d *model.Draft) bool {
	a := t.Act(nil)
	args := map[string]any{}
	if t.Situation.Draft == nil || t.Situation.Draft.Slug != d.Slug {
		args["draft"] = d.Slug
	}
	w := a.Want("abandon_draft", args)
	a.Then = func() {
		if w.Result.Status == "proposed" {
			t.Waits = true
			t.Say("I'd put the draft **%s** away; its file stays.", d.Name)
		} else if !t.Failed(w) {
			t.Say("I've put the draft **%s** away; its file stays.", d.Name)
		}
	}
	return true
}

func (t *Session) stateOf(d *model.Draft) guide.State {
	sit := t.Situation
	sit.Draft = d
	st := guide.StateOf(sit)
	st.Name = guide.Spoken(d.Name)
	return st
}

// askNext asks the next question, or shows the draft when there is none left.
func (t *Session) askNext(d *model.Draft) {
	if q, ok := guide.Next(t.stateOf(d)); ok {
		q.Text = cmp.Or(t.Situation.Phrased[q.Text], q.Text)
		t.Question = new(q.Ask())
		return
	}
	if t.Situation.Question.Kind == guide.KindFinalize { // it was shown just now
		t.askFinalize(d)
		return
	}
	t.preview(d)
}

// askFinalize asks whether to make the project of a draft.
func (t *Session) askFinalize(d *model.Draft) {
	t.Ask(guide.KindFinalize, map[string]string{"name": d.Name})
}

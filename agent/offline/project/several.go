package project

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/apart"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// passing are the readings in which a message may count up what is to become projects.
var passing = []intent.Name{intent.None, intent.News, intent.Elsewhere, intent.CreateProject, intent.ProjectCreate, intent.Remember, intent.AddNote, intent.AddTask, intent.Greet, intent.Switch}

// Several makes a project of each undertaking that a message counts up, goes to the one it says to begin
// with, or else to the first, and returns what else it says. false: it counts up none, or some are there.
func (t *Navigator) Several() (rest string, ok bool) {
	things, behind, ok := apart.Several(language.Tokenize(t.Text))
	if !ok || t.Situation.Mode != "general" || strings.HasSuffix(strings.TrimSpace(t.Text), "?") {
		return "", false
	}
	if slices.ContainsFunc(t.Read(t.Text), func(m interpret.Meaning) bool { return !slices.Contains(passing, m.Intent) }) {
		return "", false
	}
	var names []string
	for _, thing := range things {
		name := language.Limit(language.TitleCase(language.Spell(t.Text, thing)), 100)
		if _, there := refer.ByName(t.Situation.Projects, name); there || slices.Contains(names, name) {
			return "", false
		}
		names = append(names, name)
	}
	if flat, known := t.LikesFlat(); flat || !known {
		return "", !known // what they like is still to be answered
	}
	first := names[0]
	if len(behind) > 0 {
		rest = strings.TrimSpace(t.Text[behind[0].Start:])
		if i := slices.IndexFunc(names, func(name string) bool { return refer.Touches(language.ContentWords(behind), name) }); i >= 0 {
			first = names[i]
		}
		if said := language.ContentWords(behind); len(said) <= 1+len(strings.Fields(first)) {
			rest = "" // "I'll start with the boat."
		}
	}
	t.createEach(names, first)
	return rest, true
}

// createEach makes projects, that one last, so that it is gone to.
func (t *Navigator) createEach(names []string, first string) {
	t.Here, t.IsNew = nil, true
	a := t.Act(nil)
	order := append(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == first }), first)
	var wants []*turn.Want
	for _, name := range order {
		wants = append(wants, a.Want("create_project", map[string]any{"name": name, "reason": "start the project " + name + ": you named it as one of " + turn.Plural(len(names), "undertaking")}))
	}
	a.Then = func() {
		var made []string
		for i, w := range wants {
			if !t.Failed(w) { // which it tells
				made = append(made, order[i])
			}
			t.Waits = t.Waits || w.Result.Status == "proposed"
		}
		list := turn.Plural(len(made), "project") + ": **" + strings.Join(made, "**, **") + "**."
		switch {
		case len(made) == 0:
		case t.Waits:
			t.Say("I'd start %s", list)
		default:
			t.Say("I've started %s We're in **%s** now; name another one to go there.", list, made[len(made)-1])
		}
	}
}

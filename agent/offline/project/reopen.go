package project

import (
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Reopen takes a project out of the archive.
func (t *Navigator) Reopen(m interpret.Meaning) {
	p, ok := m.Project.One()
	if !ok {
		t.Which(m.Project.Found)
		return
	}
	a := t.Act(nil)
	w := a.Want("update_project", map[string]any{"project": p.Slug, "status": "active", "reason": turn.AsAsked(t.Offering, "reopen the project", p.Name)})
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Waits = true
			t.Say("I'd reopen **%s**.", p.Name)
		default:
			t.Say("**%s** is open again.", p.Name)
		}
	}
}

// stored says that a name is that of an archived project.
func (t *Navigator) stored(ref refer.Reference) bool {
	p, ok := refer.To(ref.Phrase, language.Tokenize(ref.Phrase), t.Situation.Archived).One()
	if ok {
		t.Say("**%s** is archived. Say “reopen %s” to go on with it.", p.Name, p.Name)
	}
	return ok
}

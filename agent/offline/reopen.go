package offline

import (
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// reopen takes a project out of the archive.
func (t *talk) reopen(m interpret.Meaning) {
	p, ok := m.Project.One()
	if !ok {
		t.which(m.Project.Found)
		return
	}
	a := t.act(nil)
	w := a.want("update_project", map[string]any{"project": p.Slug, "status": "active", "reason": asAsked(t.offering, "reopen the project", p.Name)})
	a.then = func() {
		switch {
		case t.failed(w):
		case w.res.Status == "proposed":
			t.waits = true
			t.say("I'd reopen **%s**.", p.Name)
		default:
			t.say("**%s** is open again.", p.Name)
		}
	}
}

// stored says that a name is that of an archived project.
func (t *talk) stored(ref refer.Reference) bool {
	p, ok := refer.To(ref.Phrase, language.Tokenize(ref.Phrase), t.sit.Archived).One()
	if ok {
		t.say("**%s** is archived. Say “reopen %s” to go on with it.", p.Name, p.Name)
	}
	return ok
}

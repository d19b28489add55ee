package offline

import (
	"kist/agent/language"
	"kist/agent/offline/refer"
)

// fillReopen finds the archived project that is wanted back.
func (r *reader) fillReopen(c *clause, m meaning) meaning {
	toks := r.arguments(c, reopenProject).first("project")
	if toks == nil {
		toks = c.all
	}
	if m.project = r.archived().Subject(c.src, toks, false); len(m.project.Found) == 0 {
		return m.nothing()
	}
	return m
}

// reopen takes a project out of the archive.
func (t *talk) reopen(m meaning) {
	p, ok := m.project.One()
	if !ok {
		t.which(m.project.Found)
		return
	}
	a := t.act(nil)
	w := a.want(t, "update_project", map[string]any{"project": p.Slug, "status": "active", "reason": asAsked(t.offering, "reopen the project", p.Name)})
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

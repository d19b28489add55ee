package offline

import (
	_ "embed"
	"sync"

	"kist/agent/language"
	"kist/agent/model"
)

// reopen/en.txt holds the words for taking a project out of the archive.
//
//go:embed reopen/en.txt
var reopenText string

var reopenWords = sync.OnceValue(func() filterTable { return readManners(reopenText) })

// toReopen is the archived project that a message asks to have back: it begins with a
// word for that and names one.
func (t *talk) toReopen() (model.Project, bool) {
	if len(t.sit.Archived) == 0 {
		return model.Project{}, false
	}
	list := t.clauses(t.text)
	if len(list) != 1 || list[0].negated || !list[0].orders() && list[0].frame != permission || len(list[0].body) > maxCommand {
		return model.Project{}, false
	}
	c, words := &list[0], reopenWords()
	n := words.is(c.body, "verb")
	if n == 0 {
		return model.Project{}, false
	}
	rest, back := c.body[n:], words.is(c.body, "sure") > 0
	for i := 0; i < len(rest); i++ {
		if words.is(rest[i:], "back") > 0 {
			rest, back = rest[:i], true
		}
	}
	if !back || len(refer(c, rest, t.sit.Projects).found) > 0 {
		return model.Project{}, false
	}
	ref := refer(c, language.TrimMarks(rest), t.sit.Archived)
	return ref.one()
}

// reopen takes a project out of the archive.
func (t *talk) reopen(p model.Project) {
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
func (t *talk) stored(ref reference) bool {
	p, ok := refer(&clause{src: ref.phrase}, language.Tokenize(ref.phrase), t.sit.Archived).one()
	if ok {
		t.say("**%s** is archived. Say “reopen %s” to go on with it.", p.Name, p.Name)
	}
	return ok
}

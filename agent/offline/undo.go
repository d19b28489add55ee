package offline

import (
	"strings"

	"kist/agent/offline/interpret"
)

// undo takes back what the message names, or else what the conversation changed last.
func (t *talk) undo(m interpret.Meaning) {
	if n := len(t.sit.Aside); n > 0 && len(m.Undo) == 0 { // nothing of it was done yet
		t.say("Nothing was done: %s. It is put aside; “what is waiting?” shows it.", t.sit.Aside[0])
		return
	}
	args := m.Undo
	if args == nil {
		args = map[string]any{}
	}
	a := t.act(nil)
	w := a.want("undo", args)
	a.then = func() {
		if t.failed(w) {
			return
		}
		if fits := objects(w.res.Result, "fits"); len(fits) > 0 {
			t.severalChanges(fits, num(w.res.Result, "count"))
			return
		}
		what := strs(w.res.Result, "what")
		redo := args["redo"] == true
		head := undoHead(len(what), redo, w.res.Status == "proposed")
		t.waits = t.waits || w.res.Status == "proposed"
		t.bullets(head, what)
	}
}

func undoHead(n int, redo, proposed bool) string {
	verb := "Taken back"
	switch {
	case redo && proposed:
		verb = "I'd do again"
	case redo:
		verb = "Done again"
	case proposed:
		verb = "I'd take back"
	}
	if n > 1 {
		return verb + " (" + plural(n, "change") + "):"
	}
	return verb + ":"
}

// severalChanges lists the changes that words fit; which one is meant is the user's to
// say.
func (t *talk) severalChanges(fits []map[string]any, count int) {
	var lines []string
	for _, f := range fits[:min(len(fits), 6)] {
		lines = append(lines, str(f, "what"))
	}
	t.say("%d changes could be meant; which one? Say it with more of its words.\n- %s", count, strings.Join(lines, "\n- "))
}

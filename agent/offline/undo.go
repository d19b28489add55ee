package offline

import (
	_ "embed"
	"maps"
	"strconv"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/manner"
)

// undo/en.txt holds the words for what is to be taken back.
//
//go:embed undo/en.txt
var undoText string

var undoWords = sync.OnceValue(func() manner.Table { return manner.Read(undoText) })

// readUndo reads how much is to be taken back, as arguments of the tool: nothing said is
// what was done last. Of several words the last counts.
func readUndo(toks []language.Token) map[string]any {
	words, args := undoWords(), map[string]any{}
	for len(toks) > 0 {
		m, n := words.Longest(toks)
		switch {
		case toks[0].Quoted || n == 0:
			if k := language.Count(toks[0].Norm); k > 1 && !toks[0].Quoted {
				args["last"] = k // "undo two changes"
			}
			n = 1
		case m.Kind == "redo":
			args["redo"] = true
		case m.Kind == "today":
			args["today"] = true
		case m.Kind == "few":
			args["last"], _ = strconv.Atoi(m.Value) // digits, in the file
		}
		toks = toks[n:]
	}
	return args
}

// fillUndo finds what is to be taken back, or done again.
func (r *reader) fillUndo(c *clause, m meaning) meaning {
	args := r.arguments(c, m.intent)
	m.undo = readUndo(language.Without(c.toks, args.every("what")))
	if m.intent == intent.Redo {
		m.undo["redo"] = true
	}
	what := args.first("what")
	if how := readUndo(what); len(how) > 0 && len(language.ContentWords(language.Drop(what, "everything|all|today|today's|from|since|changes|change|edits|last|both|few|two|three"))) == 0 {
		maps.Copy(m.undo, how) // "everything from today"
	} else if len(language.ContentWords(what)) > 0 {
		m.undo["about"] = language.Limit(strings.Join(language.ContentWords(language.Drop(what, "change|edit|about|update")), " "), 200)
		delete(m.undo, "last")
		delete(m.undo, "today")
	}
	m.intent = undoLast
	return m
}

// namedUndo is the undoing that a message asks for which begins with the very word for
// it, whatever it is to undo.
func (t *talk) namedUndo() (meaning, bool) {
	toks := language.SkipOpeners(language.Tokenize(t.text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || undoWords().Is(toks, "verb") == 0 {
		return meaning{}, false
	}
	meanings := t.read(t.text)
	if len(meanings) != 1 || meanings[0].intent != none || meanings[0].clause == nil || meanings[0].clause.negated {
		return meaning{}, false
	}
	meanings[0].intent = undoLast
	return t.fillUndo(meanings[0].clause, meanings[0]), true
}

// undo takes back what the message names, or else what the conversation changed last.
func (t *talk) undo(m meaning) {
	if n := len(t.sit.Aside); n > 0 && len(m.undo) == 0 { // nothing of it was done yet
		t.say("Nothing was done: %s. It is put aside; “what is waiting?” shows it.", t.sit.Aside[0])
		return
	}
	args := m.undo
	if args == nil {
		args = map[string]any{}
	}
	a := t.act(nil)
	w := a.want(t, "undo", args)
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

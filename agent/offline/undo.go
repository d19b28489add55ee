package offline

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"kist/agent/language"
)

// undo/en.txt holds the words for what is to be taken back.
//
//go:embed undo/en.txt
var undoText string

var undoWords = sync.OnceValue(func() filterTable { return readManners(undoText) })

// readUndo reads what is to be taken back, as arguments of the tool: nothing said is
// what was done last.
func readUndo(toks []language.Token) map[string]any {
	words, args := undoWords(), map[string]any{}
	var about []string
	for len(toks) > 0 {
		m, n := words.longest(toks)
		switch {
		case toks[0].Quoted && toks[0].Word:
			about, n = append(about, toks[0].Norm), 1
		case !toks[0].Word:
			n = 1
		case n > 0 && m.kind == "redo":
			args["redo"] = true
		case n > 0 && m.kind == "today":
			args["today"] = true
		case n > 0 && m.kind == "few":
			args["last"], _ = strconv.Atoi(m.value) // digits, in the file
		case n > 0 && m.kind == "last":
			if k := countAfter(toks[n:]); k > 0 {
				args["last"] = k
			}
		default:
			n = 1
			if k := language.Count(toks[0].Norm); k > 1 {
				args["last"] = k // "undo two changes"
			} else if w := toks[0].Norm; !words.list[w] && !language.IsFiller(toks[0]) {
				about = append(about, strings.TrimSuffix(w, "'s"))
			}
		}
		toks = toks[n:]
	}
	if len(about) > 0 {
		args["about"] = language.Limit(strings.Join(about, " "), 200)
		delete(args, "last")
		delete(args, "today")
	}
	return args
}

// namedUndo is the undoing that a message asks for which begins with the very word for
// it, whatever it is to undo.
func (t *talk) namedUndo() (meaning, bool) {
	toks := skipOpeners(language.Tokenize(t.text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || undoWords().is(toks, "verb") == 0 {
		return meaning{}, false
	}
	meanings := t.read(t.text)
	if len(meanings) != 1 || meanings[0].intent != none || meanings[0].clause == nil || meanings[0].clause.negated {
		return meaning{}, false
	}
	meanings[0].intent = undoLast
	return meanings[0], true
}

func countAfter(toks []language.Token) int {
	if len(toks) == 0 {
		return 0
	}
	return language.Count(toks[0].Norm)
}

// undo takes back what the message names, or else what the conversation changed last.
func (t *talk) undo(m meaning) {
	toks := language.Tokenize(t.text)
	if m.clause != nil && len(m.clause.toks) > 0 {
		toks = m.clause.toks
	}
	args := readUndo(toks)
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

package interpret

import (
	"cmp"
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
)

// What was just written is put right by pointing at it: "call that last one book the
// coach, and it's for Monday", "that one should say mail the dean", "no, make it Friday".
// The trained model has no label for that; what the words point to is the task that was
// changed or spoken of last.

const (
	renames = "<renameverb>|call|name|title "
	calling = " should|must|ought|has|needs to? be? called|named|titled|say|read"
	dating  = " is|should be? due|for|by|till|until by|on?"
)

// rightings are the forms of what is set right, of each way to point to it.
var rightings = []struct {
	before, behind string
	calls          bool
}{
	{renames, " to|as|into|:?", true},
	{"", calling, true},
	{"", " is called|named|titled", true},
	{"make ", "", false},
	{"", dating, false},
}

// A righting is what a sentence says of the task that it points to.
type righting struct {
	toks    []language.Token // what it is to be from now on
	calls   bool             // those say how it is called, or else when it is due
	pronoun bool             // it is pointed to by "it" alone
}

// rightingOf reads a sentence as one; false: it is none.
func rightingOf(toks []language.Token) (righting, bool) {
	if len(toks) > maxCommand {
		return righting{}, false
	}
	toks = afterMends(toks)
	if n, ok := language.MatchAny(toks, "can|could|would|will you", "let us", "we|you can|should|may", "i want|like you? to"); ok {
		toks = toks[n:]
	}
	for _, to := range []string{toOne, toLast, toIt} {
		for _, each := range rightings {
			n, ok := language.Match(toks, each.before+to+each.behind)
			if !ok || !language.HasWord(toks[n:]) {
				continue
			}
			w := righting{language.TrimMarks(toks[n:]), each.calls, to == toIt}
			return w, !language.Begins(w.toks, onward) && (to != toIt || !w.calls || w.entitles(toks))
		}
	}
	return righting{}, false
}

// entitles: behind "it" or "that" there is a name, rather than "call that plumber", "call
// it a day".
func (w righting) entitles(toks []language.Token) bool {
	first := w.toks[0]
	if first.Quoted || !first.Word || language.Class("<verb>", first.Norm) {
		return true
	}
	it := slices.IndexFunc(toks, func(t language.Token) bool { return language.In("it|that|this", t.Norm) })
	return (it == 0 || toks[it].Norm == "it") && !language.In("a|off|quits|even", first.Norm)
}

// rights reads a sentence as a righting, where there is a task that it can point to.
func (r *Reader) rights(toks []language.Token) (righting, bool) {
	w, ok := rightingOf(toks)
	changed := slices.ContainsFunc(r.sit.Changes, func(ch model.Change) bool {
		return ch.Session == r.sit.Session && ch.Task() != ""
	})
	return w, ok && changed && (!w.pronoun || r.sit.TaskLast())
}

// righted is what a clause says of the task that it points to.
func (r *Reader) righted(c *Clause) (Meaning, bool) {
	w, ok := r.rights(c.All)
	if m, undone := r.undone(c); undone {
		return m, true
	}
	if !ok || c.Question && !polite(c.Toks) || c.supposed {
		return Meaning{}, false
	}
	m := Meaning{Intent: intent.UpdateTask, Score: 1, Clause: c, Points: true, Righted: true, Project: refer.Reference{Empty: true}}
	name, when := w.toks, w.toks
	if w.calls {
		when = nil
		if i, e, found := language.Find(name, "and|but it|that|this is|should", ", it|that|this is|should"); found && i > 0 {
			name, when = name[:i], name[e:]
		}
	}
	m.Change.Due, m.DayAlone = todo.WholeDate(when, r.sit.Now)
	if !w.calls {
		return m, m.Change.Due != ""
	}
	if i, _, found := language.Find(name, "not|instead|rather", ", please", "please"); found && i > 0 {
		name = name[:i]
	}
	called := todo.Read(c.Src, name, r.sit.Now)
	if quoted := language.Quotations(c.Src, name); len(quoted) > 0 {
		called.Title = language.Capital(quoted[0])
	}
	m.Change.Title, m.Change.Due = called.Title, cmp.Or(m.Change.Due, called.Due)
	return m, called.Title != "" && len(language.ContentWords(name)) > 0
}

// ByPronoun: what is set right is pointed to by "it" alone.
func (m Meaning) ByPronoun() bool {
	w, ok := rightingOf(m.Clause.All)
	return ok && w.pronoun
}

// undone is what a clause says of a task that was ticked off and isn't done: "no, it isn't
// done yet, and it's for Monday".
func (r *Reader) undone(c *Clause) (Meaning, bool) {
	toks := afterMends(c.All)
	n, ok := language.MatchAny(toks, toOne+" is|was not <doneword>", toIt+" is|was not <doneword>", "not <doneword>")
	if !ok || c.Question || c.supposed || !r.sit.TaskLast() {
		return Meaning{}, false
	}
	m := Meaning{Intent: intent.UpdateTask, Score: 1, Clause: c, Points: true, Righted: true, Change: todo.Todo{Status: "todo"}, Project: refer.Reference{Empty: true}}
	if _, e, also := language.Find(toks[n:], "and|but it|that is", ", it|that is"); also {
		m.Change.Due, m.DayAlone = todo.WholeDate(toks[n:][e:], r.sit.Now)
	}
	return m, len(language.ContentWords(toks[n:])) == 0 || m.Change.Due != ""
}

package offline

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// sureOf is how probable a meaning must be to be acted on where a language model could be
// asked instead.
const sureOf = 0.97

// longestSure is the length in words of the longest message that is read surely: longer
// ones say more than one thing, or tell something.
const longestSure = 24

// Sure reports whether the partner knows what a message wants, and needs no words of a
// language model's to do it: an order to add, tick off or list something, a way to
// another project, a word on what was offered, an answer to its own question.
func (p *Partner) Sure(req model.Request) bool {
	t := newTalk(req)
	t.Trained = p.trained
	t = follow(t, req)
	s := t.Situation
	if len(s.Settled) > 0 && consent.Rest(t.Text) == "" {
		return true
	}
	if t.OffRecord() {
		return true // there is nothing to be done
	}
	if s.Question.Kind != "" && s.Question.Kind != model.Open {
		_, taken := t.followUp()
		return taken
	}
	if s.Question.Kind == model.Open && consent.Read(t.Text) != consent.Other {
		return false // an answer to what only a language model's words ask
	}
	words := len(strings.Fields(t.Text))
	if s.Mode != "general" || words == 0 || words > longestSure || language.IsForeign(t.Text) {
		return false
	}
	if _, ok := t.NamedUndo(t.Text); ok {
		return true
	}
	meanings := t.Read(t.Text)
	return len(meanings) > 0 && len(meanings) <= 2 && !slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return !plain(m) }) && covered(t.Text, s.Now, meanings)
}

// plain: a meaning that is certain, and whose doing has nothing left to be found out.
func plain(m interpret.Meaning) bool {
	c := m.Clause
	if m.Score < sureOf || len(m.Known) > 0 && !ticks(m) || len(m.Or) > 0 || m.Lacks || c == nil || c.Negated {
		return false
	}
	exact := m.Project.Exact && len(m.Project.Found) == 1
	switch m.Intent {
	case intent.Back, intent.Undo, intent.Redo, intent.Consent, intent.Decline:
		return true
	case intent.Switch:
		return exact
	case intent.ListTasks, intent.ListProjects, intent.ListPending, intent.ListChanges, intent.ListDrafts, intent.ListMemories:
		return exact || m.Project.Empty
	}
	return (exact || m.Project.Empty) && !c.Question && !m.Points && adds(m)
}

// ticks: an order to tick something off, rather than news that it is done.
func ticks(m interpret.Meaning) bool {
	return m.Intent == intent.CompleteTask && m.Clause != nil && language.Begins(language.SkipOpeners(m.Clause.Body), "<ticking>")
}

// adds: something to write down is named.
func adds(m interpret.Meaning) bool {
	switch m.Intent {
	case intent.AddTask:
		return len(m.Todos) > 0
	case intent.AddNote, intent.Remember:
		return m.Text != ""
	case intent.CompleteTask:
		return len(m.Titles) > 0
	}
	return false
}

package project

import (
	"cmp"
	"fmt"
	"slices"

	"kist/agent/offline/matter"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// A project is begun with what lies in the inbox of its matter: what the conversation put there.

// lines are what this conversation put into the inbox outside of any project; ok is false until
// that is known.
func (t *Navigator) lines() (lines []matter.Line, ok bool) {
	res, ok := t.More("list_memories", map[string]any{"here": true})
	for _, each := range turn.Objects(res.Result, "here") {
		lines = append(lines, matter.Line{Text: turn.Str(each, "content"), Turn: turn.Str(each, "turn")})
	}
	return lines, ok
}

// OfferToBegin asks once in a conversation whether to begin a project with what was put into the
// inbox of one matter, and what to call it where that isn't sure.
func (t *Navigator) OfferToBegin() {
	if t.Here != nil || t.Beside || t.IsNew || t.Waits || t.Question != nil || t.Situation.Mode != "general" || t.Situation.Question.Kind != "" || len(t.Said)+1 < matter.Least || len(t.Situation.Asked) > 0 {
		return
	}
	lines, ok := t.lines()
	noun := matter.Shared(lines, t.Text)
	if !ok || noun == "" {
		return
	}
	of := matter.Of(lines, noun)
	name, least := matter.Name(of, noun), matter.Least
	if !slices.ContainsFunc(of, func(l matter.Line) bool { return l.Within(t.Text) }) {
		least-- // this message is kept with the end of the turn
	}
	if _, there := refer.ByName(t.Situation.Projects, cmp.Or(name, noun)); there || len(of) < least {
		return
	}
	if args := map[string]string{"name": name, "on": "yes", "once": noun}; name != "" {
		t.Ask(turn.AskCreate, args)
		t.Question.Text = fmt.Sprintf(turn.Words()["begin"], turn.InQuotes(name), counted(texts(of)))
	} else {
		t.Ask(turn.AskFirst, args)
		t.Question.Text = fmt.Sprintf(turn.Words()["begin unnamed"], counted(texts(of)))
	}
}

// along is what goes along into a project that is made now: what surely belongs to what it is about,
// and what it is described by; ok is false until that is known.
func (t *Navigator) along(about, said string) (bring []string, ok bool) {
	if t.Situation.Turns == 0 {
		return nil, true
	}
	lines, ok := t.lines()
	bring = texts(matter.Of(lines, about))
	for _, l := range lines {
		if !slices.Contains(bring, l.Text) && l.Within(said) {
			bring = append(bring, l.Text)
		}
	}
	return bring, ok
}

func texts(lines []matter.Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

// counted says how many notes and tasks there are.
func counted(texts []string) string {
	tasks := 0
	for _, text := range texts {
		if (matter.Line{Text: text}).Task() {
			tasks++
		}
	}
	switch notes := len(texts) - tasks; {
	case tasks == 0:
		return turn.Plural(notes, "note")
	case notes == 0:
		return turn.Plural(tasks, "task")
	default:
		return turn.Plural(notes, "note") + " and " + turn.Plural(tasks, "task")
	}
}

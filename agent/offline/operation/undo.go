package operation

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Undo takes back what the message names, or else what the conversation changed last.
func (t *Log) Undo(m interpret.Meaning) {
	if t.undoneJustNow(m) {
		m.Undo = map[string]any{"redo": true}
	}
	named := m.Undo["about"] != nil || m.Undo["operation"] != nil || m.Undo["redo"] != nil || m.Undo["today"] != nil
	if n := len(t.Situation.Aside); n > 0 && !named { // nothing of it was done yet
		t.Say("Nothing was done: %s. It is put aside; “what is waiting?” shows it.", t.Situation.Aside[0])
		return
	}
	if len(m.Titles) > 1 {
		t.Say("I take back one named operation at a time, so nothing was taken back. Say one of them: “undo %s”.", m.Titles[0])
		return
	}
	args := m.Undo
	if args == nil {
		args = map[string]any{}
	}
	if about, among := t.ofLast(); len(args) == 0 && about != "" {
		args = map[string]any{"about": about}
	} else if len(args) == 0 && len(among) > 0 {
		t.whichChange(among, len(among))
		return
	}
	a := t.Act(nil)
	w := a.Want("undo", args)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		if fits := turn.Objects(w.Result.Result, "fits"); len(fits) > 0 {
			t.severalChanges(fits, turn.Num(w.Result.Result, "count"))
			return
		}
		what := turn.Strs(w.Result.Result, "what")
		redo := args["redo"] == true
		head := undoHead(len(what), redo, w.Result.Status == "proposed")
		t.Waits = t.Waits || w.Result.Status == "proposed"
		t.Bullets(undoHead(len(turn.Strs(w.Result.Result, "again")), true, w.Result.Status == "proposed"), turn.Strs(w.Result.Result, "again"))
		t.Bullets(head, what)
	}
}

// undoneJustNow: what is wanted back is what the conversation has just taken back: "put it back".
func (t *Log) undoneJustNow(m interpret.Meaning) bool {
	about, _ := m.Undo["about"].(string)
	if len(t.Situation.Changes) == 0 || m.Undo["operation"] != nil || m.Undo["instead"] != nil || m.Undo["today"] != nil || m.Undo["last"] != nil || slices.ContainsFunc(language.Tokenize(t.Text), interpret.Undoes) {
		return false
	}
	last := t.Situation.Changes[0]
	return last.Undoes && last.Session == t.Situation.Session && (about == "" || refer.Touches(strings.Fields(about), last.Reason))
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
		return verb + " (" + turn.Plural(n, "change") + "):"
	}
	return verb + ":"
}

// severalChanges lists the changes that words fit; which one is meant is the user's to
// say.
func (t *Log) severalChanges(fits []map[string]any, count int) {
	var lines []string
	for _, f := range fits {
		lines = append(lines, turn.Str(f, "what"))
	}
	t.whichChange(lines, count)
}

func (t *Log) whichChange(lines []string, count int) {
	lines = lines[:min(len(lines), 6)]
	t.Say("%d changes could be meant; which one? Say it with more of its words.\n- %s", count, strings.Join(lines, "\n- "))
}

// spares are words that take something out of what is said.
const spares = "not|no|keep|leave|except|but|apart|besides|without"

// ofLast is what a message says of some changes of the last turn, and not of all: "undo that one,
// the cups". Where it says so of what is to stay, those among which to choose are named instead.
func (t *Log) ofLast() (about string, among []string) {
	var last []model.Change
	for _, ch := range t.Situation.Changes {
		if ch.Session == t.Situation.Session && !ch.Undoes && (len(last) == 0 || ch.Turn == last[0].Turn) {
			last = append(last, ch)
		}
	}
	toks, n := language.Tokenize(t.Text), 0
	words := slices.DeleteFunc(refer.TaskWords(t.Text), func(w string) bool {
		return language.Light(w) || language.Class("<subject>", w) || !slices.ContainsFunc(last, func(ch model.Change) bool { return refer.Touches([]string{w}, ch.Reason) })
	})
	for _, ch := range last {
		among = append(among, ch.Reason)
		if refer.Touches(words, ch.Reason) {
			n++
		}
	}
	switch i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && interpret.Undoes(t) }); {
	case n == 0 || n == len(last):
		return "", nil
	case language.Has(toks[i+1:], spares):
		return "", among
	}
	return strings.Join(words, " "), nil
}

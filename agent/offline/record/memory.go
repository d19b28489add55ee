package record

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// ChangeMemory forgets or moves a memory, found by its words.
func (t *Keeper) ChangeMemory(m interpret.Meaning) {
	switch {
	case m.Intent == intent.MoveMemory && len(m.Project.Found) > 1:
		t.which(m.Project.Found)
		return
	case m.Intent == intent.MoveMemory && len(m.Project.Found) == 0 && m.Project.Named && m.Project.Phrase != "":
		t.unknown(m.Project)
		return
	}
	nothing := func() { t.Say("I remember nothing about “%s”.", turn.OrWord(m.Text, language.OneLine(t.Before))) }
	if m.Intent != intent.ForgetMemory || ofSaying(m.Clause) || interpret.RecordNamed(m.Clause) != "" {
		t.changeKept(m, true, nothing)
		return
	}
	drop := interpret.Meaning{Intent: intent.DeleteTask, Score: m.Score, Clause: m.Clause, Titles: []string{m.Text}}
	t.changeKept(m, false, func() { // it may be a task: "forget the exit sign"
		t.ChangeKnown([]interpret.Meaning{drop}, func() { t.changeKept(m, true, nothing) })
	})
}

// MoveTold moves to another project what was told here and no task says.
func (t *Keeper) MoveTold(m interpret.Meaning, otherwise func()) {
	m.Intent, m.Text = intent.MoveMemory, strings.Join(m.Titles, " ")
	t.changeKept(m, true, otherwise)
}

// ofSaying tells what was said of a thing from the thing: "forget what I said about the
// marina" is never about a task, "forget about the ISBN" may be.
func ofSaying(c *interpret.Clause) bool {
	return slices.ContainsFunc(c.All, func(tok language.Token) bool { return language.Class("<saying>", tok.Norm) })
}

// memoriesAbout finds memories by what is said of them: the user's, and those of the
// project named or at hand; what was told there as well, if asked for. ok is false while a
// call is still to be answered.
func (t *Keeper) memoriesAbout(m interpret.Meaning, toldToo bool) (fit []map[string]any, ok bool) {
	var known []map[string]any
	places, here := []map[string]any{{}}, t.Here
	switch p, named := m.Project.One(); {
	case named && m.Intent == intent.ForgetMemory:
		here = &p
	case named && here != nil && p.Slug == here.Slug:
		here = nil // what moves here is outside
	}
	if here != nil {
		places = append(places, map[string]any{"project": here.Slug})
	}
	for _, args := range places {
		res, ok := t.More("list_memories", args)
		if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
			return nil, false
		}
		for _, memory := range turn.Objects(res.Result, "memories") {
			memory["title"] = turn.Str(memory, "content")
			if !slices.ContainsFunc(known, func(other map[string]any) bool { return turn.Str(other, "path") == turn.Str(memory, "path") }) {
				known = append(known, memory)
			}
		}
	}
	fit, _ = refer.Tasks(m.Text, known)
	kind := interpret.RecordNamed(m.Clause)
	if !toldToo || kind == "" && (len(fit) > 0 || m.Score < interpret.Choice) {
		return fit, true
	}
	told, all, ok := toldAbout(t, m.Text, here, kind)
	if m.Intent == intent.MoveMemory {
		told = slices.DeleteFunc(told, func(o map[string]any) bool { return turn.Str(o, "kind") != "inbox" })
	}
	if len(told) == 0 {
		told = fit
	}
	if len(told) == 0 && m.Intent == intent.ForgetMemory {
		told = refer.MostSharing(m.Text, append(known, all...))
	}
	return namedIn(m, told), ok
}

// namedIn leaves of what was told that which a meaning names: a word in common is too little to
// forget it.
func namedIn(m interpret.Meaning, told []map[string]any) []map[string]any {
	return slices.DeleteFunc(slices.Clone(told), func(o map[string]any) bool {
		return m.Intent == intent.ForgetMemory && !refer.Named(m.Text, turn.Str(o, "content"))
	})
}

// doMemory forgets or moves one memory, or forgets what was told.
func (t *Keeper) doMemory(m interpret.Meaning, memory map[string]any) {
	name, args, done := "forget_memory", map[string]any{"memory": turn.Str(memory, "path")}, "Forgotten"
	if m.Intent == intent.MoveMemory {
		name, done = "move_memory", "Moved"
		if p, ok := m.Project.One(); ok {
			args["project"] = p.Slug
		}
	}
	if language.In("inbox|decision", turn.Str(memory, "kind")) {
		args["text"] = turn.Str(memory, "content")
	}
	res, ok := t.More(name, args)
	if !ok {
		return
	}
	switch {
	case t.Failed(&turn.Want{Result: res, Answered: true}):
	case res.Status == "proposed":
		t.Waits = true
		t.Say("I'd %s: %s", strings.TrimSuffix(name, "_memory"), language.Limit(language.OneLine(turn.Str(memory, "content")), 200))
	default:
		t.Say("%s: %s", done, language.Limit(language.OneLine(turn.Str(memory, "content")), 200))
	}
}

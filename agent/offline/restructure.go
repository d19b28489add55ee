package offline

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// restructure renames, merges, archives or deletes a project. The engine asks for
// the user's go.
func (t *talk) restructure(m interpret.Meaning) {
	p, ok := m.Project.One()
	switch {
	case len(m.Project.Found) == 2 && m.Intent == intent.MergeProjects && len(m.Other.Found) == 0:
		t.whichInto(m.Project.Found)
		return
	case len(m.Project.Found) > 1:
		t.which(m.Project.Found)
		return
	case !ok && m.Project.Named && m.Project.Phrase != "":
		t.unknown(m.Project)
		return
	case !ok && t.Here != nil:
		p = *t.Here
	case !ok:
		t.Say("Which project do you mean?")
		t.projects()
		return
	}
	name, args, ask := "", map[string]any{"project": p.Slug}, ""
	switch m.Intent {
	case intent.RenameProject:
		if m.Name == "" {
			t.Say("What shall **%s** be called?", p.Name)
			return
		}
		if strings.EqualFold(m.Name, p.Name) {
			t.Say("It is called **%s** already.", p.Name)
			return
		}
		args["name"] = language.Limit(m.Name, 100)
		name, ask = "rename_project", "rename **"+p.Name+"** to **"+language.Limit(m.Name, 100)+"**"
	case intent.ArchiveProject:
		name, ask = "archive_project", "archive **"+p.Name+"**"
	case intent.DeleteProject:
		name, ask = "delete_project", "delete **"+p.Name+"** with all its files"
	case intent.MergeProjects:
		into, ok := t.mergeInto(m, p)
		if !ok {
			return
		}
		args = map[string]any{"from": p.Slug, "into": into.Slug, "reason": "merge the project " + p.Name + " into " + into.Name + ", as you asked"}
		name, ask = "merge_projects", "move everything of **"+p.Name+"** into **"+into.Name+"**"
	}
	a := t.Act(nil)
	w := a.Want(name, args)
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Waits = true
			t.Say("I'd %s.", ask)
		default:
			t.Say("Done: %s. Say “undo” to take it back.", ask)
		}
	}
}

// whichInto asks which of two projects stays: "merge the two app projects".
func (t *talk) whichInto(two []model.Project) {
	args, names := amongProjects(two, map[string]string{})
	t.Choose(turn.AskInto, args, names, nil)
}

// meantWith is what a message asked for where several projects fitted, now that one of them
// is chosen: to rename, archive or delete it, to put a task there. Zero: only the
// project itself was asked for.
func (t *talk) meantWith(said string, chosen model.Project) (interpret.Meaning, bool) {
	among := func(ref refer.Reference) bool {
		return len(ref.Found) > 1 && slices.ContainsFunc(ref.Found, func(p model.Project) bool { return p.Slug == chosen.Slug })
	}
	for _, m := range t.Read(said) {
		if m.Intent == intent.Switch || m.Intent == intent.None {
			continue
		}
		switch ref := (refer.Reference{Found: []model.Project{chosen}, Exact: true}); {
		case among(m.Project):
			m.Project = ref
			return m, true
		case among(m.Other):
			m.Other = ref
			return m, true
		}
	}
	return interpret.Meaning{}, false
}

func (t *talk) mergeInto(m interpret.Meaning, from model.Project) (model.Project, bool) {
	into, ok := m.Other.One()
	switch {
	case len(m.Other.Found) > 1:
		t.which(m.Other.Found)
	case !ok && t.Here != nil && t.Here.Slug != from.Slug:
		return *t.Here, true
	case !ok:
		t.Say("Into which project?")
	}
	return into, ok
}

// notOne tells of a task that wasn't found, or of several.
func (t *talk) notOne(found []map[string]any, title string) {
	if len(found) == 0 {
		t.Say("I found no task “%s”.", title)
		return
	}
	var lines []string
	for _, f := range found[:min(len(found), 6)] {
		lines = append(lines, t.TaskLine(f))
	}
	t.Bullets("That could be:", lines)
	t.Say("Say it with more of its words.")
}

// changeMemory forgets or moves a memory, found by its words.
func (t *talk) changeMemory(m interpret.Meaning) {
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
		changeKept(t, m, true, nothing)
		return
	}
	drop := interpret.Meaning{Intent: intent.DeleteTask, Score: m.Score, Clause: m.Clause, Titles: []string{m.Text}}
	changeKept(t, m, false, func() { // it may be a task: "forget the exit sign"
		t.changeKnown([]interpret.Meaning{drop}, func() { changeKept(t, m, true, nothing) })
	})
}

// ofSaying tells what was said of a thing from the thing: "forget what I said about the
// marina" is never about a task, "forget about the ISBN" may be.
func ofSaying(c *interpret.Clause) bool {
	return slices.ContainsFunc(c.All, func(tok language.Token) bool { return language.Class("<saying>", tok.Norm) })
}

// memoriesAbout finds memories by what is said of them: the user's, and those of the
// project named or at hand; what was told there as well, if asked for. ok is false while a
// call is still to be answered.
func (t *talk) memoriesAbout(m interpret.Meaning, toldToo bool) (fit []map[string]any, ok bool) {
	var known []map[string]any
	places, here := []map[string]any{{}}, t.Here
	if p, named := m.Project.One(); named && m.Intent == intent.ForgetMemory {
		here = &p
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
	if m.Intent != intent.ForgetMemory || !toldToo || kind == "" && (len(fit) > 0 || m.Score < interpret.Choice) {
		return fit, true
	}
	told, ok := toldAbout(t, m.Text, here, kind)
	if len(told) == 0 {
		told = fit
	}
	return told, ok
}

// doMemory forgets or moves one memory, or forgets what was told.
func (t *talk) doMemory(m interpret.Meaning, memory map[string]any) {
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

package project

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Restructure renames, merges, archives or deletes a project. The engine asks for
// the user's go.
func (t *Navigator) Restructure(m interpret.Meaning) {
	p, ok := m.Project.One()
	switch {
	case len(m.Project.Found) == 2 && m.Intent == intent.MergeProjects && len(m.Other.Found) == 0:
		t.whichInto(m.Project.Found)
		return
	case len(m.Project.Found) > 1:
		t.Which(m.Project.Found)
		return
	case !ok && m.Project.Named && m.Project.Phrase != "":
		t.missing(m)
		return
	case !ok && t.Here != nil:
		p = *t.Here
	case !ok:
		t.Say("Which project do you mean?")
		t.ListProjects()
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
		name, ask = "rename_project", "rename **"+refer.Apart(t.Situation.Projects, p)+"** to **"+language.Limit(m.Name, 100)+"**"
	case intent.ArchiveProject:
		name, ask = "archive_project", "archive **"+refer.Apart(t.Situation.Projects, p)+"**"
	case intent.DeleteProject:
		name, ask = "delete_project", "delete **"+refer.Apart(t.Situation.Projects, p)+"** with all its files"
	case intent.MergeProjects:
		into, ok := t.mergeInto(m, p)
		if !ok {
			return
		}
		args = map[string]any{"from": p.Slug, "into": into.Slug, "reason": "merge the project " + p.Name + " into " + into.Name + ", as you asked"}
		name, ask = "merge_projects", "move everything of **"+refer.Apart(t.Situation.Projects, p)+"** into **"+refer.Apart(t.Situation.Projects, into)+"**"
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
func (t *Navigator) whichInto(two []model.Project) {
	args, names := amongProjects(two, map[string]string{})
	t.Choose(turn.AskInto, args, names, nil)
}

func (t *Navigator) mergeInto(m interpret.Meaning, from model.Project) (model.Project, bool) {
	into, ok := m.Other.One()
	switch {
	case len(m.Other.Found) > 1:
		t.Which(m.Other.Found)
	case !ok && t.Here != nil && t.Here.Slug != from.Slug:
		return *t.Here, true
	case !ok:
		t.Say("Into which project?")
	}
	return into, ok
}

package record

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/offline/note"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Noted does what a message orders of a note that lies somewhere in the vault under a name. false:
// it orders no such thing, or there is no such note and something else may be meant.
func Noted(t *Keeper) bool {
	o, ok := note.Read(t.Text)
	if !ok {
		return false
	}
	called := func(name string) bool {
		return len(refer.Mentioned(language.Tokenize(name), slices.Concat(t.Situation.Projects, t.Situation.Archived))) > 0
	}
	lists := o.What == note.List
	adds := lists || o.What == note.Task || o.What == note.Line
	if (!o.Sure || adds) && called(o.Note) || o.What == note.Move && !o.Folder && called(strings.TrimSuffix(o.To, "/")) {
		return false
	}
	res, ok := t.More("read_document", map[string]any{"path": o.Note, "from": 1, "lines": mostLines})
	switch found := turn.Str(res.Result, "path"); {
	case !ok:
	case res.OK && lists:
		t.replan("show me " + strings.TrimPrefix(strings.ToLower(o.To), "show me ") + " in \"" + found + "\"")
	case res.OK && adds:
		addNamed(t, o, found, turn.Strs(res.Result, "lines"))
	case res.OK:
		o.Note = turn.OrWord(turn.Str(res.Result, "name"), found)
		refile(t, o, found)
	case strings.HasPrefix(res.Error, "several"):
		t.Say("%s, so nothing was done; %s.", language.Capital(res.Error), res.Suggestion)
	case o.Sure && (o.What == note.Rename || o.What == note.Move):
		t.Say("I found no note called “%s”, so nothing was done.", o.Note)
	default:
		return false
	}
	return true
}

// mostLines is how many lines of a note are looked at for how it ends.
const mostLines = 400

// likeLast is what begins a line that goes on a list with which a note ends.
func likeLast(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		for _, mark := range []string{"- [ ] ", "* [ ] ", "- ", "* "} {
			if strings.HasPrefix(line, mark) && len(lines) < mostLines {
				return mark
			}
		}
		return ""
	}
	return ""
}

// refile renames, moves or deletes a note, once the user agrees.
func refile(t *Keeper, o note.Order, path string) {
	tool, args := "move_note", map[string]any{"note": o.Note, "to": o.To}
	if o.What == note.Delete {
		tool, args = "delete_note", map[string]any{"note": path}
	}
	a := t.Act(nil)
	w := a.Want(tool, args)
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Waits = true // its reason says all
		case o.What == note.Delete:
			t.Say("Deleted: %s.", path)
		default:
			t.Say("%s is %s now.", path, turn.Str(w.Result.Result, "to"))
		}
	}
}

// addNamed adds a task or a line to a note.
func addNamed(t *Keeper, o note.Order, path string, lines []string) {
	a := t.Act(nil)
	if o.What == note.Line {
		text := language.Capital(o.To)
		w := a.Want("append_note", map[string]any{"path": path, "text": likeLast(lines) + text + "\n", "reason": turn.AsAsked(false, "add to "+path, language.Limit(text, 100))})
		a.Then = func() { t.SpeakChange(w, "Added to the note", "Ready to add to the note:", path) }
		return
	}
	item := todo.Read(o.To, language.Tokenize(o.To), t.Situation.Now)
	item.Title = language.Capital(turn.OrWord(item.Title, o.To))
	args := map[string]any{"title": language.Limit(item.Title, 200), "note": path, "reason": turn.AsAsked(false, "add to "+path+" the task", item.Title)}
	for key, value := range map[string]string{"due": item.Due, "priority": item.Priority} {
		if value != "" {
			args[key] = value
		}
	}
	w := a.Want("create_task", args)
	a.Then = func() {
		if !t.Failed(w) && !t.Already(w, "On that note's list already: “"+item.Title+"”") {
			t.SpeakChange(w, "Added to "+path+":", "Ready to add to "+path+":", t.TaskLine(turn.TodoLine(item)))
		}
	}
}

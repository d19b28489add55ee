package record

import (
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Orders to tick off, or to open again, what words only point to.

// OffPointed reads such an order at the end of a message as what it is, whatever it was taken for.
// What is told before it is kept as well.
func OffPointed(t *Keeper, meanings []interpret.Meaning) []interpret.Meaning {
	told, open, ok := extract.PointsOff(t.Text)
	if !ok || len(meanings) == 0 {
		return meanings
	}
	t.Heard = t.Heard || told != ""
	meanings = slices.Clone(meanings)
	for i := range meanings[:len(meanings)-1] { // what is told before says which
		if known := meanings[i].Known; len(known) > 0 && known[0].Intent == intent.CompleteTask {
			meanings[i].Known = nil
		}
	}
	switch m := &meanings[len(meanings)-1]; {
	case m.Clause == nil:
	case open:
		*m = interpret.Meaning{Intent: intent.UpdateTask, Score: 1, Clause: m.Clause, Points: true, Righted: true, Change: todo.Todo{Status: "todo"}, Project: refer.Reference{Empty: true}}
	case m.Intent == intent.CompleteTask:
		m.Points = true
	default:
		*m = interpret.Meaning{Intent: intent.CompleteTask, Score: 1, Clause: m.Clause, Points: true, Project: refer.Reference{Empty: true}}
	}
	return meanings
}

// lately is how many changes of a conversation may have been made since that of a task to which words
// point that say nothing of it.
const lately = 3

// offLast ticks off, or opens again, the task that this conversation changed last and of which the
// message says something, or which was changed just before where it says nothing else. Where there
// is none it says so. false: the message orders no such thing.
func (t *Keeper) offLast(m interpret.Meaning) bool {
	told, open, ok := extract.PointsOff(t.Text)
	if !ok || !m.Points || m.Intent != intent.CompleteTask && m.Change.Status != "todo" {
		return false
	}
	if len(t.touched) > 0 { // what was told before it has done it
		return true
	}
	args := map[string]any{"status": "all"}
	if t.Here == nil {
		args["everywhere"] = true
	}
	res, ok := t.More("list_tasks", args)
	if !ok {
		return true
	}
	all := slices.DeleteFunc(slices.Clone(turn.Objects(res.Result, "tasks")), func(task map[string]any) bool {
		return language.In("done|cancelled", turn.Str(task, "status")) != open
	})
	words := slices.DeleteFunc(refer.TaskWords(told), func(w string) bool { return language.Class("<doneword>", w) || language.Digital(w) })
	newer := 0
	for _, ch := range t.Situation.Changes {
		if ch.Session != t.Situation.Session {
			continue
		}
		i := slices.IndexFunc(all, func(task map[string]any) bool { return isOn(ch, task) })
		if i >= 0 && (newer == 0 || newer < lately && (open || len(words) == 0) || refer.Touches(words, turn.Str(all[i], "title"))) {
			t.Late(func() { t.ChangeEach(m, t.untouched(m, all[i:i+1])) })
			return true
		}
		newer++
	}
	t.Say("I don't see which task you mean, so nothing was changed.")
	return true
}

// isOn: an operation was on a task, which may be a line of a note.
func isOn(ch model.Change, task map[string]any) bool {
	id := turn.Str(task, "task")
	return ch.Path == id || strings.HasPrefix(id, ch.Path+":") && slices.Contains(ch.Boxes, turn.Str(task, "title"))
}

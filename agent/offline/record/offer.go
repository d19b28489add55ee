package record

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Where the tasks of a project are gone over, to tick off the one that a deed seems to complete is
// proposed.

// likelier is how probable it must be that something was done, to look for the likeliest
// task that says so.
const likelier = 0.45

// among finds the tasks that a deed seems to complete.
func among(d interpret.Deed, tasks []map[string]any) []map[string]any {
	found, sure := refer.Tasks(d.Title, changeable(interpret.Meaning{Intent: intent.CompleteTask}, tasks))
	if !sure && d.P < likelier {
		return nil
	}
	return found
}

// OfferTicks looks for the open tasks that a message seems to complete, and proposes to
// tick them off. It makes its calls at once; found is false where there are none, and
// while they are still to be answered.
func (t *Keeper) OfferTicks(text string) (found bool) {
	did := t.Deeds(text)
	if len(did) == 0 {
		return false
	}
	args := map[string]any{}
	if t.Here == nil {
		args["everywhere"] = true
	}
	res, ok := t.More("list_tasks", args)
	if !ok || !res.OK {
		return false
	}
	var sure []map[string]any
	for _, d := range did {
		whole := slices.DeleteFunc(turn.Objects(res.Result, "tasks"), func(task map[string]any) bool { return refer.Partly(text, turn.Str(task, "title")) })
		if fit := among(d, whole); len(fit) == 1 && !hasTitle(sure, turn.Str(fit[0], "title")) {
			sure = append(sure, fit[0])
		}
	}
	if len(sure) == 0 {
		return false
	}
	sure = t.untouched(interpret.Meaning{Intent: intent.CompleteTask}, sure)
	t.Offer(func() { t.ChangeEach(interpret.Meaning{Intent: intent.CompleteTask}, sure) })
	return true
}

func hasTitle(tasks []map[string]any, title string) bool {
	return slices.ContainsFunc(tasks, func(task map[string]any) bool { return turn.Str(task, "title") == title })
}

// amongTasks are the arguments of a question about several tasks, and their names.
func amongTasks(tasks []map[string]any) (args map[string]string, names []string) {
	args = map[string]string{}
	for i, task := range tasks[:min(len(tasks), 6)] {
		name := turn.Str(task, "title")
		args[turn.Nth("task", i)] = turn.Str(task, "task")
		if slices.ContainsFunc(tasks, func(o map[string]any) bool {
			return turn.Str(o, "title") == name && turn.Str(o, "task") != turn.Str(task, "task")
		}) {
			args[turn.Nth("title", i)] = name
			name += " in " + strings.Replace(turn.Str(task, "task"), ".md:", ", line ", 1)
		}
		names = append(names, name)
	}
	return args, names
}

// stillThere finds the nth task of a question among those that are open now: by its
// reference, or by its title where the lines of its file have moved.
func stillThere(q model.Question, i int, tasks []map[string]any) (map[string]any, bool) {
	var found map[string]any
	for _, task := range tasks {
		if turn.Str(task, "title") != turn.OrWord(q.Args[turn.Nth("title", i)], q.Choices[i]) {
			continue
		}
		if turn.Str(task, "task") == q.Args[turn.Nth("task", i)] {
			return task, true
		}
		if found == nil {
			found = task
		}
	}
	return found, found != nil
}

package batch

import (
	"fmt"
	"strings"

	"kist/agent/offline/every"
	"kist/agent/offline/record"
	"kist/agent/offline/turn"
)

// archive is the note to which tasks are put aside where nobody says which.
const archive = "Archive"

// sweeps: an order takes tasks out of where they are.
func sweeps(o every.Order) bool { return o.Delete || o.Archive || o.To != "" }

// sweep deletes or moves tasks, once the user agrees: they are counted and named before.
func sweep(t *record.Keeper, o every.Order, tasks []map[string]any, lines []string) {
	to, ok := target(t, o)
	if !ok {
		return
	}
	var refs []string
	for _, task := range tasks {
		refs = append(refs, turn.Str(task, "task"))
	}
	var w *turn.Want
	t.Offer(func() {
		w = t.NewWant("sweep_tasks", map[string]any{"tasks": refs, "to": to})
		t.Fetch(w)
	})
	if !w.Answered || t.Failed(w) {
		return
	}
	for _, left := range turn.Objects(w.Result.Result, "left") {
		t.Say("“%s” stays: %s.", turn.Str(left, "title"), turn.Str(left, "why"))
	}
	if w.Result.Status != "proposed" {
		return
	}
	shown(t, lines)
}

// target is the path of the note to which tasks move, empty where they are deleted; false: a call is still to be
// answered, or it was said why none is meant.
func target(t *record.Keeper, o every.Order) (to string, ok bool) {
	name := o.To
	switch {
	case o.Delete:
		return "", true
	case o.Archive:
		name = archive
	}
	res, ok := t.More("read_document", map[string]any{"path": name, "from": 1, "lines": 1})
	switch {
	case !ok:
	case res.OK:
		return turn.Str(res.Result, "path"), true
	case strings.HasPrefix(res.Error, "several"):
		t.Say("%s, so nothing was moved; %s.", res.Error, res.Suggestion)
	case o.Archive || strings.HasSuffix(name, ".md"):
		return strings.TrimSuffix(name, ".md") + ".md", true // it is made
	default:
		t.Say("I found no note called “%s”, so nothing was moved. Say “move ... to %s.md” to begin one.", name, name)
	}
	return "", false
}

// shown names the tasks of a proposal that says no more than some of them.
func shown(t *record.Keeper, lines []string) {
	if more := len(lines) - turn.MaxSpoken; more > 0 {
		lines = append(lines[:turn.MaxSpoken:turn.MaxSpoken], fmt.Sprintf("and %d more", more))
	}
	if len(lines) > fewEnough {
		t.Bullets("It's about:", lines)
	}
	t.Waits = true
}

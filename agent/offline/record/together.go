package record

import (
	"fmt"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// Tasks of one document are changed as one operation: of two that touch lines side by side the second would
// no longer fit, once the first is done.

// inOneDocument: several tasks are checkboxes of the same document, and may be changed together.
func inOneDocument(m interpret.Meaning, tasks []map[string]any) bool {
	if len(tasks) < 2 || m.Intent != intent.CompleteTask && m.Intent != intent.UpdateTask {
		return false
	}
	for _, task := range tasks {
		doc, _, box := strings.Cut(turn.Str(task, "task"), ".md:")
		if first, _, _ := strings.Cut(turn.Str(tasks[0], "task"), ".md:"); !box || doc != first {
			return false
		}
	}
	return true
}

// changeTogether does to several tasks what a meaning says, as one operation.
func changeTogether(t *Keeper, m interpret.Meaning, tasks []map[string]any, did, ready string) {
	n := turn.Plural(len(tasks), "task")
	what := "change " + n + FieldWords(m.Field) + strings.TrimPrefix(t.changeOf("", m.Change), "change the task “”")
	if m.Intent == intent.CompleteTask {
		what = "mark " + n + " as done"
	}
	var calls []map[string]any
	var titles, lines []string
	for _, task := range tasks {
		titles, lines = append(titles, turn.Str(task, "title")), append(lines, t.TaskLine(task)+alsoSaid(m.Field))
		args := map[string]any{"task": turn.Str(task, "task"), "status": "done"}
		if m.Intent == intent.UpdateTask {
			args = t.changing(m, task)
			delete(args, "reason")
			lines[len(lines)-1] = t.TaskLine(task) + alsoSaid(m.Field)
		}
		calls = append(calls, args)
	}
	a := t.Act(nil)
	w := a.Want("change_tasks", map[string]any{"tasks": calls, "reason": what + ": " + SomeOf(titles)})
	a.Then = func() {
		if !t.Failed(w) && !LeftOrSo(t, w) {
			t.SpeakChange(w, did, ready, strings.Join(lines, ", "))
		}
	}
}

// LeftOrSo says which of the tasks of a call stay as they are, and why. true: they all do, being so
// already.
func LeftOrSo(t *Keeper, w *turn.Want) bool {
	for _, left := range turn.Objects(w.Result.Result, "left") {
		t.Say("“%s” stays as it is: %s.", turn.Str(left, "title"), strings.TrimPrefix(turn.Str(left, "why"), "invalid argument: "))
	}
	return t.Already(w, "They are so already.")
}

// longestNames is how many bytes of titles a proposal names.
const longestNames = 180

// SomeOf are as many titles as a proposal has room for, and how many more there are.
func SomeOf(titles []string) string {
	out := ""
	for i, title := range titles {
		one := "“" + language.Limit(language.OneLine(title), 60) + "”"
		if out != "" && len(out)+len(one) > longestNames {
			return fmt.Sprintf("%s and %d more", out, len(titles)-i)
		}
		if out != "" {
			out += ", "
		}
		out += one
	}
	return out
}

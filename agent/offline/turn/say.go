package turn

import (
	"fmt"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/todo"
)

// Words that several answers share.

// LastOf is the last n of a list, or all of it.
func LastOf(list []string, n int) []string { return list[max(0, len(list)-n):] }

// Ago says how long ago something was.
func Ago(at, now time.Time) string {
	d := now.Sub(at)
	days := int(d.Hours() / 24)
	switch {
	case d < time.Hour:
		return "just now"
	case days < 1:
		return Plural(int(d.Hours()), "hour") + " ago"
	case days < 60:
		return Plural(days, "day") + " ago"
	}
	return "on " + at.Format("2 January 2006")
}

// Plural is a number of things: "1 task", "2 tasks".
func Plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// TodoLine is a task in a list, before there is one.
func TodoLine(d todo.Todo) map[string]any {
	return map[string]any{"title": d.Title, "due": d.Due, "priority": d.Priority}
}

// AsAsked is the reason of an operation: what it does, and on whose word.
func AsAsked(offered bool, doing, what string) string {
	reason := fmt.Sprintf("%s “%s”", doing, language.Limit(language.OneLine(what), 120))
	if offered {
		return reason
	}
	return reason + ", as you asked"
}

// Bold is a name as it is said; where there is none, something else.
func Bold(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return "**" + name + "**"
}

// TaskLine is a task in a list.
func (t *Turn) TaskLine(task map[string]any) string {
	line := "“" + Str(task, "title") + "”"
	var more []string
	if due := Str(task, "due"); due != "" {
		more = append(more, "due "+language.SayDay(due, t.Situation.Now))
	}
	if p := Str(task, "priority"); p != "" && p != "medium" {
		more = append(more, p+" priority")
	}
	if s := Str(task, "status"); s != "" && s != "todo" {
		more = append(more, strings.ReplaceAll(s, "_", " "))
	}
	if len(more) > 0 {
		line += ", " + strings.Join(more, ", ")
	}
	return line
}

// NameOf is a project's name; nil has none.
func NameOf(p *model.Project) string {
	if p == nil {
		return ""
	}
	return p.Name
}

// OrWord is one text, or another where it is blank.
func OrWord(s, other string) string {
	if strings.TrimSpace(s) == "" {
		return other
	}
	return s
}

// InQuotes puts text between quotation marks.
func InQuotes(s string) string {
	return `"` + language.Limit(strings.NewReplacer(`"`, "'", "\n", " ").Replace(s), 300) + `"`
}

// NoteTitle is the note's first sentence, shortened at a word's end.
func NoteTitle(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if s := language.FirstSentence(first); len(s) > 10 {
		first = s
	}
	if title, cut := strings.CutSuffix(language.Limit(first, 60), "…"); cut {
		return strings.TrimRight(title, " ,;:!…") // "am 3." keeps its dot
	}
	return strings.TrimRight(first, " .,;:!…")
}

// MaxSpoken bounds a list in a reply; nobody reads more in a conversation.
const MaxSpoken = 15

// Hint says what can be asked for, where nothing was understood.
const Hint = "You can ask me to add a task, write a note, remember something, switch projects or look something up."

// OffRecord leaves alone what is to be written down nowhere, and says so. The engine keeps
// nothing of it either.
func (t *Turn) OffRecord() bool {
	if extract.Unnoted(t.Text) && t.Situation.Question.Kind == "" {
		t.Say("What is noted already stays. Say “undo” and I take the last change back.")
		return true
	}
	if !extract.OffRecord(t.Text) {
		return false
	}
	t.Say("I've written nothing down: no note, no task. The words stand in the record of this conversation alone.")
	return true
}

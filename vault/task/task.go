package task

import (
	"fmt"
	"strings"

	"kist/vault/taskline"
)

// A Task is a file in a project's tasks folder, or a checkbox in any document.
type Task struct {
	ID        string   // empty for a checkbox
	FormerIDs []string // of what another machine made under the same name and was joined with it
	Path      string
	Line      int // of a checkbox, 1-based; 0: a task file
	Title     string
	Status    string // backlog, todo, in_progress, done or cancelled
	Priority  string
	Start     string // YYYY-MM-DD
	Due       string // YYYY-MM-DD
	Scheduled string // YYYY-MM-DD: when it is planned for
	Done      string // YYYY-MM-DD: when it was
	Created   string // YYYY-MM-DD
	Duration  string
	Repeat    string // the rule of a recurring task, as it is written
	Tags      []string
	Project   string // slug; empty: none
}

// Open reports whether there is still something to do.
func (t Task) Open() bool { return t.Status != "done" && t.Status != "cancelled" }

// Ref is how a task is named: its path, with the line of a checkbox.
func (t Task) Ref() string {
	if t.Line > 0 {
		return fmt.Sprintf("%s:%d", t.Path, t.Line)
	}
	return t.Path
}

// OfLine is the task of a checkbox.
func OfLine(path string, line int, mark byte, l taskline.Line) Task {
	return Task{
		Path: path, Line: line, Title: l.Title, Status: StatusOf(mark), Tags: l.Tags, Priority: l.Value(taskline.Priority),
		Start: l.Value(taskline.Start), Due: l.Value(taskline.Due), Scheduled: l.Value(taskline.Scheduled),
		Done: l.Value(taskline.Done), Created: l.Value(taskline.Created), Duration: l.Value(taskline.Duration), Repeat: l.Value(taskline.Repeat),
	}
}

// StatusOf is the status that a checkbox's mark stands for.
func StatusOf(mark byte) string {
	switch mark {
	case 'x', 'X':
		return "done"
	case '-':
		return "cancelled"
	case '/':
		return "in_progress"
	}
	return "todo"
}

// MarkOf is the mark for a status; 0: a checkbox has none.
func MarkOf(status string) byte {
	switch status {
	case "done":
		return 'x'
	case "cancelled":
		return '-'
	case "in_progress":
		return '/'
	case "todo":
		return ' '
	}
	return 0
}

// HasTag reports whether the task bears a tag, or one below it: "home/flat" is "home" too.
func (t Task) HasTag(tag string) bool {
	tag = strings.ToLower(strings.Trim(tag, "#/ "))
	for _, have := range t.Tags {
		if have = strings.ToLower(have); have == tag || strings.HasPrefix(have, tag+"/") {
			return true
		}
	}
	return false
}

package tool

import (
	"cmp"
	"strings"

	"kist/vault/task"
)

// NoProject stands for none where one is active.
const NoProject = "-"

type listTasksArgs struct {
	Project    string `json:"project,omitempty" jsonschema:"slug, - none; else active" limit:"max=200"`
	Everywhere bool   `json:"everywhere,omitempty" jsonschema:"in all projects"`
	Status     string `json:"status,omitempty" jsonschema:"several by comma; else open" limit:"set=open|all|backlog|todo|in_progress|done|cancelled"`
	Priority   string `json:"priority,omitempty" limit:"set=none|low|medium|high|urgent"`
	Due        string `json:"due,omitempty" limit:"enum=none|any"`
	DueFrom    string `json:"due_from,omitempty" jsonschema:"YYYY-MM-DD" limit:"date"`
	DueTo      string `json:"due_to,omitempty" jsonschema:"that day too" limit:"date"`
	Date       string `json:"date,omitempty" jsonschema:"which one; else due" limit:"enum=scheduled|start|done|created"`
	Recurring  bool   `json:"recurring,omitempty"`
	Text       string `json:"text,omitempty" jsonschema:"of the title" limit:"max=200"`
	Tag        string `json:"tag,omitempty" limit:"max=200"`
	Path       string `json:"path,omitempty" limit:"max=400"`
	Limit      int    `json:"limit,omitempty" limit:"min=1,max=200"`
}

// query is what is asked for.
func (a listTasksArgs) query() task.Query {
	q := task.Query{Text: a.Text, Path: a.Path, NoProject: a.Project == NoProject, Recurring: a.Recurring}
	span := task.Span{From: a.DueFrom, To: a.DueTo}
	switch a.Date {
	case "scheduled":
		q.Scheduled = span
	case "start":
		q.Start = span
	case "done":
		q.Done = span
	case "created":
		q.Created = span
	default:
		q.DueFrom, q.DueTo = span.From, span.To
	}
	switch date := cmp.Or(a.Date, "due"); a.Due {
	case "none":
		q.Lacks = []string{date}
	case "any":
		q.Has = []string{date}
	}
	if a.Status != "" {
		q.Status = strings.Split(a.Status, ",")
	}
	if a.Priority != "" {
		q.Priority = strings.Split(a.Priority, ",")
	}
	if a.Tag != "" {
		q.Tags = strings.Split(a.Tag, ",")
	}
	return q
}

package offline

import (
	"fmt"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// Words that several answers share.

func lastOf(list []string, n int) []string { return list[max(0, len(list)-n):] }

// ago says how long ago something was.
func ago(at, now time.Time) string {
	d := now.Sub(at)
	days := int(d.Hours() / 24)
	switch {
	case d < time.Hour:
		return "just now"
	case days < 1:
		return plural(int(d.Hours()), "hour") + " ago"
	case days < 60:
		return plural(days, "day") + " ago"
	}
	return "on " + at.Format("2 January 2006")
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// todoLine is a task in a list, before there is one.
func todoLine(d interpret.Todo) map[string]any {
	return map[string]any{"title": d.Title, "due": d.Due, "priority": d.Priority}
}

// asAsked is the reason of an operation: what it does, and on whose word.
func asAsked(offered bool, doing, what string) string {
	reason := fmt.Sprintf("%s “%s”", doing, language.Limit(language.OneLine(what), 120))
	if offered {
		return reason
	}
	return reason + ", as you asked"
}

func bold(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return "**" + name + "**"
}

// taskLine is a task in a list.
func (t *turn) taskLine(task map[string]any) string {
	line := "“" + str(task, "title") + "”"
	var more []string
	if due := str(task, "due"); due != "" {
		more = append(more, "due "+language.SayDay(due, t.sit.Now))
	}
	if p := str(task, "priority"); p != "" && p != "medium" {
		more = append(more, p+" priority")
	}
	if s := str(task, "status"); s != "" && s != "todo" && s != "backlog" {
		more = append(more, strings.ReplaceAll(s, "_", " "))
	}
	if len(more) > 0 {
		line += ", " + strings.Join(more, ", ")
	}
	return line
}

func nameOf(p *model.Project) string {
	if p == nil {
		return ""
	}
	return p.Name
}

func orWord(s, other string) string {
	if strings.TrimSpace(s) == "" {
		return other
	}
	return s
}

// inQuotes puts text between quotation marks.
func inQuotes(s string) string {
	return `"` + language.Limit(strings.NewReplacer(`"`, "'", "\n", " ").Replace(s), 300) + `"`
}

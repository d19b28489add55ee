package filter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// What a filter is in words, so that it shows how the question was understood.

// Head names the tasks: "open tasks with high priority due by Friday 27 November".
func (f Filter) Head(now time.Time, n int) string {
	kind := map[string]string{
		"": "open", "open": "open", "done": "finished", "in_progress": "started", "cancelled": "cancelled", "backlog": "backlog", "todo": "not started", "todo,backlog": "not started",
	}
	status := strings.Join(f.Status, ",")
	word, ok := kind[status]
	if !ok && status != "all" && status != "open,done" {
		var each []string
		for _, s := range f.Status {
			each = append(each, kind[s])
		}
		word = strings.Join(each, " or ")
	}
	out := "tasks"
	if n == 1 {
		out = "task"
	}
	if word != "" {
		out = word + " " + out
	}
	return out + f.narrowing(now)
}

// narrowing says all but the status.
func (f Filter) narrowing(now time.Time) string {
	var parts []string
	switch {
	case len(f.Priority) == 1 && f.Priority[0] == "none":
		parts = append(parts, "without a priority")
	case len(f.Priority) > 0:
		parts = append(parts, "with "+strings.Join(f.Priority, " or ")+" priority")
	}
	switch f.Due {
	case "none":
		parts = append(parts, "without a due date")
	case "any":
		parts = append(parts, "with a due date")
	}
	var when []string
	for _, p := range f.Periods {
		when = append(when, sayPeriod(p, now))
	}
	if len(when) > 0 {
		parts = append(parts, strings.Join(when, " or "))
	}
	if len(f.Text) > 0 {
		parts = append(parts, "with “"+strings.Join(f.words(), " ")+"” in the title")
	}
	parts = append(parts, f.Place.Said()...)
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

// sayPeriod says when something is due.
func sayPeriod(p language.Period, now time.Time) string {
	day := func(t time.Time) string { return language.SayDay(language.ISODay(t), now) }
	switch {
	case p.From.IsZero() && dayOf(p.To) == dayOf(yesterday(now)):
		return "overdue"
	case p.From.IsZero():
		return "due by " + day(p.To)
	case p.To.IsZero():
		return "due from " + day(p.From) + " on"
	case dayOf(p.From) == dayOf(p.To):
		return "due " + day(p.From)
	}
	return fmt.Sprintf("due between %s and %s", day(p.From), day(p.To))
}

// words are those that a title shall have, as they were said.
func (f Filter) words() []string {
	return append(slices.Clone(f.Text[:len(f.Text)-len(f.said)]), f.said...)
}

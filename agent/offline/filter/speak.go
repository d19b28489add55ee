package filter

import (
	"cmp"
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
	if f.Recurring {
		out = "recurring " + out
	}
	if word != "" {
		out = word + " " + out
	}
	return out + f.narrowing(now, n)
}

// narrowing says all but the status of n tasks.
func (f Filter) narrowing(now time.Time, n int) string {
	var parts []string
	switch {
	case len(f.Priority) == 1 && f.Priority[0] == "none":
		parts = append(parts, "without a priority")
	case len(f.Priority) > 0:
		parts = append(parts, "with "+strings.Join(f.Priority, " or ")+" priority")
	}
	if f.Due != "" {
		parts = append(parts, map[string]string{"none": "without", "any": "with"}[f.Due]+" a "+dateNames[f.Date]+" date")
	}
	var when []string
	for _, p := range f.Periods {
		when = append(when, f.sayPeriod(p, now))
	}
	if len(when) > 0 {
		parts = append(parts, strings.Join(when, " or "))
	}
	if len(f.Text) > 0 {
		parts = append(parts, "with “"+strings.Join(f.words(), " ")+"” in the title")
	}
	if f.NoProject && n == 1 {
		parts = append(parts, "that belongs to no project")
	} else if f.NoProject {
		parts = append(parts, "that belong to no project")
	}
	if f.Untagged {
		parts = append(parts, "without a tag")
	}
	if parts = append(parts, f.Place.Said()...); f.Not != nil {
		parts = append(parts, "except those"+cmp.Or(f.Not.outside(now), " that are "+strings.Join(f.Not.Status, " or ")))
	}
	if f.Order != "" {
		parts = append(parts, orderNames[f.Order])
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

// outside says what is left out.
func (f Filter) outside(now time.Time) string {
	out := f.narrowing(now, 2) // "those"
	if f.project != "" {
		out += " of " + f.project
	}
	return out
}

// dateNames are the dates as a task has them; dateWords as something is said of them.
var (
	dateNames = map[string]string{"": "due", "scheduled": "scheduled", "start": "start", "done": "completion", "created": "creation"}
	dateWords = map[string]string{"": "due", "scheduled": "scheduled", "start": "starting", "done": "done", "created": "written down"}
)

// sayPeriod says when something is due, or what else the filter's date tells.
func (f Filter) sayPeriod(p language.Period, now time.Time) string {
	word := dateWords[f.Date]
	day := func(t time.Time) string { return language.SayDay(language.ISODay(t), now) }
	switch {
	case f.Date == "" && p.From.IsZero() && dayOf(p.To) == dayOf(yesterday(now)):
		return "overdue"
	case p.From.IsZero():
		return word + " by " + day(p.To)
	case p.To.IsZero():
		return word + " from " + day(p.From) + " on"
	case dayOf(p.From) == dayOf(p.To):
		return word + " " + day(p.From)
	}
	return fmt.Sprintf("%s between %s and %s", word, day(p.From), day(p.To))
}

// Day says a task's date that the filter goes by, where that isn't told anyway.
func (f Filter) Day(task map[string]any, now time.Time) string {
	day, _ := task[f.Date].(string)
	switch {
	case f.Date == "" || day == "":
		return ""
	case f.Date == "done": // which the task's status says
		return " " + language.SayDay(day, now)
	}
	return ", " + dateWords[f.Date] + " " + language.SayDay(day, now)
}

// words are those that a title shall have, as they were said.
func (f Filter) words() []string {
	return append(slices.Clone(f.Text[:len(f.Text)-len(f.said)]), f.said...)
}

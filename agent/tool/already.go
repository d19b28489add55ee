package tool

import (
	"context"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/adoption"
	"kist/vault/entity"
	"kist/vault/taskline"
)

// listed is the open task of a project, or of none, that has the title of one to add, and the day
// and priority that it is to have, if any.
func listed(ctx context.Context, v *vault.Vault, slug, title, due, priority string) (t entity.Task, ok bool) {
	title = strings.Join(strings.Fields(title), " ")
	all, err := entity.TasksThat(ctx, v, slug, func(t entity.Task) bool {
		return t.Open() && t.Project == slug && strings.EqualFold(t.Title, title) && (due == "" || due == t.Due) && (priority == "" || priority == t.Priority)
	})
	if err != nil || len(all) == 0 {
		return t, false // to add it meets the error again
	}
	return all[0], true
}

// adopted is what makes the note that a name means a project where it lies, and what that is
// called then; false: there is no such note, or several.
func adopted(ctx context.Context, v *vault.Vault, name string) (step vault.Step, slug string, ok bool) {
	notes, _, err := adoption.Called(ctx, v, name)
	if err != nil || len(notes) != 1 {
		return step, "", false // to create one meets the error again
	}
	step, list, err := adoption.Plan(ctx, v, notes)
	if err != nil || len(list) != 1 || list[0].Slug == "" {
		return step, "", false
	}
	return step, list[0].Slug, true
}

// isSo: a task is as an update would make it.
func isSo(u entity.TaskUpdate, t entity.Task) bool {
	same := func(to *string, is string) bool { return to == nil || *to == is }
	return same(u.Title, t.Title) && same(u.Status, t.Status) && same(u.Priority, t.Priority) && same(u.Start, t.Start) && same(u.Due, t.Due) && same(u.Scheduled, t.Scheduled) && same(u.Repeat, t.Repeat)
}

// nextDays are the days of the occurrence that follows a recurring task, by their keys; none where
// its rule isn't read or it has no day.
func nextDays(t entity.Task, now time.Time) map[string]string {
	days := map[taskline.Key]string{taskline.Due: t.Due, taskline.Scheduled: t.Scheduled, taskline.Start: t.Start}
	line := taskline.Parse("")
	for key, value := range days {
		if text, err := line.Set(key, value, taskline.Inline); err == nil {
			line = taskline.Parse(text)
		}
	}
	text, err := line.Set(taskline.Repeat, t.Repeat, taskline.Inline)
	if err == nil {
		text, err = taskline.Parse(text).Next(now)
	}
	if err != nil {
		return nil
	}
	next := map[string]string{}
	for key, was := range days {
		if day := taskline.Parse(text).Value(key); day != "" && was != "" {
			next[string(key)] = day
		}
	}
	return next
}

func taskValue(t entity.Task) map[string]any {
	v := map[string]any{"task": t.Ref(), "title": clip(t.Title, 200), "status": t.Status, "project": t.Project}
	if t.Due != "" {
		v["due"] = t.Due
	}
	if t.Start != "" {
		v["start"] = t.Start
	}
	if t.Priority != "" {
		v["priority"] = t.Priority
	}
	if t.Scheduled != "" {
		v["scheduled"] = t.Scheduled
	}
	if t.Done != "" {
		v["done"] = t.Done
	}
	if t.Repeat != "" {
		v["repeat"] = t.Repeat
	}
	return v
}

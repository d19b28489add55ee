package tool

import (
	"context"
	"strings"

	"kist/vault"
	"kist/vault/entity"
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

// isSo: a task is as an update would make it.
func isSo(u entity.TaskUpdate, t entity.Task) bool {
	same := func(to *string, is string) bool { return to == nil || *to == is }
	return same(u.Title, t.Title) && same(u.Status, t.Status) && same(u.Priority, t.Priority) && same(u.Start, t.Start) && same(u.Due, t.Due)
}

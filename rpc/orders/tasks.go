package orders

import (
	"strings"
	"time"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/task"
)

// Tasks is which tasks a request asks for, and in which order.
func Tasks(req *kistv1.ListTasksRequest, now time.Time) task.Query {
	q := task.Query{
		Priority: req.Priorities, Has: req.WithDates, Lacks: req.WithoutDates, DueFrom: req.DueFrom, DueTo: req.DueTo,
		Scheduled: task.Span{From: req.ScheduledFrom, To: req.ScheduledTo},
		Start:     task.Span{From: req.StartFrom, To: req.StartTo},
		Done:      task.Span{From: req.DoneFrom, To: req.DoneTo},
		Created:   task.Span{From: req.CreatedFrom, To: req.CreatedTo},
		Tags:      req.Tags, Path: req.Path, NoProject: req.NoProject, Text: req.Text, Recurring: req.Recurring,
		Overdue: req.Overdue, Today: now.Format(time.DateOnly),
	}
	switch req.Due {
	case "none":
		q.Lacks = append(q.Lacks, "due")
	case "any":
		q.Has = append(q.Has, "due")
	}
	if req.Status != "" {
		q.Status = []string{req.Status}
	}
	if req.OrderBy != "" {
		q.Order = strings.Split(req.OrderBy, ",")
	}
	return q
}

// Nowhere is [vault.ErrNotFound] where tasks are asked for by a path at which neither a document nor a
// folder lies: that there are none there would be half an answer.
func Nowhere(v *vault.Vault, q task.Query) error {
	p := strings.TrimSuffix(q.Path, "/")
	if p == "" || strings.Contains(p, "*") {
		return nil
	}
	if _, ok := v.StatFolder(p); ok {
		return nil
	}
	for _, name := range []string{p, p + ".md"} {
		if _, err := v.Stat(name); err == nil {
			return nil
		}
	}
	return &vault.NotFoundError{Kind: "document or folder", Ref: q.Path}
}

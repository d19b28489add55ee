package orders

import (
	"strings"
	"time"

	kistv1 "kist/proto/kist/v1"
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

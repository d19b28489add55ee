package task_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kist/vault/task"
)

func all() []task.Task {
	return []task.Task{
		{Path: "a.md", Line: 1, Title: "Pay the rent", Status: "todo", Due: "2026-12-01", Priority: "high", Tags: []string{"home/flat"}},
		{Path: "a.md", Line: 10, Title: "Call Bo", Status: "in_progress", Due: "2026-11-20T10:00", Scheduled: "2026-11-19"},
		{Path: "a.md", Line: 9, Title: "Rent a van", Status: "todo", Due: "2026-11-20", Priority: "low", Repeat: "every day"},
		{Path: "Work/b.md", Line: 2, Title: "Dig", Status: "done", Done: "2026-11-18", Project: "boat"},
		{Path: "Work/Deep/c.md", Line: 2, Title: "Wish", Status: "todo", Tags: []string{"Home"}, Created: "2026-11-02"},
	}
}

func TestQuery(t *testing.T) {
	for name, row := range map[string]struct {
		q    task.Query
		want string
	}{
		"open":         {task.Query{}, "Rent a van, Call Bo, Pay the rent, Wish"},
		"all":          {task.Query{Status: []string{"all"}}, "Rent a van, Call Bo, Pay the rent, Wish, Dig"},
		"two statuses": {task.Query{Status: []string{"done", "in_progress"}}, "Call Bo, Dig"},
		"due":          {task.Query{DueFrom: "2026-11-20", DueTo: "2026-11-20"}, "Rent a van, Call Bo"},
		"overdue":      {task.Query{Overdue: true, Today: "2026-12-01"}, "Rent a van, Call Bo"},
		"no due":       {task.Query{Lacks: []string{"due"}}, "Wish"},
		"priority":     {task.Query{Priority: []string{"none", "low"}}, "Rent a van, Call Bo, Wish"},
		"tag":          {task.Query{Tags: []string{"#home"}}, "Pay the rent, Wish"},
		"document":     {task.Query{Path: "Work/b", Status: []string{"all"}}, "Dig"},
		"folder":       {task.Query{Path: "Work/", Status: []string{"all"}}, "Wish, Dig"},
		"pattern":      {task.Query{Path: "Work/*.md", Status: []string{"all"}}, "Dig"},
		"deep pattern": {task.Query{Path: "**/c.md"}, "Wish"},
		"no project":   {task.Query{NoProject: true, Status: []string{"all"}}, "Rent a van, Call Bo, Pay the rent, Wish"},
		"words":        {task.Query{Text: "ren"}, "Rent a van, Pay the rent"},
		"scheduled":    {task.Query{Scheduled: task.Span{To: "2026-11-19"}}, "Call Bo"},
		"done":         {task.Query{Status: []string{"all"}, Done: task.Span{From: "2026-11-01"}}, "Dig"},
		"with a day":   {task.Query{Has: []string{"scheduled"}}, "Call Bo"},
		"created":      {task.Query{Created: task.Span{From: "2026-11-02", To: "2026-11-02"}}, "Wish"},
		"recurring":    {task.Query{Recurring: true}, "Rent a van"},
		"by title":     {task.Query{Order: []string{"title"}}, "Call Bo, Pay the rent, Rent a van, Wish"},
		"by due down":  {task.Query{Order: []string{" due desc"}}, "Pay the rent, Call Bo, Rent a van, Wish"},
		"by priority":  {task.Query{Order: []string{"priority", "title desc"}}, "Pay the rent, Rent a van, Wish, Call Bo"},
	} {
		if err := row.q.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		list := slices.DeleteFunc(all(), func(t task.Task) bool { return !row.q.Fits(t) })
		slices.SortFunc(list, func(a, b task.Task) int { return strings.Compare(row.q.Key(a), row.q.Key(b)) })
		var got []string
		for _, each := range list {
			got = append(got, each.Title)
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	for _, q := range []task.Query{{Order: []string{"size"}}, {Order: []string{"due sideways"}}, {DueFrom: "2026-13-01"}, {Path: "[a"}, {Lacks: []string{"size"}}, {Created: task.Span{To: "soon"}}} {
		if err := q.Check(); !errors.Is(err, task.ErrQuery) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

package every

import (
	"fmt"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) // a Friday
	for said, want := range map[string]string{
		"reschedule all overdue tasks to next Monday":              "due 2026-11-30 of all overdue tasks",
		"Please move everything due today to 3 December.":          "due 2026-12-03 of everything due today",
		"can you push all my overdue tasks to tomorrow?":           "due 2026-11-28 of all my overdue tasks",
		"move all tasks due by Friday to Monday":                   "due 2026-11-30 of all tasks due by Friday",
		"schedule every #dig task for 2026-12-08":                  "scheduled 2026-12-08 of every #dig task",
		"complete all tasks in Garden Shed":                        "done of all tasks in Garden Shed",
		"mark all the overdue ones as done":                        "done of all the overdue ones",
		"cancel all tasks tagged #later please":                    "cancelled of all tasks tagged #later",
		"tick the overdue tasks off":                               "done of the overdue tasks",
		"tag all overdue tasks #later":                             "tag #later of all overdue tasks",
		"add the tag #later to all overdue tasks":                  "tag #later of all overdue tasks",
		"remove the due date from every task in Daily":             "clear due of every task in Daily",
		"set the priority of all tasks in Kitchen to low":          "priority low of all tasks in Kitchen",
		"make all overdue tasks urgent":                            "priority urgent of all overdue tasks",
		"postpone all overdue tasks by a week":                     "by 7 0 of all overdue tasks",
		"move everything due this week forward by two days":        "by -2 0 of everything due this week",
		"reopen all tasks I did yesterday":                         "todo of all tasks I did yesterday",
		"push all tasks in Projects/Garden Shed.md back two days":  "by 2 0 of all tasks in Projects/Garden Shed.md",
		"complete tasks in Kitchen":                                "",
		"finish everything by Friday":                              "",
		"finish all tasks by Friday":                               "",
		"complete draw plan":                                       "",
		"move all tasks from Garden Shed to Kitchen":               "to Kitchen of all tasks from Garden Shed",
		"move all done tasks into the note Old things":             "to note Old things of all done tasks",
		"delete all done tasks":                                    "delete of all done tasks",
		"please remove done tasks tagged #home":                    "delete of done tasks tagged #home",
		"archive finished tasks older than a month":                "archive of finished tasks older than a month",
		"lösche alle erledigten Aufgaben":                          "delete of alle erledigten Aufgaben",
		"delete everything in the boat":                            "",
		"archive the boat":                                         "",
		"I moved all overdue tasks to Monday":                      "",
		"move everything to the garage":                            "",
		"complete all tasks in Kitchen. Then archive the kitchen.": "",
		"which overdue tasks are there":                            "",
		"tag order timber #wood":                                   "",
	} {
		got := ""
		if o, ok := Read(said, now); ok {
			switch got = o.Status; {
			case o.Delete:
				got = "delete"
			case o.Archive:
				got = "archive"
			case o.To != "":
				got = "to " + o.To
			case o.By.Set():
				got = fmt.Sprintf("by %d %d", o.By.Days, o.By.Months)
			case o.Field.Clear:
				got = "clear " + o.Field.Name
			case o.Field.Name != "":
				got = o.Field.Name + " " + o.Field.Value
			}
			got += " of " + o.Set
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

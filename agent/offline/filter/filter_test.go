package filter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent/language"
)

// Every word of a question for tasks narrows the list, says no more than that a list
// is wanted, or is left over.
func TestReadFilter(t *testing.T) {
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	for _, row := range strings.Split(strings.TrimSpace(`
till the end of November, what do I still owe them? | to 2026-11-30
I'm dead tired tonight, which of the tasks are low priority? | priority low
the low priority ones, show me | priority low
what is due between now and 4 December | to 2026-12-04
what's due the week of 14 december | from 2026-12-14 to 2026-12-20
due this week or the week from 7 December | from 2026-11-16 to 2026-11-22 or from 2026-12-07 to 2026-12-13
what is left to do before Christmas and oh, Tom wants me to run his cake stall at the autumn fair | to 2026-12-24
what is due? | due any
what's due with high priority | due any priority high
was ist fällig? | due any
jan tasks? | from 2027-01-01 to 2027-01-31
what is due next week? | from 2026-11-23 to 2026-11-29
show me everything due by Friday | to 2026-11-20
what's due before 5 December | to 2026-12-04
what needs to be done in the next 7 days | from 2026-11-18 to 2026-11-25
list the done tasks | status done
which tasks have high priority | priority high
how many tasks are there | count
how many open tasks do I have | count status open
what is due in December? | from 2026-12-01 to 2026-12-31
anything overdue? | to 2026-11-17
open tasks in today's daily note | path 2026-11-18 status open
tasks from yesterdays note | path 2026-11-17
what tasks are in my daily note? | path 2026-11-18
tasks in Monday's note | path 2026-11-16
overdue tasks from 2024 | from 2024-01-01 to 2024-12-31
what did I finish from 2024 on? | date done from 2024-01-01 status done
what's in progress | status in_progress
which tasks are without a date | due none
tasks of the houseboat without a deadline | due none
show the open tasks of the houseboat due this month | from 2026-11-01 status open to 2026-11-30
what is open tagged #garden? | status open tag garden
which tasks in Projects/Boat are due this week? | from 2026-11-16 path Projects/Boat to 2026-11-22
tasks with high priority #garden #home/shed | priority high tag garden,home/shed
show my tasks |
what do I have to do? |
what's left on my list |
what's still open? | status open
what should I do next |
what are the next three tasks | limit 3
what's the next task? | limit 1
top 5 tasks please | limit 5
show me 3 tasks | limit 3
urgent tasks for the houseboat | priority urgent
do I have anything due tomorrow | from 2026-11-19 to 2026-11-19
what's due on Friday | from 2026-11-20 to 2026-11-20
is there something due after Christmas? | from 2026-12-26
what did I finish? | status done
what have I done | status done
what haven't I done yet | status open
list everything that's not done | status open
which ones are not started yet | status todo,backlog
what tasks are high or urgent priority | priority high,urgent
anything with low or medium priority? | priority low,medium
high priority and up | priority high,urgent
important tasks due this week | from 2026-11-16 priority high,urgent to 2026-11-22
how many high-priority tasks are due in January | count from 2027-01-01 priority high to 2027-01-31
what is overdue or due today | to 2026-11-17 or from 2026-11-18 to 2026-11-18
what is due today and tomorrow | from 2026-11-18 to 2026-11-18 or from 2026-11-19 to 2026-11-19
what's due after Monday and before Friday 4 December | from 2026-11-24 to 2026-12-03
due between 1 and 15 December | from 2026-12-01 to 2026-12-15
tasks from 1 December to 10 December | from 2026-12-01 to 2026-12-10
everything due until the end of the year | to 2026-12-31
tasks about the cable | text cable
tasks mentioning varnish due next month | from 2026-12-01 text varnish to 2026-12-31
show the task "order cable" | text order cable
show the cable tasks | loose cable
show the expensive tasks due this week | from 2026-11-16 loose expensive to 2026-11-22
tasks that aren't about the roof | not (with “roof” in the title)
all tasks except the urgent ones | not (with urgent priority)
what's on this weekend | from 2026-11-21 to 2026-11-22
cancelled tasks | status cancelled
what's in the backlog | status backlog
all tasks, done and open | status all
list all tasks across all projects | everywhere
how many are done? | count status done
count of the overdue ones | count to 2026-11-17
what was due last week | from 2026-11-09 to 2026-11-15
anything coming up soon? | from 2026-11-18 to 2026-11-25
undated tasks | due none
which tasks don't have a due date? | due none
which tasks have a deadline | due any
todos for tomorrow pls | from 2026-11-19 to 2026-11-19
open todos in 2027 | from 2027-01-01 status open to 2027-12-31
what's due in two weeks | from 2026-11-18 to 2026-12-02
what must be ready by 15.3. | loose ready to 2027-03-15
what's due the week after next? | from 2026-11-30 to 2026-12-06
Can you list my tasks for Anna | loose anna
tasks sorted by priority | order priority
open tasks by due date | status open order due
open tasks not tagged #home, by priority | status open order priority not (tagged #home)
open tasks except those in Garden | status open not (loose garden)
open tasks in the folder Home but not #urgent | path Home status open not (tagged #urgent)
overdue tasks without #work and high priority | to 2026-11-17 not (with high priority, tagged #work)
tasks without a tag | untagged
what is not due this week? | not (due between Monday 16 November and Sunday 22 November)
finished tasks older than a month | date done status done to 2026-10-17
open tasks older than 2 weeks | date created status open to 2026-11-03
offene Aufgaben ohne #home nach Fälligkeit sortiert | status open order due not (tagged #home)
what can I not do by Friday | unknown not do by Friday
tasks scheduled this week | date scheduled from 2026-11-16 to 2026-11-22
what's scheduled for Friday? | date scheduled from 2026-11-20 to 2026-11-20
scheduled tasks | date scheduled due any
unscheduled tasks | date scheduled due none
tasks without a scheduled date | date scheduled due none
tasks I completed this week | date done from 2026-11-16 status done to 2026-11-22
what did I finish on Friday? | date done from 2026-11-13 status done to 2026-11-13
tasks done in December | date done from 2025-12-01 status done to 2025-12-31
finished tasks that were due last week | from 2026-11-09 status done to 2026-11-15
which tasks start next month? | date start from 2026-12-01 to 2026-12-31
tasks starting next week | date start from 2026-11-23 to 2026-11-29
tasks with no start date | date start due none
where do I start? | loose where start
tasks created this month | date created from 2026-11-01 to 2026-11-30
tasks scheduled this week and due next week | date scheduled from 2026-11-16 to 2026-11-22 unknown due next week
recurring tasks due this week | recurring from 2026-11-16 to 2026-11-22
show me tasks with no project | homeless
tasks that don't belong to any project, due by Friday | homeless to 2026-11-20
which tasks aren't in a project? | homeless
open tasks in Daily | loose daily status open folder Daily
overdue tasks in Projects | loose projects to 2026-11-17 folder Projects
WHAT IS DUE IN THE WHOLE VAULT | everywhere due any
which tasks did I do on 12 November? | date done from 2026-11-12 status done to 2026-11-12
tasks I did last week | date done from 2026-11-09 status done to 2026-11-15
tasks under Projects/ | path Projects
`), "\n") {
		question, want, _ := strings.Cut(row, "|")
		src := strings.TrimSpace(question)
		got := written(Read(src, language.Tokenize(src), []string{"houseboat"}, now), now)
		if want = strings.TrimSpace(want); got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

func written(f Filter, now time.Time) (out string) {
	var parts []string
	defer func() {
		if f.Untagged {
			out = strings.TrimSpace(out + " untagged")
		}
		if f.Order != "" {
			out = strings.TrimSpace(out + " order " + f.Order)
		}
		if f.Not != nil {
			what := f.Not.outside(now)
			if len(f.Not.Loose) > 0 {
				what += " loose " + strings.Join(f.Not.Loose, " ")
			}
			out = strings.TrimSpace(out + " not (" + strings.TrimSpace(what) + ")")
		}
	}()
	add := func(what string, list []string) {
		if len(list) > 0 {
			parts = append(parts, what+" "+strings.Join(list, " "))
		}
	}
	if f.Count {
		parts = append(parts, "count")
	}
	if f.Everywhere {
		parts = append(parts, "everywhere")
	}
	if f.Limit > 0 {
		parts = append(parts, fmt.Sprint("limit ", f.Limit))
	}
	if f.NoProject {
		parts = append(parts, "homeless")
	}
	if f.Recurring {
		parts = append(parts, "recurring")
	}
	args := Filter{Date: f.Date, Due: f.Due, Periods: f.Periods}.Args(now)
	date := args["date"]
	args = Filter{Status: f.Status, Priority: f.Priority, Due: f.Due, Text: f.Text, Place: f.Place}.Args(now)
	if len(f.Periods) == 1 {
		args["from"], args["to"] = dayOf(f.Periods[0].From), dayOf(f.Periods[0].To)
	}
	if date != nil {
		args["date"] = date
	}
	if len(f.Loose) > 0 {
		args["loose"] = strings.Join(f.Loose, " ")
	}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		if v := args[key].(string); v != "" {
			add(key, []string{v})
		}
	}
	if len(f.Periods) > 1 {
		var each []string
		for _, p := range f.Periods {
			each = append(each, written(Filter{Periods: []language.Period{p}}, now))
		}
		parts = append(parts, strings.Join(each, " or "))
	}
	add("folder", strings.Fields(f.Folder))
	add("unknown", f.Unknown)
	return strings.Join(parts, " ")
}

func TestKin(t *testing.T) {
	f := Filter{Unknown: []string{"book", "road", "roof"}}
	f.Kin([]string{"salt", "road"}, []string{"novel", "portuguese"})
	if !slices.Equal(f.Unknown, []string{"roof"}) {
		t.Errorf("%q", f.Unknown)
	}
}

func TestSaidWord(t *testing.T) {
	f := Filter{Loose: []string{"chairs", "dale"}}
	f.Settle([]map[string]any{{"title": "Chase dale for the chair"}})
	if got := f.Head(time.Now(), 1); got != "open task with “chairs dale” in the title" || strings.Join(f.Text, " ") == "chairs dale" {
		t.Errorf("%q, %q", got, f.Text)
	}
}

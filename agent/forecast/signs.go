package forecast

import (
	"cmp"
	"fmt"
	"math"
	"sort"
)

const (
	// A quiet spell of three weeks in a project that used to move is a sign; two
	// may be a holiday.
	quietWeeks = 3
	// A likelihood below likely asks for a decision, one below unlikely for one now.
	likely   = 0.8
	unlikely = 0.2
)

// warnings are the signs that need no simulation.
func (in Input) warnings(open int) []Note {
	var out []Note
	if open == 0 {
		return nil
	}
	overdue := in.where(func(t Task) bool { return !t.Due.IsZero() && t.Due.Before(in.Today) })
	if n := in.count(func(t Task) bool { return !t.Due.IsZero() && t.Due.Before(in.Today) }); n > 0 {
		out = append(out, Note{fmt.Sprintf("%s overdue.", are(n, "open task")), overdue})
	}
	if !in.Deadline.IsZero() && in.Deadline.Before(in.Today) {
		out = append(out, Note{fmt.Sprintf("The project's deadline, %s, has passed with %s open.", date(in.Deadline), count(open, "task")), []Evidence{in.Due}})
	}
	out = append(out, in.pace()...)
	blocked := in.count(func(t Task) bool { return t.Blocked })
	if blocked > 0 {
		out = append(out, Note{fmt.Sprintf("%s waiting for something else.", are(blocked, "open task")), in.where(func(t Task) bool { return t.Blocked })})
	}
	started := in.count(func(t Task) bool { return t.Status == "in_progress" })
	if started > 5 && 2*started > open {
		out = append(out, Note{fmt.Sprintf("%d of %d open tasks are in progress at the same time.", started, open), in.where(func(t Task) bool { return t.Status == "in_progress" })})
	}
	return out
}

// pace compares the last weeks with those before.
func (in Input) pace() []Note {
	var out []Note
	n := len(in.Weeks)
	quiet := 0
	for quiet < n && in.Weeks[n-1-quiet].Done == 0 {
		quiet++
	}
	switch {
	case quiet >= quietWeeks && quiet < n:
		out = append(out, Note{Text: fmt.Sprintf("Nothing was done in the last %d weeks.", quiet)})
	case n >= 8:
		last, before := sum(in.Weeks[n-4:]), sum(in.Weeks[n-8:n-4])
		if before.Done >= 4 && 2*last.Done <= before.Done {
			out = append(out, Note{Text: fmt.Sprintf("The pace has fallen: %s done in the last four weeks, %d in the four before.", count(last.Done, "task"), before.Done)})
		}
	}
	if all := sum(in.Weeks); n >= 3 && all.Added > all.Done && all.Done > 0 {
		out = append(out, Note{Text: fmt.Sprintf("More comes in than gets done: %s added and %d done in %d weeks.", count(all.Added, "task"), all.Done, n)})
	}
	return out
}

func sum(weeks []Week) (s Week) {
	for _, w := range weeks {
		s.Done += w.Done
		s.Added += w.Added
	}
	return s
}

func (in Input) count(which func(Task) bool) (n int) {
	for _, t := range in.Tasks {
		if t.open() && which(t) {
			n++
		}
	}
	return n
}

// late are the deadlines ahead that will likelier be missed than met.
func (in Input) late(all []Deadline) []Note {
	var out []Note
	for _, d := range all {
		if d.Likelihood < 0.5 && !d.Date.Before(in.Today) {
			out = append(out, Note{fmt.Sprintf("%s (%s) is likelier missed than met: %s.", title(d.Name), date(d.Date), percent(d.Likelihood)), []Evidence{d.At}})
		}
	}
	return out
}

// decisions are the days by which something is better decided than left.
func (in Input) decisions(r *Result) []Decision {
	var out []Decision
	for _, d := range r.Deadlines {
		ahead := days(in.Today, d.Date)
		what := fmt.Sprintf("%s by %s", count(d.Tasks, "open task"), date(d.Date))
		switch {
		case ahead < 0:
			if d.Project {
				out = append(out, Decision{in.Today, "The project's deadline has passed: set a new one or end the project.", []Evidence{in.Due}})
			}
		case d.Likelihood < unlikely:
			out = append(out, Decision{in.Today, fmt.Sprintf("%s is out of reach at this pace (%s): drop tasks, get help, or move the date.", title(what), percent(d.Likelihood)), []Evidence{d.At}})
		case d.Likelihood < likely:
			out = append(out, Decision{in.Today.AddDate(0, 0, ahead/2), fmt.Sprintf("Half way to %s: if fewer than %d of its %s are done by then, drop some or move the date.", date(d.Date), (d.Tasks+1)/2, count(d.Tasks, "task")), []Evidence{d.At}})
		}
	}
	if blocked := in.where(func(t Task) bool { return t.Blocked }); len(blocked) > 0 {
		out = append(out, Decision{in.Today.AddDate(0, 0, meanWait), "What is still blocked by then: ask again, or find a way around it.", blocked})
	}
	if mid := r.Scenarios[1]; !mid.Beyond && in.Deadline.IsZero() && r.Open > 1 {
		half := in.Today.AddDate(0, 0, int(math.Ceil(float64(days(in.Today, mid.Date))/2)))
		out = append(out, Decision{By: half, Text: fmt.Sprintf("Half way to the realistic date: if more than %d of the %d tasks are still open, the pessimistic one is on its way.", (r.Open+1)/2, r.Open)})
	}
	if r.Scenarios[2].Beyond {
		out = append(out, Decision{By: in.Today, Text: "At this pace an end isn't in sight: decide what to leave out."})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].By.Before(out[j].By) })
	return out
}

// assumptions are what the model takes for granted.
func (in Input) assumptions(m *model) []string {
	var out []string
	if m.history {
		all := sum(m.weeks)
		out = append(out, fmt.Sprintf("Coming weeks are like the last %d: %.1f tasks done and %.1f new ones in a week.", len(m.weeks),
			float64(all.Done)/float64(len(m.weeks)), float64(all.Added)/float64(len(m.weeks))))
		if in.Sized {
			out = append(out, "A task with an estimate counts by it, as compared with done ones; any other counts as one.")
		} else {
			out = append(out, "All tasks are taken to be about as large as those that were done.")
		}
	} else {
		if in.Hours > 0 {
			out = append(out, fmt.Sprintf("%g hours a week are worked, as the project says.", in.Hours))
		} else {
			out = append(out, fmt.Sprintf("%d hours a week are worked; the project doesn't say. Half of that doubles the time.", defaultHours))
		}
		out = append(out, fmt.Sprintf("A task without an estimate takes %s, the median of the others. Estimates are off by half or double now and then, and all together by a third.", hours(in.Typical)),
			"Tasks are done one after another, and no new ones come.")
	}
	if m.blocked != [buckets]bool{} {
		out = append(out, fmt.Sprintf("What is blocked waits %d days on average; no file says how long.", meanWait))
	}
	if len(m.marks) > 0 {
		out = append(out, "Tasks are done in the order of their due dates.")
	}
	return append(out, in.Notes...)
}

// evidence is where the numbers come from: the latest done tasks, or the largest
// estimates.
func (in Input) evidence(m *model) []Evidence {
	var tasks []Task
	for _, t := range in.Tasks {
		if m.history && t.Status == "done" && !t.Done.IsZero() || !m.history && t.open() && t.Hours > 0 {
			tasks = append(tasks, t)
		}
	}
	compare := func(a, b Task) int {
		if m.history {
			return b.Done.Compare(a.Done)
		}
		return cmp.Compare(b.Hours, a.Hours)
	}
	sort.SliceStable(tasks, func(i, j int) bool { return compare(tasks[i], tasks[j]) < 0 })
	var out []Evidence
	for _, t := range tasks[:min(len(tasks), maxEvidence)] {
		at := t.At
		if m.history {
			at.Text = fmt.Sprintf("%s: done %s", t.Title, date(t.Done))
		} else {
			at.Text = fmt.Sprintf("%s: %s", t.Title, hours(t.Hours))
		}
		out = append(out, at)
	}
	if in.Hours > 0 && !m.history {
		out = append(out, in.HoursAt)
	}
	return out
}

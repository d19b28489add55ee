package forecast

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Delay returns in with an open task that is done so many days later than planned, and
// that task: later than it is due, or than it could be done if it were begun on its
// start date, or today. The task is named by its path, or path:line; false: no open
// task has that name. The rest of the work goes on meanwhile.
func (in Input) Delay(ref string, by int) (Input, Task, bool) {
	hours := in.Hours
	if hours <= 0 {
		hours = defaultHours
	}
	tasks := make([]Task, len(in.Tasks))
	copy(tasks, in.Tasks)
	in.Tasks = tasks
	for i, t := range tasks {
		if !t.open() || ref != t.At.Path && ref != fmt.Sprintf("%s:%d", t.At.Path, t.At.Line) {
			continue
		}
		need := int(math.Ceil(in.size(t) / hours * 7))
		begin := day(t.Start)
		if due := day(t.Due); !due.IsZero() {
			begin = due.AddDate(0, 0, -need)
		}
		if begin.Before(day(in.Today)) {
			begin = day(in.Today)
		}
		tasks[i].Start = begin.AddDate(0, 0, by)
		return in, t, true
	}
	return in, Task{}, false
}

// FormatDelay says what a delay does: how the dates of after differ from those of
// before, which must have been played with the same seed.
func FormatDelay(before, after Result, t Task, by int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "If “%s” is %s late, **%s** is done:\n", plain(t.Title), count(by, "day"), title(plain(before.Name)))
	if len(before.Scenarios) == 0 || len(after.Scenarios) == 0 {
		return before.Why + "\n"
	}
	b.WriteString("\n")
	moved := false
	for i, s := range after.Scenarios {
		was := before.Scenarios[i]
		moved = moved || !s.Date.Equal(was.Date) || s.Beyond != was.Beyond
		fmt.Fprintf(&b, "- P%d, %s: **%s**%s\n", s.Percentile, s.Name, end(s), instead(was, s))
	}
	if !moved {
		b.WriteString("\nThat changes no date: other work takes at least as long.\n")
	}
	first := true
	for i, d := range after.Deadlines {
		if i >= len(before.Deadlines) || percent(d.Likelihood) == percent(before.Deadlines[i].Likelihood) {
			continue
		}
		if first {
			b.WriteString("\nDeadlines:\n")
			first = false
		}
		fmt.Fprintf(&b, "- %s, %s: %s likely instead of %s\n", date(d.Date), plain(d.Name), percent(d.Likelihood), percent(before.Deadlines[i].Likelihood))
	}
	return b.String()
}

func end(s Scenario) string {
	if s.Beyond {
		return "not within five years"
	}
	return date(s.Date)
}

func instead(was, now Scenario) string {
	if end(was) == end(now) {
		return ", as without"
	}
	if was.Beyond || now.Beyond {
		return " instead of " + end(was)
	}
	return fmt.Sprintf(" instead of %s, %s later", end(was), count(int(now.Date.Sub(was.Date)/(24*time.Hour)), "day"))
}

package forecast

import (
	"fmt"
	"kist/agent/effort"
	"math"
	"slices"
	"sort"
	"time"
)

const (
	defaultRuns = 10_000
	maxRuns     = 100_000
	// driverShare is which part of the runs is played again for each driver: a
	// difference between two plays with the same draws needs fewer.
	driverShare = 10
	// maxDeadlines and maxEvidence bound what a result lists.
	maxDeadlines = 8
	maxEvidence  = 5
)

// Run plays the project that in describes. It reads nothing and always returns
// the same for the same arguments.
func Run(in Input, opts Options) Result {
	in = in.clean()
	r := Result{Name: in.Name, Today: in.Today, Runs: opts.Runs, Seed: opts.Seed}
	if r.Runs <= 0 {
		r.Runs = defaultRuns
	}
	r.Runs = min(r.Runs, maxRuns)
	if r.Seed == 0 {
		r.Seed = in.seed()
	}
	for _, t := range in.Tasks {
		switch {
		case t.open():
			r.Open++
		case t.Status == "done":
			r.Done++
		}
	}
	r.Basis, r.Why = in.basis(r.Open)
	r.Warnings = in.warnings(r.Open)
	if r.Basis == BasisDone || r.Basis == BasisNone {
		r.Deadlines = nil
		r.Assumptions = in.Notes
		return r
	}
	in.play(&r)
	return r
}

// play fills in what takes a simulation.
func (in Input) play(r *Result) {
	m := newModel(in, r.Basis == BasisHistory)
	r.Deadlines = in.deadlines(m)
	base := m.play(r.Seed, r.Runs)
	for _, s := range []Scenario{{Name: "optimistic", Percentile: 20}, {Name: "realistic", Percentile: 50}, {Name: "pessimistic", Percentile: 80}} {
		s.Date, s.Beyond = in.date(quantile(base.end, float64(s.Percentile)/100))
		r.Scenarios = append(r.Scenarios, s)
	}
	r.Curve = in.curve(base.end)
	mark := 0
	for i := range r.Deadlines {
		d := &r.Deadlines[i]
		until := float64(days(in.Today, d.Date))
		if d.Project {
			d.Likelihood = share(base.end, until)
		} else {
			d.Likelihood = share(base.marks[mark], until)
			mark++
		}
		if until < 0 {
			d.Likelihood = 0
		}
	}
	r.Drivers = in.drivers(m, r)
	r.Warnings = append(r.Warnings, in.late(r.Deadlines)...)
	r.Decisions = in.decisions(r)
	r.Assumptions = in.assumptions(m)
	r.Evidence = in.evidence(m)
}

// date is the day on which a run ends that takes so many days.
func (in Input) date(d float64) (time.Time, bool) {
	if math.IsInf(d, 1) {
		return time.Time{}, true
	}
	return in.Today.AddDate(0, 0, int(math.Ceil(max(d, 0)))), false
}

// clean drops what no forecast can be made from: estimates and dates that mean
// nothing, and history from the future.
func (in Input) clean() Input {
	in.Today, in.Created, in.Deadline = day(in.Today), day(in.Created), day(in.Deadline)
	if in.Today.IsZero() {
		in.Today = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if !effort.Usable(in.Hours) || in.Hours > 168 {
		in.Hours = 0
	}
	if !effort.Usable(in.Typical) {
		in.Typical, in.Sized = 0, false
	}
	in.Weeks = slices.Clone(in.Weeks[max(0, len(in.Weeks)-maxHistory):])
	for i := range in.Weeks {
		in.Weeks[i].Done = min(max(in.Weeks[i].Done, 0), 1<<20)
		in.Weeks[i].Added = min(max(in.Weeks[i].Added, 0), 1<<20)
	}
	in.Tasks = slices.Clone(in.Tasks)
	for i := range in.Tasks {
		t := &in.Tasks[i]
		t.Start, t.Due, t.Created, t.Done = day(t.Start), day(t.Due), day(t.Created), day(t.Done)
		if !effort.Usable(t.Hours) {
			t.Hours = 0
		}
	}
	return in
}

// basis says what can be said.
func (in Input) basis(open int) (Basis, string) {
	if len(in.Tasks) == 0 {
		return BasisNone, "The project has no tasks, so there is nothing to forecast."
	}
	if open == 0 {
		return BasisDone, "No task is open: what was planned is done."
	}
	done := 0
	for _, w := range in.Weeks {
		done += w.Done
	}
	if done >= MinDone && len(in.Weeks) >= MinWeeks {
		why := fmt.Sprintf("From the project's own pace: %s done in %s.", count(done, "task"), count(len(in.Weeks), "week"))
		if len(in.Weeks) < fewWeeks {
			why += " That is little to go by; the dates may still move a lot."
		}
		return BasisHistory, why
	}
	short := fmt.Sprintf("Too little history: %s with a known date of completion in %s; at least %d in %d weeks are needed.",
		count(done, "done task"), in.span(), MinDone, MinWeeks)
	estimated := 0
	for _, t := range in.Tasks {
		if t.open() && t.Hours > 0 {
			estimated++
		}
	}
	if estimated == 0 || in.Typical == 0 {
		return BasisNone, short + " No open task has an estimate either, so dates would be invented. Give the tasks a duration, or come back when more are done."
	}
	return BasisEstimates, short + fmt.Sprintf(" From estimates alone: %d of %d open tasks have one.", estimated, open)
}

// span says how long the project's history is, in which few tasks were done.
func (in Input) span() string {
	switch n := len(in.Weeks); {
	case n == 0:
		return "the short time that it has been there"
	case n == maxHistory:
		return fmt.Sprintf("the last %d weeks", maxHistory)
	case in.Since.IsZero():
		return count(n, "week")
	default:
		return fmt.Sprintf("%s, since %s", count(n, "week"), date(in.Since))
	}
}

// deadlines lists the dates that count, by date, and gives the model how much
// work each asks for. Tasks are taken to be done in the order of their dates.
func (in Input) deadlines(m *model) []Deadline {
	tasks := slices.DeleteFunc(slices.Clone(in.Tasks), func(t Task) bool { return !t.open() || t.Due.IsZero() })
	sort.SliceStable(tasks, func(i, j int) bool { return tasks[i].Due.Before(tasks[j].Due) })
	var all []Deadline
	work := 0.0
	for i, t := range tasks {
		work += in.weight(t, m.history)
		if i+1 < len(tasks) && tasks[i+1].Due.Equal(t.Due) || len(all) == maxDeadlines-1 {
			continue
		}
		d := Deadline{Name: t.Title, Date: t.Due, Tasks: i + 1, At: t.At}
		if i > 0 && tasks[i-1].Due.Equal(t.Due) {
			d.Name = fmt.Sprintf("%s and what is due with it", t.Title)
		}
		all = append(all, d)
		m.marks = append(m.marks, min(work, m.total))
	}
	if !in.Deadline.IsZero() {
		open := 0
		for _, t := range in.Tasks {
			if t.open() {
				open++
			}
		}
		all = append(all, Deadline{Name: "the project", Project: true, Date: in.Deadline, Tasks: open, At: in.Due})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Date.Before(all[j].Date) })
	return all
}

// drivers plays variants with the same draws and returns what moves the
// pessimistic date by a day or more.
func (in Input) drivers(m *model, r *Result) []Driver {
	runs := max(r.Runs/driverShare, 1)
	bare := *m
	bare.marks = nil
	m = &bare
	base := quantile(m.play(r.Seed, runs).end, 0.8)
	var out []Driver
	try := func(name string, at []Evidence, v *model) {
		with := quantile(v.play(r.Seed, runs).end, 0.8)
		d := Driver{Name: name, At: at[:min(len(at), maxEvidence)]}
		switch {
		case math.IsInf(with, 1):
			return
		case math.IsInf(base, 1):
			d.Beyond = true
		default:
			d.Days = int(math.Ceil(base)) - int(math.Ceil(with))
		}
		if d.Days >= 1 || d.Beyond {
			out = append(out, d)
		}
	}
	for _, v := range in.variants(m) {
		try(v.name, v.at, v.model)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := out[i], out[j]; a.Beyond != b.Beyond {
			return a.Beyond
		}
		return out[i].Days > out[j].Days
	})
	return out
}

type variant struct {
	name  string
	at    []Evidence
	model *model
}

// variants are the project without one thing each.
func (in Input) variants(m *model) []variant {
	var out []variant
	without := func(name string, change func(v *model)) {
		v := *m
		change(&v)
		out = append(out, variant{name: name, model: &v})
	}
	drop := func(name string, which func(Task) bool) {
		rest, at := in, []Evidence(nil)
		rest.Tasks = nil
		for _, t := range in.Tasks {
			if t.open() && which(t) {
				at = append(at, t.At)
			} else {
				rest.Tasks = append(rest.Tasks, t)
			}
		}
		if len(at) > 0 {
			out = append(out, variant{name, at, newModel(rest, m.history)})
		}
	}
	if m.history {
		without("tasks that come in while work goes on", func(v *model) { v.noArrivals = true })
		without("weeks that differ much from each other", func(v *model) { v.steady = true })
	} else {
		without("estimates that may be wrong", func(v *model) { v.exact = true })
	}
	if m.blocked != [buckets]bool{} {
		without("waiting for others", func(v *model) { v.blocked = [buckets]bool{} })
		out[len(out)-1].at = in.where(func(t Task) bool { return t.Blocked })
	}
	if m.start > 0 {
		without("tasks that start later", func(v *model) { v.start = 0 })
		out[len(out)-1].at = in.where(func(t Task) bool { return t.Start.After(in.Today) })
	}
	if limit := 3 * in.Typical; limit > 0 && (in.Sized || !m.history) {
		drop("large tasks", func(t Task) bool { return t.Hours >= limit })
	}
	drop("tasks of low priority or in the backlog", func(t Task) bool { return t.Priority == "low" || t.Status == "backlog" })
	return out
}

// where lists the open tasks that are so, a few of them.
func (in Input) where(which func(Task) bool) []Evidence {
	var out []Evidence
	for _, t := range in.Tasks {
		if t.open() && which(t) && len(out) < maxEvidence {
			out = append(out, t.At)
		}
	}
	return out
}

package forecast

import (
	"kist/agent/effort"
	"math"
	"slices"
)

const (
	// maxWeeks is how far a run goes. What isn't done in five years isn't planned
	// any more.
	maxWeeks = 260
	maxDays  = 7 * maxWeeks
	// buckets bounds how many errors and waits are drawn in a run, however many
	// tasks there are: the tasks of a bucket share them.
	buckets = 32
	// defaultHours is a full week, where the project doesn't say how much is worked.
	defaultHours = 40
	// taskError and paceError are the deviations of the logarithm of true over
	// estimated work, of a task and of all together. They are our assumption: with
	// both, eight of ten projects of many tasks need less than 1.4 times their
	// estimates.
	taskError = 0.5
	paceError = 0.3
	// meanWait is how many days a blocked task waits on average.
	meanWait = 7
)

// A model is an input made ready to be played. Sizes are in typical tasks where
// it stands on history, else in hours.
type model struct {
	history bool
	weeks   []Week
	hours   float64
	work    [buckets]float64 // open work by bucket
	total   float64
	waits   [buckets]float64 // days that the largest blocked task of a bucket needs, from 0 on
	blocked [buckets]bool
	start   float64   // no run ends before this day: start dates
	marks   []float64 // work up to each deadline, ascending

	// What a driver switches off.
	noArrivals, steady, exact bool
	meanDone, meanAdded       float64
}

// newModel prepares in. Marks are the amounts of work that deadlines ask for.
func newModel(in Input, history bool) *model {
	m := &model{history: history, weeks: in.Weeks, hours: in.Hours}
	if !effort.Usable(m.hours) {
		m.hours = defaultHours
	}
	if n := float64(len(m.weeks)); n > 0 {
		all := sum(m.weeks)
		m.meanDone, m.meanAdded = float64(all.Done)/n, float64(all.Added)/n
	}
	for _, t := range in.Tasks {
		if !t.open() {
			continue
		}
		b := bucketOf(t)
		w := in.weight(t, history)
		m.work[b] += w
		m.total += w
		need := in.size(t) / m.hours * 7
		if t.Blocked {
			m.blocked[b] = true
			m.waits[b] = max(m.waits[b], need)
		}
		if !t.Start.IsZero() {
			m.start = max(m.start, float64(days(in.Today, t.Start))+need)
		}
	}
	return m
}

// weight is a task's share of the work. With history a task is a task, unless
// estimates of done ones say what is typical; no task weighs more than eight.
func (in Input) weight(t Task, history bool) float64 {
	switch {
	case !history:
		return in.size(t)
	case in.Sized && effort.Usable(t.Hours):
		return min(max(t.Hours/in.Typical, 0.25), 8)
	}
	return 1
}

// bucketOf hashes where a task is (FNV-1a).
func bucketOf(t Task) int {
	h := uint32(2166136261)
	for i := range len(t.At.Path) {
		h = (h ^ uint32(t.At.Path[i])) * 16777619
	}
	h = (h ^ uint32(t.At.Line)) * 16777619
	return int(mix(uint64(h)) % buckets)
}

// An outcome is what all runs of a model came to, in days from today, sorted;
// +Inf: not in time to be told.
type outcome struct {
	end   []float64
	marks [][]float64 // by mark, sorted
}

// play plays the project so many times.
func (m *model) play(seed uint64, runs int) outcome {
	out := outcome{end: make([]float64, runs), marks: make([][]float64, len(m.marks))}
	for i := range out.marks {
		out.marks[i] = make([]float64, runs)
	}
	marks := make([]float64, len(m.marks))
	cumulative := make([]float64, len(m.weeks))
	for run := range runs {
		if m.history {
			out.end[run] = m.repeat(seed, run, cumulative, marks)
		} else {
			out.end[run] = m.estimate(seed, run, marks)
		}
		out.end[run] = max(out.end[run], m.start, m.wait(seed, run))
		for i, d := range marks {
			out.marks[i][run] = d
		}
	}
	slices.Sort(out.end)
	for _, mark := range out.marks {
		slices.Sort(mark)
	}
	return out
}

// repeat plays coming weeks as past ones and returns the day on which all is done.
func (m *model) repeat(seed uint64, run int, cumulative, marks []float64) float64 {
	weights := newStream(seed, run, forWeights, 0)
	whole := 0.0
	for i := range m.weeks {
		whole += weights.exponential()
		cumulative[i] = whole
	}
	draws := newStream(seed, run, forWeeks, 0)
	done, left, end, next := 0.0, m.total, math.Inf(1), 0
	for i := range marks {
		marks[i] = math.Inf(1)
	}
	for week := range maxWeeks {
		u := draws.uniform() * whole
		i := 0
		for i < len(cumulative)-1 && cumulative[i] < u {
			i++
		}
		pace, added := float64(m.weeks[i].Done), float64(m.weeks[i].Added)
		if m.steady {
			pace, added = m.meanDone, m.meanAdded
		}
		for next < len(marks) && m.marks[next] <= done+pace && pace > 0 {
			marks[next] = 7 * (float64(week) + max(0, m.marks[next]-done)/pace)
			next++
		}
		if pace > 0 && left <= pace && math.IsInf(end, 1) {
			end = 7 * (float64(week) + max(0, left)/pace)
		}
		if !math.IsInf(end, 1) && next == len(marks) {
			break
		}
		done += pace
		left -= pace
		if !m.noArrivals {
			left += added
		}
	}
	return end
}

// estimate works the estimates off and returns the day on which all is done.
func (m *model) estimate(seed uint64, run int, marks []float64) float64 {
	work := 0.0
	for b, w := range m.work {
		if w == 0 {
			continue
		}
		if m.exact {
			work += w
			continue
		}
		s := newStream(seed, run, forErrors, b)
		work += w * math.Exp(taskError*s.normal())
	}
	if !m.exact {
		s := newStream(seed, run, forPace, 0)
		work *= math.Exp(paceError * s.normal())
	}
	end := work / m.hours * 7
	for i, mark := range m.marks {
		marks[i] = beyond(end * mark / m.total)
	}
	return beyond(end)
}

// beyond makes a day that is too far away infinite.
func beyond(d float64) float64 {
	if d > maxDays || math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}

// wait is the day on which the last blocked task is done, from 0 on.
func (m *model) wait(seed uint64, run int) float64 {
	end := 0.0
	for b, blocked := range m.blocked {
		if blocked {
			s := newStream(seed, run, forWaits, b)
			end = max(end, meanWait*s.exponential()+m.waits[b])
		}
	}
	return beyond(end)
}

// quantile is the least day by which that share of the sorted runs is done.
func quantile(sorted []float64, p float64) float64 {
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// share is the part of the sorted runs that is done by the end of a day.
func share(sorted []float64, day float64) float64 {
	i, _ := slices.BinarySearch(sorted, math.Nextafter(day, math.Inf(1)))
	return float64(i) / float64(len(sorted))
}

package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func tasks(n int, change func(i int, t *Task)) []Task {
	var out []Task
	for i := range n {
		t := Task{Title: "task " + strconv.Itoa(i), Status: "todo", At: Evidence{Path: "projects/boat/tasks/" + strconv.Itoa(i) + ".md", Line: 1}}
		if change != nil {
			change(i, &t)
		}
		out = append(out, t)
	}
	return out
}

func weeks(done ...int) []Week {
	var out []Week
	for _, n := range done {
		out = append(out, Week{Done: n})
	}
	return out
}

func ends(t *testing.T, r Result) []int {
	t.Helper()
	var out []int
	for _, s := range r.Scenarios {
		d := math.MaxInt
		if !s.Beyond {
			d = days(r.Today, s.Date)
		}
		out = append(out, d)
	}
	if len(out) != 3 {
		t.Fatalf("%d scenarios, want 3: %s", len(out), r.Why)
	}
	return out
}

// A constant pace leaves nothing to chance.
func TestConstantPace(t *testing.T) {
	for _, tt := range []struct{ open, pace, want int }{{10, 2, 35}, {1, 2, 4}, {14, 7, 14}, {3, 1, 21}} {
		in := Input{Today: today, Tasks: tasks(tt.open, nil), Weeks: weeks(tt.pace, tt.pace, tt.pace, tt.pace, tt.pace)}
		if got, want := ends(t, Run(in, Options{})), []int{tt.want, tt.want, tt.want}; !slices.Equal(got, want) {
			t.Errorf("%d tasks at %d a week: %v days, want %v", tt.open, tt.pace, got, want)
		}
	}
}

// The quantiles are those of a simulation that was written apart, with another
// source of chance and none of the shortcuts.
func TestQuantilesOfNaiveSimulation(t *testing.T) {
	history := []Week{{3, 0}, {0, 1}, {5, 2}, {1, 0}, {2, 1}, {4, 0}, {0, 0}, {2, 2}}
	in := Input{Today: today, Tasks: tasks(30, nil), Weeks: history}
	got := newModel(in, true).play(1, 20_000).end
	rnd := rand.New(rand.NewPCG(1, 2))
	var want []float64
	for range 20_000 {
		p := make([]float64, len(history)) // a flat Dirichlet: gaps between sorted uniforms
		cuts := []float64{0, 1}
		for range len(history) - 1 {
			cuts = append(cuts, rnd.Float64())
		}
		slices.Sort(cuts)
		for i := range p {
			p[i] = cuts[i+1] - cuts[i]
		}
		left, day := 30.0, math.Inf(1)
		for w := range 10_000 {
			u, i := rnd.Float64(), 0
			for i < len(p)-1 && u > p[i] {
				u -= p[i]
				i++
			}
			if d := float64(history[i].Done); d > 0 && left <= d {
				day = 7 * (float64(w) + left/d)
				break
			}
			left += float64(history[i].Added - history[i].Done)
		}
		want = append(want, day)
	}
	slices.Sort(want)
	for _, p := range []float64{0.2, 0.5, 0.8} {
		if g, w := quantile(got, p), quantile(want, p); math.Abs(g-w) > 0.04*w {
			t.Errorf("P%g: %.1f days, the naive simulation says %.1f", 100*p, g, w)
		}
	}
}

// One task, half of 26 weeks with one done: the weeks until it is done are
// geometric with a success rate from Beta(13, 13), in closed form.
func TestQuantilesInClosedForm(t *testing.T) {
	var history []Week
	for i := range 26 {
		history = append(history, Week{Done: i % 2})
	}
	m := newModel(Input{Today: today, Tasks: tasks(1, nil), Weeks: history}, true)
	const runs = 40_000
	end := m.play(3, runs).end
	// P(more than k weeks) = E[(1-p)^k] = prod (13+i)/(26+i).
	more := 1.0
	for k := 1; k <= 5; k++ {
		more *= float64(13+k-1) / float64(26+k-1)
		got := 1 - share(end, float64(7*k))
		if bound := 4 * math.Sqrt(more*(1-more)/runs); math.Abs(got-more) > bound {
			t.Errorf("more than %d weeks: %.4f, want %.4f ± %.4f", k, got, more, bound)
		}
	}
}

// The estimates' errors: one task has a lognormal end with known quantiles.
func TestQuantilesOfOneEstimate(t *testing.T) {
	in := Input{Today: today, Tasks: tasks(1, func(_ int, t *Task) { t.Hours = 400 }), Typical: 400}
	end := newModel(in, false).play(5, 40_000).end
	sigma := math.Hypot(taskError, paceError)
	for p, z := range map[float64]float64{0.2: -0.8416, 0.5: 0, 0.8: 0.8416} {
		want := 70 * math.Exp(sigma*z)
		if got := quantile(end, p); math.Abs(got-want) > 0.03*want {
			t.Errorf("P%g: %.1f days, want %.1f", 100*p, got, want)
		}
	}
}

func TestBases(t *testing.T) {
	hours := func(_ int, t *Task) { t.Hours = 8 }
	done := func(_ int, t *Task) { t.Status = "done" }
	tests := []struct {
		name string
		in   Input
		want Basis
	}{
		{"no tasks", Input{}, BasisNone},
		{"all done", Input{Tasks: tasks(3, done)}, BasisDone},
		{"neither", Input{Tasks: tasks(3, nil)}, BasisNone},
		{"four done tasks are too few", Input{Tasks: tasks(3, nil), Weeks: weeks(2, 2)}, BasisNone},
		{"five in one week too", Input{Tasks: tasks(3, nil), Weeks: weeks(5)}, BasisNone},
		{"five in two weeks", Input{Tasks: tasks(3, nil), Weeks: weeks(5, 0)}, BasisHistory},
		{"estimates", Input{Tasks: tasks(3, hours), Typical: 8}, BasisEstimates},
		{"history comes first", Input{Tasks: tasks(3, hours), Typical: 8, Weeks: weeks(3, 3)}, BasisHistory},
		{"negative estimates are none", Input{Tasks: tasks(3, func(_ int, t *Task) { t.Hours = -8 }), Typical: -8}, BasisNone},
		{"nor is NaN one", Input{Tasks: tasks(3, func(_ int, t *Task) { t.Hours = math.NaN() }), Typical: math.NaN()}, BasisNone},
	}
	for _, tt := range tests {
		tt.in.Today = today
		r := Run(tt.in, Options{Runs: 50})
		if r.Basis != tt.want {
			t.Errorf("%s: basis %s, want %s", tt.name, r.Basis, tt.want)
		}
		if numbers := r.Basis == BasisHistory || r.Basis == BasisEstimates; numbers != (len(r.Scenarios) == 3) || r.Why == "" {
			t.Errorf("%s: %d scenarios, why %q", tt.name, len(r.Scenarios), r.Why)
		}
	}
}

func TestLikelihoodAndSigns(t *testing.T) {
	in := Input{Today: today, Weeks: weeks(2, 2, 2, 2, 2), Tasks: tasks(10, func(i int, t *Task) {
		t.At.Line = i + 1
		switch i {
		case 0:
			t.Due = today.AddDate(0, 0, -1) // overdue
		case 1:
			t.Due = today.AddDate(0, 0, 7) // second of the order: done on day 7
		case 2:
			t.Due = today.AddDate(0, 0, 8) // third: day 11
		case 3:
			t.Blocked = true
		}
	}), Deadline: today.AddDate(0, 0, 36), Due: Evidence{"p.md", 4, "due"}}
	r := Run(in, Options{Runs: 500})
	var got []float64
	for _, d := range r.Deadlines {
		got = append(got, d.Likelihood)
	}
	if len(got) != 4 || got[0] != 0 || got[1] != 1 || got[2] != 0 || got[3] < 0.95 {
		t.Errorf("likelihoods %v, want 0, 1, 0 and nearly 1", got)
	}
	want := []Evidence{in.Tasks[0].At}
	if len(r.Warnings) == 0 || !cmp.Equal(r.Warnings[0].At, want, cmpopts.IgnoreUnexported(Task{})) {
		t.Errorf("warnings %+v, want the overdue task first", r.Warnings)
	}
	if len(r.Decisions) == 0 || r.Decisions[0].By != today {
		t.Errorf("decisions %+v, want one for today", r.Decisions)
	}
}

func TestDrivers(t *testing.T) {
	in := Input{Today: today, Weeks: []Week{{4, 1}, {0, 3}, {6, 0}, {1, 2}, {5, 1}}, Tasks: tasks(20, func(i int, t *Task) {
		t.Blocked = i == 3
		if i > 15 {
			t.Priority = "low"
		}
		if i == 5 {
			t.Start = today.AddDate(0, 0, 400)
		}
	})}
	r := Run(in, Options{})
	if len(r.Drivers) == 0 || r.Drivers[0].Name != "tasks that start later" || r.Drivers[0].At[0] != in.Tasks[5].At {
		t.Errorf("drivers %+v, want the start date first, with its task", r.Drivers)
	}
	in.Tasks[5].Start = time.Time{}
	names := map[string]int{}
	for _, d := range Run(in, Options{}).Drivers {
		names[d.Name] = d.Days
	}
	for _, want := range []string{"tasks that come in while work goes on", "weeks that differ much from each other", "tasks of low priority or in the backlog"} {
		if names[want] <= 0 {
			t.Errorf("no driver %q in %v", want, names)
		}
	}
}

// drawInput makes any input, sane or not.
func drawInput(t *rapid.T) Input {
	date := rapid.Custom(func(t *rapid.T) time.Time {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return time.Time{}
		case 1:
			return time.Date(rapid.IntRange(-9999, 99999).Draw(t, "year"), 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return today.AddDate(0, 0, rapid.IntRange(-400, 400).Draw(t, "days"))
	})
	in := Input{
		Slug: "p", Today: today, Created: date.Draw(t, "created"), Deadline: date.Draw(t, "deadline"),
		Hours: rapid.SampledFrom([]float64{0, 5, 40, -3, 1e9, math.Inf(1)}).Draw(t, "hours"), Typical: rapid.SampledFrom([]float64{0, 4, -1, 1e300}).Draw(t, "typical"),
	}
	for range rapid.IntRange(0, 30).Draw(t, "weeks") {
		in.Weeks = append(in.Weeks, Week{rapid.IntRange(-1, 9).Draw(t, "done"), rapid.IntRange(-1, 4).Draw(t, "added")})
	}
	in.Tasks = tasks(rapid.IntRange(0, 30).Draw(t, "tasks"), func(_ int, task *Task) {
		task.Status = rapid.SampledFrom([]string{"todo", "todo", "done", "cancelled", "in_progress", "?"}).Draw(t, "status")
		task.Hours = rapid.SampledFrom([]float64{0, 0, 1, 8, -8, 500, math.NaN(), math.Inf(1)}).Draw(t, "estimate")
		task.Start, task.Due, task.Done = date.Draw(t, "start"), date.Draw(t, "due"), date.Draw(t, "done")
		task.Blocked = rapid.Bool().Draw(t, "blocked")
	})
	return in
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		opts := Options{Runs: 200}
		r := Run(in, opts)
		if diff := cmp.Diff(r, Run(in, opts)); diff != "" {
			t.Fatalf("a second run differs:\n%s", diff)
		}
		last := time.Time{}
		for _, s := range r.Scenarios {
			if !s.Beyond && (s.Date.Before(r.Today) || s.Date.Before(last)) {
				t.Fatalf("%s on %s, today is %s and the scenario before ends %s", s.Name, s.Date, r.Today, last)
			}
			if !s.Beyond && !last.IsZero() && last.Year() == 9999 {
				t.Fatalf("%s has a date though a likelier one hasn't", s.Name)
			}
			last = s.Date
			if s.Beyond {
				last = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
			}
		}
		for _, d := range r.Deadlines {
			if !(d.Likelihood >= 0 && d.Likelihood <= 1) {
				t.Fatalf("likelihood %g", d.Likelihood)
			}
		}
		for _, d := range r.Decisions {
			if d.By.Before(r.Today) {
				t.Fatalf("a decision by %s, before today", d.By)
			}
		}
		if len(Format(r)) > 16_000 {
			t.Fatalf("%d bytes of Markdown", len(Format(r)))
		}
	})
}

// With the same draws, more to do never ends earlier.
func TestMoreTasksNeverEndEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		less := in
		less.Tasks = nil
		for _, task := range in.Tasks {
			if rapid.Bool().Draw(t, "keep") {
				less.Tasks = append(less.Tasks, task)
			}
		}
		opts := Options{Seed: rapid.Uint64Min(1).Draw(t, "seed"), Runs: 100}
		few, many := Run(less, opts), Run(in, opts)
		if few.Basis != many.Basis || len(few.Scenarios) == 0 {
			return
		}
		for i, s := range many.Scenarios {
			f := few.Scenarios[i]
			if f.Beyond && !s.Beyond || !s.Beyond && !f.Beyond && s.Date.Before(f.Date) {
				t.Fatalf("%s: %d tasks end %s, %d of them %s", s.Name, many.Open, s.Date, few.Open, f.Date)
			}
		}
	})
}

// The same pace with more spread makes the pessimistic date later, more blocked
// tasks don't make any date earlier, and a day later never raises a likelihood's loss.
func TestMoreSpreadIsLater(t *testing.T) {
	even := Run(Input{Today: today, Tasks: tasks(20, nil), Weeks: weeks(2, 2, 2, 2, 2, 2)}, Options{Seed: 1})
	odd := Run(Input{Today: today, Tasks: tasks(20, nil), Weeks: weeks(6, 0, 0, 6, 0, 0)}, Options{Seed: 1})
	if e, o := ends(t, even), ends(t, odd); o[2] <= e[2] {
		t.Errorf("P80 after %d days with an uneven pace, %d with an even one", o[2], e[2])
	}
	in := Input{Today: today, Tasks: tasks(4, nil), Weeks: weeks(6, 6, 6)}
	free := ends(t, Run(in, Options{Seed: 1}))
	in.Tasks[2].Blocked = true
	for i, d := range ends(t, Run(in, Options{Seed: 1})) {
		if d < free[i] {
			t.Errorf("with a blocked task %d days, %d without", d, free[i])
		}
	}
}

func TestNeverAtThisPace(t *testing.T) {
	in := Input{Today: today, Tasks: tasks(500, nil), Weeks: []Week{{3, 5}, {2, 4}, {1, 6}}}
	r := Run(in, Options{Runs: 300})
	for _, s := range r.Scenarios {
		if !s.Beyond || !s.Date.IsZero() {
			t.Errorf("%s: %s, want no date", s.Name, s.Date)
		}
	}
	in.Tasks = in.Tasks[:40]
	if d := Run(in, Options{Runs: 300}).Drivers; len(d) == 0 || !d[0].Beyond || d[0].Name != "tasks that come in while work goes on" {
		t.Errorf("drivers %+v, want the tasks that come in", d)
	}
}

func BenchmarkRun(b *testing.B) {
	uneven := []Week{{3, 1}, {0, 2}, {5, 0}, {1, 0}, {2, 1}, {4, 0}, {0, 0}, {2, 2}, {3, 1}, {1, 1}, {6, 0}, {2, 0}}
	for _, bb := range []struct {
		name string
		in   Input
	}{
		{"history", Input{Weeks: uneven, Tasks: tasks(40, nil)}},
		{"history never ends", Input{Weeks: []Week{{3, 9}, {2, 9}, {0, 9}, {1, 9}}, Tasks: tasks(400, nil)}},
		{"estimates", Input{Typical: 8, Tasks: tasks(40, func(_ int, t *Task) { t.Hours = 8 })}},
		{"10,000 tasks", Input{Typical: 1, Tasks: tasks(10_000, func(i int, t *Task) { t.Hours = 1; t.Blocked = i%3 == 0; t.Due = today.AddDate(0, 0, i%50) })}},
	} {
		bb.in.Today = today
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Run(bb.in, Options{})
			}
		})
	}
}

// Draws that come from one sequence, as one would write it first, do let more tasks
// end earlier: what TestMoreTasksNeverEndEarlier guards against exists.
func TestOneSequenceOfDrawsWouldFail(t *testing.T) {
	end := func(seed uint64, sizes ...float64) (sum float64) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		for _, size := range sizes {
			sum += size * math.Exp(taskError*rnd.NormFloat64())
		}
		return sum
	}
	for seed := range uint64(100) {
		if end(seed, 0.1, 8, 8) < end(seed, 8, 8) { // the small task takes the draw of the first large one
			return
		}
	}
	t.Error("no seed shows the fault")
}

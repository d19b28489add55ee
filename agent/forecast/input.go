package forecast

import (
	"encoding/binary"
	"hash/fnv"
	"kist/agent/effort"
	"math"
	"time"
)

const (
	// MinDone is how many tasks with a known day of completion count as history.
	// Fewer say more about luck than about pace.
	MinDone = 5
	// MinWeeks is over how many weeks they must reach.
	MinWeeks = 2
	// fewWeeks is below how many weeks the result says how little it rests on: a month
	// holds no holiday and no bad spell.
	fewWeeks = 4
	// maxHistory is how many past weeks are looked at: half a year is what still
	// tells about the present.
	maxHistory = 26
)

// Evidence is where something is said. Text is that line, or what it means.
type Evidence struct {
	Path string
	Line int // from 1
	Text string
}

// A Task is one task or checkbox of a project.
type Task struct {
	Title    string
	Status   string  // backlog, todo, in_progress, done or cancelled
	Priority string  // as it is written
	Hours    float64 // estimated hours of work; 0: no estimate
	Start    time.Time
	Due      time.Time
	Created  time.Time
	Done     time.Time // zero for an open task and where it isn't known
	Blocked  bool      // waits for something else
	At       Evidence

	key    string // in the log
	logged bool   // Created comes from the log
}

func (t Task) open() bool { return t.Status != "done" && t.Status != "cancelled" }

// A Week is what happened in seven days. Weeks are counted back from today.
type Week struct {
	Done  int
	Added int
}

// An Input is all that a forecast is made from.
type Input struct {
	Slug     string
	Name     string
	Path     string // of the project's document
	Today    time.Time
	Created  time.Time // of the project; zero: not known
	Deadline time.Time // of the project; zero: none
	Due      Evidence  // where the deadline is said
	Tasks    []Task
	// Weeks are the past weeks, oldest first, at most 26 and none from before Since.
	Weeks []Week
	Since time.Time // when work began; zero: it hasn't, or isn't known
	// Hours is how much is worked in a week, and HoursAt where the project says so;
	// 0: it doesn't.
	Hours   float64
	HoursAt Evidence
	// Typical is what a task without an estimate counts for, in hours: the median
	// of the project's estimates; 0: there are none.
	Typical float64
	// Sized says that Typical comes from enough done tasks to compare open ones
	// with it.
	Sized bool
	// Notes say what in the files could not be used.
	Notes []string
}

// seed depends on all that a forecast depends on but the day.
func (in Input) seed() uint64 {
	h := fnv.New64a()
	var buf []byte
	put := func(parts ...string) {
		for _, s := range parts {
			buf = append(append(buf, s...), 0)
		}
	}
	num := func(values ...float64) {
		for _, f := range values {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
		}
	}
	put(in.Slug)
	num(in.Hours, in.Typical, float64(in.Deadline.Unix()))
	for _, t := range in.Tasks {
		put(t.Title, t.Status, t.At.Path)
		num(t.Hours, float64(t.Start.Unix()), float64(t.Due.Unix()))
		h.Write(buf)
		buf = buf[:0]
	}
	h.Write(buf)
	return h.Sum64()
}

// size is a task's work in hours.
func (in Input) size(t Task) float64 {
	if effort.Usable(t.Hours) {
		return t.Hours
	}
	return in.Typical
}

// day is the day of a time, as UTC midnight; the zero time for the zero time and
// for years that no plan is about.
func day(t time.Time) time.Time {
	if t.IsZero() || t.Year() < 1970 || t.Year() > 2200 {
		return time.Time{}
	}
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// days counts from a to b.
func days(a, b time.Time) int { return int(math.Round(b.Sub(a).Hours() / 24)) }

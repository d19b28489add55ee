package forecast

import "time"

// Basis is what a forecast stands on.
type Basis string

// The bases.
const (
	BasisHistory   Basis = "history"   // tasks done in past weeks
	BasisEstimates Basis = "estimates" // durations in task files alone
	BasisNone      Basis = "none"      // nothing: no dates are given
	BasisDone      Basis = "done"      // no task is open
)

// A Result is what [Run] found out. Without Scenarios there are no numbers, and
// Why says the reason.
type Result struct {
	Name  string
	Today time.Time
	Basis Basis
	Why   string
	Open  int
	Done  int

	Scenarios   []Scenario // by percentile: 20, 50, 80
	Curve       []Share    // by date
	Deadlines   []Deadline // by date
	Drivers     []Driver   // the largest effect first
	Warnings    []Note
	Decisions   []Decision // by date
	Assumptions []string
	Evidence    []Evidence

	Seed uint64
	Runs int
}

// A Scenario is a date that a share of all runs is done by.
type Scenario struct {
	Name       string // optimistic, realistic or pessimistic
	Percentile int
	Date       time.Time // zero where Beyond
	Beyond     bool      // more than five years away, or never at this pace
}

// A Deadline is a date in the files and how likely it is met.
type Deadline struct {
	Name       string
	Project    bool // the project's own
	Date       time.Time
	Tasks      int     // open tasks that must be done by then
	Likelihood float64 // from 0 to 1
	At         Evidence
}

// A Driver is something that moves the pessimistic date.
type Driver struct {
	Name string
	// Days is how much earlier the pessimistic date would be without it.
	Days   int
	Beyond bool // without it there would be a date at all
	At     []Evidence
}

// A Note is a sentence with where it comes from.
type Note struct {
	Text string
	At   []Evidence
}

// A Decision is something to be decided by a date.
type Decision struct {
	By   time.Time
	Text string
	At   []Evidence
}

// Options for [Run]; the zero value is usable.
type Options struct {
	Seed uint64 // 0: the input's own
	Runs int    // 0: 10,000; at most 100,000
}

package audit

import (
	"cmp"
	"sort"
)

// Kind is what a finding is about.
type Kind string

// The kinds.
const (
	Completeness Kind = "completeness"
	Consistency  Kind = "consistency"
	Risk         Kind = "risk"
	Feasibility  Kind = "feasibility"
	Missing      Kind = "missing"
)

const (
	maxFindings = 40 // in a report
	maxEvidence = 5  // of a finding
	maxText     = 160
	maxStrength = 5
)

// Evidence is a line that shows something.
type Evidence struct {
	Path string
	Line int // from 1
	Text string
}

// A Finding is something that deserves a look.
type Finding struct {
	Kind       Kind
	Severity   int // from 1 to 10; from 5 on it should be dealt with
	Title      string
	Detail     string
	Evidence   []Evidence // at most five
	Suggestion string
}

// A Dimension is one of the nine sides of a project and how much is written on it.
type Dimension struct {
	Name  string
	Core  bool // one of the three that every project needs
	Score int  // from 0 (nothing) to 10
	At    Evidence
}

// A Strength is something that is done well.
type Strength struct {
	Text string
	At   Evidence
}

// A Report is what an audit found.
type Report struct {
	Name         string
	Severity     int     // that of the worst finding; 0: none
	Completeness float64 // from 0 to 1, as [Measure] gives it
	Findings     []Finding
	Left         int // findings that were left out
	Dimensions   []Dimension
	Strengths    []Strength
	Read         []string // paths of the files that it rests on
}

// sort orders and bounds a report's findings.
func (r *Report) sort() {
	for i := range r.Findings {
		f := &r.Findings[i]
		sort.SliceStable(f.Evidence, func(i, j int) bool {
			a, b := f.Evidence[i], f.Evidence[j]
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) < 0
		})
		f.Evidence = f.Evidence[:min(len(f.Evidence), maxEvidence)]
	}
	sort.SliceStable(r.Findings, func(i, j int) bool {
		a, b := r.Findings[i], r.Findings[j]
		x, y := a.first(), b.first()
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(a.Title, b.Title)) < 0
	})
	if len(r.Findings) > 0 {
		r.Severity = r.Findings[0].Severity
	}
	if n := len(r.Findings); n > maxFindings {
		r.Left = n - maxFindings
		r.Findings = r.Findings[:maxFindings]
	}
	r.Strengths = r.Strengths[:min(len(r.Strengths), maxStrength)]
}

func (f Finding) first() Evidence {
	if len(f.Evidence) == 0 {
		return Evidence{}
	}
	return f.Evidence[0]
}

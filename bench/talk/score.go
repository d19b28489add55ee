package talk

import (
	"math"
	"slices"
	"time"

	"kist/agent"
)

// A Score is how the turns on one rung went. Times are in milliseconds.
type Score struct {
	Rung  string `json:"rung"`           // native, union, text, or offline: the partner alone
	Ended string `json:"ended"`          // the rung that its calls were read on at last; empty: the partner's
	Lost  string `json:"lost,omitempty"` // why it ended early; empty: it didn't

	Turns     int            `json:"turns"`
	Right     int            `json:"right"`          // what was wanted was done
	Alone     int            `json:"right_by_model"` // of them, by its own calls or words: not kept by kist itself, nor by the partner in its place
	Beside    int            `json:"taken_over"`     // turns that the partner took over
	Failed    int            `json:"failed"`         // turns that ended with an error, in words
	Calls     int            `json:"calls"`          // that ran
	Refused   int            `json:"refused_calls"`  // that made no sense, or weren't allowed, and didn't run
	Requests  int            `json:"requests"`       // of the server
	Output    int            `json:"output_tokens"`
	FirstText *Times         `json:"first_text"` // nil: nothing was said
	Turn      *Times         `json:"turn"`
	Speed     float64        `json:"tokens_per_second"` // of its answers, the time for reading the question included
	OwnMillis float64        `json:"own_ms"`            // kist's own time of a turn, on average
	OwnShare  float64        `json:"own_share"`         // of a turn's time
	Kinds     map[string]int `json:"right_by_kind"`

	// What must be 0, the number of faults of each kind, and what the first ones were.
	Invalid int      `json:"invalid"`
	Endless int      `json:"endless"`
	Raw     int      `json:"raw"`
	Faults  []string `json:"faults,omitempty"`

	first, took []time.Duration
	sum, waited time.Duration
}

// Times are the middle and the 95th percentile of some, in milliseconds.
type Times struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
}

// Broken is how many faults there were.
func (s *Score) Broken() int { return s.Invalid + s.Endless + s.Raw }

// Own is kist's own time and what its server took of the rest, of all turns.
func (s *Score) Own() (own, server time.Duration) { return s.sum - s.waited, s.waited }

// faultsKept is how many faults are told of: more say no more.
const faultsKept = 5

// fault notes what must not be so of a turn that was asked for in some words.
func (s *Score) fault(said string, t Turn) {
	for _, f := range t.Faults {
		switch f.Kind {
		case Invalid:
			s.Invalid++
		case Endless:
			s.Endless++
		case Raw:
			s.Raw++
		}
		if len(s.Faults) < faultsKept {
			s.Faults = append(s.Faults, said+": "+f.Text)
		}
	}
}

// take notes a turn, what it did and how long it took, of which the server was waited for.
func (s *Score) take(w Wish, t Turn, done bool, waited time.Duration) {
	s.Turns++
	s.took = append(s.took, t.Took)
	s.sum, s.waited = s.sum+t.Took, s.waited+min(waited, t.Took)
	if t.First > 0 {
		s.first = append(s.first, t.First)
	}
	s.fault(w.Text, t)
	beside := s.Rung != partner && t.By == partner
	if beside {
		s.Beside++
	}
	if t.Failed != nil {
		s.Failed++
	}
	ran := s.Calls
	s.count(t)
	if done {
		s.Right++
		s.Kinds[w.Kind]++
		// What is looked for may be found before the model is asked, and is then in its words.
		if !beside && (s.Calls > ran || w.Kind == searches) {
			s.Alone++
		}
	}
}

// count notes what a turn called and used.
func (s *Score) count(t Turn) {
	for _, e := range t.Events {
		switch e := e.(type) {
		case agent.ToolCall:
			if e.Error == "" {
				s.Calls++
			} else {
				s.Refused++
			}
		case agent.Usage:
			s.Output += e.Output
		}
	}
}

// sums works out what is told of all turns.
func (s *Score) sums() {
	s.FirstText, s.Turn = times(s.first), times(s.took)
	if s.waited > 0 {
		s.Speed = float64(s.Output) / s.waited.Seconds()
	}
	if s.Turns > 0 && s.sum > 0 {
		own, _ := s.Own()
		s.OwnMillis = millis(own) / float64(s.Turns)
		s.OwnShare = own.Seconds() / s.sum.Seconds()
	}
}

func times(all []time.Duration) *Times {
	if len(all) == 0 {
		return nil
	}
	all = slices.Sorted(slices.Values(all))
	at := func(part float64) float64 { return millis(all[int(math.Ceil(part*float64(len(all))))-1]) }
	return &Times{P50: at(0.5), P95: at(0.95)}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

package torture

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// This file holds what a run is asked to do and what it found.

// Options say how long and how to torture.
type Options struct {
	Time  time.Duration // at most
	Kills int           // with Saves and Lates: stop when all are reached; 0: go on
	Saves int
	Lates int // of the saves those into displaced files
	Seed  uint64
	// Late is how long after a file was displaced, at most, an editor that holds it
	// open writes into it: one entry a folder, in turn. 0: as soon as it sees that;
	// empty: always 0. A folder goes on until there was time for such writes.
	Late  []time.Duration
	Dir   string    // keeps everything here; empty: a temporary folder, kept after a fault
	Still bool      // no editors
	naive bool      // test of the test
	Out   io.Writer // progress and faults; nil: standard error
}

// Result is what happened.
type Result struct {
	Seed       uint64
	Took       time.Duration
	Rounds     int
	Folders    int
	Kills      int // all; of them
	Planned    int // in the write path, at a call
	InRecovery int
	Injected   int // failed calls
	Saves      int
	Operations int // acknowledged
	Turns      int
	Refused    int
	Undone     int            // by the daemon, one by one
	Copies     int            // conflict copies
	Compared   int            // how often a follower was compared with the files
	Settled    time.Duration  // the longest that settling took
	Lates      int            // saves into files that were displaced
	Styles     map[string]int // saves
	At         map[string]int // kills by call; each known call has an entry
	Faults     map[string]int
	Kept       []string // folders of faults
}

// Good reports whether there was no fault and all goals were reached.
func (r *Result) Good(o Options) bool {
	return len(r.Faults) == 0 && r.Kills >= o.Kills && r.Saves >= o.Saves && r.Lates >= o.Lates
}

// Print writes the report.
func (r *Result) Print(w io.Writer) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	p("seed %d, %s: %d rounds in %d folders", r.Seed, r.Took.Round(time.Second), r.Rounds, r.Folders)
	p("%9d kills (%d of them at a call of the write path, %d in recovery), %d failed calls", r.Kills, r.Planned, r.InRecovery, r.Injected)
	for _, name := range slices.Sorted(maps.Keys(r.At)) {
		p("          %6d at %s", r.At[name], name)
	}
	p("%9d editor saves", r.Saves)
	for _, name := range slices.Sorted(maps.Keys(r.Styles)) {
		p("          %6d %s", r.Styles[name], name)
	}
	p("%9d operations acknowledged, %d refused, %d turns", r.Operations, r.Refused, r.Turns)
	p("%9d operations taken back at the end of a folder", r.Undone)
	p("%9d conflict copies", r.Copies)
	p("%9d comparisons of a follower with the files", r.Compared)
	p("%9s until all was settled, at most", r.Settled.Round(time.Millisecond))
	for _, kind := range faultKinds() {
		p("%9d %s", r.Faults[kind], kind)
	}
	for _, k := range r.Kept {
		p("kept: %s", k)
	}
}

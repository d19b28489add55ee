package watch

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// script drives a coalescer with a settle of 20 and a ceiling of 250 through a
// series of changes and returns when "note.md" was reported, all in milliseconds.
func script(changes []change) (reports []int) {
	c := newCoalescer(20*time.Millisecond, 250*time.Millisecond)
	start := time.Unix(1_000_000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	for now := 0; now < 3000; now++ {
		for _, ch := range changes {
			if ch.at == now {
				c.touch("note.md", at(now), ch.doubtful)
			}
		}
		if paths, _ := c.pop(at(now)); len(paths) > 0 {
			reports = append(reports, now)
		}
	}
	return reports
}

type change struct {
	at       int
	doubtful bool
}

func TestCoalescer(t *testing.T) {
	every := func(from, to, step int) (changes []change) {
		for ms := from; ms <= to; ms += step {
			changes = append(changes, change{at: ms})
		}
		return changes
	}
	tests := []struct {
		name    string
		changes []change
		want    []int
	}{
		{"the first change is reported at once", []change{{at: 5}}, []int{5}},
		{"changes before the report are one", []change{{at: 5}, {at: 5}, {at: 5}}, []int{5}},
		{"a second one waits until quiet", []change{{at: 5}, {at: 8}, {at: 20}}, []int{5, 40}},
		{"a later one is a first one again", []change{{at: 5}, {at: 25}}, []int{5, 25}},
		{"never quiet: the ceiling, then the last state", every(0, 400, 10), []int{0, 260, 420}},
		{"slow chunks are each reported", every(0, 90, 30), []int{0, 30, 60, 90}},
		{"an empty file waits", []change{{5, true}}, []int{25}},
		{"an empty file that gets its text doesn't", []change{{5, true}, {7, false}}, []int{7}},
		{"removed and made again is one report", []change{{5, true}, {6, true}, {9, false}}, []int{9}},
		{"made, then removed", []change{{5, false}, {9, true}}, []int{5, 29}},
		{"empty over and over is reported at the ceiling", []change{{0, true}, {15, true}, {30, true}, {45, true}, {60, true}, {75, true}, {90, true}, {105, true}, {120, true}, {135, true}, {150, true}, {165, true}, {180, true}, {195, true}, {210, true}, {225, true}, {240, true}}, []int{250}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, script(tt.changes)); diff != "" {
				t.Errorf("reports (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever happens to a path, something is reported at or after its last change,
// and no later than the longer of the two delays.
func TestCoalescerReportsTheLastState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) change {
			return change{rapid.IntRange(0, 1500).Draw(t, "at"), rapid.Bool().Draw(t, "doubtful")}
		}), 1, 60).Draw(t, "changes")
		reports := script(changes)
		for _, ch := range changes {
			reported := false
			for _, r := range reports {
				reported = reported || (r >= ch.at && r <= ch.at+250)
			}
			if !reported {
				t.Fatalf("the change at %d ms was not reported within the ceiling: %v", ch.at, reports)
			}
		}
	})
}

func TestCoalescerForgets(t *testing.T) {
	c := newCoalescer(20*time.Millisecond, 250*time.Millisecond)
	now := time.Unix(1_000_000, 0)
	for i := range 1000 {
		c.touch(string(rune('a'+i)), now, i%2 == 0)
	}
	c.touch(everything, now, true)
	rescans := 0
	for range 10 {
		if _, rescan := c.pop(now); rescan != "" {
			rescans++
		}
		next, ok := c.next()
		if !ok {
			break
		}
		now = next
	}
	if _, ok := c.next(); ok || len(c.paths) != 0 || rescans != 1 {
		t.Errorf("after all is reported: %d paths kept, waiting %v; %d rescans, want 1", len(c.paths), ok, rescans)
	}
}

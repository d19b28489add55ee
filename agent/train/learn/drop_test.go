package learn_test

import (
	"slices"
	"testing"

	"kist/agent/intent/linear"
	"kist/agent/train/learn"
)

// TestDrop checks that what is learned without some features at a time is the same
// each time, and finds what matters.
func TestDrop(t *testing.T) {
	o := options
	o.Drop = 0.4
	a, b := learn.Train(examples(300), o), learn.Train(examples(300), o)
	if !slices.Equal(a.Encode(), b.Encode()) {
		t.Error("the same examples gave other weights")
	}
	for i, want := range []string{"a", "b", "c"} {
		if got := best(a, []uint32{uint32(i), 120, 130}); got != want {
			t.Errorf("feature %d: %s, want %s", i, got, want)
		}
	}
}

// TestTagging learns that what stands behind a 1 is inside until a 2 comes.
func TestTagging(t *testing.T) {
	row := func(tokens ...uint32) linear.Sequence {
		s := linear.Sequence{}
		tag := "out"
		for _, w := range tokens {
			s.Features, s.Keys = append(s.Features, []uint32{w}), append(s.Keys, []uint32{w})
			switch w {
			case 1:
				tag = "in"
			case 2:
				tag = "out"
			}
			s.Tags = append(s.Tags, tag)
		}
		return s
	}
	may := func(string, string) bool { return true }
	all := []linear.Sequence{row(3, 1, 3, 3, 2, 3), row(3, 3, 1, 3, 2, 3, 3), row(1, 3, 2), row(3, 3, 3)}
	o := learn.Options{Rounds: 10, Seen: 1, Keep: 1000}
	m := learn.TrainSequences(all, func(int) linear.May { return may }, o)
	s := row(3, 1, 3, 3, 3, 2, 3, 3)
	if got := m.Tag(s, may); !slices.Equal(got, s.Tags) {
		t.Errorf("%v, want %v", got, s.Tags)
	}
	if got := m.Tag(s, func(string, string) bool { return false }); got != nil {
		t.Errorf("%v, though no tag may be", got)
	}
}

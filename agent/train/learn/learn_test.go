package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kist/agent/intent/linear"
	"kist/agent/train/learn"
)

var options = learn.Options{Rounds: 10, Rate: 0.5, Decay: 1e-4, Seen: 1, Keep: 1000}

// examples of three classes, each with a feature of its own among random ones.
func examples(n int) []learn.Example {
	random := rand.New(rand.NewPCG(3, 4))
	var all []learn.Example
	for i := range n {
		e := learn.Example{Class: string(rune('a' + i%3)), Features: []uint32{uint32(i % 3), math.MaxUint32}}
		for range 5 {
			if f := 100 + random.Uint32N(50); !slices.Contains(e.Features, f) {
				e.Features = append(e.Features, f)
			}
		}
		all = append(all, e)
	}
	return all
}

func best(m *linear.Model, features []uint32) string {
	scores := m.Scores(features)
	return m.Classes[slices.Index(scores, slices.Max(scores))]
}

func TestTrainFindsWhatMatters(t *testing.T) {
	m := learn.Train(examples(300), options)
	for i, want := range []string{"a", "b", "c"} {
		if got := best(m, []uint32{uint32(i), 120, 130, 7777}); got != want {
			t.Errorf("feature %d: %s, want %s", i, got, want)
		}
	}
}

func TestTrainIsDeterministic(t *testing.T) {
	a, b := learn.Train(examples(200), options).Encode(), learn.Train(examples(200), options).Encode()
	if !slices.Equal(a, b) {
		t.Error("the same examples gave other weights")
	}
}

func TestKeepBoundsWeights(t *testing.T) {
	o := options
	o.Keep = 20
	if _, weights := learn.Train(examples(200), o).Size(); weights > 20 || weights == 0 {
		t.Errorf("%d weights", weights)
	}
}

func TestEncodeAndBack(t *testing.T) {
	m := learn.Train(examples(200), options)
	back, err := linear.Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples(20) {
		if !slices.Equal(m.Scores(e.Features), back.Scores(e.Features)) || !slices.Equal(m.Classes, back.Classes) {
			t.Fatalf("%v: %v, read back %v", e, m.Scores(e.Features), back.Scores(e.Features))
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole := learn.Train(examples(30), options).Encode()
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := linear.Decode(data)
		if err == nil {
			m.Scores([]uint32{0, 1, 100, math.MaxUint32})
		} else if !errors.Is(err, linear.ErrBroken) {
			t.Error(err)
		}
	})
}

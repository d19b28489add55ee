package consent

import (
	"slices"
	"testing"
)

func TestChoiceOf(t *testing.T) {
	three := []string{"add the task “Rent a van”, as you asked", "add the task “Buy tape”, as you asked", "add the task “Call the electrician”, as you asked"}
	tests := []struct {
		text       string
		take, drop []int
	}{
		{"only the first two", []int{0, 1}, []int{2}},
		{"just the last one, please", []int{2}, []int{0, 1}},
		{"all but the second", []int{0, 2}, []int{1}},
		{"everything except the last two", []int{0}, []int{1, 2}},
		{"do all of them except for number 3", []int{0, 1}, []int{2}},
		{"yes to the first and the third", []int{0, 2}, nil},
		{"1 and 3", []int{0, 2}, nil},
		{"1-2", []int{0, 1}, nil},
		{"the 2nd", []int{1}, nil},
		{"skip the second one", nil, []int{1}},
		{"go, but not the third", []int{0, 1}, []int{2}},
		{"yes, but skip the tape", []int{0, 2}, []int{1}},
		{"no, only the first", []int{0}, []int{1, 2}},
		{"only the van", []int{0}, []int{1, 2}},
		{"the van and the tape, not the electrician", []int{0, 1}, []int{2}},
		{"do the first, drop the rest", []int{0}, []int{1, 2}},
		{"drop the tape, do the rest", []int{0, 2}, []int{1}},
		{"everything but the electrician", []int{0, 1}, []int{2}},
		{"Only the second one, don't add the first.", []int{1}, []int{0, 2}},
	}
	for _, tt := range tests {
		got, ok := ChoiceOf(tt.text, three)
		if !ok || !slices.Equal(got.Take, tt.take) || !slices.Equal(got.Drop, tt.drop) {
			t.Errorf("ChoiceOf(%q) = %v, %v, want take %v, drop %v", tt.text, got, ok, tt.take, tt.drop)
		}
	}
	for _, text := range []string{"", "the van", "tape", "what about the second?", "only the fourth", "all but the boat", "the first thing tomorrow is coffee",
		"call the electrician", "do the dishes", "the second task is late", "go to the first floor", "only the task", "all", "rent a van first", "go", "no", "not now", "the first of May", "buy two"} {
		if got, ok := ChoiceOf(text, three); ok {
			t.Errorf("ChoiceOf(%q) = %v, want none", text, got)
		}
	}
	if _, ok := ChoiceOf("the first", three[:1]); ok {
		t.Error("one proposal is no choice")
	}
}

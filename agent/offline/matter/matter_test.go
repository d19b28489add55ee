package matter

import (
	"slices"
	"testing"
)

// What has nothing in common with a matter isn't of it because it was told in between, nor is what
// points back to that; what points back to the matter is.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		about string
		lines []string
		stay  []int
	}{
		{"choir tour", []string{
			"2026-11-27: The choir tour to Bergen needs a bus for 42 people",
			"2026-11-27: Nils from the bus company said he has a bus with 44 seats",
			"[ ] Book the hotel for the choir tour [due:: 2027-01-12]",
			"2026-11-27: My dentist appointment moved to Thursday at 9",
			"2026-11-27: The choir tour costs 310 per singer",
			"2026-11-27: It is from the 4th to the 9th of May",
		}, []int{3}},
		{"boiler", []string{
			"[ ] Call the plumber about the boiler",
			"[ ] Buy cat food [due:: 2026-12-04] I also need to buy cat food by Friday",
			"2026-11-27: It must be the chicken one",
			"2026-11-27: The plumber wants 240 euros for a new valve",
			"2026-11-27: They can come in the morning",
		}, []int{1, 2}},
	} {
		var lines, want []Line
		for i, text := range c.lines {
			lines = append(lines, Line{Text: text})
			if !slices.Contains(c.stay, i) {
				want = append(want, lines[i])
			}
		}
		if got := Of(lines, c.about); !slices.Equal(got, want) {
			t.Errorf("of %q: %q, want %q", c.about, got, want)
		}
	}
}

// What was told in one message goes on with what it began with.
func TestOfOneMessage(t *testing.T) {
	lines := []Line{
		{"2026-11-27: The wedding is on the 5th of June", "a"},
		{"2026-11-27: The caterer wants 20 per head", "a"},
		{"2026-11-27: The dentist moved to Thursday", "b"},
		{"2026-11-27: The parking is behind the chemist's", "b"},
		{"2026-11-27: The wedding dress is paid", "c"},
	}
	want := []Line{lines[0], lines[1], lines[4]}
	if got := Of(lines, "wedding"); !slices.Equal(got, want) {
		t.Errorf("of the wedding: %q, want %q", got, want)
	}
}

// A matter is named by a noun: neither by what somebody does nor by whoever it is.
func TestShared(t *testing.T) {
	lines := []Line{
		{"2026-11-27: Ann says the boiler leaks and somebody must see to it", "a"},
		{"2026-11-27: The boiler is from 2011, Ben says", "b"},
		{"2026-11-27: Somebody says that a boiler like it costs 2,000", "c"},
	}
	for said, want := range map[string]string{
		"The old boiler makes a noise again":              "boiler",
		"The boiler's pump is loud":                       "boiler",
		"Carl says so too":                                "",
		"Somebody must look at it, or his mother says so": "",
	} {
		if got := Shared(lines, said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// A matter has a name where two words that say what it is stand in two messages, or a noun for what
// people set out to do: not a common word, nor who says something.
func TestName(t *testing.T) {
	tour := []Line{{"2026-11-27: The choir tour costs 310 a head", "a"}, {"[ ] Book a bus for the choir tour", "b"}}
	card := []Line{{"2026-11-27: I paid with my card", "a"}, {"[ ] Ask the bank about a card", "b"}}
	wedding := []Line{{"2026-11-27: The wedding is in June", "a"}, {"[ ] Ring Bo about the wedding", "b"}}
	once := []Line{{"2026-11-27: The old boiler leaks, an old boiler does", "a"}, {"2026-11-27: The boiler is from 2011", "b"}}
	for _, c := range []struct {
		lines      []Line
		noun, want string
	}{{tour, "tour", "Choir Tour"}, {card, "card", ""}, {wedding, "wedding", "Wedding"}, {once, "boiler", ""}} {
		if got := Name(c.lines, c.noun); got != c.want {
			t.Errorf("%q: %q, want %q", c.noun, got, c.want)
		}
	}
	said := []Line{{"2026-11-27: the gazebo is my bro huw's", "a"}, {"2026-11-27: huw says it broke", "b"}, {"[ ] Pay huw", "c"}}
	if got := Shared(said, "that is for my huw"); got != "" {
		t.Errorf("%q is somebody", got)
	}
}

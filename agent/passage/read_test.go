package passage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	doc := `---
type: project
name: Boat
due: 2027-05-15
---
# Boat

The surveyor is Ms. Holm from the harbour office,
who comes in March.

## Reality

What we know:

- the hull is sound,
  says the yard
- the cable is old

<!-- operations 01J -->
Colours:
blue and white

- Teak
- Oak:
  - from Sweden
`
	title, list := Read(strings.Split(doc, "\n"), 1)
	var got []string
	for _, p := range list {
		got = append(got, fmt.Sprintf("%d %s: %s %q", p.Line, p.Section, p.Text, p.Follow))
	}
	want := []string{
		`4 : due: 2027-05-15 []`,
		`8 boat: The surveyor is Ms. Holm from the harbour office, who comes in March. []`,
		`13 reality: What we know: ["the hull is sound, says the yard" "the cable is old"]`,
		`15 reality: the hull is sound, says the yard []`,
		`17 reality: the cable is old []`,
		`20 reality: Colours: blue and white []`,
		`23 reality: Teak []`,
		`24 reality: Oak: ["from Sweden"]`,
		`25 reality: from Sweden []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if strings.TrimSpace(title) != "Boat" {
		t.Errorf("title %q", title)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"The bow is 2. The stern is old. they said.":                       {"The bow is 2. The stern is old. they said."},
		"walked round it. door is 71cm. key hangs in the shed, ca. 2m up.": {"walked round it.", "door is 71cm.", "key hangs in the shed, ca. 2m up."},
		"2026-11-02: rang him. all fine":                                   {"2026-11-02: rang him.", "all fine"},
		"The Shop is open! Come in. iPads are sold there.":                 {"The Shop is open!", "Come in. iPads are sold there."},
	} {
		if diff := cmp.Diff(want, Sentences(text)); diff != "" {
			t.Error(diff)
		}
	}
}

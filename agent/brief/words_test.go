package brief

import (
	"regexp"
	"strings"
	"testing"

	"kist/agent/model"
)

// Each place that a text has is filled, and none in what fills one.
func TestPlaces(t *testing.T) {
	place := regexp.MustCompile(`(^|[^{])\{[a-z_]+\}`)
	for _, mode := range model.Modes() {
		s := inMode(mode)
		if left := place.FindAllString(write(t, s, 0), -1); len(left) > 0 {
			t.Errorf("%s: %q are left", mode, left)
		}
		s.Project.Name, s.Memories, s.Question.Text = "{slug}", []string{"{projects} {name}"}, "{memory}?"
		s.Projects[0].Description, s.Passages[1].Text = "{name}", "{path}:{line}"
		text := write(t, s, 0)
		for _, want := range []string{"the project **{slug}** (`atlas`", "You remember: {projects} {name}\n", "asked last: {memory}?\n", "`atlas` Atlas: {name}\n", "\n{path}:{line}\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", mode, want, text)
			}
		}
	}
}

func TestUnknownModeAddsNothing(t *testing.T) {
	s := inMode("general")
	want := write(t, s, 0)
	if s.Mode = "other_mode"; write(t, s, 0) != want {
		t.Error("a mode without a text of its own adds something")
	}
}

package language

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestTemplateFillsItsPlaces(t *testing.T) {
	any := func(string, []Token) bool { return true }
	tests := []struct{ template, text, want string }{
		{"move {task} to {date}", "move the crane to Monday", "date=Monday task=the crane words=2"},
		{"move {task} to {date}", "move to Monday", ""},
		{"rename {old} to {new}", "rename Trip to Spain to Iberia", "new=Spain to Iberia old=Trip words=2"},
		{"add|put <det>? task to|: {todo}", "really add a task: buy milk", "todo=buy milk words=4"},
		{"{text} , remember that", "Bo is ill, remember that", "text=Bo is ill words=3"},
		{"undo", "undo", "words=1"},
		{"undo", "undo it", ""},
		{"say {a} {b}", "say \"a b\" c", "a=\" b=a b\" c words=1"},
	}
	for _, test := range tests {
		f, ok := NewTemplate(test.template).Fill(Tokenize(test.text), any)
		got := ""
		if ok {
			var parts []string
			for _, place := range slices.Sorted(maps.Keys(f.Places)) {
				parts = append(parts, place+"="+Spell(test.text, f.Places[place]))
			}
			got = strings.Join(append(parts, "words="+string(rune('0'+f.Words))), " ")
		}
		if got != test.want {
			t.Errorf("%q of %q: %q, want %q", test.template, test.text, got, test.want)
		}
	}
	named := func(place string, toks []Token) bool { return place != "old" || len(toks) == 3 }
	f, ok := NewTemplate("rename {old} to {new}").Fill(Tokenize("rename Trip to Spain to Iberia"), named)
	if !ok || Spell("rename Trip to Spain to Iberia", f.Places["new"]) != "Iberia" {
		t.Errorf("what may stand in a place isn't asked: %v", f)
	}
}

// However long the text, a template ends.
func TestTemplateEnds(t *testing.T) {
	text := strings.Repeat("to and of ", 3000)
	NewTemplate("{a} to {b} and {c} of {d} end").Fill(Tokenize(text), func(string, []Token) bool { return true })
}

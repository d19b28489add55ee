package away

import (
	"fmt"
	"testing"

	"kist/agent/language"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"move the plumber task to":          "plumber moves leads closed",
		"that one belongs to":               "points moves leads closed",
		"no, that's for":                    "points leads closed",
		"move call the plumber into":        "call plumber moves leads",
		"the stove should be in":            "stove moves closed",
		"the plumber is in":                 "plumber closed",
		"Die Aufgabe Kisten gehört zu":      "Kisten moves leads closed",
		"das soll zu":                       "points moves leads closed",
		`put "move the task" under`:         "move the task moves leads closed",
		"move the memory about Bo to":       "",
		"let's go":                          "",
		"no, that's":                        "points leads closed",
		"the plumber is":                    "",
		"the stocktake note belongs in":     "stocktake moves closed",
		"wrong project, that was meant for": "points leads closed",
		"move it":                           "",
		"to":                                "",
	} {
		got := ""
		if w, ok := Read(language.Tokenize(text)); ok {
			for _, tok := range w.Title {
				got += text[tok.Start:tok.End] + " "
			}
			for _, is := range []struct {
				word string
				yes  bool
			}{{"points", w.Points}, {"moves", w.Moves}, {"leads", w.Leads}, {"closed", w.Closed}} {
				if is.yes {
					got += is.word + " "
				}
			}
		}
		if fmt.Sprint(want, " ") != got && want != got {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

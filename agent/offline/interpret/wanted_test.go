package interpret

import (
	"fmt"
	"testing"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// What is wanted back in other words than undo, and what only has such words.
func TestWantedBack(t *testing.T) {
	projects := []model.Project{{Slug: "barn", Name: "Barn"}}
	for text, want := range map[string]string{
		"hmm no i want that note back":                         "map[about:note removed:true]",
		"Hmm, wait, I'd like to have that note back after all": "map[about:note removed:true]",
		"I need the gutter task back, I still have to do it":   "map[about:gutter removed:true]",
		"restore the decision about the gutter":                "map[about:gutter removed:true]",
		"give me it back":                                      "map[removed:true]",
		"Put it back the way it was.":                          "map[]",
		"make it like it was before":                           "map[]",
		"not that one, the one before":                         "map[instead:true]",
		"no, I meant the change before that":                   "map[instead:true]",

		"can I have my deposit back?": "", "we get the keys back on Monday": "", "put the chairs back": "", "bring the barn back": "", "I want to go back to the barn": "",
	} {
		r := Reader{sit: model.Situation{Now: offlinetest.Saturday, Projects: projects, Turns: 1}}
		got := ""
		if m := r.Read(text)[0]; m.Intent == intent.Undo && m.Score == 1 {
			got = fmt.Sprint(m.Undo)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

package interpret

import (
	"testing"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// What was just written is put right by pointing at it. Today is Saturday 21 November 2026.
func TestRighting(t *testing.T) {
	for said, want := range map[string]string{
		"call that last one order the gravel and it's for Monday, not today": "Order the gravel <2026-11-23>",
		"rename that task to “Have the roof tarred”":                         "Have the roof tarred",
		"could you call it Have the roof tarred by Friday please?":           "Have the roof tarred <2026-11-27>",
		"no wait, the last one should say ring the quarry":                   "Ring the quarry",
		"oops, make that Tuesday":                                            "<2026-11-24>",
		"that one is due on 3 December":                                      "<2026-12-03>",
		"no, that one isn't done yet, and it's for Friday":                   "todo <2026-11-27>",
		"call that plumber":                                                  "",
		"call it a day":                                                      "",
		"it's Friday":                                                        "",
		"rename the task about the roof to Tar the roof":                     "",
		"that one about the roof should be fun":                              "",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		r.sit.Changes = []model.Change{{Path: "projects/houseboat-renovation/tasks/roof.md", Session: r.sit.Session}}
		got := ""
		for _, m := range r.Read(said) {
			if m.Righted {
				got = m.Change.Status
				for _, each := range []string{m.Change.Title, m.Change.Due} {
					if each == m.Change.Due && each != "" {
						each = "<" + each + ">"
					}
					if got != "" && each != "" {
						got += " "
					}
					got += each
				}
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// Without a task that was just changed, "it" may be a project.
func TestRightingNothing(t *testing.T) {
	r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
	for _, m := range r.Read("call it Silver Wedding") {
		if m.Righted {
			t.Errorf("%+v", m.Change)
		}
	}
}

// That a task isn't wanted is mostly said of it.
func TestGone(t *testing.T) {
	for said, want := range map[string]string{
		"the one about the stove can go":                 "stove",
		"The other one, “Sweep the deck”, may be binned": "Sweep the deck",
		"no, the stove and the curtains aren't tasks":    "the stove and the curtains",
		"the ramp is no longer needed":                   "the ramp",
		"the ramp isn't finished":                        "",
		"is the ramp no longer needed?":                  "",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		got := ""
		for _, m := range r.Read(said) {
			if m.Intent == intent.DeleteTask && len(m.Titles) == 1 {
				got = language.OneLine(m.Titles[0])
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

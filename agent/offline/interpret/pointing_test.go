package interpret

import (
	"testing"

	"kist/agent/offline/offlinetest"
)

// What only points is joined with what it points to.
func TestPointingTasks(t *testing.T) {
	for said, want := range map[string]string{
		"gravel for the path, have to buy some, a week from Tuesday":          "Gravel for the path <2026-12-01>",
		"there's no snow shovelling plan, someone needs to write one, urgent": "There's no snow shovelling plan, someone needs to write one !urgent",
		"dark mode, some day, chuck it in the backlog":                        "Dark mode",
		"The seal leaks. Fix that by Monday":                                  "The seal leaks <2026-11-23>",
		"buy some milk and one lemon":                                         "Buy some milk and one lemon",
		"nordfracht's invoice for november, have to send it by Friday":        "Nordfracht's invoice for november, have to send it <2026-11-27>",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		got := ""
		for _, m := range r.Read(said) {
			if s := sayTodos(m); s != "" {
				got = s
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

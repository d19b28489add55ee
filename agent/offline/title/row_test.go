package title

import (
	"strings"
	"testing"
)

// Several things done to what isn't named are no task, and one of several things has parts.
func TestRowsOfTitles(t *testing.T) {
	for _, title := range []string{"find both of them", "get these"} {
		if worded, ok := OfTask(title); ok {
			t.Errorf("%q is the task %q", title, worded)
		}
	}
	for title, want := range map[string]string{
		"Book the hall and the choir":         "Book the hall; Book the choir",
		"Coach to hire and the hotel in Graz": "Coach to hire; The hotel in Graz",
		"Paint the gate, oil the hinges":      "Paint the gate; Oil the hinges",
		"Book the hall":                       "Book the hall",
	} {
		if got := strings.Join(Parts(title), "; "); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

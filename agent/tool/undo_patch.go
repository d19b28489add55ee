package tool

import (
	"slices"
	"strings"
)

// closes: a patch ticks a task off, or sets its status to done or cancelled.
func closes(patch string) bool {
	for line := range strings.Lines(patch) {
		if now, ok := strings.CutPrefix(line, "+"); ok && (strings.HasPrefix(strings.TrimLeft(now, "-*+> \t"), "[x] ") || slices.Contains([]string{"status: done", "status: cancelled"}, strings.TrimSpace(now))) {
			return true
		}
	}
	return false
}

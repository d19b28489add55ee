package language

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for, so that a
// command which reads no prose doesn't wait for it. It panics where expr is none.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

/*
Package pattern compiles regular expressions when they are first used. What is compiled as
the program starts is paid for by each command, and most use none of it: a package whose
patterns are large, or many, holds them by [Lazy].
*/
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns what compiles an expression at its first call, and panics there where it
// isn't one, as regexp.MustCompile does. It may be called by many at once.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

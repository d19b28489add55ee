// Package about holds the commands that tell a program what it has in front of it.
package about

// An App is what the commands need of the program around them.
type App struct {
	JSON  func() bool
	Value func(v any) error                // prints it as JSON
	Print func(format string, args ...any) // makes its arguments fit for a terminal
}

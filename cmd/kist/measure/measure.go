/*
Package measure holds kist model bench, which shows how a language model does. It is a room
of its own beside the other commands, and is given what it needs of them.
*/
package measure

import (
	"context"

	"github.com/spf13/cobra"
)

// An App is what the commands need of the program around them.
type App struct {
	// JSON reports whether that is asked for, and Value prints as such.
	JSON  func() bool
	Value func(v any) error
	// Print prints what is the answer, and Log what isn't; both make arguments fit for a terminal.
	Print, Log Printf
	// Table prints rows, the first of which is the head.
	Table func(rows [][]string) error
	// Bar begins to show progress, until end is called.
	Bar func() (show func(phase string, done, total int), end func())
	// Agree asks a question and returns an error unless whoever sits at the terminal says
	// yes, or said so beforehand.
	Agree func(ctx context.Context, question string, yes bool) error
	// Usage makes an error one of the command line, and Hint gives it a hint.
	Usage func(err error) error
	Hint  func(err error, hint string) error
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Command returns the verb of kist model that measures one.
func Command(a App) *cobra.Command { return models(a) }

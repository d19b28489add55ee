/*
Package about holds the commands that tell a program what it has in front of it: which kist
this is, and where the vault's daemon is. docs/clients.md is the page for those who write one.
*/
package about

import (
	"context"

	"github.com/spf13/cobra"

	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	JSON  func() bool
	Value func(v any) error                // prints it as JSON
	Print func(format string, args ...any) // makes its arguments fit for a terminal
	Log   func(format string, args ...any) // prints what is not the answer
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
}

/*
Package find holds the commands that search: for words and meaning, for what links to a document
or is like it, for projects that have to do with one. They are given what they need of the
program around them.
*/
package find

import (
	"context"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/output"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human.
	Show func(m proto.Message, human func(*output.Printer)) error
	// Log prints what is not the answer.
	Log *output.Printer
	// InVault makes of an absolute path inside the vault one from its root.
	InVault func(path string) string
	// ProjectFlag adds -p, --project.
	ProjectFlag func(cmd *cobra.Command, to *string, usage string)
	// Usage makes of an error one of the command line, with a hint if that isn't empty.
	Usage func(err error, hint string) error
}

// Package transcript holds the commands about a conversation as a whole: one writes it out as
// a document.
package transcript

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the command needs of the program around it.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Line prints a message of a stream: as JSON where that is asked for, else by human.
	Line func(m proto.Message, human func(print func(format string, args ...any))) error
	// Raw prints a piece of a document: as it is, but where that goes to a terminal.
	Raw func([]byte)
	// Sessions completes the id of a session.
	Sessions cobra.CompletionFunc
}

// Commands returns kist session export, rename and delete.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{export(a), rename(a), remove(a)}
}

func rename(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "rename ID TITLE",
		Short:   "Give a session another title",
		Long:    "Give a session another title, which lists of sessions show.",
		Example: "  kist session rename 01KB2Q3M7N8P9R0S1T2V3W4X5Y Which roof",
		Args:    cobra.MinimumNArgs(2),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Session.RenameSession(ctx, &v1.RenameSessionRequest{Session: args[0], Title: strings.Join(args[1:], " ")})
			if err != nil {
				return err
			}
			return a.Line(r, func(print func(string, ...any)) { print("%s is called %s\n", r.Session.Id, r.Session.Title) })
		}),
	}
}

func remove(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "delete ID",
		Short:   "Delete a session",
		Long:    "Delete a session: nothing lists it or goes on with it. The notes of what was said in it stay.",
		Example: "  kist session delete 01KB2Q3M7N8P9R0S1T2V3W4X5Y",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Session.DeleteSession(ctx, &v1.DeleteSessionRequest{Session: args[0]})
			if err != nil {
				return err
			}
			return a.Line(r, func(print func(string, ...any)) { print("deleted; the notes of what was said stay\n") })
		}),
	}
}

func export(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "export ID",
		Short: "Write a conversation out as Markdown",
		Long: "Write a conversation out as a Markdown document: what was said, turn by turn, what came of it and\n" +
			"what was read for it.",
		Example:           "  kist session export 01KB2Q3M7N8P9R0S1T2V3W4X5Y >roof.md",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.Sessions,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			stream, err := k.Session.ExportSession(ctx, &v1.ExportSessionRequest{Session: args[0]})
			if err != nil {
				return err
			}
			defer stream.Close()
			for stream.Receive() {
				m := stream.Msg()
				if err := a.Line(m, func(func(string, ...any)) { a.Raw([]byte(m.Markdown)) }); err != nil {
					return err
				}
			}
			return stream.Err()
		}),
	}
}

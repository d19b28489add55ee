// Package memory holds the commands about what kist remembers.
package memory

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human.
	Show func(m proto.Message, human func(*output.Printer)) error
	// Done prints what became of an operation.
	Done func(m proto.Message, op *v1.Operation) error
	// Words is a command's text: its arguments, or standard input.
	Words func(args []string, what string) (string, error)
	// Project and Reason add a flag.
	Project func(cmd *cobra.Command, to *string, usage string)
	Reason  func(cmd *cobra.Command, to *string)
	// Log prints what is not the answer.
	Log func(format string, args ...any)
}

// Commands returns the verbs of kist memory.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{a.list(), a.create(), a.move(), a.forget()}
}

func (a App) list() *cobra.Command {
	var req v1.ListMemoriesRequest
	var n int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List what kist remembers",
		Long:    "List memories, newest first: all of them, or one project's.",
		Example: "  kist memory list -p houseboat",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.Some(ctx, &req, n, k.Memory.ListMemories)
			if err != nil {
				return err
			}
			return a.Show(r, func(p *output.Printer) {
				if len(r.Memories) == 0 {
					a.Log("nothing remembered yet\n")
				}
				for _, m := range r.Memories {
					p.Printf("%s\n    %s\n", m.Content, p.Paint(output.Dim, origin(m)))
				}
				narrow.More(a.Log, r)
			})
		}),
	}
	a.Project(cmd, &req.Project, "only this project's")
	narrow.Limit(cmd.Flags(), &n, 0)
	return cmd
}

// origin is where a memory is kept, and where it came from.
func origin(m *v1.Memory) string {
	out := m.Path
	if m.Source != "" {
		out += ", from " + m.Source
	}
	if m.Created != nil {
		out += ", " + m.Created.AsTime().Format("2006-01-02")
	}
	if m.Confidence > 0 && m.Confidence < 1 {
		out += fmt.Sprintf(", %.0f %% sure", 100*m.Confidence)
	}
	if m.Supersedes != "" {
		out += ", replaces " + m.Supersedes
	}
	return out
}

func (a App) create() *cobra.Command {
	var req v1.CreateMemoryRequest
	cmd := &cobra.Command{
		Use:     "create FACT",
		Short:   "Remember a fact",
		Long:    "Remember one fact, about you or about a project. Without arguments it is read from standard input.",
		Example: "  kist memory create \"My sister's boat is called Selkie\"",
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			req.Content, err = a.Words(args, "the fact")
			return err
		},
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Memory.CreateMemory(ctx, &req)
			if err != nil {
				return err
			}
			return a.Done(r, r.Operation)
		}),
	}
	a.Project(cmd, &req.Project, "the project it is about (else: you)")
	a.Reason(cmd, &req.Reason)
	return cmd
}

func (a App) move() *cobra.Command {
	var req v1.MoveMemoryRequest
	cmd := &cobra.Command{
		Use:     "move MEMORY",
		Short:   "Move a memory to a project, or to your own",
		Long:    "Move a memory, named by id or path, to the project that --project names, or else to your own.",
		Example: "  kist memory move memories/boat-is-called-selkie.md -p houseboat",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Memory = args[0]
			r, err := k.Memory.MoveMemory(ctx, &req)
			if err != nil {
				return err
			}
			return a.Done(r, r.Operation)
		}),
	}
	a.Project(cmd, &req.Project, "the project it is about (else: you)")
	a.Reason(cmd, &req.Reason)
	return cmd
}

func (a App) forget() *cobra.Command {
	var req v1.ForgetMemoryRequest
	cmd := &cobra.Command{
		Use:     "forget MEMORY",
		Short:   "Delete a memory",
		Long:    "Delete a memory, named by id or path. kist op undo brings it back.",
		Example: "  kist memory forget memories/boat-is-called-selkie.md",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Memory = args[0]
			r, err := k.Memory.ForgetMemory(ctx, &req)
			if err != nil {
				return err
			}
			return a.Done(r, r.Operation)
		}),
	}
	a.Reason(cmd, &req.Reason)
	return cmd
}

// Package whole holds the commands about documents as wholes: list, create, move, delete.
package whole

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/narrow"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human, whose print
	// makes its arguments fit for a terminal.
	Show func(m proto.Message, human func(print Printf)) error
	// Done prints a response with the operation that it is about.
	Done func(m proto.Message, op *v1.Operation) error
	// Text returns a command's text: its arguments, or standard input.
	Text func(args []string) (string, error)
	// Path makes a path as the daemon takes it of one that was given.
	Path func(string) string
	// Sure asks a question, unless the answer is yes already; an error is a no, or that nobody is there.
	Sure func(ctx context.Context, question string, yes bool) error
	// Log prints what is not the answer.
	Log Printf
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist doc that are about a document as a whole.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{a.list(), a.create(), a.move(), a.delete()}
}

func (a App) list() *cobra.Command {
	n, order := 0, ""
	cmd := &cobra.Command{
		Use:     "list [PREFIX]",
		Short:   "List documents",
		Long:    "List the documents of the vault by their paths, or those whose paths begin with PREFIX.",
		Example: "  kist doc list projects/houseboat/\n  kist doc list --order 'modified desc' -n 10",
		Args:    cobra.MaximumNArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req := &v1.ListDocumentsRequest{OrderBy: order}
			if len(args) > 0 {
				req.Prefix = a.Path(args[0])
			}
			r, err := dial.Some(ctx, req, n, k.Vault.ListDocuments)
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				if len(r.Documents) == 0 {
					a.Log("no documents\n")
				}
				for _, d := range r.Documents {
					print("%s\n", d.Path)
				}
				narrow.More(a.Log, r)
			})
		}),
	}
	narrow.Limit(cmd.Flags(), &n, 500)
	cmd.Flags().StringVar(&order, "order", "", "path or modified, with \" desc\" or not")
	return cmd
}

func (a App) create() *cobra.Command {
	var req v1.CreateDocumentRequest
	cmd := &cobra.Command{
		Use:     "create PATH [TEXT...]",
		Short:   "Create a document",
		Long:    "Create a document; its text is what follows the path, or standard input. Nothing is written over.",
		Example: "  kist doc create lists/paint.md < paint.md",
		Args:    cobra.MinimumNArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) (err error) {
			req.Path = a.Path(args[0])
			if req.Text, err = a.Text(args[1:]); err != nil {
				return err
			}
			r, err := k.Vault.CreateDocument(ctx, &req)
			if err != nil {
				return err
			}
			return a.Done(r, r.Operation)
		}),
	}
	cmd.Flags().StringVar(&req.Reason, "reason", "", "why, for the operation log")
	return cmd
}

func (a App) move() *cobra.Command {
	req := v1.MoveDocumentRequest{UpdateLinks: true}
	alone := false
	cmd := &cobra.Command{
		Use:   "move PATH TO",
		Short: "Move or rename a document",
		Long: "Give a document another path. Links to it, its own to others, those in bases, and cards of canvases\n" +
			"go on meaning what they mean, as one operation. Nothing is written over.",
		Example: "  kist doc move lists/paint.md house/paint.md",
		Args:    cobra.ExactArgs(2),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path, req.To, req.UpdateLinks = a.Path(args[0]), a.Path(args[1]), !alone
			r, err := k.Language.MoveDocument(ctx, &req)
			if err != nil {
				return err
			}
			for _, left := range r.Left {
				a.Log("%s:%d: %s\n", left.Path, left.Line, left.Message)
			}
			return a.Done(r, r.Operation)
		}),
	}
	cmd.Flags().StringVar(&req.Reason, "reason", "", "why, for the operation log")
	cmd.Flags().BoolVar(&alone, "alone", false, "leave links as they are")
	return cmd
}

func (a App) delete() *cobra.Command {
	var req v1.DeleteDocumentRequest
	yes := false
	cmd := &cobra.Command{
		Use:   "delete PATH",
		Short: "Delete a document",
		Long: "Delete a document as it is now, after a yes (or --yes); undo brings it back. Where it is changed\n" +
			"meanwhile, it stays.",
		Example: "  kist doc delete lists/paint.md --reason \"painted\"",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			seen, err := k.Vault.GetDocument(ctx, &v1.GetDocumentRequest{Path: a.Path(args[0]), Pages: true}) // of a large one the first page
			if err != nil {
				return err
			}
			req.Path, req.Expect = seen.Document.Path, seen.Document.Hash
			if err := a.Sure(ctx, fmt.Sprintf("Delete %s?", req.Path), yes); err != nil {
				return err
			}
			r, err := k.Vault.DeleteDocument(ctx, &req)
			if err != nil {
				return err
			}
			return a.Done(r, r.Operation)
		}),
	}
	cmd.Flags().StringVar(&req.Reason, "reason", "", "why, for the operation log")
	cmd.Flags().BoolVar(&yes, "yes", false, "without a question")
	return cmd
}

package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func opCommand(c *cli) *cobra.Command {
	cmd := groupCommand(c, "op", "Operations: list, show, approve, reject, edit, undo, redo, retry, watch", "  kist op list -n 10",
		opListCommand(c), opShowCommand(c), opApproveCommand(c), opRejectCommand(c), opEditCommand(c),
		opUndoCommand(c), opRedoCommand(c), opRetryCommand(c), opWatchCommand(c))
	cmd.Long = "Every change of the vault is an operation in its log, those that were made in an editor\n" +
		"too. An operation is named by its id, or by the last six or more characters of it."
	return cmd
}

func opListCommand(c *cli) *cobra.Command {
	var req v1.ListOperationsRequest
	since, n := "", 0
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List operations, newest first",
		Long:    "List operations, newest first, by what they are about, status, actor, session, batch,\nproject or age. --entity takes an id or the path of a file.",
		Example: "  kist op list --proposed\n  kist op list --entity notes/paint.md --since 24h",
		Args:    cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) (err error) {
			if req.Since, err = narrow.Since(since, time.Now()); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			req.Entity = c.inVault(req.Entity)
			r, err := dial.Some(ctx, &req, n, k.Operation.ListOperations)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Operations) == 0 {
					c.log.Printf("no operations\n")
				}
				p.operations(r.Operations)
				c.more(r)
			})
		}),
	}
	f := cmd.Flags()
	narrow.Limit(f, &n, 50)
	f.StringVar(&req.OrderBy, "order", "", "at for the oldest first")
	f.StringVar(&req.Status, "status", "", "proposed, approved, rejected, begun, completed, failed, rolled_back or superseded")
	narrow.Proposed(f, &req.Status)
	f.StringVar(&req.Entity, "entity", "", "only about this, by its id or path")
	f.StringVar(&req.Actor, "actor", "", "user, agent, editor or sync")
	f.StringVar(&req.Session, "session", "", "only this session's")
	f.StringVar(&req.Batch, "batch", "", "only this batch's")
	f.StringVar(&since, "since", "", "a duration such as 24h, or a date")
	c.projectFlag(cmd, &req.Project, "only this project's")
	completion.Fixed(cmd, "status", "proposed", "approved", "rejected", "begun", "completed", "failed", "rolled_back", "superseded")
	completion.Fixed(cmd, "actor", "user", "agent", "editor", "sync")
	return cmd
}

// operations prints one operation a line, with when and by whom.
func (p *printer) operations(ops []*v1.Operation) {
	for _, op := range ops {
		p.Printf("%s  %s  ", p.Paint(output.Dim, when(op.At)), p.Paint(output.Dim, op.Actor))
		p.opLine(op)
	}
}

// opLines prints operations as they are told of when they happen.
func (p *printer) opLines(ops []*v1.Operation) {
	for _, op := range ops {
		p.opLine(op)
	}
}

func opShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show an operation as a diff",
		Long:    "Show an operation: who did it, why, and what it changes, as a diff.",
		Example: "  kist op show 8F3KQ2ZC",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := getOperation(ctx, k, args[0])
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.operation(r.Operation) })
		}),
	}
}

// opID is what takes one operation's id as its arguments.
func opID(cmd *cobra.Command, args []string) error {
	if err := cobra.ExactArgs(1)(cmd, args); err != nil {
		return err
	}
	return opIDs(args)
}

// opIDs wants each text to be long enough for an operation's id.
func opIDs(args []string) error {
	for _, id := range args {
		if len(id) < 6 {
			return usagef("%q is too short: an operation's id, or at least its last six characters", id)
		}
	}
	return nil
}

// getOperation finds an operation by its id or the end of it.
func getOperation(ctx context.Context, k *dial.Client, id string) (*v1.GetOperationResponse, error) {
	return dial.Operation(ctx, id, false, k.Operation.GetOperation)
}

// operation prints everything about an operation.
func (p *printer) operation(op *v1.Operation) {
	p.opLine(op)
	var t output.Table
	row := func(name, value string) {
		if value != "" {
			t.Add(p.Paint(output.Dim, name), value)
		}
	}
	row("id", op.Id)
	t.Add(p.Paint(output.Dim, "status"), statusText(p, op.Status))
	row("at", when(op.At))
	by := op.Actor
	if op.Client != "" {
		by += " by " + op.Client
	}
	row("actor", by)
	row("session", op.Session)
	row("batch", op.Batch)
	row("undoes", op.Undoes)
	row("undone by", op.UndoneBy)
	if op.Status == "proposed" {
		row("digest", op.Digest)
	}
	p.Table(t)
	for _, ch := range op.Changes {
		p.change(ch)
	}
}

func opWatchCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "watch",
		Short:   "Print operations as they happen",
		Long:    "Print operations as their status changes, until interrupted or the daemon stops.",
		Example: "  kist op watch --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			stream, err := k.Operation.WatchOperations(ctx, &v1.WatchOperationsRequest{})
			if err != nil {
				return err
			}
			defer stream.Close()
			for stream.Receive() {
				if stream.Msg().Operation == nil {
					continue // a sign of life
				}
				if c.json {
					if err := c.out.JSONLine(stream.Msg()); err != nil {
						return err
					}
					continue
				}
				c.out.opLine(stream.Msg().Operation)
			}
			if ctx.Err() != nil {
				return nil // interrupting is how one stops watching
			}
			return stream.Err()
		}),
	}
}

package main

import (
	"context"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func opUndoCommand(c *cli) *cobra.Command {
	var batch, session string
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take back an operation, a batch or a session",
		Long: "Take back an operation, a batch or a session. What was changed since stays; where\n" +
			"that can't be, nothing is undone and kist says why. An undo is an operation too.",
		Example: "  kist op undo 8F3KQ2ZC\n  kist op undo --batch 01KB2Q3M7N8P9R0S1T2V3W4X5Y",
		Args:    cobra.MaximumNArgs(1),
		PreRunE: func(cmd *cobra.Command, args []string) error { return oneTarget(cmd, args, batch, session) },
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req, err := undoRequest(ctx, k, args, batch, session)
			if err != nil {
				return err
			}
			r, err := k.Operation.UndoOperation(ctx, req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				for _, op := range r.Operations {
					p.opLine(op)
				}
			})
		}),
	}
	cmd.Flags().StringVar(&batch, "batch", "", "everything of this batch")
	cmd.Flags().StringVar(&session, "session", "", "everything of this session, newest first")
	return cmd
}

// oneTarget wants exactly one of an operation, a batch and a session.
func oneTarget(cmd *cobra.Command, args []string, batch, session string) error {
	n := len(args)
	for _, s := range []string{batch, session} {
		if s != "" {
			n++
		}
	}
	if n != 1 {
		return usagef("name what to undo: an operation's id, --batch or --session")
	}
	if n == len(args) {
		return opID(cmd, args)
	}
	return nil
}

func undoRequest(ctx context.Context, k *dial.Client, args []string, batch, session string) (*v1.UndoOperationRequest, error) {
	switch {
	case batch != "":
		return &v1.UndoOperationRequest{Target: &v1.UndoOperationRequest_Batch{Batch: batch}}, nil
	case session != "":
		return &v1.UndoOperationRequest{Target: &v1.UndoOperationRequest_Session{Session: session}}, nil
	}
	r, err := getOperation(ctx, k, args[0])
	if err != nil {
		return nil, err
	}
	return &v1.UndoOperationRequest{Target: &v1.UndoOperationRequest_Id{Id: r.Operation.Id}}, nil
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
				if c.json {
					if err := c.out.jsonLine(stream.Msg()); err != nil {
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

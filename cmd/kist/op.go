package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func opCommand(c *cli) *cobra.Command {
	cmd := groupCommand(c, "op", "Operations: list, show, approve, reject, undo, watch", "  kist op list -n 10",
		opListCommand(c), opShowCommand(c), opApproveCommand(c), opRejectCommand(c), opUndoCommand(c), opWatchCommand(c))
	cmd.Long = "Every change of the vault is an operation in its log. An operation is named by its id,\n" +
		"or by the last six or more characters of it."
	return cmd
}

func opListCommand(c *cli) *cobra.Command {
	var req v1.ListOperationsRequest
	var since string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List operations, newest first",
		Long:    "List operations, newest first, by status, actor, session, batch, project or age.",
		Example: "  kist op list --status proposed\n  kist op list --actor agent --since 24h",
		Args:    cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) (err error) {
			req.Since, err = parseSince(since, time.Now())
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Operation.ListOperations(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Operations) == 0 {
					c.log.printf("no operations\n")
				}
				p.operations(r.Operations)
			})
		}),
	}
	f := cmd.Flags()
	f.Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 50)")
	f.StringVar(&req.Status, "status", "", "proposed, approved, rejected, begun, completed, failed or rolled_back")
	f.StringVar(&req.Actor, "actor", "", "user, agent, editor or sync")
	f.StringVar(&req.Session, "session", "", "only this session's")
	f.StringVar(&req.Batch, "batch", "", "only this batch's")
	f.StringVar(&since, "since", "", "a duration such as 24h, or a date")
	c.projectFlag(cmd, &req.Project, "only this project's")
	complete(cmd, "status", "proposed", "approved", "rejected", "begun", "completed", "failed", "rolled_back")
	complete(cmd, "actor", "user", "agent", "editor", "sync")
	return cmd
}

// operations prints one operation a line, with when and by whom.
func (p *printer) operations(ops []*v1.Operation) {
	for _, op := range ops {
		p.printf("%s  %s  ", p.paint(dim, when(op.At)), p.paint(dim, op.Actor))
		p.opLine(op)
	}
}

// parseSince reads a duration back from now, a date or a time; empty is no limit.
func parseSince(s string, now time.Time) (*timestamppb.Timestamp, error) {
	if s == "" {
		return nil, nil
	}
	if d, err := time.ParseDuration(s); err == nil {
		return timestamppb.New(now.Add(-d.Abs())), nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return timestamppb.New(t), nil
		}
	}
	return nil, usagef("--since %q is neither a duration such as 24h nor a date such as 2026-11-20", s)
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
	if len(args[0]) < 6 {
		return usagef("%q is too short: an operation's id, or at least its last six characters", args[0])
	}
	return nil
}

// getOperation finds an operation by its id or the end of it.
func getOperation(ctx context.Context, k *dial.Client, id string) (*v1.GetOperationResponse, error) {
	return k.Operation.GetOperation(ctx, &v1.GetOperationRequest{Id: id})
}

// operation prints everything about an operation.
func (p *printer) operation(op *v1.Operation) {
	p.opLine(op)
	var t table
	row := func(name, value string) {
		if value != "" {
			t.add(p.paint(dim, name), value)
		}
	}
	row("id", op.Id)
	t.add(p.paint(dim, "status"), statusText(p, op.Status))
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
	p.table(t)
	for _, ch := range op.Changes {
		p.printf("\n")
		if ch.Patch == "" {
			p.printf("%s: no text\n", ch.Path)
		}
		p.diff(ch.Patch)
	}
}

func opApproveCommand(c *cli) *cobra.Command {
	var digest string
	var yes bool
	cmd := &cobra.Command{
		Use:   "approve ID",
		Short: "Apply a proposed operation",
		Long: "Apply a proposed operation, exactly as it is shown: an approval names the digest of\n" +
			"what it approves. On a terminal kist shows the operation and asks.",
		Example: "  kist op approve 8F3KQ2ZC",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := getOperation(ctx, k, args[0])
			if err != nil {
				return err
			}
			if digest == "" {
				if digest, err = c.agree(r.Operation, yes); err != nil {
					return err
				}
			}
			done, err := k.Operation.ApproveOperation(ctx, &v1.ApproveOperationRequest{Id: r.Operation.Id, Digest: digest})
			if err != nil {
				return err
			}
			return c.show(done, func(p *printer) { p.opLine(done.Operation) })
		}),
	}
	cmd.Flags().StringVar(&digest, "digest", "", "approve what has this digest and nothing else")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	return cmd
}

// agree shows an operation on standard error and returns its digest if whoever
// sits at the terminal agrees, or agreed beforehand.
func (c *cli) agree(op *v1.Operation, yes bool) (string, error) {
	if !c.json {
		c.log.operation(op)
	}
	if yes {
		return op.Digest, nil
	}
	if !c.interactive() || !c.log.tty {
		return "", usageError{hintError{
			errors.New("nobody is here to ask"),
			"read it with kist op show, then name what you approve with --digest",
		}}
	}
	c.log.printf("\nApply it? [y/N] ")
	var answer string
	// An empty line is an answer too: no.
	_, _ = fmt.Fscanln(c.in, &answer)
	if answer != "y" && answer != "Y" && answer != "yes" {
		return "", errors.New("not applied")
	}
	return op.Digest, nil
}

func opRejectCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "reject ID",
		Short:   "End a proposed operation without applying it",
		Long:    "End a proposed operation without applying it. The log keeps it.",
		Example: "  kist op reject 8F3KQ2ZC",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := getOperation(ctx, k, args[0])
			if err != nil {
				return err
			}
			done, err := k.Operation.RejectOperation(ctx, &v1.RejectOperationRequest{Id: r.Operation.Id})
			if err != nil {
				return err
			}
			return c.show(done, func(p *printer) { p.opLine(done.Operation) })
		}),
	}
}

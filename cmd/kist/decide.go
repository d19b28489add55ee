package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// This file holds what decides about proposed operations, and about failed ones.

func opApproveCommand(c *cli) *cobra.Command {
	var digest, batch string
	var yes bool
	cmd := &cobra.Command{
		Use:   "approve ID...",
		Short: "Apply proposed operations",
		Long: "Apply proposed operations, exactly as they are shown: an approval names the digest of\n" +
			"what it approves. On a terminal kist shows the operations and asks once. Of several all\n" +
			"are applied or none, in the order given; --batch stands for all of a batch that wait.",
		Example: "  kist op approve 8F3KQ2ZC\n  kist op approve --batch 01KB2Q3M7N8P9R0S1T2V3W4X5Y",
		PreRunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (len(args) == 0) == (batch == ""):
				return usagef("name what to approve: operations by their ids, or --batch")
			case digest != "" && len(args) != 1:
				return usagef("--digest is of one operation")
			}
			return opIDs(args)
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			ops, err := waiting(ctx, k, args, batch)
			if err != nil {
				return err
			}
			if digest == "" {
				if err := c.agree(ctx, ops, yes); err != nil {
					return err
				}
			} else {
				ops[0].Digest = digest
			}
			return c.approve(ctx, k, ops, batch == "")
		}),
	}
	cmd.Flags().StringVar(&digest, "digest", "", "approve what has this digest and nothing else")
	cmd.Flags().StringVar(&batch, "batch", "", "everything of this batch that waits")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	return cmd
}

// waiting returns the named operations with their patches, or all of a batch that
// wait for approval, in the order of their making.
func waiting(ctx context.Context, k *dial.Client, ids []string, batch string) ([]*v1.Operation, error) {
	if batch != "" {
		r, err := dial.All(ctx, &v1.ListOperationsRequest{Batch: batch, Status: "proposed", PageSize: 1000}, k.Operation.ListOperations)
		if err != nil {
			return nil, err
		}
		if len(r.Operations) == 0 {
			return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("nothing of batch %s waits for approval", batch))
		}
		for _, op := range slices.Backward(r.Operations) {
			ids = append(ids, op.Id)
		}
	}
	var ops []*v1.Operation
	for _, id := range ids {
		r, err := getOperation(ctx, k, id)
		if err != nil {
			return nil, err
		}
		ops = append(ops, r.Operation)
	}
	return ops, nil
}

// approve applies what was agreed to. One that was named by itself is answered as one.
func (c *cli) approve(ctx context.Context, k *dial.Client, ops []*v1.Operation, named bool) error {
	if len(ops) == 1 && named {
		r, err := k.Operation.ApproveOperation(ctx, &v1.ApproveOperationRequest{Id: ops[0].Id, Digest: ops[0].Digest})
		if err != nil {
			return err
		}
		return c.show(r, func(p *printer) { p.opLine(r.Operation) })
	}
	req := &v1.ApproveOperationsRequest{}
	for _, op := range ops {
		req.Approvals = append(req.Approvals, &v1.Approval{Id: op.Id, Digest: op.Digest})
	}
	r, err := k.Operation.ApproveOperations(ctx, req)
	if err != nil {
		return err
	}
	return c.show(r, func(p *printer) { p.opLines(r.Operations) })
}

// agree shows operations on standard error and returns an error unless whoever
// sits at the terminal agrees, or agreed beforehand.
func (c *cli) agree(ctx context.Context, ops []*v1.Operation, yes bool) error {
	if !c.json {
		for i, op := range ops {
			if i > 0 {
				c.log.Printf("\n")
			}
			c.log.operation(op)
		}
	}
	if yes {
		return nil
	}
	if !c.canAsk() {
		return usageError{hintError{
			errors.New("nobody is here to ask"),
			"read it with kist op show, then name what you approve with --digest",
		}}
	}
	question := output.Safe("Apply it?")
	if len(ops) > 1 {
		question = output.Safe(fmt.Sprintf("Apply all %d?", len(ops)))
	}
	c.log.Printf("\n%s [y/N] ", question)
	switch c.answer(ctx) {
	case "y", "yes":
		return nil
	}
	return cmp.Or(ctx.Err(), errors.New("not applied"))
}

// canAsk reports whether somebody is there who sees a question and can answer.
func (c *cli) canAsk() bool { return c.interactive() && c.log.TTY }

// answer reads one word in lower case; an empty line is an answer too, and so is an
// interrupt, which leaves the reading behind: it can't be ended.
func (c *cli) answer(ctx context.Context) string {
	said := make(chan string, 1)
	go func() {
		var word string
		_, _ = fmt.Fscanln(c.in, &word)
		said <- strings.ToLower(word)
	}()
	select {
	case word := <-said:
		return word
	case <-ctx.Done():
		return ""
	}
}

func opRejectCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "reject ID",
		Short:   "End a proposed operation without applying it",
		Long:    "End a proposed operation without applying it. The log keeps it.",
		Example: "  kist op reject 8F3KQ2ZC",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Operation.RejectOperation(ctx, &v1.RejectOperationRequest{Id: args[0]})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
}

func opRetryCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "retry ID",
		Short: "Do again what failed or was saved over",
		Long: "Do again, as a new operation, what failed, was rolled back, or was superseded: saved over\n" +
			"by an editor that still had the text from before it.",
		Example: "  kist op retry 8F3KQ2ZC",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Operation.RetryOperation(ctx, &v1.RetryOperationRequest{Id: args[0]})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
}

package main

import (
	"context"
	"errors"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func opUndoCommand(c *cli) *cobra.Command {
	return takeBackCommand(c, "undo", undo, &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take back an operation, a batch or a session",
		Long: "Take back an operation, a batch or a session. What was changed since stays; where both\n" +
			"touch the same lines, nothing is undone, and kist shows both texts and asks. --keep now\n" +
			"keeps what the file says there and undoes the rest; --keep before brings back the\n" +
			"earlier text there. An undo is an operation too.",
		Example: "  kist op undo 8F3KQ2ZC\n  kist op undo --batch 01KB2Q3M7N8P9R0S1T2V3W4X5Y --keep now",
	})
}

func opRedoCommand(c *cli) *cobra.Command {
	return takeBackCommand(c, "redo", redo, &cobra.Command{
		Use:   "redo [ID]",
		Short: "Take back the undoing of an operation, a batch or a session",
		Long: "Take back the undoing of an operation, a batch or a session. The id is that of what was\n" +
			"undone, or of the undo. What was changed since stays, as with undo.",
		Example: "  kist op redo 8F3KQ2ZC\n  kist op redo --session 01KB2Q3M7N8P9R0S1T2V3W4X5Y",
	})
}

// A takeBack is a call that takes operations back and returns those that did it.
type takeBack func(context.Context, *dial.Client, target) (proto.Message, []*v1.Operation, error)

// A target is what to take back: one of the first three, and what to keep.
type target struct{ id, batch, session, keep string }

func undo(ctx context.Context, k *dial.Client, t target) (proto.Message, []*v1.Operation, error) {
	req := &v1.UndoOperationRequest{Keep: t.keep}
	switch {
	case t.batch != "":
		req.Target = &v1.UndoOperationRequest_Batch{Batch: t.batch}
	case t.session != "":
		req.Target = &v1.UndoOperationRequest_Session{Session: t.session}
	default:
		req.Target = &v1.UndoOperationRequest_Id{Id: t.id}
	}
	r, err := k.Operation.UndoOperation(ctx, req)
	return r, r.GetOperations(), err
}

func redo(ctx context.Context, k *dial.Client, t target) (proto.Message, []*v1.Operation, error) {
	req := &v1.RedoOperationRequest{Keep: t.keep}
	switch {
	case t.batch != "":
		req.Target = &v1.RedoOperationRequest_Batch{Batch: t.batch}
	case t.session != "":
		req.Target = &v1.RedoOperationRequest_Session{Session: t.session}
	default:
		req.Target = &v1.RedoOperationRequest_Id{Id: t.id}
	}
	r, err := k.Operation.RedoOperation(ctx, req)
	return r, r.GetOperations(), err
}

// takeBackCommand gives a command its arguments, flags and function.
func takeBackCommand(c *cli, verb string, call takeBack, cmd *cobra.Command) *cobra.Command {
	var t target
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.PreRunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			t.id = args[0]
		}
		return t.check(verb, args)
	}
	cmd.RunE = c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
		return c.takeBack(ctx, k, call, t)
	})
	f := cmd.Flags()
	f.StringVar(&t.batch, "batch", "", "everything of this batch")
	f.StringVar(&t.session, "session", "", "everything of this session, newest first")
	f.StringVar(&t.keep, "keep", "", "where a later edit is in the way: now or before")
	completion.Fixed(cmd, "keep", "now", "before")
	return cmd
}

// check wants exactly one of an operation, a batch and a session.
func (t target) check(verb string, args []string) error {
	n := 0
	for _, s := range []string{t.id, t.batch, t.session} {
		if s != "" {
			n++
		}
	}
	switch {
	case n != 1:
		return usagef("name what to %s: an operation's id, --batch or --session", verb)
	case t.keep != "" && t.keep != "now" && t.keep != "before":
		return usagef("--keep is now or before, not %q", t.keep)
	}
	return opIDs(args)
}

// chooseHint says how to decide between two texts.
const chooseHint = "--keep now keeps what the file says where the two touch and takes back the rest; " +
	"--keep before brings back the earlier text there, and the log keeps the later edit"

// takeBack undoes or redoes. Where a later edit is in the way it shows both texts
// and asks which one to keep, if somebody is there to ask.
func (c *cli) takeBack(ctx context.Context, k *dial.Client, call takeBack, t target) error {
	for {
		r, ops, err := call(ctx, k, t)
		if err == nil {
			return c.show(r, func(p *printer) { p.opLines(ops) })
		}
		conflict := conflictOf(err)
		if conflict == nil || t.keep != "" {
			return err
		}
		if c.json || !c.canAsk() {
			return hintError{err, chooseHint}
		}
		c.log.Printf("%s: %s\n", c.log.Paint(output.Bold, conflict.Path), conflict.Reason)
		c.log.conflict(conflict)
		c.log.Printf("Keep what it says [n]ow, or what it said [b]efore, or [q]uit? ")
		switch c.answer(ctx) {
		case "n", "now":
			t.keep = "now"
		case "b", "before":
			t.keep = "before"
		default:
			c.log.Printf("nothing was changed\n")
			return reportedError{exitConflict}
		}
	}
}

// conflictOf returns the two texts that an error is about, if it is.
func conflictOf(err error) *v1.Conflict {
	e, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return nil
	}
	if f, _ := explainRPC(e, ""); f.Conflict != nil {
		return f.Conflict.Conflict
	}
	return nil
}

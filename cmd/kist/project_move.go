package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// This file holds what changes a project as a whole.

func projectRenameCommand(c *cli) *cobra.Command {
	var req v1.RenameProjectRequest
	cmd := &cobra.Command{
		Use:   "rename PROJECT NAME",
		Short: "Give a project another name",
		Long: "Set a project's name, and its title where that is the old name. The folder stays, so that\n" +
			"links keep working; kist project move moves it.",
		Example:           "  kist project rename houseboat The Selkie",
		Args:              cobra.MinimumNArgs(2),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Project, req.Name = args[0], strings.Join(args[1:], " ")
			r, err := k.Project.RenameProject(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func projectMoveCommand(c *cli) *cobra.Command {
	var req v1.MoveProjectRequest
	cmd := &cobra.Command{
		Use:   "move PROJECT SLUG",
		Short: "Move a project's folder",
		Long: "Move a project's folder, with every file in it, to projects/<slug>. Links in your documents\n" +
			"that name the old path are not changed.",
		Example:           "  kist project move houseboat selkie",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Project, req.NewSlug = args[0], args[1]
			r, err := k.Project.MoveProject(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { c.undoable(p, r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func projectMergeCommand(c *cli) *cobra.Command {
	var req v1.MergeProjectsRequest
	var yes bool
	cmd := &cobra.Command{
		Use:   "merge FROM INTO",
		Short: "Move all of one project into another",
		Long: "Move every file of one project into another; a name that is taken gets a number. What its\n" +
			"document says under Decisions, Next steps and the dimensions is added to the other's, and\n" +
			"the document itself becomes a note there. One undo takes all of it back.",
		Example:           "  kist project merge mooring houseboat",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			from, err := k.Project.GetProject(ctx, &v1.GetProjectRequest{Project: args[0]})
			if err != nil {
				return err
			}
			into, err := k.Project.GetProject(ctx, &v1.GetProjectRequest{Project: args[1]})
			if err != nil {
				return err
			}
			one := from.Project.Path == into.Project.Path // refused, so there is nothing to ask
			if err := c.sure(ctx, fmt.Sprintf("Merge %s into %s?", from.Project.Name, into.Project.Name), yes || one); err != nil {
				return err
			}
			req.From, req.Into = from.Project.Path, into.Project.Path
			r, err := k.Project.MergeProjects(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { c.undoable(p, r.Operation) })
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func projectDeleteCommand(c *cli) *cobra.Command {
	var req v1.DeleteProjectRequest
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete PROJECT",
		Short: "Delete a project with all its files",
		Long: "Delete all files of a project's folder. The log keeps their texts, and kist op undo brings\n" +
			"them back; a project with files that it couldn't bring back, such as pictures, is left alone.",
		Example:           "  kist project delete houseboat",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			p, err := k.Project.GetProject(ctx, &v1.GetProjectRequest{Project: args[0]})
			if err != nil {
				return err
			}
			if err := c.sure(ctx, fmt.Sprintf("Delete %s with all its files?", p.Project.Name), yes); err != nil {
				return err
			}
			req.Project = p.Project.Path
			r, err := k.Project.DeleteProject(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { c.undoable(p, r.Operation) })
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

// sure asks a question and returns an error unless whoever sits at the terminal
// agrees, or agreed beforehand.
func (c *cli) sure(ctx context.Context, question string, yes bool) error {
	if yes {
		return nil
	}
	if !c.canAsk() {
		return usageError{hintError{errors.New("nobody is here to ask"), "--yes says so beforehand"}}
	}
	c.log.Printf("%s [y/N] ", question)
	switch c.answer(ctx) {
	case "y", "yes":
		return nil
	}
	return cmp.Or(ctx.Err(), errors.New("not done"))
}

// undoable prints an operation, and how to take it back.
func (c *cli) undoable(p *printer, op *v1.Operation) {
	p.opLine(op)
	if op != nil {
		c.log.Printf("kist op undo %s takes it back\n", shortID(op.Id))
	}
}

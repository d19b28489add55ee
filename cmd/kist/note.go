package main

import (
	"context"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func noteCommand(c *cli) *cobra.Command {
	return groupCommand(c, "note", "Notes: create, append", "  kist note create \"Paint suppliers\" -p houseboat < list.md",
		noteCreateCommand(c), noteAppendCommand(c))
}

func noteCreateCommand(c *cli) *cobra.Command {
	var req v1.CreateNoteRequest
	cmd := &cobra.Command{
		Use:     "create TITLE [TEXT...]",
		Short:   "Create a note",
		Long:    "Create a note in a project, or at the top of the vault. Its text is what follows the title, or standard input.",
		Example: "  kist note create \"Paint suppliers\" -p houseboat < list.md",
		Args:    cobra.MinimumNArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) (err error) {
			req.Title = args[0]
			if len(args) > 1 || !c.interactive() {
				if req.Text, err = c.textFrom(args[1:], "the text"); err != nil {
					return err
				}
			}
			r, err := k.Vault.CreateNote(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	c.projectFlag(cmd, &req.Project, "the project it belongs to")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func noteAppendCommand(c *cli) *cobra.Command {
	var req v1.AppendNoteRequest
	cmd := &cobra.Command{
		Use:     "append PATH|--daily [TEXT...]",
		Short:   "Add text at the end of a note",
		Long:    "Add text at the end of a note: what follows the path, or standard input. With --daily it is today's note, where Obsidian's settings have it.",
		Example: "  kist note append projects/houseboat/notes/log.md \"Talked with the yard.\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if req.Daily {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) (err error) {
			if !req.Daily {
				req.Path, args = c.inVault(args[0]), args[1:]
			}
			if req.Text, err = c.textFrom(args, "the text"); err != nil {
				return err
			}
			r, err := k.Vault.AppendNote(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	cmd.Flags().BoolVar(&req.Daily, "daily", false, "today's note, made where it isn't there")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

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
		Use:     "append PATH [TEXT...]",
		Short:   "Add text at the end of a note",
		Long:    "Add text at the end of a note: what follows the path, or standard input.",
		Example: "  kist note append projects/houseboat/notes/log.md \"Talked with the yard.\"",
		Args:    cobra.MinimumNArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) (err error) {
			req.Path = c.inVault(args[0])
			if req.Text, err = c.textFrom(args[1:], "the text"); err != nil {
				return err
			}
			r, err := k.Vault.AppendNote(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

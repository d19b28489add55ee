package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func memoryCommand(c *cli) *cobra.Command {
	return groupCommand(c, "memory", "Memories: list, create, move, forget", "  kist memory list",
		memoryListCommand(c), memoryCreateCommand(c), memoryMoveCommand(c), memoryForgetCommand(c))
}

func memoryListCommand(c *cli) *cobra.Command {
	var req v1.ListMemoriesRequest
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List what kist remembers",
		Long:    "List memories, newest first: all of them, or one project's.",
		Example: "  kist memory list -p houseboat",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.All(ctx, &req, k.Memory.ListMemories)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Memories) == 0 {
					c.log.Printf("nothing remembered yet\n")
				}
				for _, m := range r.Memories {
					p.Printf("%s\n    %s\n", m.Content, p.Paint(output.Dim, origin(m)))
				}
			})
		}),
	}
	c.projectFlag(cmd, &req.Project, "only this project's")
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

func memoryCreateCommand(c *cli) *cobra.Command {
	var req v1.CreateMemoryRequest
	cmd := &cobra.Command{
		Use:     "create FACT",
		Short:   "Remember a fact",
		Long:    "Remember one fact, about you or about a project. Without arguments it is read from standard input.",
		Example: "  kist memory create \"My sister's boat is called Selkie\"",
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			req.Content, err = c.words(args, "the fact")
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Memory.CreateMemory(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	c.projectFlag(cmd, &req.Project, "the project it is about (else: you)")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func memoryMoveCommand(c *cli) *cobra.Command {
	var req v1.MoveMemoryRequest
	cmd := &cobra.Command{
		Use:     "move MEMORY",
		Short:   "Move a memory to a project, or to your own",
		Long:    "Move a memory, named by id or path, to the project that --project names, or else to your own.",
		Example: "  kist memory move memories/boat-is-called-selkie.md -p houseboat",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Memory = args[0]
			r, err := k.Memory.MoveMemory(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	c.projectFlag(cmd, &req.Project, "the project it is about (else: you)")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func memoryForgetCommand(c *cli) *cobra.Command {
	var req v1.ForgetMemoryRequest
	cmd := &cobra.Command{
		Use:     "forget MEMORY",
		Short:   "Delete a memory",
		Long:    "Delete a memory, named by id or path. kist op undo brings it back.",
		Example: "  kist memory forget memories/boat-is-called-selkie.md",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Memory = args[0]
			r, err := k.Memory.ForgetMemory(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

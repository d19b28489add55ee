package main

import (
	"context"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func toolCommand(c *cli) *cobra.Command {
	return groupCommand(c, "tool", "The agent's tools: list", "  kist tool list", toolListCommand(c))
}

func toolListCommand(c *cli) *cobra.Command {
	var req v1.ListToolsRequest
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what the agent can do and what policy says of it",
		Long: "List the agent's tools: what each does, whether it is on now and why, and what policy says of it. auto runs at once and says why, ask proposes, never doesn't run;\n" +
			"kist.yaml decides. Which are on depends on the session: its project, its draft, and what a message speaks of.",
		Example: "  kist tool list --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.All(ctx, &req, k.Session.ListTools)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				var t table
				for _, tool := range r.Tools {
					on := safe("on")
					if !tool.On {
						on = p.paint(dim, "off")
					}
					t.add(p.paint(bold, tool.Name), on, tool.Class, tool.Policy, tool.Description, p.paint(dim, tool.Why))
				}
				p.table(t)
			})
		}),
	}
	cmd.Flags().StringVar(&req.Session, "session", "", "as it is in that session")
	return cmd
}

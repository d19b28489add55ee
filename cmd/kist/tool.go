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
	return &cobra.Command{
		Use:     "list",
		Short:   "List what the agent can do and what policy says of it",
		Long:    "List the agent's tools. auto runs at once and says why, ask proposes, never doesn't run; kist.yaml decides.",
		Example: "  kist tool list --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Session.ListTools(ctx, &v1.ListToolsRequest{})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				var t table
				for _, tool := range r.Tools {
					t.add(p.paint(bold, tool.Name), tool.Class, tool.Policy, tool.Description)
				}
				p.table(t)
			})
		}),
	}
}

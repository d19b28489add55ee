package main

import (
	"context"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
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
				var t output.Table
				for _, tool := range r.Tools {
					on := output.Safe("on")
					if !tool.On {
						on = p.Paint(output.Dim, "off")
					}
					t.Add(p.Paint(output.Bold, tool.Name), on, tool.Class, tool.Policy, tool.Description, p.Paint(output.Dim, tool.Why))
				}
				p.Table(t)
			})
		}),
	}
	cmd.Flags().StringVar(&req.Session, "session", "", "as it is in that session")
	return cmd
}

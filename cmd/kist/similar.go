package main

import (
	"context"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func similarCommand(c *cli) *cobra.Command {
	req := &v1.SimilarRequest{}
	cmd := &cobra.Command{
		Use:   "similar PATH",
		Short: "Find documents like one",
		Long: "Find documents that are about the same things as one, best first, whether they use the same\n" +
			"words or not; a small vault goes by words alone. What is too far away isn't shown. For projects\n" +
			"like one, see kist project related.",
		Example: "  kist similar notes/boat.md -n 5",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path = c.inVault(args[0])
			r, err := k.Search.Similar(ctx, req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				for _, h := range r.Results {
					p.hit(h)
				}
				c.searchFooter(len(r.Results), int(r.Total), r.Freshness)
			})
		}),
	}
	cmd.Flags().Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 10)")
	return cmd
}

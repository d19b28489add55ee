package find

import (
	"context"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// Similar is the command kist similar.
func Similar(a App) *cobra.Command {
	req := &v1.SimilarRequest{}
	cmd := &cobra.Command{
		Use:   "similar PATH",
		Short: "Find documents like one",
		Long: "Find documents that are about the same things as one, best first, whether they use the same\n" +
			"words or not; a small vault goes by words alone. What is too far away isn't shown. For projects\n" +
			"like one, see kist project related.",
		Example: "  kist similar notes/boat.md -n 5",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path = a.InVault(args[0])
			r, err := k.Search.Similar(ctx, req)
			if err != nil {
				return err
			}
			return a.Show(r, func(p *output.Printer) {
				for _, h := range r.Results {
					Hit(p, h)
				}
				a.searchFooter(len(r.Results), int(r.Total), r.Freshness)
			})
		}),
	}
	cmd.Flags().Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 10)")
	return cmd
}

package find

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// Related is the command kist project related.
func Related(a App) *cobra.Command {
	req := &v1.RelatedProjectsRequest{}
	cmd := &cobra.Command{
		Use:   "related PROJECT",
		Short: "Find projects that have to do with one, and why",
		Long: "Find the projects that are about the same things as one, named by slug, id or path, that link\n" +
			"to it or are linked to, or that share its tags, each with these reasons.",
		Example: "  kist project related houseboat -n 3",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Project = a.InVault(args[0])
			r, err := k.Search.RelatedProjects(ctx, req)
			if err != nil {
				return err
			}
			return a.Show(r, func(p *output.Printer) {
				for _, pr := range r.Projects {
					relatedProject(p, pr)
				}
				a.relatedFooter(r)
			})
		}),
	}
	cmd.Flags().Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 10)")
	return cmd
}

// relatedProject prints a project and why it is related, a reason a line.
func relatedProject(p *output.Printer, r *v1.RelatedProject) {
	p.Printf("%s  %s  %s\n", p.Paint(output.Bold, r.Slug), p.Paint(output.Cyan, r.Name), figure(r.Score))
	if r.Content > 0 {
		p.Printf("    about the same: %s", figure(r.Content))
		for i, a := range r.Alike {
			p.Printf("%s %s and %s", output.Safe([]string{";", ","}[min(i, 1)]), a.Ours, a.Theirs)
		}
		p.Printf("\n")
	}
	for _, l := range r.LinkPairs {
		p.Printf("    link: %s to %s\n", l.From, l.To)
	}
	if more := int(r.TotalLinks) - len(r.LinkPairs); more > 0 {
		p.Printf("    %s\n", p.Paint(output.Dim, fmt.Sprintf("and %s", output.Plural(more, "more link"))))
	}
	if len(r.SharedTags) > 0 {
		p.Printf("    tags: %s\n", strings.Join(r.SharedTags, ", "))
	}
}

func (a App) relatedFooter(r *v1.RelatedProjectsResponse) {
	switch more := int(r.Total) - len(r.Projects); {
	case len(r.Projects) == 0:
		a.Log.Printf("no project has to do with it\n")
	case more > 0:
		a.Log.Printf("%s\n", a.Log.Paint(output.Dim, string(output.Plural(more, "more project"))))
	}
	if r.Partial {
		a.Log.Printf("%s\n", a.Log.Paint(output.Yellow, "the projects have more documents than are compared; those near the top of each were"))
	}
	Freshness(a.Log, r.Freshness)
}

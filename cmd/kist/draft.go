package main

import (
	"context"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func draftCommand(c *cli) *cobra.Command {
	cmd := groupCommand(c, "draft", "Drafts: list, show, finalize, abandon", "  kist draft list",
		draftListCommand(c), draftShowCommand(c), draftFinalizeCommand(c), draftAbandonCommand(c))
	cmd.Long = "A draft is a project in the making, kept in drafts/<slug>.md while kist asks about it. It is\n" +
		"named by slug, id or path."
	return cmd
}

func draftListCommand(c *cli) *cobra.Command {
	var req v1.ListDraftsRequest
	var n int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List drafts",
		Long:    "List the drafts in progress, or those of one status.",
		Example: "  kist draft list --status all",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.Some(ctx, &req, n, k.Draft.ListDrafts)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Drafts) == 0 {
					c.log.Printf("no drafts\n")
				}
				var t output.Table
				for _, d := range r.Drafts {
					t.Add(p.Paint(output.Bold, d.Slug), d.Name, statusText(p, d.Status), covered(d))
				}
				p.Table(t)
				c.more(r)
			})
		}),
	}
	narrow.Limit(cmd.Flags(), &n, 0)
	cmd.Flags().StringVar(&req.Status, "status", "", "in_progress, completed, abandoned or all (else: in_progress)")
	completion.Fixed(cmd, "status", "in_progress", "completed", "abandoned", "all")
	return cmd
}

// covered says how much of a draft was talked about.
func covered(d *v1.Draft) output.Safe {
	if len(d.DimensionsCovered) == 0 {
		return ""
	}
	return output.Plural(len(d.DimensionsCovered), "dimension")
}

func draftShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "show DRAFT",
		Short:   "Show a draft",
		Long:    "Show a draft: what is known so far, and what would become of it.",
		Example: "  kist draft show houseboat",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Draft.GetDraft(ctx, &v1.GetDraftRequest{Draft: args[0]})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { showDraft(p, r) })
		}),
	}
}

func showDraft(p *printer, r *v1.GetDraftResponse) {
	d := r.Draft
	p.Printf("%s  %s\n", p.Paint(output.Bold, d.Name), statusText(p, d.Status))
	p.Printf("%s\n", p.Paint(output.Dim, d.Path))
	if d.FinalizedProject != "" {
		p.Printf("became the project %s\n", d.FinalizedProject)
	} else if d.Status == "in_progress" && d.Expires != nil {
		p.Printf("kept until %s\n", when(d.Expires))
	}
	if d.Description != "" {
		p.Printf("\n")
		p.Text(d.Description + "\n")
	}
	// In the order in which they were covered, which is that of the list.
	for _, key := range d.DimensionsCovered {
		if text := r.Dimensions[key]; text != "" {
			p.Printf("\n%s\n", p.Paint(output.Bold, key))
			p.Text(text + "\n")
		}
	}
	p.list("Tasks", d.Tasks)
	p.list("Still to ask", d.FollowUp)
}

func draftFinalizeCommand(c *cli) *cobra.Command {
	var req v1.FinalizeDraftRequest
	cmd := &cobra.Command{
		Use:   "finalize DRAFT",
		Short: "Make a project of a draft",
		Long: "Make a project of a draft: all of its text becomes the project's document, and the\n" +
			"checkboxes of its Tasks section become task files. The draft stays, as completed.",
		Example: "  kist draft finalize houseboat",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Draft = args[0]
			r, err := k.Draft.FinalizeDraft(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				p.opLines(r.Operations)
				c.log.Printf("kist op undo --batch %s takes it back\n", r.Operations[0].GetBatch())
			})
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func draftAbandonCommand(c *cli) *cobra.Command {
	var req v1.AbandonDraftRequest
	cmd := &cobra.Command{
		Use:     "abandon DRAFT",
		Short:   "Give a draft up",
		Long:    "Set a draft's status to abandoned. Its file stays.",
		Example: "  kist draft abandon houseboat --reason \"we stay ashore\"",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Draft = args[0]
			r, err := k.Draft.AbandonDraft(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

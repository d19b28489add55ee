package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/find"
	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	"kist/cmd/kist/study"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func projectCommand(c *cli) *cobra.Command {
	show, _ := c.shows()
	cmd := groupCommand(c, "project", "Projects: list, show, audit, completeness, forecast, related, create, update, rename, move, archive, merge, delete", "  kist project list",
		projectListCommand(c), projectShowCommand(c), find.Related(c.finds()), projectCreateCommand(c),
		projectUpdateCommand(c), projectRenameCommand(c), projectMoveCommand(c),
		projectArchiveCommand(c), projectMergeCommand(c), projectDeleteCommand(c))
	cmd.AddCommand(study.Commands(study.App{RPC: c.rpc, Show: show, Text: c.out.Text, Projects: c.offers().Projects})...)
	return cmd
}

func projectListCommand(c *cli) *cobra.Command {
	var req v1.ListProjectsRequest
	var n int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List projects",
		Long: "List the projects that are not archived, or those of one status: those of projects/, and notes that\n" +
			"are projects where they lie (by type: project, or a rule in kist.yaml).",
		Example: "  kist project list --status all",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.Some(ctx, &req, n, k.Project.ListProjects)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Projects) == 0 {
					c.log.Printf("no projects yet; kist project create NAME makes one\n")
				}
				p.projects(r.Projects)
				c.more(r)
			})
		}),
	}
	cmd.Flags().StringVar(&req.Status, "status", "", "active, completed, archived or all")
	cmd.Flags().StringVar(&req.OrderBy, "order", "", "name, due, created, updated, status or path, by comma, each with \" desc\" or not")
	completion.Fixed(cmd, "status", "active", "completed", "archived", "all")
	narrow.Limit(cmd.Flags(), &n, 0)
	return cmd
}

func projectShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:               "show PROJECT",
		Short:             "Show a project",
		Long:              "Show a project, named by slug, id or path, with its summary, decisions and next steps.",
		Example:           "  kist project show houseboat",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Project.GetProject(ctx, &v1.GetProjectRequest{Project: args[0]})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { showProject(p, r) })
		}),
	}
}

func projectCreateCommand(c *cli) *cobra.Command {
	var req v1.CreateProjectRequest
	cmd := &cobra.Command{
		Use:     "create NAME",
		Short:   "Create a project",
		Long:    "Create projects/<slug>/project.md. The slug is made from the name.",
		Example: "  kist project create Houseboat --description \"Living on the canal by spring\" --tag home",
		Args:    cobra.MinimumNArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Name = strings.Join(args, " ")
			r, err := k.Project.CreateProject(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	f := cmd.Flags()
	f.StringVar(&req.Description, "description", "", "what it is about")
	f.StringArrayVar(&req.Tags, "tag", nil, "a tag; may be given more than once")
	priorityFlag(cmd, &req.Priority)
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func projectUpdateCommand(c *cli) *cobra.Command {
	var req v1.UpdateProjectRequest
	var name, status, priority, start, due string
	cmd := &cobra.Command{
		Use:               "update PROJECT",
		Short:             "Set a project's name, status, priority or dates",
		Long:              "Set front-matter keys of a project. What isn't named stays as it is; an empty date\nremoves it.",
		Example:           "  kist project update houseboat --status completed",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.offers().Projects,
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		req.Name, req.Status, req.Priority = given(cmd, "name", &name), given(cmd, "status", &status), given(cmd, "priority", &priority)
		req.Start, req.Due = given(cmd, "start", &start), given(cmd, "due", &due)
		if req.Name == nil && req.Status == nil && req.Priority == nil && req.Start == nil && req.Due == nil {
			return usagef("nothing to set: name --name, --status, --priority, --start or --due")
		}
		return dates(&start, &due)
	}
	cmd.RunE = c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
		req.Project = args[0]
		r, err := k.Project.UpdateProject(ctx, &req)
		if err != nil {
			return err
		}
		return c.show(r, func(p *printer) { p.opLine(r.Operation) })
	})
	cmd.Flags().StringVar(&name, "name", "", "its name; the slug stays")
	cmd.Flags().StringVar(&status, "status", "", "active, completed or archived")
	completion.Fixed(cmd, "status", "active", "completed", "archived")
	cmd.Flags().StringVar(&start, "start", "", "YYYY-MM-DD")
	cmd.Flags().StringVar(&due, "due", "", "YYYY-MM-DD")
	priorityFlag(cmd, &priority)
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func projectArchiveCommand(c *cli) *cobra.Command {
	var req v1.ArchiveProjectRequest
	cmd := &cobra.Command{
		Use:               "archive PROJECT",
		Short:             "Archive a project",
		Long:              "Set a project's status to archived. Its files stay where they are.",
		Example:           "  kist project archive houseboat --reason \"sold\"",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.offers().Projects,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Project = args[0]
			r, err := k.Project.ArchiveProject(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

// projects prints one project a line.
func (p *printer) projects(projects []*v1.Project) {
	var t output.Table
	for _, pr := range projects {
		t.Add(p.Paint(output.Bold, pr.Slug), pr.Name, statusText(p, pr.Status), taskCount(pr.OpenTasks))
	}
	p.Table(t)
}

func showProject(p *printer, r *v1.GetProjectResponse) {
	pr := r.Project
	p.Printf("%s  %s\n", p.Paint(output.Bold, pr.Name), statusText(p, pr.Status))
	p.Printf("%s\n", p.Paint(output.Dim, pr.Path))
	if pr.Description != "" {
		p.Printf("\n")
		p.Text(strings.TrimSpace(pr.Description) + "\n")
	}
	if r.Summary != "" {
		p.Printf("\n%s\n", p.Paint(output.Bold, "Summary"))
		p.Text(strings.TrimSpace(r.Summary) + "\n")
	}
	p.list("Decisions", r.Decisions)
	p.list("Next steps", r.NextSteps)
	p.Printf("\n%d open, %d done\n", pr.OpenTasks, pr.DoneTasks)
}

// list prints a heading and its items, or nothing if there are none.
func (p *printer) list(heading string, items []string) {
	if len(items) == 0 {
		return
	}
	p.Printf("\n%s\n", p.Paint(output.Bold, heading))
	for _, item := range items {
		p.Printf("- %s\n", item)
	}
}

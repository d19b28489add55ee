package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/narrow"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func taskCommand(c *cli) *cobra.Command {
	return groupCommand(c, "task", "Tasks: list, create, update, complete, move, delete", "  kist task list -p houseboat",
		taskListCommand(c), taskCreateCommand(c), taskUpdateCommand(c), taskCompleteCommand(c), taskMoveCommand(c), taskDeleteCommand(c))
}

func taskListCommand(c *cli) *cobra.Command {
	var req v1.ListTasksRequest
	var read func() error
	var n int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List tasks",
		Long:    "List open tasks: task files, and the checkboxes of all documents, named path:line.",
		Example: "  kist task list -p houseboat --status all\n  kist task list --priority high --due-before 2027-03-01\n  kist task list --overdue --path 'Daily/**' --order 'priority, due' -n 20",
		Args:    cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error {
			if err := read(); err != nil {
				return usagef("%s", err)
			}
			return nil
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.Some(ctx, &req, n, k.Task.ListTasks)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				switch {
				case req.CountOnly:
					p.Printf("%d\n", r.TotalSize)
				case len(r.Tasks) == 0:
					c.log.Printf("no tasks\n")
				}
				p.tasks(r.Tasks)
				c.more(r)
			})
		}),
	}
	c.projectFlag(cmd, &req.Project, "only this project's")
	read = narrow.Tasks(cmd.Flags(), &req)
	narrow.Limit(cmd.Flags(), &n, 0)
	completion.Fixed(cmd, "status", "backlog", "todo", "in_progress", "done", "cancelled", "all")
	completion.Fixed(cmd, "priority", "low", "medium", "high", "urgent", "none")
	return cmd
}

func taskCreateCommand(c *cli) *cobra.Command {
	var req v1.CreateTaskRequest
	cmd := &cobra.Command{
		Use: "create TITLE", Aliases: []string{"add"}, SuggestFor: []string{"new"},
		Short: "Create a task",
		Long: "Create projects/<slug>/tasks/<slug>.md in a project, or a checkbox in the note that is the project;\n" +
			"with --path a checkbox in that document, without either one in inbox.md. Checkboxes are written as\n" +
			"those around them: with emoji (📅 2027-03-01) or with fields ([due:: 2027-03-01]).",
		Example: "  kist task create -p houseboat Paint the hull --due 2027-03-01 --priority high\n" +
			"  kist task add Water the plants --path notes/home.md --section Garden --repeat 'every 3 days' --scheduled 2027-03-01 --tag home",
		Args: cobra.MinimumNArgs(1),
		PreRunE: func(*cobra.Command, []string) error {
			return dates(&req.Due, &req.Start, &req.Scheduled)
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Title, req.Path = strings.Join(args, " "), c.inVault(req.Path)
			r, err := k.Task.CreateTask(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	c.projectFlag(cmd, &req.Project, "the project it belongs to; none: the inbox")
	f := cmd.Flags()
	f.StringVar(&req.Path, "path", "", "the document that gets it as a checkbox")
	f.StringVar(&req.Section, "section", "", "with --path: the heading below which it goes")
	f.StringVar(&req.Scheduled, "scheduled", "", "YYYY-MM-DD: when it is planned for")
	f.StringVar(&req.Repeat, "repeat", "", "of a checkbox: \"every week\" or \"every month on the 1st\"")
	f.StringArrayVar(&req.Tags, "tag", nil, "a tag; may be given more than once")
	f.StringVar(&req.Due, "due", "", "YYYY-MM-DD")
	f.StringVar(&req.Start, "start", "", "YYYY-MM-DD")
	f.StringVar(&req.Duration, "duration", "", "such as 2h or 3d")
	f.StringVar(&req.Body, "body", "", "more about it")
	priorityFlag(cmd, &req.Priority)
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func taskUpdateCommand(c *cli) *cobra.Command {
	var req v1.UpdateTaskRequest
	var title, status, priority, due, start, scheduled, duration, repeat, created string
	cmd := &cobra.Command{
		Use: "update TASK", SuggestFor: []string{"set", "edit", "change"},
		Short:   "Set a task's title, status, priority or dates",
		Long:    "Set front-matter keys of a task file, named by id or path, or what stands in and beside a checkbox, named path:line. An empty date, or none, removes it.",
		Example: "  kist task update projects/houseboat/tasks/paint-the-hull.md --status in_progress",
		Args:    cobra.ExactArgs(1),
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		req.Title, req.Status, req.Priority = given(cmd, "title", &title), given(cmd, "status", &status), given(cmd, "priority", &priority)
		req.Due, req.Start, req.Created = given(cmd, "due", &due), given(cmd, "start", &start), given(cmd, "created", &created)
		req.Duration, req.Scheduled, req.Repeat = given(cmd, "duration", &duration), given(cmd, "scheduled", &scheduled), given(cmd, "repeat", &repeat)
		if req.Title == nil && req.Repeat == nil && req.Created == nil && req.Status == nil && req.Priority == nil && req.Due == nil && req.Start == nil && req.Duration == nil && req.Scheduled == nil {
			return usagef("nothing to set: name --title, --status, --priority, --due, --start, --scheduled, --duration, --repeat or --created")
		}
		return dates(&due, &start, &scheduled, &created)
	}
	cmd.RunE = c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
		req.Task = args[0]
		r, err := k.Task.UpdateTask(ctx, &req)
		if err != nil {
			return err
		}
		return c.show(r, func(p *printer) { p.opLine(r.Operation) })
	})
	f := cmd.Flags()
	f.StringVar(&title, "title", "", "what is to be done")
	f.StringVar(&status, "status", "", "backlog, todo, in_progress, done or cancelled")
	completion.Fixed(cmd, "status", "backlog", "todo", "in_progress", "done", "cancelled")
	f.StringVar(&due, "due", "", "YYYY-MM-DD")
	f.StringVar(&start, "start", "", "YYYY-MM-DD")
	f.StringVar(&scheduled, "scheduled", "", "YYYY-MM-DD: when it is planned for")
	f.StringVar(&duration, "duration", "", "such as 2h or 3d; empty removes it")
	f.StringVar(&repeat, "repeat", "", "of a checkbox: \"every week\" or \"every month on the 1st\"; empty removes it")
	f.StringVar(&created, "created", "", "of a checkbox: YYYY-MM-DD")
	f.StringVar(&priority, "priority", "", "low, medium, high, urgent or none")
	completion.Fixed(cmd, "priority", "low", "medium", "high", "urgent", "none")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func taskCompleteCommand(c *cli) *cobra.Command {
	var req v1.CompleteTaskRequest
	cmd := &cobra.Command{
		Use: "complete TASK", SuggestFor: []string{"done", "finish", "tick", "check", "close", "do"},
		Short:   "Mark a task as done",
		Long:    "Mark a task as done: a file by id or path, a checkbox by path:line. A recurring one (🔁) gets the next one on the line above it.",
		Example: "  kist task complete notes/packing.md:12",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Task = args[0]
			r, err := k.Task.CompleteTask(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func taskMoveCommand(c *cli) *cobra.Command {
	var req v1.MoveTaskRequest
	cmd := &cobra.Command{
		Use:     "move TASK PROJECT",
		Short:   "Move a task to another project",
		Long:    "Move a task to another project: a file by id or path; a checkbox by path:line, which becomes a file there. kist op undo takes it back.",
		Example: "  kist task move projects/houseboat/tasks/call-the-plumber.md house-move",
		Args:    cobra.ExactArgs(2),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Task, req.Project = args[0], args[1]
			r, err := k.Task.MoveTask(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func taskDeleteCommand(c *cli) *cobra.Command {
	var req v1.DeleteTaskRequest
	cmd := &cobra.Command{
		Use: "delete TASK", SuggestFor: []string{"rm", "remove"},
		Short:   "Delete a task",
		Long:    "Delete a task file, or take a checkbox out of its document with the lines below it, named by id, path or path:line. kist op undo brings it back.",
		Example: "  kist task delete projects/houseboat/tasks/paint-the-hull.md",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Task = args[0]
			r, err := k.Task.DeleteTask(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

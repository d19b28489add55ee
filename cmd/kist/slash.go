package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// A slashCommand is something other than talk that a chat understands.
type slashCommand struct {
	name, help string
	run        func(*chat, context.Context) error
}

// slashCommands is a function because its help refers to itself.
func slashCommands() []slashCommand {
	return []slashCommand{
		{"help", "list these commands", (*chat).help},
		{"projects", "list projects", (*chat).projects},
		{"tasks", "list open tasks, of the active project if there is one", (*chat).tasks},
		{"drafts", "list unfinished drafts", (*chat).drafts},
		{"mode", "begin a session of a mode: /mode project_audit", (*chat).showMode},
		{"tools", "list what kist can do here", (*chat).tools},
		{"ops", "list the last operations", (*chat).operations},
		{"undo", "take back the last change of this chat", (*chat).undo},
		{"redo", "take back the last undo of this chat", (*chat).redo},
		{"new", "begin a new session", (*chat).begin},
		{"quit", "end the chat", func(*chat, context.Context) error { return errQuit }},
	}
}

// command runs the slash command of that name.
func (ch *chat) command(ctx context.Context, name string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(name), " ")
	if name == "mode" && arg != "" {
		return ch.change(ctx, strings.TrimSpace(arg))
	}
	for _, cmd := range slashCommands() {
		if cmd.name == name {
			return cmd.run(ch, ctx)
		}
	}
	return usageError{hintError{errors.New("no command /" + name), "/help lists them"}}
}

func (ch *chat) help(context.Context) error {
	var t output.Table
	for _, cmd := range slashCommands() {
		t.Add(ch.c.log.Paint(output.Bold, "/"+cmd.name), cmd.help)
	}
	ch.c.log.Table(t)
	return nil
}

func (ch *chat) projects(ctx context.Context) error {
	r, err := dial.All(ctx, &v1.ListProjectsRequest{}, ch.k.Project.ListProjects)
	if err != nil {
		return err
	}
	return ch.c.show(r, func(p *printer) { p.projects(r.Projects) })
}

func (ch *chat) tasks(ctx context.Context) error {
	r, err := ch.k.Task.ListTasks(ctx, &v1.ListTasksRequest{Project: ch.project})
	if err != nil {
		return err
	}
	return ch.c.show(r, func(p *printer) { p.tasks(r.Tasks) })
}

func (ch *chat) drafts(ctx context.Context) error {
	r, err := dial.All(ctx, &v1.ListDraftsRequest{}, ch.k.Draft.ListDrafts)
	if err != nil {
		return err
	}
	return ch.c.show(r, func(p *printer) {
		if len(r.Drafts) == 0 {
			ch.c.log.Printf("no drafts\n")
		}
		var t output.Table
		for _, d := range r.Drafts {
			t.Add(p.Paint(output.Bold, d.Slug), d.Name, covered(d))
		}
		p.Table(t)
	})
}

func (ch *chat) showMode(context.Context) error {
	ch.c.log.Printf("this session is %s; there are %s\n", orElse(ch.mode, "general"), strings.Join(modes(), ", "))
	return nil
}

// change begins a session of another mode in the active project.
func (ch *chat) change(ctx context.Context, mode string) error {
	if !slices.Contains(modes(), mode) {
		return usageError{hintError{errors.New("no mode " + mode), "there are " + strings.Join(modes(), ", ")}}
	}
	req := &v1.SendRequest{Mode: mode, Project: ch.project}
	if mode == "general" {
		req = &v1.SendRequest{Session: ch.session, Mode: mode}
		ch.mode = mode
	}
	if err := ch.enter(ctx, ch.k, req, false); err != nil {
		return err
	}
	ch.next = req
	return nil
}

func (ch *chat) tools(ctx context.Context) error {
	r, err := dial.All(ctx, &v1.ListToolsRequest{Session: ch.session}, ch.k.Session.ListTools)
	if err != nil {
		return err
	}
	return ch.c.show(r, func(p *printer) {
		var t output.Table
		for _, tool := range r.Tools {
			if tool.On {
				t.Add(p.Paint(output.Bold, tool.Name), tool.Policy, tool.Description)
			}
		}
		p.Table(t)
	})
}

func (ch *chat) operations(ctx context.Context) error {
	r, err := ch.k.Operation.ListOperations(ctx, &v1.ListOperationsRequest{PageSize: 10})
	if err != nil {
		return err
	}
	return ch.c.show(r, func(p *printer) { p.operations(r.Operations) })
}

func (ch *chat) undo(ctx context.Context) error {
	n := len(ch.batches)
	if n == 0 {
		ch.c.log.Printf("nothing was changed in this chat yet\n")
		return nil
	}
	if err := ch.c.takeBack(ctx, ch.k, undo, target{batch: ch.batches[n-1]}); err != nil {
		return err
	}
	ch.undone = append(ch.undone, ch.batches[n-1])
	ch.batches = ch.batches[:n-1]
	return nil
}

func (ch *chat) redo(ctx context.Context) error {
	n := len(ch.undone)
	if n == 0 {
		ch.c.log.Printf("nothing was undone in this chat\n")
		return nil
	}
	if err := ch.c.takeBack(ctx, ch.k, redo, target{batch: ch.undone[n-1]}); err != nil {
		return err
	}
	ch.batches = append(ch.batches, ch.undone[n-1])
	ch.undone = ch.undone[:n-1]
	return nil
}

func (ch *chat) begin(context.Context) error {
	ch.next = &v1.SendRequest{Session: "new"}
	ch.mode = ""
	ch.session, ch.project, ch.batches, ch.undone = "", "", nil, nil
	return nil
}

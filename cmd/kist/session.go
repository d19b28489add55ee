package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	"kist/cmd/kist/transcript"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func sessionCommand(c *cli) *cobra.Command {
	_, line := c.shows()
	return groupCommand(c, "session", "Conversations: list, show, rename, delete, export", "  kist session list",
		append(transcript.Commands(transcript.App{RPC: c.rpc, Line: line, Raw: c.out.Raw, Sessions: c.offers().Sessions}), sessionListCommand(c), sessionShowCommand(c))...)
}

func sessionListCommand(c *cli) *cobra.Command {
	var req v1.ListSessionsRequest
	var n int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List sessions, the last used one first",
		Long:    "List sessions, the last used one first. kist chat --session ID goes on with one.",
		Example: "  kist session list -n 5",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.Some(ctx, &req, n, k.Session.ListSessions)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				if len(r.Sessions) == 0 {
					c.log.Printf("no sessions yet; kist chat begins one\n")
				}
				var t output.Table
				for _, s := range r.Sessions {
					t.Add(s.Id, p.Paint(output.Dim, when(s.LastUsed)), output.Plural(int(s.Turns), "turn"), s.Mode, p.Paint(output.Bold, s.Project), s.Title)
				}
				p.Table(t)
				c.more(r)
			})
		}),
	}
	narrow.Limit(cmd.Flags(), &n, 50)
	cmd.Flags().StringVar(&req.OrderBy, "order", "", "last_used, created or title, by comma, each with \" desc\" or not")
	return cmd
}

func sessionShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show a session",
		Long:    "Show a session: its mode, its project and where \"back\" leads.",
		Example: "  kist session show 01KB2Q3M7N8P9R0S1T2V3W4X5Y",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Session.GetSession(ctx, &v1.GetSessionRequest{Session: args[0]})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				s := r.Session
				var t output.Table
				t.Add(p.Paint(output.Dim, "session"), s.Id)
				t.Add(p.Paint(output.Dim, "title"), orElse(s.Title, "none yet"))
				t.Add(p.Paint(output.Dim, "mode"), strings.TrimSpace(s.Mode+" "+s.Phase))
				if s.Draft != "" {
					t.Add(p.Paint(output.Dim, "draft"), s.Draft)
				}
				t.Add(p.Paint(output.Dim, "project"), orElse(s.Project, "none"))
				t.Add(p.Paint(output.Dim, "back"), orElse(strings.Join(s.ProjectStack, ", "), "nowhere"))
				if s.Question != "" {
					t.Add(p.Paint(output.Dim, "asked"), s.Question)
				}
				if s.Interrupted != "" {
					t.Add(p.Paint(output.Dim, "cut off"), s.Interrupted)
				}
				t.Add(p.Paint(output.Dim, "turns"), s.Turns)
				t.Add(p.Paint(output.Dim, "created"), when(s.Created))
				t.Add(p.Paint(output.Dim, "last used"), when(s.LastUsed))
				p.Table(t)
			})
		}),
	}
}

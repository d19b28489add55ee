package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/output"
	"kist/cmd/kist/talk"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func askCommand(c *cli) *cobra.Command {
	var req v1.SendRequest
	var explain talk.Explanation
	preview := false
	cmd := &cobra.Command{
		Use:   "ask TEXT",
		Short: "Say one thing and print the answer",
		Long: "One turn of the conversation: say something, print the answer and every change it made.\n" +
			"Without arguments the text is read from standard input. It goes on with this machine's\n" +
			"last session unless --session or --mode says otherwise; --mode begins a session of its own.",
		Example: "  kist ask --mode project_create \"I want to build a sauna\"\n  kist ask \"what did we decide about the paint?\"\n  kist ask --json --session new < braindump.txt",
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			req.Text, err = c.words(args, "something to say")
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			if preview {
				return c.preview(ctx, k, &req)
			}
			t := turn{c: c, names: true, explain: &explain}
			if err := t.enter(ctx, k, &req, true); err != nil {
				return err
			}
			return t.send(ctx, k, &req)
		}),
	}
	c.talkFlags(cmd, &req, &explain)
	cmd.Flags().BoolVar(&preview, "show-prompt", false, "print what a language model would be sent, to the byte, and send nothing")
	return cmd
}

// preview prints the request that would be made. Where it goes is told beside it.
func (c *cli) preview(ctx context.Context, k *dial.Client, req *v1.SendRequest) error {
	r, err := k.Session.PreviewTurn(ctx, &v1.PreviewTurnRequest{Message: req})
	if err != nil {
		return err
	}
	return c.show(r, func(p *printer) {
		defer c.log.Printf("%s", output.Safe(talk.Beside(terminal.Line(r.Beside))))
		if r.Why != "" {
			c.log.Printf("nothing would be sent: %s\n", r.Why)
			return
		}
		c.log.Printf("%s would be sent these %d bytes (SHA-256 %s), to %s:\n", r.Model, len(r.Body), talk.Sum(r.Body), r.Url)
		p.Raw(r.Body)
		if p.TTY {
			p.Printf("\n")
		}
	})
}

// talkFlags adds the flags that say where a conversation takes place and what is told of it.
func (c *cli) talkFlags(cmd *cobra.Command, req *v1.SendRequest, explain *talk.Explanation) {
	cmd.Flags().BoolVar(&explain.Asked, "explain", false, "say which model answers, what it calls, and what was put right in its calls")
	c.projectFlag(cmd, &req.Project, "the project to talk about")
	cmd.Flags().StringVar(&req.Mode, "mode", "", "begin a session of a mode: "+strings.Join(modes(), ", "))
	completion.Fixed(cmd, "mode", modes()...)
	cmd.Flags().StringVar(&req.Session, "session", "", "the session to go on with, or new (else the last one)")
}

// modes are the kinds of session.
func modes() []string {
	return []string{"general", "project_create", "project_update", "project_audit", "project_forecast", "task_update"}
}

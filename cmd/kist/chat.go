package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kist/cmd/kist/talk"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func chatCommand(c *cli) *cobra.Command {
	var req v1.SendRequest
	var explain talk.Explanation
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Talk with kist about the vault",
		Long: "The terminal conversation, with line editing and history. Every change is shown as it\n" +
			"happens. /help lists what can be typed besides talking. What is pasted is one message,\n" +
			"with all its lines. Ctrl-C ends a turn, clears what is being written, and on an empty\n" +
			"line leaves. A daemon that was ended meanwhile is started again.\n\n" +
			"Where standard input is not a terminal, each of its lines is a turn.",
		Example: "  kist chat -p houseboat\n  kist chat --mode project_create\n  kist chat --session new",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			ch := &chat{turn: turn{c: c, session: req.Session, project: req.Project, mode: req.Mode, explain: &explain}, k: k, next: &req}
			defer func() { ch.k.Close() }() // which need not be k any more
			if err := ch.enter(ctx, k, &req, false); err != nil {
				return err
			}
			if !c.interactive() || !c.out.TTY || c.json {
				return ch.script(ctx)
			}
			return ch.talk(ctx)
		}),
	}
	c.talkFlags(cmd, &req, &explain)
	return cmd
}

// A chat is one run of kist chat.
type chat struct {
	turn
	k    *dial.Client
	next *v1.SendRequest // what the next turn is sent with, besides its text

	undone []string // batches that /undo took back, in that order
}

// errQuit ends a chat.
var errQuit = errors.New("quit")

// script takes each line of standard input as a turn.
func (ch *chat) script(ctx context.Context) error {
	lines := bufio.NewReader(ch.c.in)
	for {
		text, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if fail := ch.say(ctx, text); fail != nil {
			if errors.Is(fail, errQuit) {
				return nil
			}
			return fail
		}
		if err != nil {
			return nil
		}
	}
}

// talk holds the conversation at a terminal. Errors of a turn are shown and the
// conversation goes on.
func (ch *chat) talk(ctx context.Context) error {
	in, ok := ch.c.in.(*os.File)
	if !ok {
		return ch.script(ctx)
	}
	ed, err := terminal.NewEditor(in, ch.c.out.Out, historyPath(ch.c.dir))
	if err != nil {
		return err
	}
	defer ed.RestoreOnSignal(exitFailed)()
	ch.greet()
	for {
		text, err := ed.ReadLine(prompt(ch.project, ch.mode))
		if errors.Is(err, io.EOF) {
			ch.c.log.Printf("\n") // the prompt's line is still open
			return nil
		}
		if err != nil {
			return err
		}
		err = ch.interruptible(ctx, text)
		if errors.Is(err, errQuit) {
			return nil
		}
		if err != nil {
			ch.c.report(err)
		}
	}
}

// interruptible runs one turn which Ctrl-C ends without ending the chat.
func (ch *chat) interruptible(ctx context.Context, text string) error {
	// The chat's own context ends with the first interrupt; a turn gets its own.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt)
	defer stop()
	return ch.say(ctx, text)
}

// say carries out one line: a command that starts with a slash, or a turn.
func (ch *chat) say(ctx context.Context, text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if err := ch.reach(ctx); err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(text, "/"); ok {
		return ch.command(ctx, name)
	}
	req := ch.next
	req.Text = text
	sent := time.Now()
	if err := ch.send(ctx, ch.k, req); err != nil {
		return ch.broke(ctx, req, sent, err)
	}
	// From here on the session knows its project and mode.
	ch.next = &v1.SendRequest{Session: ch.session}
	return nil
}

func (ch *chat) greet() {
	ch.c.log.wrapped(func(p *printer) {
		p.Printf("kist, talking about %s. /help lists commands, /quit ends.\n", ch.c.dir)
	})
}

// prompt says where the conversation is: in which project, and in which mode.
func prompt(project, mode string) string {
	where := orElse(terminal.Line(project), "kist")
	if mode != "" && mode != "general" {
		where += " (" + terminal.Line(strings.ReplaceAll(strings.TrimPrefix(mode, "project_"), "_", " ")) + ")"
	}
	return where + "> "
}

// historyPath is where the lines typed about a vault are kept, beside the log of
// its daemon.
func historyPath(vault string) string {
	paths, err := dial.PathsFor(vault)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(paths.Log, ".log") + ".history"
}

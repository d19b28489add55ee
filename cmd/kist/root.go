package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/about"
	"kist/cmd/kist/find"
	"kist/cmd/kist/importer"
	"kist/cmd/kist/lsp"
	"kist/cmd/kist/machine"
	"kist/cmd/kist/measure"
	"kist/cmd/kist/memory"
	"kist/cmd/kist/merge"
	"kist/cmd/kist/model"
	"kist/cmd/kist/narrow"
	"kist/cmd/kist/output"
	"kist/cmd/kist/sync"
	"kist/cmd/kist/terminal"
	"kist/cmd/kist/token"
	"kist/cmd/kist/usage"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// A cli is what all commands share.
type cli struct {
	in  io.Reader
	out *printer // data
	log *printer // everything else

	vault   string
	json    bool
	noColor bool

	started bool   // the command line was understood
	asked   string // the command that it names, once it ended
	dir     string // the vault's folder, once connected
}

func newRoot(c *cli) *cobra.Command {
	root := &cobra.Command{
		Use:   "kist",
		Short: "A thinking partner for the files you own",
		Long: "A thinking partner for the files you own: kist watches a folder of Markdown, the vault,\n" +
			"finds what is in it, and changes it by conversation. Every change is shown, explained\n" +
			"and undoable.",
		Example: "  kist up ~/notes\n  kist chat\n  kist search \"paint supplier\"",
		Args:    cobra.ArbitraryArgs,
		RunE:    c.group,

		Version:       machine.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	f := root.PersistentFlags()
	f.StringVar(&c.vault, "vault", "", "the vault's folder (else $KIST_VAULT, else the nearest parent with kist.yaml, else the default vault)")
	f.BoolVar(&c.json, "json", false, "print responses as JSON, streams as JSON lines")
	f.BoolVar(&c.noColor, "no-color", false, "no colours, also on a terminal")
	_ = root.MarkPersistentFlagDirname("vault") // the flag exists: two lines above
	root.PersistentPreRun = func(*cobra.Command, []string) {
		c.started = true
		if c.noColor {
			c.out.Color, c.log.Color = false, false
		}
	}
	imports, adopt := importCommands(c)
	root.AddCommand(
		upCommand(c), initCommand(c), downCommand(c), statusCommand(c), doctorCommand(c),
		chatCommand(c), askCommand(c),
		projectCommand(c), draftCommand(c), taskCommand(c), memoryCommand(c), noteCommand(c),
		find.Search(c.finds()), find.Similar(c.finds()), docCommand(c), opCommand(c), sessionCommand(c), toolCommand(c), policyCommand(c), modelCommand(c), syncCommand(c), tokenCommand(c), imports, adopt,
		indexCommand(c), mergeCommand(c), lspCommand(c), about.Connect(c.about()), about.Version(c.about()),
	)
	c.offers().Attach(root)
	return root
}

// about is what the commands about kist itself need of the program.
func (c *cli) about() about.App {
	return about.App{
		JSON: func() bool { return c.json }, Value: func(v any) error { return c.out.JSONValue(v, true) },
		Print: c.out.Printf, Log: c.log.Printf, RPC: c.rpc,
	}
}

func mergeCommand(c *cli) *cobra.Command {
	return merge.Command(merge.App{
		Show: func(m proto.Message, human func(merge.Printf)) error {
			return c.show(m, func(p *printer) { human(p.Printf) })
		},
		Usage:    func(err error) error { return usageError{err} },
		Conflict: reportedError{exitFailed},
	})
}

func lspCommand(c *cli) *cobra.Command {
	return lsp.Command(lsp.App{
		Find: func(from string) (string, error) { return dial.FindFrom(c.vault, from) },
		Connect: func(ctx context.Context, vault, client string, log func(string)) (*dial.Client, error) {
			return dial.Connect(ctx, vault, dial.Options{Start: true, Client: client, Log: log})
		},
		Log: c.log.Printf,
	})
}

// shows returns how a command in a room of its own prints a response, and one of a stream.
func (c *cli) shows() (show, line func(proto.Message, func(model.Printf)) error) {
	show = func(m proto.Message, human func(model.Printf)) error {
		return c.show(m, func(p *printer) { human(p.Printf) })
	}
	return show, func(m proto.Message, human func(model.Printf)) error {
		if c.json {
			return c.out.JSONLine(m)
		}
		return show(m, human)
	}
}

func modelCommand(c *cli) *cobra.Command {
	show, line := c.shows()
	verbs := model.Commands(model.App{
		RPC: c.rpc, Show: show, Line: line, Log: c.log.Printf, Group: c.group, Settings: settingsFile,
		Hint: func(err error, hint string) error { return hintError{err, hint} },
	})
	verbs = append(verbs, measure.Command(c.measures()))
	return groupCommand(c, "model", "Language models: show, list, use, test, bench, pull, key", "  kist model list", verbs...)
}

// measures is what the verb that measures a model needs of the program.
func (c *cli) measures() measure.App {
	return measure.App{
		JSON:  func() bool { return c.json },
		Value: func(v any) error { return c.out.JSONValue(v, true) },
		Print: c.out.Printf, Log: c.log.Printf, Agree: c.sure,
		Table: func(rows [][]string) error {
			t := make(output.Table, len(rows))
			for i, row := range rows {
				for _, cell := range row {
					shown := output.Safe(terminal.Line(cell))
					if i == 0 {
						shown = c.out.Paint(output.Dim, cell)
					}
					t[i] = append(t[i], shown)
				}
			}
			c.out.Table(t)
			return c.out.Err
		},
		Bar: func() (func(phase string, done, total int), func()) {
			bar := c.newBar()
			return func(phase string, done, total int) { bar.Show(done, total, phase) }, bar.End
		},
		Usage: func(err error) error { return usageError{err} },
		Hint:  func(err error, hint string) error { return hintError{err, hint} },
	}
}

// finds is what the commands that search need of the program.
func (c *cli) finds() find.App {
	return find.App{
		RPC: c.rpc, Log: c.log.Printer, InVault: c.inVault, ProjectFlag: c.projectFlag,
		Show: func(m proto.Message, human func(*output.Printer)) error {
			return c.show(m, func(p *printer) { human(p.Printer) })
		},
		Usage: func(err error, hint string) error { return usageError{hintError{err, hint}} },
	}
}

func syncCommand(c *cli) *cobra.Command {
	show, line := c.shows()
	return groupCommand(c, "sync", "Other machines: setup, status, now, conflicts, resolve, pause, device", "  kist sync now",
		sync.Commands(sync.App{RPC: c.rpc, Show: show, Line: line, Log: c.log.Printf, Sure: c.sure})...)
}

func tokenCommand(c *cli) *cobra.Command {
	show, _ := c.shows()
	return groupCommand(c, "token", "Tokens for programs: create, list, revoke", "  kist token create nvim --read",
		token.Commands(token.App{RPC: c.rpc, Show: show, Log: c.log.Printf})...)
}

func memoryCommand(c *cli) *cobra.Command {
	return groupCommand(c, "memory", "Memories: list, create, move, forget", "  kist memory list", memory.Commands(memory.App{
		RPC: c.rpc, Words: c.words, Project: c.projectFlag, Reason: reasonFlag, Log: c.log.Printf, Done: c.done,
		Show: func(m proto.Message, human func(*output.Printer)) error {
			return c.show(m, func(p *printer) { human(p.Printer) })
		},
	})...)
}

// done prints what became of an operation.
func (c *cli) done(m proto.Message, op *v1.Operation) error {
	return c.show(m, func(p *printer) { p.opLine(op) })
}

func importCommands(c *cli) (conversations, notes *cobra.Command) {
	show, _ := c.shows()
	app := importer.App{RPC: c.rpc, Show: show, Log: c.log.Printf, Sure: c.sure}
	return groupCommand(c, "import", "Conversations from elsewhere: chatgpt, claude", "  kist import chatgpt export.zip", importer.Commands(app)...), importer.Adopt(app)
}

// group is what a command does that only holds others.
func (c *cli) group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	msg := fmt.Sprintf("no command %q in %s", args[0], cmd.CommandPath())
	return usageError{hintError{fmt.Errorf("%s%s", msg, usage.Mean(usage.Near(cmd, args[0]))), cmd.CommandPath() + " --help lists them"}}
}

// groupCommand is a noun; its verbs are added to it.
func groupCommand(c *cli, use, short, example string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Example: example, Args: cobra.ArbitraryArgs, RunE: c.group}
	cmd.AddCommand(verbs...)
	return cmd
}

// connect finds the vault's daemon, and starts it where start says so.
func (c *cli) connect(ctx context.Context, start bool) (*dial.Client, error) {
	vault, err := dial.Find(c.vault)
	if err != nil {
		return nil, err
	}
	c.dir = vault
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find kist's own program: %w", err)
	}
	started := false
	k, err := dial.Connect(ctx, vault, dial.Options{
		Start:      start,
		Client:     "cli",
		Executable: exe,
		Log:        func(s string) { started = true; c.log.Printf("%s\n", s) },
	})
	if started && err == nil {
		c.tellPolicy(ctx, k)
	}
	return k, err
}

// rpc makes a command's function of one that gets a connection.
func (c *cli) rpc(fn func(ctx context.Context, k *dial.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		k, err := c.connect(cmd.Context(), true)
		if err != nil {
			return err
		}
		defer k.Close()
		return fn(cmd.Context(), k, args)
	}
}

// more says where a list that is printed was cut.
func (c *cli) more(m proto.Message) { narrow.More(c.log.Printf, m) }

// show prints a response: as JSON where that is asked for, else by human.
func (c *cli) show(m proto.Message, human func(p *printer)) error {
	if c.json {
		return c.out.JSON(m)
	}
	human(c.out)
	return nil
}

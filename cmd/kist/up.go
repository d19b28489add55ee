package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"kist/cmd/kist/console"
	"kist/cmd/kist/machine"
	"kist/daemon"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func upCommand(c *cli) *cobra.Command {
	var listen, logFile string
	cmd := &cobra.Command{
		Use:   "up [DIR]",
		Short: "Run the daemon of a vault in the foreground",
		Long: "Make the folder a vault if it isn't one, watch and serve it until interrupted, and print\n" +
			"a line with the address once everything answers. Other commands start the daemon\n" +
			"by themselves; this is for seeing what it does. No existing file is changed, and no\n" +
			"folder made but DIR. A second signal ends it at once, without waiting for anything.",
		Example: "  kist up ~/notes",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := c.folder(args, dial.Find)
			if err != nil {
				return err
			}
			return c.up(cmd.Context(), dir, listen, logFile)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "loopback address to listen on (else any free port of 127.0.0.1)")
	cmd.Flags().StringVar(&logFile, "log-file", "", "append the log to a file; for a daemon that a command starts")
	_ = cmd.Flags().MarkHidden("log-file") // the flag exists: the line above
	return cmd
}

// folder is what the argument of up and init names, else what other says that
// --vault means.
func (c *cli) folder(args []string, other func(string) (string, error)) (string, error) {
	if len(args) == 0 {
		return other(c.vault)
	}
	if c.vault != "" && c.vault != args[0] {
		return "", usagef("DIR and --vault name two folders")
	}
	return dial.Find(args[0])
}

// up runs the daemon until it is told to stop.
func (c *cli) up(ctx context.Context, dir, listen, logFile string) error {
	// A terminal that goes away takes its daemon with it, cleanly.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	// The first signal stops the daemon with care; a second one ends the process at once.
	defer context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) })()
	con := console.New(c.log.Out, c.log.TTY)
	asks := logFile == "" && !c.json && c.canAsk()
	log, done, err := con.Logger(logFile, daemon.LogLevel())
	if err != nil {
		return err
	}
	defer done()
	var ready error
	asking, giveUp := context.WithCancel(ctx)
	var asked sync.WaitGroup
	err = daemon.Run(ctx, daemon.Options{
		Vault:    dir,
		Version:  machine.Version(),
		Log:      log,
		Listen:   listen,
		Existing: logFile != "", // whatever a command starts was there before
		Progress: con.Progress,
		Ready: func(info daemon.Info) {
			if ready = c.ready(dir, info); asks {
				asked.Go(func() { c.askTrust(asking, dir, con) })
			}
		},
	})
	giveUp()
	asked.Wait() // what it writes, it writes before the end
	if errors.Is(err, daemon.ErrLocked) && logFile != "" {
		c.report(upError(err))
		return reportedError{dial.ExitLocked}
	}
	return errors.Join(upError(err), ready)
}

// askTrust asks whether what kist.yaml asks less than usual is to count, while the daemon
// serves without it.
func (c *cli) askTrust(ctx context.Context, dir string, con *console.Console) {
	k, err := dial.Connect(ctx, dir, dial.Options{Client: "cli"})
	if err != nil {
		return // it stops just now
	}
	defer k.Close()
	r, err := k.Policy.GetPolicy(ctx, &v1.GetPolicyRequest{})
	if err != nil || r.State.Trust != "missing" || r.State.Problem != "" {
		return // the log says what is wrong
	}
	con.Ask(trustQuestion, func() { c.looser(r) })
	word := c.answer(ctx)
	con.Answered()
	switch {
	case ctx.Err() != nil:
		return
	case word != "y" && word != "yes":
		c.log.Printf("not trusted; the next start asks again\n")
		return
	}
	if err := c.trust(ctx, k, r.State.Digest); err != nil {
		c.report(err)
	}
}

// ready prints the one line on standard output.
func (c *cli) ready(dir string, info daemon.Info) error {
	if c.json {
		return c.out.JSONValue(struct {
			Vault string `json:"vault"`
			daemon.Info
		}{dir, info}, false)
	}
	c.out.Printf("ready %s\n", info.URL)
	return c.out.Err
}

// upError gives an error of the daemon its hint.
func upError(err error) error {
	if e, ok := errors.AsType[*daemon.Error](err); ok {
		return hintError{err, e.Hint}
	}
	return err
}

func initCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a folder a vault",
		Long: "Make a folder a vault, the current one if none is named: write what is missing of kist.yaml,\n" +
			".gitignore and .gitattributes, and a welcome.md if the folder is empty. What is there\n" +
			"keeps its bytes.",
		Example: "  kist init ~/notes",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := c.folder(args, func(flag string) (string, error) {
				if flag == "" && os.Getenv("KIST_VAULT") == "" {
					flag = "."
				}
				return dial.Find(flag)
			})
			if err != nil {
				return err
			}
			created, err := daemon.Init(dir)
			if err != nil {
				return upError(err)
			}
			return c.created(dir, created)
		},
	}
}

// created tells what init did.
func (c *cli) created(dir string, names []string) error {
	if c.json {
		return c.out.JSONValue(map[string]any{"vault": dir, "created": append([]string{}, names...)}, true) // [], not null
	}
	for _, name := range names {
		c.out.Printf("created %s\n", name)
	}
	if used := machine.FoldersUsed(daemon.Folders(dir)); used != "" {
		c.log.Printf("uses %s; folders in kist.yaml names others\n", used)
	}
	if len(names) == 0 {
		c.log.Printf("%s is a vault already\n", dir)
	}
	return c.out.Err
}

// settingsFile is for those that may not import the daemon.
func settingsFile() string { return daemon.SettingsFile() }

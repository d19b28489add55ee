package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"kist/daemon"
	"kist/rpc/dial"
)

func upCommand(c *cli) *cobra.Command {
	var listen, logFile string
	cmd := &cobra.Command{
		Use:   "up [DIR]",
		Short: "Run the daemon of a vault in the foreground",
		Long: "Make the folder a vault if it isn't one, watch and serve it until interrupted, and print\n" +
			"a line with the address once everything answers. Other commands start the daemon\n" +
			"by themselves; this is for seeing what it does. No existing file is changed.",
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
	con := &console{p: c.log, bar: newBar(c.log)}
	log, done, err := con.logger(logFile)
	if err != nil {
		return err
	}
	defer done()
	var ready error
	err = daemon.Run(ctx, daemon.Options{
		Vault:    dir,
		Version:  version(),
		Log:      log,
		Listen:   listen,
		Progress: con.progress,
		Ready:    func(info daemon.Info) { ready = c.ready(dir, info) },
	})
	if errors.Is(err, daemon.ErrLocked) && logFile != "" {
		c.report(upError(err))
		return reportedError{dial.ExitLocked}
	}
	return errors.Join(upError(err), ready)
}

// ready prints the one line on standard output.
func (c *cli) ready(dir string, info daemon.Info) error {
	if c.json {
		return c.out.jsonValue(struct {
			Vault string `json:"vault"`
			daemon.Info
		}{dir, info}, false)
	}
	c.out.printf("ready %s\n", info.URL)
	return c.out.err
}

// upError gives an error of the daemon its hint.
func upError(err error) error {
	if e, ok := errors.AsType[*daemon.Error](err); ok {
		return hintError{err, e.Hint}
	}
	return err
}

// A console is standard error while the daemon runs: log lines and a bar, from
// several goroutines.
type console struct {
	mu  sync.Mutex
	p   *printer
	bar *bar
}

// logger logs to standard error, or appends to a file.
func (con *console) logger(file string) (log *slog.Logger, done func(), err error) {
	level := daemon.LogLevel()
	if file != "" {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("open the log: %w", err)
		}
		h := slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})
		return slog.New(h), func() { f.Close() }, nil
	}
	var h slog.Handler
	if con.p.tty {
		// Its colours would not get past the printer.
		h = tint.NewTextHandler(con, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: true})
	} else {
		h = slog.NewTextHandler(con, &slog.HandlerOptions{Level: level})
	}
	return slog.New(h), func() {}, nil
}

// Write takes a log line.
func (con *console) Write(b []byte) (int, error) {
	con.mu.Lock()
	defer con.mu.Unlock()
	con.bar.end()
	con.p.text(string(b))
	return len(b), nil
}

func (con *console) progress(done, total int, phase string) {
	con.mu.Lock()
	defer con.mu.Unlock()
	con.bar.show(done, total, phase)
	if total > 0 && done >= total {
		con.bar.end()
	}
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
		if names == nil {
			names = []string{}
		}
		return c.out.jsonValue(map[string]any{"vault": dir, "created": names}, true)
	}
	for _, name := range names {
		c.out.printf("created %s\n", name)
	}
	if len(names) == 0 {
		c.log.printf("%s is a vault already\n", dir)
	}
	return c.out.err
}

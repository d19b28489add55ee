/*
Command kist talks with a folder of Markdown: it searches it, changes it by
conversation, and shows and takes back every change.

A [cli] holds what all commands share: the global flags and the two [printer]
values for standard output (data) and standard error (everything else). There
is one file per noun; each builds its cobra commands and says how a response
looks to a person. With --json the response itself is printed.

The commands open nothing by themselves: they find or start the vault's daemon
through package dial and call it. Only up.go reaches the daemon's own code, and
package measure that which measures a language model.

Nothing that comes from a file, a model or an error is written to a terminal as
it is: a printer makes control characters visible, and no other file of this package
writes anywhere. Package terminal reads what is typed, and shows it; package console
shows log and progress.
*/
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"kist/cmd/kist/usage"
)

func main() {
	spareCollector()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// spareCollector lets garbage lie while the program starts: most commands are over before a
// collection would pay. What goes on collects as ever.
func spareCollector() {
	if usual := debug.SetGCPercent(400); usual >= 0 && usual < 400 {
		time.AfterFunc(200*time.Millisecond, func() { debug.SetGCPercent(usual) })
	} else {
		debug.SetGCPercent(usual) // somebody asked for less of it
	}
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	c := &cli{in: in, out: newPrinter(out), log: newPrinter(errs)}
	root := newRoot(c)
	usage.Mend(root, func(err error) error { return usageError{err} })
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = c.out.Err
	}
	if err == nil {
		return exitOK
	}
	if !c.started {
		err = usageError{err}
	}
	c.asked = cmd.CommandPath()
	return c.report(err)
}

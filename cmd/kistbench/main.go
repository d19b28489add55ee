/*
Command kistbench measures kist beside what the machine, and other ways to search, can do.
It is no part of the product, and a module of its own: what only floors need doesn't weigh
on kist.

It measures the code that it was built with, and the program kist where a whole daemon is to
be measured: build both from the same sources (make kistbench does). run.go holds what is
measured of kist by itself, quality.go how well searches rank; print.go makes the tables.
*/
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"kist/bench"
	"kist/cmd/kist/console"
	"kist/cmd/kist/terminal"
)

// The exit codes are those of kist.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	p := &program{in: in, out: out, errs: errs}
	root := p.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(errs, "kistbench: interrupted")
		return exitFailed
	}
	fmt.Fprintf(errs, "kistbench: %s\n", terminal.Block(err.Error()))
	if !p.started || errors.Is(err, bench.ErrOptions) {
		return exitUsage
	}
	return exitFailed
}

// A program is what the verbs share.
type program struct {
	in        io.Reader
	out, errs io.Writer
	json      bool
	kist      string // the program that is measured
	started   bool   // the command line was understood
}

// measured finds kist: what was named, else beside this program, else in the path.
func (p *program) measured() (string, error) {
	if p.kist != "" {
		return filepath.Abs(p.kist)
	}
	name := "kist"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: no program kist beside this one or in the path: name it by --kist", bench.ErrOptions)
	}
	return filepath.Abs(found)
}

// progress shows what is being done until end is called.
func (p *program) progress() (show bench.Progress, end func()) {
	bar := console.NewBar(p.errs, false)
	return func(phase string, done, total int) { bar.Show(done, total, phase) }, bar.End
}

func (p *program) value(v any) error {
	enc := json.NewEncoder(p.out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// root is the command without a verb, and its verbs.
func (p *program) root() *cobra.Command {
	cmd := p.runCommand()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	f := cmd.PersistentFlags()
	f.BoolVar(&p.json, "json", false, "print the report as JSON")
	f.StringVar(&p.kist, "kist", "", "the program that is measured (else kist beside this one, else in the path)")
	cmd.PersistentPreRun = func(*cobra.Command, []string) { p.started = true }
	cmd.AddCommand(p.qualityCommand())
	return cmd
}

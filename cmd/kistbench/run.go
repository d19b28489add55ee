package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kist/bench"
)

func (p *program) runCommand() *cobra.Command {
	var opts bench.Options
	var corpus string
	var growth, child bool
	cmd := &cobra.Command{
		Use:   "kistbench",
		Short: "Measure kist on this machine, beside what the machine itself can do",
		Long: "Measure kist on this machine: building the index, starting, saving, searching, changing,\n" +
			"memory and idle processor time, each beside a floor measured in the same run (walking,\n" +
			"reading, the search library alone, a bare rename, a bare call). Machines differ and are\n" +
			"busy: read the ratios. A missed target is no error.\n\n" +
			"It works on a made-up vault, or on a copy of a folder that it only reads, in a temporary\n" +
			"folder that it removes; set TMPDIR to measure another disk. No daemon is needed. It takes\n" +
			"about two minutes at 2,000 files; leave the machine alone meanwhile.\n\n" +
			"With --corpus it draws a vault from real documents, whole ones and then sections, and asks\n" +
			"kist and others the same questions in turns: words by how many files have them, sentences,\n" +
			"phrases and questions as they stand in the texts.",
		Example: "  kistbench\n  kistbench --corpus ~/notes --files 12000\n  kistbench --dir ~/notes --only cold,search\n  kistbench --growth",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if child {
				// A parent reads the output, not a person.
				return bench.Child(cmd.Context(), p.in, p.out, engines()...)
			}
			if corpus != "" {
				return p.compared(cmd, corpus, opts)
			}
			if opts.Dir != "" && cmd.Flags().Changed("files") {
				return fmt.Errorf("%w: --files is of a made-up vault; --dir has as many as it has", bench.ErrOptions)
			}
			if growth && cmd.Flags().Changed("only") {
				return fmt.Errorf("%w: --growth measures its own parts", bench.ErrOptions)
			}
			return p.measure(cmd.Context(), opts, growth)
		},
	}
	f := cmd.Flags()
	f.IntVar(&opts.Files, "files", 0, fmt.Sprintf("documents to make up (else %d; with --growth the smallest of three sizes, else %d)", bench.DefaultFiles, bench.GrowthFiles))
	f.StringVar(&opts.Dir, "dir", "", "measure a copy of this folder's Markdown instead")
	f.StringVar(&corpus, "corpus", "", fmt.Sprintf("compare kist with other ways to search, on a vault of --files (else %d) drawn from this folder's Markdown", comparedFiles))
	f.Uint64Var(&opts.Seed, "seed", 1, "of what is made up: the same seed makes the same documents")
	f.DurationVar(&opts.Idle, "idle", 10*time.Second, "how long to watch the idle daemon")
	f.IntVar(&opts.Tries, "tries", bench.DefaultTries, "saves, operations and queries of each kind")
	f.IntVar(&opts.Runs, "runs", bench.DefaultRuns, "cold and warm starts; the median counts (warm ones: 5 at least)")
	f.StringSliceVar(&opts.Only, "only", nil, "some of "+strings.Join(bench.Parts(), ","))
	f.BoolVar(&growth, "growth", false, "measure at three sizes, each four times the last, and print how costs grow")
	f.BoolVar(&child, "child", false, "carry out a task from standard input; for kistbench itself")
	_ = f.MarkHidden("child") // the flag exists: the line above
	return cmd
}

// comparedFiles is how many files a vault drawn from a corpus has if nothing else is said.
const comparedFiles = 12_000

// compared compares, after a look at flags that would say nothing.
func (p *program) compared(cmd *cobra.Command, corpus string, opts bench.Options) error {
	for _, name := range []string{"dir", "growth", "only", "idle"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("%w: --%s says nothing about --corpus", bench.ErrOptions, name)
		}
	}
	if !cmd.Flags().Changed("files") {
		opts.Files = comparedFiles
	}
	return p.compare(cmd.Context(), bench.CompareOptions{
		Corpus: corpus, Files: opts.Files, Seed: opts.Seed, Tries: opts.Tries, Runs: opts.Runs,
	})
}

func (p *program) measure(ctx context.Context, opts bench.Options, growth bool) (err error) {
	if opts.Program, err = p.measured(); err != nil {
		return err
	}
	if opts.Self, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	measure := bench.Run
	if growth {
		measure = bench.Growth
	}
	var end func()
	opts.Progress, end = p.progress()
	r, err := measure(ctx, opts)
	end()
	if r == nil {
		return err
	}
	return errors.Join(err, p.report(r)) // what failed leaves the rest as it is
}

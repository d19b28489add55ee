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
	"kist/cmd/kist/console"
	"kist/cmd/kist/measure"
	"kist/cmd/kist/terminal"
)

func benchCommand(c *cli) *cobra.Command {
	var opts bench.Options
	var growth, child bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure kist on this machine, beside what the machine itself can do",
		Long: "Measure kist on this machine: building the index, starting, saving, searching, changing,\n" +
			"memory and idle processor time, each beside a floor measured in the same run (walking,\n" +
			"reading, the search library alone, a bare rename, a bare call). Machines differ and are\n" +
			"busy: read the ratios. A missed target is no error.\n\n" +
			"It works on a made-up vault, or on a copy of a folder that it only reads, in a temporary\n" +
			"folder that it removes; set TMPDIR to measure another disk. No daemon is needed. It takes\n" +
			"about two minutes at 2,000 files; leave the machine alone meanwhile.",
		Example: "  kist bench\n  kist bench --dir ~/notes --only cold,search\n  kist bench --growth",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if child {
				// A parent reads the output, not a person.
				return bench.Child(cmd.Context(), c.in, c.out.w)
			}
			if opts.Dir != "" && cmd.Flags().Changed("files") {
				return usagef("--files is of a made-up vault; --dir has as many as it has")
			}
			if growth && cmd.Flags().Changed("only") {
				return usagef("--growth measures its own parts")
			}
			return c.bench(cmd.Context(), opts, growth)
		},
	}
	f := cmd.Flags()
	f.IntVar(&opts.Files, "files", 0, fmt.Sprintf("documents to make up (else %d; with --growth the smallest of three sizes, else %d)", bench.DefaultFiles, bench.GrowthFiles))
	f.StringVar(&opts.Dir, "dir", "", "measure a copy of this folder's Markdown instead")
	f.Uint64Var(&opts.Seed, "seed", 1, "of what is made up: the same seed makes the same documents")
	f.DurationVar(&opts.Idle, "idle", 10*time.Second, "how long to watch the idle daemon")
	f.IntVar(&opts.Tries, "tries", bench.DefaultTries, "saves, operations and queries of each kind")
	f.IntVar(&opts.Runs, "runs", bench.DefaultRuns, "cold and warm starts; the median counts (warm ones: 5 at least)")
	f.StringSliceVar(&opts.Only, "only", nil, "some of "+strings.Join(bench.Parts(), ","))
	f.BoolVar(&growth, "growth", false, "measure at three sizes, each four times the last, and print how costs grow")
	f.BoolVar(&child, "child", false, "carry out a task from standard input; for kist itself")
	_ = f.MarkHidden("child") // the flag exists: the line above
	_ = cmd.MarkFlagDirname("dir")
	complete(cmd, "only", bench.Parts()...)
	cmd.AddCommand(c.measures()...)
	return cmd
}

func (c *cli) bench(ctx context.Context, opts bench.Options, growth bool) (err error) {
	if opts.Program, err = os.Executable(); err != nil {
		return fmt.Errorf("find kist's own program: %w", err)
	}
	measure := bench.Run
	if growth {
		measure = bench.Growth
	}
	bar := c.newBar()
	opts.Progress = func(phase string, done, total int) { bar.Show(done, total, phase) }
	r, err := measure(ctx, opts)
	bar.End()
	if errors.Is(err, bench.ErrOptions) {
		return usageError{err}
	}
	if r == nil {
		return err
	}
	return errors.Join(err, c.benchReport(r)) // what failed leaves the rest as it is
}

func (c *cli) benchReport(r *bench.Report) error {
	if c.json {
		return c.out.jsonValue(r, true)
	}
	c.out.benchMachine(r.Machine)
	for _, size := range r.Sizes {
		c.out.benchRows(size.Corpus, size.Rows)
	}
	c.out.benchRows(r.Corpus, r.Rows)
	return c.out.err
}

func (p *printer) benchMachine(m bench.Machine) {
	p.printf("%s, %d cores, %s, %s, %s\n", orElse(m.CPU, "unknown processor"), m.Cores, m.Kernel, orElse(m.FileSystem, "unknown file system"), m.Go)
}

// benchRows prints what was measured as a table, and then the floors by themselves.
func (p *printer) benchRows(corpus *bench.Measured, rows []bench.Row) {
	if corpus != nil {
		p.printf("\n%s\n", p.paint(bold, fmt.Sprintf("%d files, %d sections, %.1f MB (%s)", corpus.Files, corpus.Sections, float64(corpus.Bytes)/1e6, corpus.Source)))
	} else {
		p.printf("\n%s\n", p.paint(bold, "growth"))
	}
	t := table{}
	t.add(p.paint(dim, "what"), p.paint(dim, "measured (p50 / p95 / p99)"), p.paint(dim, "floor"), p.paint(dim, "ratio"), p.paint(dim, "target"), safe(""))
	for _, r := range rows {
		if r.Missing != "" {
			t.add(r.What, p.paint(dim, "not measured: "+r.Missing), safe(""), safe(""), r.Target, safe(""))
			continue
		}
		t.add(r.What, benchFigure(r.Unit, r.Value, r.Measured), benchFigure(r.Unit, r.Floor, r.Floors), benchRatio(r), r.Target, p.benchVerdict(r))
	}
	p.table(t)
	p.benchFloors(rows)
}

// benchFloors says what the floors are.
func (p *printer) benchFloors(rows []bench.Row) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.FloorOf == "" || r.Missing != "" || seen[r.FloorOf] {
			continue
		}
		if len(seen) == 0 {
			p.printf("\nfloors\n")
		}
		seen[r.FloorOf] = true
		p.printf("  %s: %s\n", r.What, r.FloorOf)
	}
}

func (p *printer) benchVerdict(r bench.Row) safe {
	switch {
	case r.Met == nil:
		return ""
	case *r.Met:
		return p.paint(green, "ok")
	default:
		return p.paint(yellow, "missed")
	}
}

func benchRatio(r bench.Row) string {
	if r.Ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

// benchFigure is one figure, or the median, 95th and 99th percentile of many.
func benchFigure(u bench.Unit, value float64, q *bench.Quantiles) string {
	switch {
	case q != nil:
		return fmt.Sprintf("%s / %s / %s ms", console.Significant(q.P50), console.Significant(q.P95), console.Significant(q.P99))
	case value == 0:
		return ""
	case u == bench.Milliseconds && value >= 1000:
		return fmt.Sprintf("%.2f s", value/1000)
	case u == bench.PerHour:
		return fmt.Sprintf("%.2f s", value)
	case u == bench.Exponent:
		return fmt.Sprintf("exponent %.2f", value)
	}
	return console.Significant(value) + " " + string(u)
}

// measures are the verbs below bench.
func (c *cli) measures() []*cobra.Command {
	return measure.Commands(measure.App{
		JSON:  func() bool { return c.json },
		Value: func(v any) error { return c.out.jsonValue(v, true) },
		Print: c.out.printf, Log: c.log.printf, Agree: c.sure,
		Table: func(rows [][]string) error {
			t := make(table, len(rows))
			for i, row := range rows {
				for _, cell := range row {
					shown := safe(terminal.Line(cell))
					if i == 0 {
						shown = c.out.paint(dim, cell)
					}
					t[i] = append(t[i], shown)
				}
			}
			c.out.table(t)
			return c.out.err
		},
		Bar: func() (bench.Progress, func()) {
			bar := c.newBar()
			return func(phase string, done, total int) { bar.Show(done, total, phase) }, bar.End
		},
		Usage: func(err error) error { return usageError{err} },
		Hint:  func(err error, hint string) error { return hintError{err, hint} },
	})
}

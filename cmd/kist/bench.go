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
	cmd.AddCommand(benchQualityCommand(c))
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
	bar := newBar(c.log)
	opts.Progress = func(phase string, done, total int) { bar.show(done, total, phase) }
	r, err := measure(ctx, opts)
	bar.end()
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
		return fmt.Sprintf("%s / %s / %s ms", significant(q.P50), significant(q.P95), significant(q.P99))
	case value == 0:
		return ""
	case u == bench.Milliseconds && value >= 1000:
		return fmt.Sprintf("%.2f s", value/1000)
	case u == bench.PerHour:
		return fmt.Sprintf("%.2f s", value)
	case u == bench.Exponent:
		return fmt.Sprintf("exponent %.2f", value)
	default:
		return significant(value) + " " + string(u)
	}
}

// significant prints at least two digits that count.
func significant(v float64) string {
	switch {
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

func benchQualityCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "quality DIR",
		Short: "Measure how well searches rank a test collection",
		Long: "Measure how well searches rank a test collection: a folder of Markdown documents with\n" +
			"queries.tsv (id, text) and qrels.tsv (query, document, grade), where a document's id is its\n" +
			"file's name without .md. Printed are nDCG@10 with linear gain, mean average precision and\n" +
			"recall@20, means of all queries that have a relevant document. The folder is only read.",
		Example: "  kist bench quality ~/cranfield",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bar := newBar(c.log)
			r, err := bench.Quality(cmd.Context(), args[0], func(phase string, done, total int) { bar.show(done, total, phase) })
			bar.end()
			if err != nil {
				return err
			}
			if c.json {
				return c.out.jsonValue(r, true)
			}
			c.out.printf("%d documents, %d queries\n", r.Documents, r.Queries)
			t := table{}
			t.add(c.out.paint(dim, "ranked by"), c.out.paint(dim, "nDCG@10"), c.out.paint(dim, "MAP"), c.out.paint(dim, "recall@20"))
			for _, m := range r.Modes {
				t.add(m.Mode, fmt.Sprintf("%.3f", m.NDCG10), fmt.Sprintf("%.3f", m.MAP), fmt.Sprintf("%.3f", m.Recall20))
			}
			c.out.table(t)
			return c.out.err
		},
	}
}

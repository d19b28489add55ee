package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"kist/bench"
	"kist/cmd/kist/console"
	"kist/cmd/kist/terminal"
	"kist/cmd/kistbench/sqlite"
)

// engines are what kist is compared with.
func engines() []bench.Engine { return append(bench.Bleve(), &sqlite.Engine{}) }

func (p *program) compare(ctx context.Context, opts bench.CompareOptions) (err error) {
	if opts.Program, err = p.measured(); err != nil {
		return err
	}
	if opts.Self, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	opts.Engines = engines()
	var end func()
	opts.Progress, end = p.progress()
	c, err := bench.SideBySide(ctx, opts)
	end()
	if err != nil {
		return err
	}
	if p.json {
		return p.value(c)
	}
	return p.comparison(c)
}

func (p *program) comparison(c *bench.Comparison) error {
	m := c.Machine
	fmt.Fprintf(p.out, "%s, %d cores, %s, %s, %s\n", orElse(m.CPU, "unknown processor"), m.Cores, m.Kernel, orElse(m.FileSystem, "unknown file system"), m.Go)
	fmt.Fprintf(p.out, "\n%d files, %.1f MB, from %s: %d as they are, the others of sections\n", c.Files, float64(c.Bytes)/1e6, terminal.Line(c.Corpus), c.Whole)
	head := []string{"p50 / p95"}
	for _, s := range c.Systems {
		head = append(head, s.Name)
	}
	rows := [][]string{head}
	var empty []string
	for _, r := range c.Rows {
		line := []string{r.What}
		for _, s := range c.Systems {
			cell := r.Cells[s.Name]
			line = append(line, shown(r, cell))
			if cell != nil && cell.Empty > 0 {
				empty = append(empty, fmt.Sprintf("%s found nothing for %d of %d of %s", s.Name, cell.Empty, cell.Measured.N, r.What))
			}
		}
		rows = append(rows, line)
	}
	if err := p.table(rows); err != nil {
		return err
	}
	for _, s := range c.Systems {
		fmt.Fprintf(p.out, "\n%s: %s", s.Name, s.What)
	}
	fmt.Fprintln(p.out)
	for _, line := range slices.Sorted(slices.Values(empty)) {
		fmt.Fprintln(p.out, line)
	}
	return nil
}

// shown is a cell as text; of saves p99 as well, by which they are judged.
func shown(r bench.ComparedRow, c *bench.Cell) string {
	switch {
	case c == nil:
		return "-"
	case c.Measured == nil:
		return figure(r.Unit, c.Value, nil)
	case r.Name == "save":
		return fmt.Sprintf("%s / %s ms (p99 %s)", console.Significant(c.Measured.P50), console.Significant(c.Measured.P95), console.Significant(c.Measured.P99))
	}
	return fmt.Sprintf("%s / %s ms", console.Significant(c.Measured.P50), console.Significant(c.Measured.P95))
}

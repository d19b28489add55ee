package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"kist/bench"
	"kist/cmd/kist/console"
	"kist/cmd/kist/terminal"
)

// table prints rows in columns.
func (p *program) table(rows [][]string) error {
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = terminal.Line(cell)
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

func (p *program) report(r *bench.Report) error {
	if p.json {
		return p.value(r)
	}
	m := r.Machine
	fmt.Fprintf(p.out, "%s, %d cores, %s, %s, %s\n", orElse(m.CPU, "unknown processor"), m.Cores, m.Kernel, orElse(m.FileSystem, "unknown file system"), m.Go)
	for _, size := range r.Sizes {
		if err := p.rows(size.Corpus, size.Rows); err != nil {
			return err
		}
	}
	return p.rows(r.Corpus, r.Rows)
}

// rows prints what was measured as a table, and then the floors by themselves.
func (p *program) rows(corpus *bench.Measured, rows []bench.Row) error {
	if corpus != nil {
		fmt.Fprintf(p.out, "\n%d files, %d sections, %.1f MB (%s)\n", corpus.Files, corpus.Sections, float64(corpus.Bytes)/1e6, terminal.Line(corpus.Source))
	} else {
		fmt.Fprintf(p.out, "\ngrowth\n")
	}
	t := [][]string{{"what", "measured (p50 / p95 / p99)", "floor", "ratio", "target"}}
	for _, r := range rows {
		if r.Missing != "" {
			t = append(t, []string{r.What, "not measured: " + r.Missing, "", "", r.Target})
			continue
		}
		t = append(t, []string{r.What, figure(r.Unit, r.Value, r.Measured), figure(r.Unit, r.Floor, r.Floors), ratio(r), r.Target, verdict(r)})
	}
	if err := p.table(t); err != nil {
		return err
	}
	p.floors(rows)
	return nil
}

// floors says what the floors are.
func (p *program) floors(rows []bench.Row) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.FloorOf == "" || r.Missing != "" || seen[r.FloorOf] {
			continue
		}
		if len(seen) == 0 {
			fmt.Fprintf(p.out, "\nfloors\n")
		}
		seen[r.FloorOf] = true
		fmt.Fprintf(p.out, "  %s: %s\n", r.What, r.FloorOf)
	}
}

func verdict(r bench.Row) string {
	switch {
	case r.Met == nil:
		return ""
	case *r.Met:
		return "ok"
	}
	return "missed"
}

func ratio(r bench.Row) string {
	if r.Ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

// figure is one figure, or the median, 95th and 99th percentile of many.
func figure(u bench.Unit, value float64, q *bench.Quantiles) string {
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

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

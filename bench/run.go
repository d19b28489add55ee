package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"kist/vault"
)

// DefaultFiles is how many files a corpus has if nothing else is said.
const DefaultFiles = 2000

// DefaultTries is enough for a 95th percentile that one hiccup doesn't move.
const DefaultTries = 200

// DefaultRuns is how often a cold start is measured: two that agree outvote a hiccup.
const DefaultRuns = 3

// Parts returns what can be measured by itself.
func Parts() []string {
	return []string{"cold", "warm", "save", "search", "memory", "idle", "operation", "rpc", "vectors"}
}

// Options say what to measure. Program and Self are needed.
type Options struct {
	Program string // kist: it runs a daemon when called with "up DIR"
	Self    string // runs a child when called with [ChildCommand]

	Files int    // of the corpus; 0: DefaultFiles
	Seed  uint64 // of the corpus and of the queries
	Dir   string // measure a copy of this folder instead of a corpus
	Idle  time.Duration
	Only  []string // of Parts; empty: all
	Tries int      // saves, operations and queries of each kind; 0: DefaultTries
	Runs  int      // of what is measured as a whole: the median counts; 0: DefaultRuns

	Progress Progress // may be nil
}

// A measurement is a run under way.
type measurement struct {
	Options
	tmp, vault, floor string
	report            *Report
	steps, done       int
}

// Run measures and returns a report with a row for every target that one machine
// can show; a row that couldn't be measured says why. Where a part fails the others are
// measured all the same, and the report comes with the error. Nothing is left behind,
// also when ctx ends.
func Run(ctx context.Context, opts Options) (_ *Report, err error) {
	m := &measurement{Options: opts}
	if err := m.defaults(); err != nil {
		return nil, err
	}
	if m.tmp, err = makeTemp(opts.Dir); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.tmp)) }()
	m.vault, m.floor = filepath.Join(m.tmp, "vault"), filepath.Join(m.tmp, "floor")
	m.report = &Report{Machine: machine(m.tmp)}
	if err := m.prepare(ctx); err != nil {
		return nil, err
	}
	for _, part := range []func(context.Context) error{m.measureCold, m.measureWarm, m.measureLive, m.measureDaemon, m.measureVectors} {
		if failed := part(ctx); failed != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			err = errors.Join(err, failed) // what took an hour before isn't lost for it
		}
	}
	m.notMeasured()
	return m.report, err
}

func (m *measurement) defaults() error {
	if m.Files == 0 {
		m.Files = DefaultFiles
	}
	if m.Files < 10 {
		return fmt.Errorf("%w: %d files are too few to measure anything: at least 10", ErrOptions, m.Files)
	}
	if m.Tries <= 0 {
		m.Tries = DefaultTries
	}
	if m.Runs <= 0 {
		m.Runs = DefaultRuns
	}
	if m.Idle <= 0 {
		m.Idle = 10 * time.Second
	}
	for _, part := range m.Only {
		if !slices.Contains(Parts(), part) {
			return fmt.Errorf("%w: there is no part %q; there are %v", ErrOptions, part, Parts())
		}
	}
	m.steps = 7
	return nil
}

func (m *measurement) wants(parts ...string) bool {
	return len(m.Only) == 0 || slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(m.Only, p) })
}

// step tells what is done next.
func (m *measurement) step(what string) {
	m.Progress.report(what, m.done, m.steps)
	m.done++
}

// machine describes this one.
func machine(dir string) Machine {
	cpu, kernel, fileSystem := system(dir)
	return Machine{CPU: cpu, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Kernel: kernel, FileSystem: fileSystem}
}

// prepare makes the documents.
func (m *measurement) prepare(ctx context.Context) error {
	m.step("making documents")
	for _, dir := range []string{m.vault, m.floor} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("make a temporary folder: %w", err)
		}
	}
	m.report.Corpus = &Measured{Source: fmt.Sprintf("seed %d", m.Seed)}
	if m.Dir != "" {
		m.report.Corpus.Source = m.Dir
		return copyNotes(ctx, m.Dir, m.vault)
	}
	return NewCorpus(m.Files, m.Seed).Write(m.vault)
}

// again removes what kist noted of the vault.
func (m *measurement) again() error {
	if err := os.RemoveAll(filepath.Join(m.vault, vault.StateDir)); err != nil {
		return fmt.Errorf("remove a temporary index: %w", err)
	}
	return nil
}

// rounds is how often a whole is measured: once where it only has to be there.
func (m *measurement) rounds(parts ...string) int {
	if !m.wants(parts...) {
		return 1
	}
	return m.Runs
}

// ErrOptions: options that can't be carried out.
var ErrOptions = errors.New("invalid options")

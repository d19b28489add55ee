package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kist/bench/drawn"
	v1 "kist/proto/kist/v1"
)

// CompareOptions say what to compare. All but Tries, Runs and Progress are needed.
type CompareOptions struct {
	Program string // kist
	Self    string // runs a child when called with [ChildCommand]

	Corpus  string   // folder of real documents
	Files   int      // of the vault that is drawn from it
	Seed    uint64   // of the vault and of the questions
	Engines []Engine // beside kist
	Tries   int      // questions of each class, and saves; 0: DefaultTries
	Runs    int      // warm starts; the median counts; 0: DefaultRuns

	Progress Progress // may be nil
}

// Comparison is what [SideBySide] returns.
type Comparison struct {
	Machine Machine `json:"machine"`
	Corpus  string  `json:"corpus"`
	Files   int     `json:"files"`
	Whole   int     `json:"whole"` // of the files: documents as they are, the rest is put together of sections
	Bytes   int64   `json:"bytes"`
	// Systems name the columns, kist first, and say what each one indexes.
	Systems []System      `json:"systems"`
	Rows    []ComparedRow `json:"rows"`
}

// A System is one column of a comparison.
type System struct {
	Name string `json:"name"`
	What string `json:"what"`
}

// A ComparedRow is one figure of each system that has it.
type ComparedRow struct {
	Name  string           `json:"name"` // stable, for scripts
	What  string           `json:"what"`
	Unit  Unit             `json:"unit"`
	Cells map[string]*Cell `json:"cells"` // by the systems' names
}

// A Cell is one figure, or quantiles of many.
type Cell struct {
	Value    float64    `json:"value"` // the median where there are many
	Measured *Quantiles `json:"measured,omitempty"`
	Empty    int        `json:"empty,omitempty"` // questions that nothing was found for
}

func figureCell(value float64) *Cell { return &Cell{Value: value} }

func manyCell(t Timing, empty int) *Cell {
	return &Cell{Value: millis(t.P50), Measured: quantiles(t), Empty: empty}
}

// ownName is kist's column.
const ownName = "kist"

// ripgrepName is the column of what reads all files for each question.
const ripgrepName = "ripgrep"

// A comparison is one under way.
type comparison struct {
	*measurement
	opts   CompareOptions
	out    *Comparison
	census *drawn.Census
}

// SideBySide draws a vault from a folder of real documents and measures kist, by RPC, and other
// ways to search the same files in one run. Nothing is left behind, also when ctx ends.
// Errors wrap ErrOptions where nothing could be begun.
func SideBySide(ctx context.Context, opts CompareOptions) (_ *Comparison, err error) {
	c := &comparison{opts: opts, measurement: &measurement{Options: Options{
		Program: opts.Program, Self: opts.Self, Files: opts.Files, Seed: opts.Seed,
		Tries: opts.Tries, Runs: opts.Runs, Progress: opts.Progress,
	}}}
	if err := c.defaults(); err != nil {
		return nil, err
	}
	c.steps = 6 + len(opts.Engines)
	if c.tmp, err = makeTemp(opts.Corpus); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.tmp)) }()
	c.vault, c.floor = filepath.Join(c.tmp, "vault"), filepath.Join(c.tmp, "floor")
	c.out = &Comparison{Machine: machine(c.tmp), Corpus: opts.Corpus, Files: opts.Files}
	c.out.Systems = []System{{ownName, "by RPC, excerpts from the files included"}}
	for _, e := range opts.Engines {
		c.out.Systems = append(c.out.Systems, System{e.Name(), e.What()})
	}
	c.out.Systems = append(c.out.Systems, System{ripgrepName, "no index"})
	for _, step := range []func(context.Context) error{c.drawVault, c.buildAll, c.serve} {
		if err := step(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, err
		}
	}
	return c.out, nil
}

// drawVault makes the vault and counts its words.
func (c *comparison) drawVault(ctx context.Context) error {
	c.step("drawing documents")
	source, err := drawn.Read(ctx, c.opts.Corpus)
	if err != nil {
		return err
	}
	for _, dir := range []string{c.vault, c.floor} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("make a temporary folder: %w", err)
		}
	}
	if c.out.Whole, err = source.Write(ctx, c.vault, c.Files, c.Seed); err != nil {
		return err
	}
	c.step("counting words")
	if c.census, err = drawn.Count(ctx, c.vault, c.Seed); err == nil {
		c.out.Bytes = c.census.Bytes
	}
	return err
}

func (c *comparison) addRow(name, what string, unit Unit) ComparedRow {
	c.out.Rows = append(c.out.Rows, ComparedRow{name, what, unit, map[string]*Cell{}})
	return c.out.Rows[len(c.out.Rows)-1]
}

// buildAll has each engine index the vault in a process of its own, and then kist.
func (c *comparison) buildAll(ctx context.Context) error {
	took := c.addRow("cold", "cold index", Milliseconds)
	cpu := c.addRow("cold-cpu", "its processor time", Milliseconds)
	peak := c.addRow("peak", "its peak memory, mapped files included", Megabytes)
	cells := func(name string, t time.Duration, used time.Duration, most uint64) {
		took.Cells[name] = figureCell(millis(t))
		if used > 0 {
			cpu.Cells[name] = figureCell(millis(used))
		}
		if most > 0 {
			peak.Cells[name] = figureCell(megabytes(most))
		}
	}
	for _, e := range c.opts.Engines {
		c.step("cold index: " + e.Name())
		r, err := c.carryOut(ctx, task{Kind: taskEngine, Engine: e.Name(), Vault: c.vault, Floor: c.floor})
		if err != nil {
			return err
		}
		if r.Documents != len(c.census.Paths) {
			return fmt.Errorf("%s indexed %d of %d files", e.Name(), r.Documents, len(c.census.Paths))
		}
		cells(e.Name(), r.Took, r.CPU, r.Peak)
	}
	c.step("cold index: kist")
	marker, err := c.mark()
	if err != nil {
		return err
	}
	s, err := c.start(ctx)
	if err != nil {
		return err
	}
	var d served
	if err = s.firstAnswer(ctx, marker, c.limit(), &d); err == nil {
		used, _ := cpuTime(s.cmd.Process.Pid) // 0 where it can't be known
		_, most, _ := memory(s.cmd.Process.Pid)
		cells(ownName, d.firstReady, used, most)
		c.addRow("first", "first complete answer after kist up, no index", Milliseconds).Cells[ownName] = figureCell(millis(d.first))
		err = s.learned(ctx)
	}
	if err = errors.Join(err, s.stop(ctx)); err != nil {
		return err
	}
	return c.warmStarts(ctx, marker)
}

// limit is how long an index may take.
func (c *comparison) limit() time.Duration {
	return startLimit + time.Duration(c.Files)*10*time.Millisecond
}

// warmStarts starts kist over an index that is there.
func (c *comparison) warmStarts(ctx context.Context, marker string) error {
	c.step("warm start")
	if err := c.pause(ctx, racyPause); err != nil {
		return err
	}
	var took clock
	for range c.Runs + 1 {
		s, err := c.start(ctx)
		if err != nil {
			return err
		}
		err = s.answered(ctx, marker, c.limit())
		took = append(took, time.Since(s.began))
		if err = errors.Join(err, s.stop(ctx)); err != nil {
			return err
		}
	}
	// The first start looks again at what was just written.
	c.addRow("warm", "warm start to the first complete answer", Milliseconds).Cells[ownName] = figureCell(millis(timing(took[1:]).P50))
	return nil
}

// answered waits until an answer by words alone has all documents of the mark: vectors, which
// there are by now, would bring some that are only near.
func (s *server) answered(ctx context.Context, marker string, limit time.Duration) error {
	for {
		r, err := s.client.Search.Search(ctx, &v1.SearchRequest{Query: marker, Mode: v1.SearchMode_SEARCH_MODE_TEXT})
		if err != nil || r.GetTotal() == markers && r.GetFreshness().GetPending() == 0 {
			return err
		}
		if time.Since(s.began) > limit {
			return fmt.Errorf("%d of %d documents found after %v", r.GetTotal(), markers, limit)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// serve asks and saves while everything is open.
func (c *comparison) serve(ctx context.Context) (err error) {
	s, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop(ctx)) }()
	if err := errors.Join(s.wait(ctx), s.learned(ctx)); err != nil {
		return err
	}
	for _, e := range c.opts.Engines {
		if err := e.Open(filepath.Join(c.floor, e.Name())); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
	}
	c.step("questions")
	for _, class := range c.census.Classes(c.Tries, c.Seed) {
		if err := c.askClass(ctx, s, class); err != nil {
			return err
		}
	}
	c.step("saves")
	return c.saveAll(ctx, s)
}

// askClass asks all questions of a class, everybody in turns, after a few that don't count.
func (c *comparison) askClass(ctx context.Context, s *server, a drawn.Class) error {
	row, all := c.addRow(a.Name, a.What, Milliseconds), a.Questions
	if len(all) == 0 {
		return nil // the corpus is too poor for it
	}
	if a.Name == "rare" {
		if t, ok, err := ripgrep(ctx, c.vault, all[0].Text, 3); err != nil {
			return err
		} else if ok {
			row.Cells[ripgrepName] = manyCell(t, 0)
		}
	}
	asked := map[string]func(drawn.Question) (int, error){ownName: func(q drawn.Question) (int, error) { return s.findFor(ctx, q, a.Hybrid) }}
	for _, e := range c.opts.Engines {
		if !a.Hybrid && (e.Phrases() || a.Name != "phrase") {
			asked[e.Name()] = func(q drawn.Question) (int, error) { return e.Search(ctx, q) }
		}
	}
	took, empty := map[string]*clock{}, map[string]int{}
	for name := range asked {
		took[name] = &clock{}
	}
	warmUp := min(20, len(all))
	for i, q := range slices.Concat(all[:warmUp], all) {
		for name, search := range asked {
			if i == warmUp {
				*took[name], empty[name] = nil, 0
			}
			err := took[name].time(func() error {
				n, err := search(q)
				if n == 0 {
					empty[name]++
				}
				return err
			})
			if err != nil {
				return fmt.Errorf("ask %s for %q: %w", name, q.Text, err)
			}
		}
	}
	for name := range asked {
		row.Cells[name] = manyCell(timing(*took[name]), empty[name])
	}
	return nil
}

// findFor asks kist.
func (s *server) findFor(ctx context.Context, q drawn.Question, hybrid bool) (int, error) {
	req := &v1.SearchRequest{Query: q.Text, Mode: v1.SearchMode_SEARCH_MODE_TEXT}
	if q.Phrase {
		req.Query = `"` + q.Text + `"`
	}
	if hybrid {
		req.Mode = v1.SearchMode_SEARCH_MODE_HYBRID
	}
	r, err := s.client.Search.Search(ctx, req)
	if err != nil {
		return 0, err
	}
	if r.GetFreshness().GetPending() > 0 {
		return 0, errors.New("the answer isn't complete")
	}
	return int(r.GetTotal()), nil
}

// saveAll measures from before a file is saved, by rename, until a search finds what is new
// in it; for the others, until they have indexed the same text and found it.
func (c *comparison) saveAll(ctx context.Context, s *server) error {
	row := c.addRow("save", "save by rename, to searchable", Milliseconds)
	took := map[string]*clock{ownName: {}}
	for i := range min(c.Tries, len(c.census.Paths)) {
		p := c.census.Paths[i*len(c.census.Paths)/c.Tries]
		name := filepath.Join(c.vault, filepath.FromSlash(p))
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		word := drawn.Question{Text: fmt.Sprintf("savedcompare%dword", i)}
		text = append(text, "\n\n"+word.Text+"\n"...)
		err = took[ownName].time(func() error {
			if err := saveRename(name, text); err != nil {
				return err
			}
			return untilFound(p, func() (int, error) { return s.saved(ctx, word) })
		})
		if err != nil {
			return err
		}
		for _, e := range c.opts.Engines {
			if took[e.Name()] == nil {
				took[e.Name()] = &clock{}
			}
			err := took[e.Name()].time(func() error {
				if err := errors.Join(saveRename(filepath.Join(c.floor, "saved"), text), e.Replace(ctx, p, text)); err != nil {
					return err
				}
				return untilFound(p, func() (int, error) { return e.Search(ctx, word) })
			})
			if err != nil {
				return fmt.Errorf("save, %s: %w", e.Name(), err)
			}
		}
		time.Sleep(savePause)
	}
	for name, t := range took {
		row.Cells[name] = manyCell(timing(*t), 0)
	}
	return nil
}

// saved asks kist for a word that was just saved: what stands for it after a correction
// doesn't count.
func (s *server) saved(ctx context.Context, q drawn.Question) (int, error) {
	r, err := s.client.Search.Search(ctx, &v1.SearchRequest{Query: q.Text, Limit: 1})
	if err != nil || len(r.GetCorrected()) > 0 {
		return 0, err
	}
	return int(r.GetTotal()), nil
}

// untilFound asks until something is found.
func untilFound(p string, ask func() (int, error)) error {
	for deadline := time.Now().Add(saveLimit); ; time.Sleep(100 * time.Microsecond) {
		if n, err := ask(); n > 0 || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s was saved and not found within %v", p, saveLimit)
		}
	}
}

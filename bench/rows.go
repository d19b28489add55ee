package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// This file measures part by part and makes the rows.

// middle is the result with the median time.
func middle(all []result) result {
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(a.Took, b.Took) })
	return all[len(all)/2]
}

// measureCold builds indexes, kist's and the floor's in turns, so that a busy moment
// hits both.
func (m *measurement) measureCold(ctx context.Context) error {
	m.step("cold index and its floors")
	var cold, floors []result
	for range m.rounds("cold", "memory") {
		if err := m.again(); err != nil {
			return err
		}
		c, err := m.child(ctx, taskCold)
		if err != nil {
			return err
		}
		f, err := m.child(ctx, taskFloor)
		if err != nil {
			return err
		}
		cold, floors = append(cold, c), append(floors, f)
	}
	whole, err := m.child(ctx, taskFloorFile)
	if err != nil {
		return err
	}
	c, f := middle(cold), middle(floors)
	m.report.Corpus.Files, m.report.Corpus.Sections, m.report.Corpus.Bytes = c.Documents, c.Sections, f.Bytes
	if m.wants("cold") {
		m.report.add(
			once("floor-walk", "walk, names only", Milliseconds, millis(f.Names)),
			once("floor-stat", "walk and stat", Milliseconds, millis(f.Stat)),
			once("floor-read", "read every file", Milliseconds, millis(f.Read)),
			once("cold", "cold index, all text searchable", Milliseconds, millis(c.Took)).
				beside(millis(f.Took), "walk, read, bleve alone, an entry a section").times(1.2),
			cpuRow(c, f),
			once("cold-file", "cold index, beside an entry a file", Milliseconds, millis(c.Took)).
				beside(millis(whole.Took), "walk, read, bleve alone, an entry a file, with positions"),
		)
	}
	if m.wants("memory") {
		m.report.add(m.peakRows(c, f)...)
	}
	return nil
}

// cpuRow compares processor time, which a busy machine changes less than it does the
// time on the clock. The floor's includes making its entries, as kist's does.
func cpuRow(c, f result) Row {
	r := once("cold-cpu", "cold index, processor time", Milliseconds, millis(c.CPU)).
		beside(millis(f.CPU), "the floor of a cold index, with making its entries")
	if c.CPU == 0 {
		return r.missing("the system doesn't tell")
	}
	return r
}

func (m *measurement) peakRows(c, f result) []Row {
	const target = 400
	peak := once("peak", "peak memory of a cold index, mapped files included", Megabytes, megabytes(c.Peak)).
		beside(megabytes(f.Peak), "bleve alone").aim(fmt.Sprintf("<= %d MB", target), megabytes(c.Peak) <= target)
	anonymous := once("peak-anonymous", "the same, mapped files left out", Megabytes, megabytes(c.PeakAnonymous))
	if c.Peak == 0 {
		const why = "the system doesn't tell"
		return []Row{peak.missing(why), anonymous.missing(why)}
	}
	return []Row{peak, anonymous}
}

// racyPause is longer than the time for which an index takes a file that was just
// written for one that may change unseen.
const racyPause = 2100 * time.Millisecond

func (m *measurement) measureWarm(ctx context.Context) error {
	m.step("warm start")
	if !m.wants("warm") {
		return nil
	}
	if err := m.pause(ctx, racyPause); err != nil {
		return err
	}
	// Looks at those files again, and learns vectors: they would be learned while the
	// others are measured, and never be done.
	if _, err := m.child(ctx, taskWarm, doLearn); err != nil {
		return err
	}
	var warm, floors []result
	for range max(5, m.Runs) {
		w, err := m.child(ctx, taskWarm)
		if err != nil {
			return err
		}
		f, err := m.child(ctx, taskFloorWarm)
		if err != nil {
			return err
		}
		warm, floors = append(warm, w), append(floors, f)
	}
	m.report.add(once("warm", "warm start, nothing changed, to the first complete answer", Milliseconds, millis(middle(warm).Took)).
		beside(millis(middle(floors).Took), "load a list of files, walk, stat, compare, open bleve").times(2))
	return nil
}

func (m *measurement) measureLive(ctx context.Context) error {
	m.step("searches, saves, operations")
	var do []string
	for _, part := range []string{"search", "save", "operation"} {
		if m.wants(part) {
			do = append(do, part)
		}
	}
	if len(do) == 0 {
		return nil
	}
	r, err := m.child(ctx, taskLive, do...)
	if err != nil {
		return err
	}
	if m.wants("search") {
		if err := m.searchRows(ctx, r); err != nil {
			return err
		}
	}
	if m.wants("save") {
		const of = "write, one bleve batch, one bleve query"
		m.report.add(
			saveRow("save-rename", "save by rename, to searchable", r.SaveRename, of),
			saveRow("save-in-place", "save in place, to searchable", r.SaveInPlace, of),
		)
	}
	if m.wants("operation") {
		m.report.add(many("operation", "one durable operation on 10 KB, log included", r.Op.Kist, 50).
			besideMany(r.Op.Floor, 50, "temporary file, fsync, rename, fsync of the folder").times(3))
	}
	return nil
}

func saveRow(name, what string, p pair, of string) Row {
	r := many(name, what, p.Kist, 50).besideMany(p.Floor, 50, of)
	return r.aim("p50 <= 5 ms, p99 <= 30 ms", p.Kist.P50 <= 5*time.Millisecond && p.Kist.P99 <= 30*time.Millisecond)
}

func (m *measurement) searchRows(ctx context.Context, r result) error {
	d := drawer{}
	for _, c := range d.kinds() {
		p := r.Classes[c.name]
		of := "bleve's own ten best sections, by the same four fields"
		if c.name == "phrase" {
			of = "bleve's own ten best files, with positions"
		}
		row := many("search-"+c.name, "search: "+c.what, p.Kist, 95).besideMany(p.Floor, 95, of)
		m.report.add(row.aim("p95 <= 1.3x", row.Ratio <= 1.3))
	}
	rg, ok, err := ripgrep(ctx, m.vault, r.RareWord, 5)
	if err != nil {
		return err
	}
	row := many("floor-ripgrep", "ripgrep: one rare word", rg, 50)
	if !ok {
		row = row.missing("rg isn't installed")
	}
	m.report.add(row)
	return nil
}

func (m *measurement) measureDaemon(ctx context.Context) error {
	m.step("daemon: first answer")
	if !m.wants("cold", "memory", "idle", "rpc") {
		return nil
	}
	d, err := m.daemon(ctx)
	if err != nil {
		return err
	}
	files := m.report.Corpus.Files
	if m.wants("cold") {
		first := once("first", "cold start: kist up to the first complete answer", Milliseconds, millis(d.first))
		if files <= 12_000 {
			first = first.aim("<= 1 s", d.first <= time.Second)
		}
		m.report.add(first, once("first-index", "cold start: kist up to a complete index", Milliseconds, millis(d.firstReady)))
	}
	if m.wants("rpc") {
		most := targetAt(files, 25, 60)
		m.report.add(
			many("rpc", "one unary call over the socket", d.call.Kist, 50).
				besideMany(d.call.Floor, 50, "a bare connect server and the same client").times(1.5),
			many("search-socket", "search of 1 to 8 words over the socket", d.search, 95).
				aim(fmt.Sprintf("p95 <= %.0f ms", most), millis(d.search.P95) <= most),
		)
	}
	m.restRows(d, files)
	return nil
}

func (m *measurement) restRows(d served, files int) {
	settled := m.settle().Round(100 * time.Millisecond)
	if m.wants("memory") {
		most := targetAt(files, 100, 350)
		target := fmt.Sprintf("<= %.0f MB", most)
		rest := once("rest", "memory at rest, after a warm start and searches", Megabytes, megabytes(d.rest)).aim(target, megabytes(d.rest) <= most)
		after := once("rest-cold", fmt.Sprintf("memory %v after a cold index", settled), Megabytes, megabytes(d.coldRest)).aim(target, megabytes(d.coldRest) <= most)
		if d.noMemory != nil {
			rest, after = rest.missing(d.noMemory.Error()), after.missing(d.noMemory.Error())
		}
		m.report.add(rest, after)
	}
	if m.wants("idle") {
		idle := once("idle", fmt.Sprintf("processor time while idle (%v, %v after the last call)", m.Idle, settled), PerHour, d.idle.Seconds()).
			aim("<= 1 s/h", d.idle <= time.Second)
		if d.noIdle != nil {
			idle = idle.missing(d.noIdle.Error())
		}
		m.report.add(idle)
	}
}

// notMeasured adds the targets that this program can't show, so that nobody takes
// their absence for success.
func (m *measurement) notMeasured() {
	if len(m.Only) > 0 {
		return
	}
	m.report.add(
		once("growth", "growth from 1,000 to 16,000 files", Exponent, 0).missing("kistbench --growth measures it"),
	)
}

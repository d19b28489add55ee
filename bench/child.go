package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A task is what a child process does. It gets it as JSON on standard input and
// prints what came of it as JSON.
type task struct {
	Kind   string
	Engine string // of the engine task: its name
	Vault  string // folder of the documents
	Floor  string // folder of bleve's own indexes and of what else floors need
	Seed   uint64
	Do     []string // of the live task: what to measure; of the warm one: doLearn
	Tries  int      // and how often
}

// The kinds of tasks.
const (
	taskCold      = "cold"      // open a vault that has no index and build one
	taskWarm      = "warm"      // open a vault that has one
	taskLive      = "live"      // search, save and change
	taskFloor     = "floor"     // walk, read, bleve alone with an entry a section
	taskFloorFile = "floorfile" // bleve alone with an entry a file
	taskFloorWarm = "floorwarm" // load, walk, compare, open
	taskBare      = "bare"      // answer bare calls on a socket
	taskVectors   = "vectors"   // find the nearest of so many vectors
	taskEngine    = "engine"    // index a vault by an [Engine]
)

// doLearn tells the warm task to wait for vectors.
const doLearn = "learn"

// A result is what came of a task; only what its kind is about is set.
type result struct {
	Took                time.Duration
	CPU                 time.Duration // of the whole process; 0: not known
	Peak, PeakAnonymous uint64        // bytes; 0: not known
	Documents, Sections int
	Bytes               int64

	Names, Stat, Read time.Duration // floors of the disk

	Classes                     map[string]pair // of searches
	SaveInPlace, SaveRename, Op pair
	RareWord                    string // that some document has

	Scan   pair // of vectors
	Recall float64
}

// ChildCommand is what has to follow the program's name so that it calls [Child].
func ChildCommand() []string { return []string{"--child"} }

// Child carries out the task that a parent's [Run] or [SideBySide] wrote to in; the latter needs
// the same engines.
func Child(ctx context.Context, in io.Reader, out io.Writer, engines ...Engine) error {
	var t task
	dec := json.NewDecoder(in)
	if err := dec.Decode(&t); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	if t.Kind == taskBare {
		return serveBare(ctx, t, in, out)
	}
	do := map[string]func(context.Context, task) (result, error){
		taskCold: t.cold, taskWarm: t.warm, taskLive: t.live,
		taskFloor: t.floor, taskFloorFile: t.floorFile, taskFloorWarm: t.floorWarm, taskVectors: t.vectors,
		taskEngine: func(ctx context.Context, t task) (result, error) { return t.engine(ctx, engines) },
	}[t.Kind]
	if do == nil {
		return fmt.Errorf("no task %q", t.Kind)
	}
	r, err := do(ctx, t)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// child runs a task in a process of its own.
func (m *measurement) child(ctx context.Context, kind string, do ...string) (r result, err error) {
	return m.carryOut(ctx, task{Kind: kind, Vault: m.vault, Floor: m.floor, Seed: m.Seed, Do: do, Tries: m.Tries})
}

func (m *measurement) carryOut(ctx context.Context, t task) (r result, err error) {
	spec, err := json.Marshal(t)
	if err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, m.Self, ChildCommand()...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(spec), &errs
	cmd.Env = childEnv()
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r, fmt.Errorf("measure %s: %w: %s", t.Kind, err, bytes.TrimSpace(errs.Bytes()))
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("measure %s: %w", t.Kind, err)
	}
	return r, nil
}

// childEnv is the environment without what would change what is measured.
func childEnv() []string {
	return append(os.Environ(), "KIST_VAULT=", "KIST_LISTEN=", "KIST_LOG=")
}

func (t task) cold(ctx context.Context, _ task) (r result, err error) {
	peak := watchPeak()
	began := time.Now()
	s, err := openSession(ctx, t.Vault)
	if err != nil {
		return r, err
	}
	err = s.index.Wait(ctx, 0)
	r.Took = time.Since(began)
	r.PeakAnonymous = peak()
	r.weigh()
	status := s.index.Status()
	r.Documents, r.Sections = status.Documents, status.Sections
	return r, errors.Join(err, s.close())
}

// weigh notes what this process has needed, as far as that can be known.
func (r *result) weigh() {
	_, r.Peak, _ = memory(os.Getpid())
	r.CPU, _ = cpuTime(os.Getpid())
}

// watchPeak looks at the memory that is no file's every few milliseconds, until
// the function it returns is called for the most that was seen.
func watchPeak() func() uint64 {
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for {
			now, _, _ := memory(os.Getpid()) // 0 where it can't be known
			peak = max(peak, now)
			select {
			case <-stop:
				most <- peak
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}

// warm measures from opening to the first answer that is complete. It can be told to
// go on until vectors are learned.
func (t task) warm(ctx context.Context, _ task) (r result, err error) {
	began := time.Now()
	s, err := openSession(ctx, t.Vault)
	if err != nil {
		return r, err
	}
	if err = s.index.Wait(ctx, 0); err == nil {
		err = s.answers(ctx)
	}
	r.Took = time.Since(began)
	if err == nil && slices.Contains(t.Do, doLearn) {
		err = s.learned(ctx)
	}
	return r, errors.Join(err, s.close())
}

func (t task) floorSize(ctx context.Context) (paths []string, r result, err error) {
	if paths, err = notesOf(ctx, t.Vault); err != nil {
		return nil, r, err
	}
	timed := func(to *time.Duration, fn func() error) {
		began := time.Now()
		if err == nil {
			err = fn()
		}
		*to = time.Since(began)
	}
	timed(&r.Names, func() error { return walkNames(t.Vault) })
	timed(&r.Stat, func() error { return walkStat(t.Vault) })
	timed(&r.Read, func() (err error) { r.Bytes, err = readAll(t.Vault, paths); return err })
	return paths, r, err
}

func (t task) floor(ctx context.Context, _ task) (r result, err error) {
	paths, r, err := t.floorSize(ctx)
	if err != nil {
		return r, err
	}
	if err := note(t.Vault, filepath.Join(t.Floor, "noted")); err != nil {
		return r, err
	}
	built, err := t.buildFloor(ctx, false, paths)
	r.Took = built + r.Stat
	r.weigh()
	return r, err
}

func (t task) floorFile(ctx context.Context, _ task) (r result, err error) {
	paths, r, err := t.floorSize(ctx)
	if err != nil {
		return r, err
	}
	built, err := t.buildFloor(ctx, true, paths)
	r.Took = built + r.Stat
	return r, err
}

// buildFloor makes one of bleve's own indexes, in place of the one that was there.
func (t task) buildFloor(ctx context.Context, files bool, paths []string) (took time.Duration, err error) {
	if err := os.RemoveAll(filepath.Join(t.Floor, (&floor{files: files}).name())); err != nil {
		return 0, err
	}
	began := time.Now()
	f, err := openFloor(t.Floor, files)
	if err != nil {
		return 0, err
	}
	opened := time.Since(began)
	took, err = f.build(ctx, t.Vault, paths)
	return opened + took, errors.Join(err, f.close())
}

func (t task) floorWarm(context.Context, task) (r result, err error) {
	began := time.Now()
	f, err := openFloor(t.Floor, false)
	if err != nil {
		return r, err
	}
	err = compareNoted(t.Vault, filepath.Join(t.Floor, "noted"))
	r.Took = time.Since(began)
	return r, errors.Join(err, f.close())
}

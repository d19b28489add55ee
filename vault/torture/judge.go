package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// This file is the judge: what it works with and how it starts everything.

const (
	// A folder is changed for a new one after so many rounds or records of its
	// log: each start of a daemon reads it, and its end takes all of it back.
	foldersRounds  = 20
	foldersRecords = 4000
	// Undoing takes about as long as the operations took, so every third folder
	// gets it; every check undoes in memory.
	undoFolders = 3
	// undoAtOnce is how many operations a daemon takes back before it answers: all of
	// them may take longer, on a busy machine, than the judge waits for any answer.
	undoAtOnce = 100
	// settling is how long displaced files and hand edits may take to be dealt with:
	// a second is usual, and a machine may be busy with other things.
	settling    = 30 * time.Second
	shownFaults = 20 // of each kind
	// A daemon dies among so many calls of the write path.
	roundCalls, recoveryCalls = 600, 8
)

// A judge runs the processes and checks what they leave.
type judge struct {
	Options
	rng *rand.Rand
	res *Result

	root, dir, side string // the working folder, the vault, the editors' notes
	folder          int
	began           time.Time     // this folder
	late            time.Duration // in this folder, see Options.Late
	conf            daemonConfig
	own             [][]string // the files of each editor
	editors         []*process
	daemon          *process
	scene           *scene
	faulty          bool                // this folder
	paused          bool                // the editors, by check
	found           map[string][]string // by check: markers that are not in their document but elsewhere

	mu    sync.Mutex // for what listen changes while a daemon is at work
	calls []string   // names of calls that the write path has
}

// Run goes on until the time is up, the goals are reached or ctx ends. The Result says
// what was found; an error, that the kit itself did not work. The program must call
// [Play] first of all.
func Run(ctx context.Context, o Options) (*Result, error) {
	j := &judge{Options: o, rng: rand.New(rand.NewPCG(o.Seed, 0))}
	j.res = &Result{Seed: o.Seed, Styles: map[string]int{}, At: map[string]int{}, Faults: map[string]int{}}
	if o.Out == nil {
		j.Out = os.Stderr
	}
	defer j.stop()
	if err := j.prepare(); err != nil {
		return nil, err
	}
	start := time.Now()
	shown := start
	for time.Since(start) < o.Time && ctx.Err() == nil && !j.reached() {
		if err := j.round(); err != nil {
			j.res.Kept = append(j.res.Kept, j.dir)
			return nil, fmt.Errorf("seed %d, round %d, in %s: %w", o.Seed, j.res.Rounds, j.dir, err)
		}
		if time.Since(shown) > 30*time.Second {
			shown = time.Now()
			fmt.Fprintf(j.Out, "%s: %d kills, %d saves, %d operations, faults %v\n",
				time.Since(start).Round(time.Second), j.res.Kills, j.res.Saves, j.res.Operations, j.res.Faults)
		}
	}
	if err := j.endFolder(); err != nil {
		return nil, err
	}
	j.res.Took = time.Since(start)
	return j.res, nil
}

func (j *judge) reached() bool {
	if j.naive {
		return j.res.Faults[lostSave] > 0
	}
	return j.Kills+j.Saves > 0 && j.res.Kills >= j.Kills && j.res.Saves >= j.Saves && j.res.Lates >= j.Lates
}

// prepare makes the working folder and starts the editors.
func (j *judge) prepare() (err error) {
	if j.root = j.Dir; j.root == "" {
		if j.root, err = os.MkdirTemp("", "kist-torture-"); err != nil {
			return err
		}
	}
	for i := range editors {
		if j.Still {
			break
		}
		p, err := start(func(message) bool { return false }, roleEnv+"="+roleEditor, "KIST_TORTURE_NAME="+editorName(i), "GOMAXPROCS=1")
		if err != nil {
			return err
		}
		j.editors = append(j.editors, p)
	}
	return j.newFolder()
}

func (j *judge) stop() {
	for _, p := range j.editors {
		p.kill()
	}
	if j.daemon != nil {
		j.daemon.kill()
	}
	if j.Dir == "" && len(j.res.Kept) == 0 {
		os.RemoveAll(j.root)
	}
}

// newFolder makes a vault, and sends the editors and a daemon there.
func (j *judge) newFolder() error {
	j.folder++
	j.dir = filepath.Join(j.root, fmt.Sprintf("vault-%d", j.folder))
	j.side = filepath.Join(j.root, fmt.Sprintf("side-%d", j.folder))
	j.faulty, j.paused, j.began, j.late = false, false, time.Now(), 0
	if len(j.Late) > 0 {
		j.late = j.Late[(j.folder-1)%len(j.Late)]
	}
	j.mu.Lock()
	j.scene = newScene()
	j.mu.Unlock()
	if err := os.MkdirAll(j.side, 0o777); err != nil {
		return err
	}
	if err := makeFolders(j.dir); err != nil {
		return err
	}
	if err := j.fill(); err != nil {
		return err
	}
	// Editors begin when kist knows what is there: the log has nothing from before.
	if _, err := j.startDaemon(plan{}); err != nil {
		return err
	}
	for i, p := range j.editors {
		p.send(command{Do: "start", Dir: j.dir, Side: j.side, Own: j.own[i], Hot: j.conf.Hot, Seed: j.rng.Uint64(), Late: j.late})
	}
	return nil
}

// fill writes the documents and shares them out among the editors.
func (j *judge) fill() error {
	s := shareOut()
	j.own = s.own
	j.conf = daemonConfig{Dir: j.dir, Hot: s.hot, Quiet: s.quiet, Own: slices.Concat(s.own...)}
	for _, file := range slices.Concat(j.conf.Hot, j.conf.Quiet, j.conf.Own) {
		j.scene.original[file] = document(file)
		if err := os.WriteFile(filepath.Join(j.dir, file), j.scene.original[file], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// startDaemon returns ready false for one that carried out its plan before it
// was ready, or failed to open the vault because of it.
func (j *judge) startDaemon(p plan) (ready bool, err error) {
	j.conf.Plan = p
	conf, err := json.Marshal(j.conf)
	if err != nil {
		return false, err
	}
	role := roleDaemon
	if j.naive {
		role = roleNaive
	}
	if j.daemon, err = start(j.listen, roleEnv+"="+role, "KIST_TORTURE_CONFIG="+string(conf)); err != nil {
		return false, err
	}
	m, ok, err := j.daemon.await("ready")
	if ok && err == nil {
		return true, nil
	}
	killed := j.daemon.reap()
	j.daemon = nil
	switch {
	case killed && p.KillAt > 0:
		j.res.Kills++
		j.res.InRecovery++
		return false, nil
	case m.Is == "failed" && p.Errors > 0:
		return false, nil
	}
	return false, errors.Join(err, fmt.Errorf("the daemon did not start: %s", m.Text))
}

// listen takes in what a daemon says by itself.
func (j *judge) listen(m message) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch m.Is {
	case "ack":
		for _, id := range m.IDs {
			j.scene.acked[id] = m.Start
			j.res.Operations++
		}
		if m.Text != "" {
			j.scene.turned = append(j.scene.turned, m.Text)
			j.res.Turns++
		}
	case "refused":
		j.res.Refused++
	case "call":
		if _, known := j.res.At[m.Text]; !known {
			j.res.At[m.Text] = 0
			j.calls = append(j.calls, m.Text)
		}
	case "dying":
		j.res.At[m.Text]++
		j.res.Planned++
	case "fault":
		j.res.Injected++
	default:
		return false
	}
	return true
}

// plan decides how the next daemon fails.
func (j *judge) plan(mostCalls int) plan {
	p := plan{Seed: j.rng.Uint64()}
	switch n := j.rng.IntN(10); {
	case n < 4:
		p.KillAt = 1 + j.rng.IntN(mostCalls)
	case n < 7:
		// Rare calls get as many kills as frequent ones.
		j.mu.Lock()
		if len(j.calls) > 0 {
			p.KillCall, p.KillAt = j.calls[j.rng.IntN(len(j.calls))], 1+j.rng.IntN(mostCalls/10+1)
		}
		j.mu.Unlock()
	}
	if j.rng.IntN(6) == 0 {
		p.Errors = []float64{0.002, 0.01, 0.05}[j.rng.IntN(3)]
	}
	return p
}

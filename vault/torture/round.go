package torture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file is what the judge does again and again: a round, and the end of a folder.

// round lets everybody work, kills the daemon, starts another and checks.
func (j *judge) round() error {
	j.res.Rounds++
	j.resume()
	j.daemon.send(command{Do: "go", Plan: j.plan(roundCalls), Seed: j.rng.Uint64()})
	if err := j.awaitDeath(time.Duration(200+j.rng.IntN(500)) * time.Millisecond); err != nil {
		return err
	}
	j.nap(20 * time.Millisecond) // editors save while there is no daemon
	if err := j.restart(); err != nil {
		return err
	}
	if err := j.check(); err != nil {
		return err
	}
	over := j.res.Rounds%foldersRounds == 0 || j.scene.log.n > foldersRecords
	if over && time.Since(j.began) > j.late*5/4 || j.faulty {
		if err := j.endFolder(); err != nil {
			return err
		}
		return j.newFolder()
	}
	return nil
}

func (j *judge) nap(most time.Duration) { time.Sleep(time.Duration(j.rng.Int64N(int64(most)))) }

// awaitDeath waits until the daemon has killed itself, or kills it.
func (j *judge) awaitDeath(most time.Duration) error {
	select {
	case <-j.daemon.messages: // a daemon at work sends none but those for listen
	case <-time.After(most):
	}
	d := j.daemon
	j.daemon = nil
	if !d.kill() {
		return fmt.Errorf("the daemon ended by itself: %s", d.cmd.ProcessState)
	}
	j.res.Kills++
	return nil
}

// restart starts a daemon while the editors go on. It may be killed in its
// recovery several times, and its disk may fail, before one gets through.
func (j *judge) restart() error {
	for {
		var p plan
		if j.rng.IntN(4) > 0 {
			p = j.plan(recoveryCalls)
		}
		ready, err := j.startDaemon(p)
		if err != nil {
			return err
		}
		if ready {
			j.nap(30 * time.Millisecond)
			return nil
		}
	}
}

// check pauses everybody, until the next round or folder, and looks for faults.
func (j *judge) check() error {
	if err := j.pause(); err != nil {
		return err
	}
	if err := j.rest(); err != nil {
		return err
	}
	if err := j.settle(); err != nil {
		return err
	}
	if err := j.compare(); err != nil {
		return err
	}
	var faults []fault
	faults, j.found = j.scene.faults()
	j.blame(faults)
	return nil
}

// compare has the daemon compare its follower, if it has one, with the files, which
// are settled.
func (j *judge) compare() error {
	j.daemon.send(command{Do: "compare"})
	m, ok, err := j.daemon.await("compared")
	if err != nil || !ok {
		return fmt.Errorf("the daemon ended: %w", err)
	}
	if m.Followed {
		j.res.Compared++
	}
	j.scene.differences = m.Differences
	return nil
}

func (j *judge) pause() error {
	for _, p := range j.editors {
		p.send(command{Do: "pause"})
	}
	j.paused = true
	clear(j.scene.expect)
	j.scene.late = 0
	for _, p := range j.editors {
		m, ok, err := p.await("paused")
		if err != nil || !ok {
			return fmt.Errorf("an editor ended: %w", err)
		}
		j.res.Saves += m.Saves
		j.scene.late += m.Late
		for name, n := range m.Styles {
			j.res.Styles[name] += n
			if strings.HasPrefix(name, lateStyle) {
				j.res.Lates += n
			}
		}
		for file, markers := range m.Expect {
			j.scene.expect[file] = markers
		}
		for file, versions := range m.Versions {
			if j.scene.versions[file] == nil {
				j.scene.versions[file] = map[uint64]int64{}
			}
			for _, v := range versions {
				j.scene.versions[file][v.Sum] = max(v.At, j.scene.versions[file][v.Sum])
			}
		}
	}
	for _, file := range j.conf.Hot {
		j.scene.expect[file] = readNote(j.note(file))
	}
	return nil
}

func (j *judge) note(file string) string { return filepath.Join(j.side, stem(file)) }

// resume lets the editors go on after a check. They need not wait for markers that
// were found.
func (j *judge) resume() {
	if !j.paused {
		return
	}
	j.paused = false
	for _, file := range j.conf.Hot {
		writeNote(j.note(file), slices.DeleteFunc(readNote(j.note(file)), func(m string) bool { return slices.Contains(j.found[file], m) }))
	}
	for i, p := range j.editors {
		mine := map[string][]string{}
		for file, markers := range j.found {
			if strings.HasPrefix(markers[0], editorName(i)+" ") {
				mine[file] = markers
			}
		}
		for _, file := range j.conf.Hot {
			delete(mine, file)
		}
		p.send(command{Do: "resume", Forget: mine})
	}
}

// rest stops the daemon's work and its faults. One that dies of its plan before
// that, or whose disk failed, is followed by another.
func (j *judge) rest() error {
	for {
		j.daemon.send(command{Do: "rest"})
		m, ok, err := j.daemon.await("resting")
		if ok && err == nil && m.Text == "" {
			return nil
		}
		d := j.daemon
		j.daemon = nil
		if !d.kill() && m.Is != "failed" {
			return errors.Join(err, fmt.Errorf("the daemon ended by itself: %s", d.cmd.ProcessState))
		}
		j.res.Kills++
		j.res.InRecovery++
		if _, err := j.startDaemon(plan{}); err != nil {
			return err
		}
	}
}

// settle waits until no temporary file is left and the log has everything. The
// naive daemon has no log to wait for.
func (j *judge) settle() error {
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		j.daemon.send(command{Do: "walk"})
		if _, ok, err := j.daemon.await("walked"); err != nil || !ok {
			return fmt.Errorf("the daemon ended: %w", err)
		}
		took := time.Since(start)
		err := j.scene.look(j.dir)
		if errors.Is(err, fs.ErrNotExist) && took <= settling {
			continue // an emptied folder was removed while its parent was read
		}
		if err != nil {
			return err
		}
		lost, _ := j.scene.lostSaves()
		settled := len(j.scene.temps) <= j.scene.late && len(lost) == 0 && len(j.scene.brokenChains()) == 0
		if settled || j.naive || took > settling {
			j.res.Settled = max(j.res.Settled, took)
			return nil
		}
	}
}

// endFolder takes everything back that happened in the folder, which has been
// checked, and leaves it.
func (j *judge) endFolder() error {
	if j.scene.now == nil { // nothing happened
		return nil
	}
	if err := j.release(); err != nil {
		return err
	}
	j.res.Folders++
	if !j.faulty {
		for file := range j.scene.now {
			if _, ok := isCopy(file); ok {
				j.res.Copies++
			}
		}
		if j.folder%undoFolders == 1 {
			if err := j.undoAll(); err != nil {
				return err
			}
		}
	}
	err := j.daemon.quit()
	j.daemon = nil
	if err != nil {
		return err
	}
	switch {
	case j.faulty:
		j.res.Kept = append(j.res.Kept, j.dir)
	case j.Dir == "":
		return os.RemoveAll(j.dir)
	}
	return nil
}

// release has the editors close what they hold open, and waits until nothing is left
// of that.
func (j *judge) release() error {
	for _, p := range j.editors {
		p.send(command{Do: "release"})
	}
	for _, p := range j.editors {
		if _, ok, err := p.await("released"); err != nil || !ok {
			return fmt.Errorf("an editor ended: %w", err)
		}
	}
	j.scene.late = 0
	if err := j.settle(); err != nil {
		return err
	}
	if n := len(j.scene.temps); n > 0 && !j.naive {
		j.blame([]fault{{tempLeft, fmt.Sprintf("%d when all files are closed", n)}})
	}
	return nil
}

// undoAll takes back every operation that stands, the last one first, and
// compares with the original tree.
func (j *judge) undoAll() error {
	var ids []string
	for _, e := range slices.Backward(j.scene.log.completed()) {
		// An editor may have made the same change at that moment: nothing to undo.
		if slices.ContainsFunc(e.changes, func(c change) bool { return c.From != "" || c.Before != c.After }) {
			ids = append(ids, e.id)
		}
	}
	var faults []fault
	for some := range slices.Chunk(ids, undoAtOnce) {
		j.daemon.send(command{Do: "undo", IDs: some})
		m, ok, err := j.daemon.await("undone")
		if err != nil || !ok {
			return fmt.Errorf("the daemon ended: %w", err)
		}
		j.res.Undone += len(some)
		for id, why := range m.Failed {
			faults = append(faults, fault{badUndo, "operation " + id + ": " + why})
		}
	}
	clear(j.scene.expect) // what is undone isn't there
	if err := j.settle(); err != nil {
		return err
	}
	faults = append(faults, j.scene.compare(j.scene.now, nil)...)
	if err := j.compare(); err != nil {
		return err
	}
	j.blame(append(faults, j.scene.astray()...))
	return nil
}

// blame records faults.
func (j *judge) blame(faults []fault) {
	for _, f := range faults {
		j.faulty = true
		j.res.Faults[f.kind]++
		if j.res.Faults[f.kind] <= shownFaults {
			fmt.Fprintf(j.Out, "%s: round %d: %s: %s\n", filepath.Base(j.dir), j.res.Rounds, f.kind, f.text)
		}
	}
}

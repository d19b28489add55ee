package index

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"kist/index/manifest"
	"kist/index/pending"
	"kist/index/rank"
	"kist/vault"
)

// maxProblems is how many problems a Status lists.
const maxProblems = 1000

// State of an index.
type State string

// The states.
const (
	Starting State = "starting" // the files haven't been compared yet
	Building State = "building" // many files are being indexed
	Ready    State = "ready"
	Paused   State = "paused" // something is wrong; Status.Notice says what
)

// Status of an index.
type Status struct {
	State     State
	Freshness rank.Freshness
	Documents int
	Sections  int
	Notice    string          // what the user should know; empty: nothing
	Problems  []vault.Problem // at most 1,000, by path
	Progress  Progress        // of the build under way or last done
	Vectors   VectorStatus
}

// Status tells the state.
func (x *Index) Status() Status {
	f := x.Freshness()
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := Status{State: x.state, Freshness: f, Notice: x.notice, Progress: x.progress}
	if x.position.notice != "" {
		s.Notice = x.position.notice
	}
	if x.current == nil {
		return s
	}
	s.Vectors = x.learner.vectorStatus()
	s.Vectors.Embedder = x.remote.embedderStatus()
	m := x.current.manifest
	s.Documents, s.Sections = len(m.Files), m.Sections
	s.Problems = slices.Clone(x.walked)
	for _, path := range slices.Sorted(maps.Keys(m.Problems)) {
		// What the walk couldn't use may have been indexed before.
		if !slices.ContainsFunc(x.walked, func(p vault.Problem) bool { return p.Path == path }) {
			s.Problems = append(s.Problems, m.Problems[path]...)
		}
	}
	if len(s.Problems) > maxProblems {
		s.Problems = s.Problems[:maxProblems]
	}
	return s
}

// Freshness is Status's receipt alone, cheaply.
func (x *Index) Freshness() rank.Freshness {
	x.mu.RLock()
	defer x.mu.RUnlock()
	f := rank.Freshness{Indexed: x.indexed, Vault: x.vault.Seq(), Pending: x.todo + x.position.held, Held: x.position.held}
	if f.Vault > x.taken {
		changes, _ := x.vault.SearchedSince(x.taken)
		f.Pending += len(changes)
	}
	if x.current != nil {
		f.Failed = x.current.manifest.Failed
		f.Vectors = x.remote.embedderStatus().Notice()
	}
	return f
}

// receipt completes what an answer says of itself.
func receipt(f *rank.Freshness, over *pending.Overlay, degraded ...string) {
	if over != nil {
		f.Direct = over.Searched()
		f.Pending = max(f.Held, over.Number()-f.Direct)
	}
	f.Degraded = strings.Join(slices.DeleteFunc(degraded, func(s string) bool { return s == "" }), "; ")
}

// Wait returns once the index holds seq (0: all the vault knows of now), or with
// ctx's error. A seq that the vault hasn't reached counts as its newest. Changes
// that the brake holds back count as done; Status says so.
func (x *Index) Wait(ctx context.Context, seq vault.Seq) error {
	if now := x.vault.Seq(); seq <= 0 || seq > now {
		seq = now
	}
	for {
		x.mu.RLock()
		done, closed, moved := x.caughtUp && x.indexed >= seq, x.current == nil, x.moved
		x.mu.RUnlock()
		switch {
		case closed:
			return ErrClosed
		case done:
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// reached notes that all changes up to a position are indexed. Like the others
// below it concerns the current generation only; a rebuild's own doesn't count yet.
func (x *Index) reached(g *generation, pos position) {
	x.update(g, func() {
		x.position = pos
		x.taken, x.indexed = max(x.taken, pos.seq), max(x.indexed, pos.seq)
		x.caughtUp = true
		if x.rebuilding {
			return
		}
		x.state = Ready
		if pos.notice != "" {
			x.state = Paused
		}
	})
}

// stuck notes that a position could not be passed.
func (x *Index) stuck(g *generation, pos position) {
	x.update(g, func() {
		x.position = pos
		if pos.notice != "" {
			x.state = Paused
		}
	})
}

// begin notes what a comparison found.
func (x *Index) begin(g *generation, d manifest.Difference) {
	x.update(g, func() {
		n := len(d.Changed) + len(d.Gone)
		x.todo, x.taken = n, max(x.taken, d.Seq)
		x.waiting, x.surveyed = make(map[string]vault.Info, n), true
		x.desk.Forget()
		for _, i := range d.Infos {
			x.waiting[i.Path] = i
		}
		for _, p := range d.Gone {
			x.waiting[p] = vault.Info{}
		}
		if n >= buildingFrom || n > 0 && !x.caughtUp {
			x.meter.Start(time.Now())
			x.state, x.progress = Building, Progress{Total: n}
		}
	})
}

// take notes that files are being indexed, and all changes up to seq with them.
func (x *Index) take(g *generation, paths []string, seq vault.Seq) {
	x.update(g, func() {
		x.todo, x.taken = len(paths), max(x.taken, seq)
		for _, p := range paths {
			x.waiting[p] = vault.Info{}
		}
	})
}

func (x *Index) setTodo(g *generation, n int) {
	x.update(g, func() { x.todo = n })
}

func (x *Index) setProgress(g *generation, done, total int) {
	x.update(g, func() {
		x.todo = total - done
		if x.state == Building && !x.rebuilding {
			x.progress = x.meter.Progress(time.Now(), done, total)
		}
	})
}

// update changes what the status tells, and wakes those who wait for it.
func (x *Index) update(g *generation, change func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if g != x.current {
		return
	}
	change()
	x.wake()
}

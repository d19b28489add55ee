package vault

import (
	"context"
	"errors"
	"slices"
	"time"
)

// The history is the follower of the vault that records what other programs
// save. It waits until they are done, so that the saves of a burst become one
// operation, and as a last resort, for a file that is never quiet, for a limit.
const (
	historyQuiet = 2 * time.Second
	historyLimit = 30 * time.Second
	// historyStep is how many documents are recorded under one hold of the lock.
	historyStep = 100
)

type history struct {
	v       *Vault
	seq     Seq
	waiting map[string]waiting
	vanish  brake
	whole   bool            // everything was compared once
	behind  map[string]bool // what that found and isn't recorded yet
}

// waiting is when a path that changed was first and last heard of.
type waiting struct{ first, last time.Time }

// follow records until ctx ends.
func (h *history) follow(ctx context.Context) {
	now := time.Now()
	for p := range h.v.ops.takeTail() {
		h.touch(p, now)
	}
	h.compareFirst(ctx, 0)
	h.recordDue(ctx, time.Now().Add(historyLimit))
	for ctx.Err() == nil {
		asked := h.wait(ctx)
		h.collect(ctx)
		now := time.Now()
		if asked != nil {
			now = now.Add(historyLimit) // all is due
		}
		h.recordDue(ctx, now)
		if asked != nil {
			close(asked)
		}
	}
}

// recordDue records what is due. Until all that the first comparison found has been
// recorded, what is known may lag behind the log.
func (h *history) recordDue(ctx context.Context, now time.Time) {
	due := h.due(now)
	left := h.record(ctx, due)
	for _, p := range due {
		if !slices.Contains(left, p) {
			delete(h.behind, p)
		}
	}
	if h.whole && len(h.behind) == 0 && ctx.Err() == nil {
		h.v.compared.Store(true)
	}
	if len(due) > 0 && h.v.vanished.Load() != nil {
		h.compare(ctx, 0) // some of what vanished may be back
	}
}

// compareFirst is compare until what is known has caught up with the log.
func (h *history) compareFirst(ctx context.Context, since Seq) {
	h.behind = map[string]bool{}
	h.whole = h.compare(ctx, since) || h.whole
	for p := range h.waiting {
		h.behind[p] = true
	}
}

// wait returns when something changed or is due, or with what somebody asked for.
func (h *history) wait(ctx context.Context) (asked chan struct{}) {
	seq, wake := h.v.changes.newest()
	if seq > h.seq {
		return nil
	}
	timer := time.NewTimer(time.Until(h.next(time.Now())))
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case asked = <-h.v.record:
	case <-ctx.Done():
	}
	return asked
}

// Record has what other programs saved before the call recorded now, rather than
// when they are quiet. It returns an error where that can't be seen, or ctx's.
func (v *Vault) Record(ctx context.Context) error {
	if _, err := v.Barrier(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	select {
	case v.record <- done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// collect takes in what changed.
func (h *history) collect(ctx context.Context) {
	changed, seq := h.v.changes.since(h.seq)
	h.seq = seq
	now := time.Now()
	for _, c := range changed {
		if c.Path == "" {
			if h.v.compared.Load() {
				h.compare(ctx, c.Seq)
			} else {
				h.compareFirst(ctx, c.Seq)
			}
			continue
		}
		h.touch(c.Path, now)
	}
}

func (h *history) touch(p string, now time.Time) {
	if !h.v.tracked(p) {
		return
	}
	w, ok := h.waiting[p]
	if !ok {
		w.first = now
	}
	w.last = now
	h.waiting[p] = w
}

// due removes and returns the paths whose time has come, sorted. What is nearly as
// old comes along: both names of a moved file belong together.
func (h *history) due(now time.Time) []string {
	if h.next(now).After(now) {
		return nil
	}
	var due []string
	for p, w := range h.waiting {
		if now.Sub(w.last) >= h.v.quiet/2 || now.Sub(w.first) >= historyLimit {
			due = append(due, p)
			delete(h.waiting, p)
		}
	}
	slices.Sort(due)
	return due
}

// next is when due may return something.
func (h *history) next(now time.Time) time.Time {
	next := now.Add(time.Hour)
	for _, w := range h.waiting {
		at := w.last.Add(h.v.quiet)
		if limit := w.first.Add(historyLimit); limit.Before(at) {
			at = limit
		}
		if at.Before(next) {
			next = at
		}
	}
	return next
}

// record records what became of paths, and returns those of which it could not.
func (h *history) record(ctx context.Context, due []string) (left []string) {
	if len(due) == 0 {
		return nil
	}
	v := h.v
	var gone, here []string
	for _, p := range due {
		if v.Ignored(p) {
			continue
		}
		if !v.missing(p) {
			here = append(here, p)
		} else if _, known, err := v.state.Document(p); err == nil && (known || !v.compared.Load()) {
			gone = append(gone, p) // not known, the log may know it
		}
	}
	if len(gone) > 0 && (v.vanished.Load() != nil || h.vanish.stops(v, len(gone))) {
		left, gone = gone, nil // they stay known, and the next comparison looks again
	}
	h.vanish.let(v, len(gone))
	budget := maxBurst
	batch := v.NewID()
	step := func(fn func() ([]*planned, error)) bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.ready(ctx) != nil {
			return false
		}
		edits, err := fn()
		if err == nil {
			err = v.logEdits(edits, &budget)
		}
		if err != nil {
			v.log.Warn("history: not recorded", "err", err)
			return false
		}
		return true
	}
	ok := step(func() ([]*planned, error) { return v.moves(gone, here, batch) })
	for part := range slices.Chunk(append(gone, here...), historyStep) {
		ok = ok && step(func() (edits []*planned, err error) {
			var unread []string
			edits, unread = v.edits(part, batch)
			left = append(left, unread...)
			return edits, nil
		})
	}
	if !ok {
		now := time.Now()
		for _, p := range due {
			h.touch(p, now)
		}
		return due
	}
	return left
}

// edits compares documents with what is known of them, but for those that can't be
// read. The lock is held.
func (v *Vault) edits(paths []string, batch string) (out []*planned, unread []string) {
	for _, p := range paths {
		text, stamp, err := v.readStable(p)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrNotRegular):
			text = nil
		case err != nil:
			v.log.Debug("history: passed over", "path", p, "err", err)
			unread = append(unread, p)
			continue
		}
		e := v.editOf(p, text, batch)
		if e != nil {
			out = append(out, e)
		} else if text != nil {
			v.stateTrouble(v.know(p, text, stamp))
		}
	}
	return out, unread
}

// logEdits logs other programs' saves, and what they undid without wanting to.
// budget is the size of diffs that may still be kept of this burst.
func (v *Vault) logEdits(edits []*planned, budget *int) error {
	if len(edits) == 0 {
		return nil
	}
	at := v.now()
	var records []record
	var offers []*planned
	for _, e := range edits {
		c := &e.op.Changes[0]
		if *budget -= len(c.Patch); *budget < 0 {
			c.Patch = ""
			e.op.Digest = digest(e.op)
		}
		records = append(records, completedRecord(e.op, at))
		lost, offer := v.superseded(e)
		for _, op := range lost {
			records = append(records, record{ID: op.ID, Event: StatusSuperseded, At: at, Error: "an editor saved a text from before it"})
		}
		offers = append(offers, offer...)
	}
	if err := v.ops.append(at, records...); err != nil {
		return err
	}
	v.recorded(edits)
	if len(offers) == 0 {
		return nil
	}
	_, err := v.propose(offers)
	return err
}

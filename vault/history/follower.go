package history

import (
	"context"
	"errors"
	"slices"
	"time"

	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/oplog"
)

// The follower waits until programs are done with a file, so that the saves of a burst
// become one operation, and as a last resort, for a file that is never quiet, for a limit.
const (
	quiet = 2 * time.Second
	limit = 30 * time.Second
	// atOnce is how many documents are recorded under one hold of the lock.
	atOnce = 100
)

// A follower is one call of [History.Follow].
type follower struct {
	h       *History
	seq     documents.Seq
	waiting map[string]waiting
	vanish  brake
	whole   bool            // everything was compared once
	behind  map[string]bool // what that found and isn't recorded yet
}

// waiting is when a path that changed was first and last heard of.
type waiting struct{ first, last time.Time }

// Follow records what other programs save until ctx ends. They must be heard of by then.
func (h *History) Follow(ctx context.Context) {
	seq, _ := h.opts.Changes.Newest()
	(&follower{h: h, seq: seq, waiting: map[string]waiting{}}).follow(ctx)
}

// follow records until ctx ends.
func (f *follower) follow(ctx context.Context) {
	now := time.Now()
	for p := range f.h.opts.Log.TakeTail() {
		f.touch(p, now)
	}
	f.compareFirst(ctx, 0)
	f.recordDue(ctx, time.Now().Add(limit))
	for ctx.Err() == nil {
		asked := f.wait(ctx)
		f.collect(ctx)
		now := time.Now()
		if asked != nil {
			now = now.Add(limit) // all is due
		}
		f.recordDue(ctx, now)
		if asked != nil {
			close(asked)
		}
	}
}

// recordDue records what is due. Until all that the first comparison found has been
// recorded, what is known may lag behind the log.
func (f *follower) recordDue(ctx context.Context, now time.Time) {
	due := f.due(now)
	left := f.record(ctx, due)
	for _, p := range due {
		if !slices.Contains(left, p) {
			delete(f.behind, p)
		}
	}
	if f.whole && len(f.behind) == 0 && ctx.Err() == nil {
		f.h.compared.Store(true)
	}
	if len(due) > 0 && f.h.vanished.Load() != nil {
		f.compare(ctx, 0) // some of what vanished may be back
	}
}

// compareFirst is compare until what is known has caught up with the log.
func (f *follower) compareFirst(ctx context.Context, since documents.Seq) {
	f.behind = map[string]bool{}
	f.whole = f.compare(ctx, since) || f.whole
	for p := range f.waiting {
		f.behind[p] = true
	}
}

// wait returns when something changed or is due, or with what somebody asked for.
func (f *follower) wait(ctx context.Context) (asked chan struct{}) {
	seq, wake := f.h.opts.Changes.Newest()
	if seq > f.seq {
		return nil
	}
	timer := time.NewTimer(time.Until(f.next(time.Now())))
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case asked = <-f.h.asked:
	case <-ctx.Done():
	}
	return asked
}

// Record has what changed, by the numbers that there are, recorded now rather than when
// files are quiet. It returns ctx's error.
func (h *History) Record(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case h.asked <- done:
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
func (f *follower) collect(ctx context.Context) {
	changed, seq := f.h.opts.Changes.Since(f.seq)
	f.seq = seq
	now := time.Now()
	for _, c := range changed {
		if c.Path == "" {
			if f.h.compared.Load() {
				f.compare(ctx, c.Seq)
			} else {
				f.compareFirst(ctx, c.Seq)
			}
			continue
		}
		f.touch(c.Path, now)
	}
	for _, p := range f.h.release() {
		f.touch(p, now)
	}
}

func (f *follower) touch(p string, now time.Time) {
	if !f.h.tracked(p) {
		return
	}
	w, ok := f.waiting[p]
	if !ok {
		w.first = now
	}
	w.last = now
	f.waiting[p] = w
}

// due removes and returns the paths whose time has come, sorted. What is nearly as
// old comes along: both names of a moved file belong together.
func (f *follower) due(now time.Time) []string {
	if f.next(now).After(now) {
		return nil
	}
	var due []string
	for p, w := range f.waiting {
		if now.Sub(w.last) >= f.h.opts.Quiet/2 || now.Sub(w.first) >= limit {
			due = append(due, p)
			delete(f.waiting, p)
		}
	}
	slices.Sort(due)
	return due
}

// next is when due may return something.
func (f *follower) next(now time.Time) time.Time {
	next := now.Add(time.Hour)
	for _, w := range f.waiting {
		at := w.last.Add(f.h.opts.Quiet)
		if latest := w.first.Add(limit); latest.Before(at) {
			at = latest
		}
		if at.Before(next) {
			next = at
		}
	}
	return next
}

// record records what became of paths, and returns those of which it could not.
func (f *follower) record(ctx context.Context, due []string) (left []string) {
	if len(due) == 0 {
		return nil
	}
	h := f.h
	if h.busy() {
		now := time.Now()
		for _, p := range due {
			f.touch(p, now)
		}
		return due
	}
	if err := h.opts.Log.Refresh(); err != nil { // what was pulled, its log came along
		h.opts.Logger.Error("read operation log", "err", err)
	}
	var gone, here []string
	for _, p := range due {
		if h.opts.Folder.Ignored(p) {
			continue
		}
		if !h.missing(p) {
			here = append(here, p)
		} else if _, known, err := h.opts.State.Document(p); err == nil && (known || !h.compared.Load()) {
			gone = append(gone, p) // not known, the log may know it
		}
	}
	gone, here = h.switched(gone), h.switched(here)
	if n := h.unplaced(gone); n > 0 && (h.vanished.Load() != nil || f.vanish.stops(h, n)) {
		left, gone = gone, nil // they stay known, and the next comparison looks again
	}
	f.vanish.let(h, len(gone))
	budget := maxBurst
	batch := ""
	step := func(fn func() ([]*Edit, error)) bool {
		h.opts.Tree.Lock()
		defer h.opts.Tree.Unlock()
		if h.opts.Ready(ctx) != nil {
			return false
		}
		edits, err := fn()
		if err == nil {
			batch = together(edits, batch)
			err = h.logEdits(edits, &budget)
		}
		if err != nil {
			h.opts.Logger.Warn("history: not recorded", "err", err)
			return false
		}
		return true
	}
	ok := step(func() ([]*Edit, error) { return h.moves(gone, here) })
	for part := range slices.Chunk(append(gone, here...), atOnce) {
		ok = ok && step(func() (edits []*Edit, err error) {
			var unread []string
			edits, unread = h.edits(part)
			left = append(left, unread...)
			return edits, nil
		})
	}
	if !ok {
		now := time.Now()
		for _, p := range due {
			f.touch(p, now)
		}
		return due
	}
	return left
}

// edits compares documents with what is known of them, but for those that can't be
// read. The lock is held.
func (h *History) edits(paths []string) (out []*Edit, unread []string) {
	for _, p := range paths {
		text, stamp, err := h.readStable(p)
		switch {
		case errors.Is(err, disk.ErrNotFound), errors.Is(err, disk.ErrNotRegular), h.isOtherName(p):
			text = nil
		case errors.Is(err, disk.ErrTooLarge):
			continue // it stays known as it was last, should it become smaller again
		case err != nil:
			h.opts.Logger.Debug("history: passed over", "path", p, "err", err)
			unread = append(unread, p)
			continue
		}
		e := h.editOf(p, text)
		if e != nil {
			out = append(out, e)
		} else if text != nil {
			h.trouble(h.setBaseline(p, text, stamp, false))
		}
	}
	return out, unread
}

// logEdits logs other programs' saves, and what they undid without wanting to.
// budget is the size of diffs that may still be kept of this burst.
func (h *History) logEdits(edits []*Edit, budget *int) error {
	if len(edits) == 0 {
		return nil
	}
	at := h.opts.Now()
	var records []oplog.Record
	var offers []Offer
	for _, e := range edits {
		c := &e.Op.Changes[0]
		if *budget -= len(c.Patch); *budget < 0 {
			c.Patch = ""
			e.Op.Digest = oplog.Digest(e.Op)
		}
		records = append(records, e.Record(at))
		lost, offer := h.superseded(e)
		for _, op := range lost {
			records = append(records, oplog.Record{ID: op.ID, Event: oplog.Superseded, At: at, Error: "an editor saved a text from before it"})
		}
		offers = append(offers, offer...)
	}
	if err := h.opts.Log.Append(at, records...); err != nil {
		return err
	}
	h.Recorded(edits)
	if len(offers) == 0 {
		return nil
	}
	return h.opts.Offer(offers)
}

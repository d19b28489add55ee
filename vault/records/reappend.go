package records

import (
	"bytes"
	"context"
	"slices"
	"time"

	"kist/vault/disk"
)

// An editor that read a conversation before a turn was added, and saves it after, takes
// the turn away without knowing. What was added a moment ago is looked for whenever the
// file changes, and added once more.

const (
	// staleFor is how long an added text is looked after: longer than an editor that
	// saves without looking takes, and short, since a person may delete what was said.
	staleFor     = time.Minute
	maxReappends = 4  // how often a text is added once more: who takes it out again means it
	staleKept    = 50 // texts of one file
	// quietFor is how long a file must be left alone, and quietTries how often that is
	// waited for.
	quietFor   = 300 * time.Millisecond
	quietTries = 30
)

// appendix is what was added at the end of a file.
type appendix struct {
	text  []byte
	at    time.Time
	again int
}

// name is the line that names what was added, a comment. Where that is left, whatever
// else is gone was taken out by somebody who saw it.
func (a appendix) name() []byte {
	for line := range bytes.Lines(a.text) {
		if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("<!-- ")) {
			return line
		}
	}
	return bytes.TrimSpace(a.text)
}

// remember keeps a text to be looked after.
func (rec *Records) remember(p string, text []byte) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for q, texts := range rec.added {
		if time.Since(texts[len(texts)-1].at) > staleFor {
			delete(rec.added, q)
		}
	}
	texts := append(rec.added[p], appendix{text: bytes.Clone(text), at: time.Now()})
	rec.added[p] = texts[max(0, len(texts)-staleKept):]
}

// lost returns what was added to a file a moment ago and isn't there any more. The
// tree's lock is held.
func (rec *Records) lost(p string) []byte {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	texts := slices.DeleteFunc(rec.added[p], func(a appendix) bool { return time.Since(a.at) > staleFor })
	if len(texts) == 0 {
		delete(rec.added, p)
		return nil
	}
	rec.added[p] = texts
	size := int64(tornTail)
	for _, a := range texts {
		size += int64(len(a.text))
	}
	now, whole, err := rec.opts.Tree.ReadTail(p, size)
	if err != nil || len(now) == 0 {
		return nil // emptied or gone: somebody meant it
	}
	missing := func(a appendix) bool { return !bytes.Contains(now, a.name()) }
	if slices.ContainsFunc(texts, missing) && !whole {
		if now, err = rec.opts.Tree.Read(p); err != nil {
			return nil
		}
	}
	var out []byte
	for i, a := range texts {
		if a.again < maxReappends && missing(a) {
			texts[i].again++
			out = append(out, a.text...)
		}
	}
	return out
}

// looksAfter reports whether something was added to a file a moment ago.
func (rec *Records) looksAfter(p string) bool {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return len(rec.added[p]) > 0
}

// awaits notes that somebody waits for a file to be left alone, or no longer does; it
// returns whether somebody did before.
func (rec *Records) awaits(p string, now bool) (before bool) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	before = rec.awaited[p]
	rec.awaited[p] = now
	if !now {
		delete(rec.awaited, p)
	}
	return before
}

// awaitQuiet waits until nobody has saved a file for a moment: what is added between the
// saves of an editor with an old text is taken away by the next one.
func (rec *Records) awaitQuiet(p string) {
	last, _ := rec.opts.Stat(p)
	for range quietTries {
		select {
		case <-time.After(quietFor):
		case <-rec.closing:
			return
		}
		now, _ := rec.opts.Stat(p)
		if now == last {
			return
		}
		last = now
	}
}

// reappend adds to a file what an editor took away.
func (rec *Records) reappend(p string) {
	if rec.awaits(p, true) {
		return
	}
	rec.awaitQuiet(p)
	rec.awaits(p, false)
	if rec.opts.Placed(p) { // a git took it away, which has it
		rec.mu.Lock()
		delete(rec.added, p)
		rec.mu.Unlock()
		return
	}
	rec.opts.Tree.LockFor(context.Background(), p)
	defer rec.opts.Tree.Unlock()
	rec.opts.Tree.WaitClosed(&disk.Replacement{Path: p})
	text := rec.lost(p)
	if len(text) == 0 {
		return
	}
	err := rec.opts.Ready(context.Background())
	if err == nil {
		err = rec.opts.Tree.Append(p, text)
	}
	if err != nil {
		rec.opts.Logger.Error("a turn that an editor saved over is not written again", "path", p, "err", err)
		return
	}
	rec.opts.Logger.Info("an editor saved over what was just said; it was added again", "path", p)
	rec.opts.Changed(p)
}

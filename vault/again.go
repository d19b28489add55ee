package vault

import (
	"bytes"
	"slices"
	"time"
)

// An editor that read a conversation before a turn was added, and saves it after, takes
// the turn away without knowing. What was added a moment ago is looked for whenever the
// file changes, and added once more.

const (
	// staleFor is how long an added text is looked after: longer than an editor that
	// saves without looking takes, and short, since a person may delete what was said.
	staleFor  = time.Minute
	staleRuns = 4  // how often a text is added once more: who takes it out again means it
	staleKept = 50 // texts of one file
	// quietFor is how long a file must be left alone, and quietTries how often that is
	// waited for.
	quietFor   = 300 * time.Millisecond
	quietTries = 30
)

// addedText is what was added at the end of a file.
type addedText struct {
	text  []byte
	at    time.Time
	again int
}

// name is the line that names the turn. Where that is left, whatever else is gone was
// taken out by somebody who saw it.
func (a addedText) name() []byte {
	for line := range bytes.Lines(a.text) {
		if line = bytes.TrimSpace(line); turnLine.Match(line) {
			return line
		}
	}
	return bytes.TrimSpace(a.text)
}

// remember keeps a text to be looked after.
func (v *Vault) remember(p string, text []byte) {
	v.addedMu.Lock()
	defer v.addedMu.Unlock()
	if v.added == nil {
		v.added = map[string][]addedText{}
	}
	for q, texts := range v.added {
		if time.Since(texts[len(texts)-1].at) > staleFor {
			delete(v.added, q)
		}
	}
	texts := append(v.added[p], addedText{text: bytes.Clone(text), at: time.Now()})
	v.added[p] = texts[max(0, len(texts)-staleKept):]
}

// lost returns what was added to a file a moment ago and isn't there any more. The
// vault's lock is held.
func (v *Vault) lost(p string) []byte {
	v.addedMu.Lock()
	defer v.addedMu.Unlock()
	texts := slices.DeleteFunc(v.added[p], func(a addedText) bool { return time.Since(a.at) > staleFor })
	if len(texts) == 0 {
		delete(v.added, p)
		return nil
	}
	v.added[p] = texts
	size := int64(tornTail)
	for _, a := range texts {
		size += int64(len(a.text))
	}
	now, whole, err := v.readTail(p, size)
	if err != nil || len(now) == 0 {
		return nil // emptied or gone: somebody meant it
	}
	missing := func(a addedText) bool { return !bytes.Contains(now, a.name()) }
	if slices.ContainsFunc(texts, missing) && !whole {
		if now, err = v.Read(p); err != nil {
			return nil
		}
	}
	var out []byte
	for i, a := range texts {
		if a.again < staleRuns && missing(a) {
			texts[i].again++
			out = append(out, a.text...)
		}
	}
	return out
}

// looksAfter reports whether something was added to a file a moment ago.
func (v *Vault) looksAfter(p string) bool {
	v.addedMu.Lock()
	defer v.addedMu.Unlock()
	return len(v.added[p]) > 0
}

// awaits notes that somebody waits for a file to be left alone, or no longer does; it
// returns whether somebody did before.
func (v *Vault) awaits(p string, now bool) (before bool) {
	v.addedMu.Lock()
	defer v.addedMu.Unlock()
	before = v.awaited[p]
	if v.awaited == nil {
		v.awaited = map[string]bool{}
	}
	v.awaited[p] = now
	if !now {
		delete(v.awaited, p)
	}
	return before
}

// awaitQuiet waits until nobody has saved a file for a moment: what is added between the
// saves of an editor with an old text is taken away by the next one.
func (v *Vault) awaitQuiet(p string) {
	last, _ := v.Stat(p)
	for range quietTries {
		select {
		case <-time.After(quietFor):
		case <-v.closing:
			return
		}
		now, _ := v.Stat(p)
		if now == last {
			return
		}
		last = now
	}
}

// addAgain adds to a file what an editor took away.
func (v *Vault) addAgain(p string) {
	if v.awaits(p, true) {
		return
	}
	v.awaitQuiet(p)
	v.awaits(p, false)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waitClosed(&replacement{path: p})
	text := v.lost(p)
	if len(text) == 0 || v.closed {
		return
	}
	if err := v.appendFile(p, text); err != nil {
		v.log.Error("a turn that an editor saved over is not written again", "path", p, "err", err)
		return
	}
	v.log.Info("an editor saved over what was just said; it was added again", "path", p)
	v.changed([]FileChange{{Path: p}})
}

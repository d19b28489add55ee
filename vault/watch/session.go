package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Reasons for a rescan.
const (
	reasonPeriodic   = "periodic"
	reasonVanished   = "the vault's folder vanished"
	reasonUnreadable = "the vault's folder can't be read"
	reasonReplaced   = "the vault's folder was moved or replaced"
	reasonBack       = "the vault's folder is back"
	reasonOverflow   = "more files changed at once than could be followed"
	reasonMoved      = "a folder was moved or removed"
	reasonFailed     = "watching failed and was started again"
	reasonSilent     = "no events came for a test file; watching was started again"
	reasonRules      = "the ignore rules changed"
)

// A feed is where changes come from: watches or polling.
type feed interface {
	// wake receives when there is something to collect.
	wake() <-chan struct{}
	// collect notes what changed until at, and returns the newest probe made before
	// which it knows everything. A reason that isn't empty ends the session.
	collect(ctx context.Context, changes *coalescer) (at time.Time, probe int, reason string)
	// probe marks this moment with a number that collect will return.
	probe() (int, error)
	close()
}

// session follows the root with fresh watches until they can't be trusted any
// more, and returns why. Starting over is the one answer to lost events, a
// replaced root and failures: new watches, then a rescan, which together miss
// nothing. Reason is why the session before ended, empty for the first.
func (w *Watcher) session(ctx context.Context, emit func(Event), reason string) string {
	root, err := statRoot(w.root)
	if err != nil {
		return w.outage(ctx, emit, err)
	}
	w.opts.Renew()
	w.gate.restart()
	f, state, err := w.feed(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.opts.Log.Warn("watching could not begin", "err", err)
		}
		return cmp.Or(reason, reasonFailed)
	}
	defer f.close()
	w.setState(state)
	w.placed.Do(func() { close(w.ready) })
	if reason != "" {
		// All that was changed before now, whoever waits for it, is in this rescan.
		waiting := w.gate.take(func(*call) bool { return true })
		emit(Event{Rescan: reason})
		answer(waiting, nil)
	}
	s := &session{w: w, feed: f, emit: emit, root: root, changes: newCoalescer(w.opts.Settle, w.opts.Ceiling)}
	return s.follow(ctx)
}

// feed returns watches, or polling where there can be none, and the state that
// this means. An error means that the folder could not be walked.
func (w *Watcher) feed(ctx context.Context) (feed, string, error) {
	why := cmp.Or(w.opts.Polling, w.silent(w.root))
	if w.unheard >= 2 {
		// It is tried again when this session ends, which it does at the next rescan.
		why, w.unheard = cmp.Or(why, "no events come when files change"), 0
	}
	if why == "" {
		f, err := newWatching(ctx, w.root, w.opts, w.open, w.queue)
		if err == nil {
			return f, "watching", nil
		}
		var limit *limitError
		if !errors.As(err, &limit) {
			return nil, "", err
		}
		why = limit.Error()
	}
	if state := "polling: " + why; state != w.State() {
		w.opts.Log.Warn("folders are polled, not watched", "why", why)
	}
	f, err := newPolling(ctx, w.root, w.opts)
	return f, "polling: " + why, err
}

// outage says that the root can't be used and waits for it.
func (w *Watcher) outage(ctx context.Context, emit func(Event), err error) string {
	reason := reasonUnreadable
	if errors.Is(err, fs.ErrNotExist) {
		reason = reasonVanished
	}
	w.opts.Log.Warn(reason, "err", err)
	w.setState("stopped: " + reason)
	w.gate.setShut(fmt.Errorf("%w: %s", ErrStopped, reason))
	defer w.gate.setShut(nil)
	emit(Event{Rescan: reason})
	for ctx.Err() == nil {
		sleep(ctx, w.retry)
		if _, err := statRoot(w.root); err == nil {
			break
		}
	}
	return reasonBack
}

func (w *Watcher) sameRoot(then fs.FileInfo) bool {
	now, err := statRoot(w.root)
	return err == nil && os.SameFile(then, now)
}

// statRoot opens the folder because one that can't be opened is as good as gone.
func statRoot(root string) (fs.FileInfo, error) {
	f, err := os.Open(root)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "watch", Path: root, Err: fs.ErrNotExist}
	}
	return info, err
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

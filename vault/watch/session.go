package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
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
)

// A feed is where changes come from: watches or polling.
type feed interface {
	// wake receives when there is something to collect.
	wake() <-chan struct{}
	// collect notes what changed; a reason that isn't empty ends the session.
	collect(ctx context.Context, changes *coalescer) (reason string)
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
		emit(Event{Rescan: reason})
	}
	return w.follow(ctx, emit, root, f)
}

// feed returns watches, or polling where there can be none, and the state that
// this means. An error means that the folder could not be walked.
func (w *Watcher) feed(ctx context.Context) (feed, string, error) {
	why := w.opts.Polling
	if why == "" {
		f, err := newWatching(ctx, w.root, w.opts, w.open)
		if err == nil {
			return f, "watching", nil
		}
		var limit *limitError
		if !errors.As(err, &limit) {
			return nil, "", err
		}
		why = limit.Error()
		w.opts.Log.Warn("folders are polled, not watched", "why", why)
	}
	f, err := newPolling(ctx, w.root, w.opts)
	return f, "polling: " + why, err
}

// follow emits what the feed brings until something makes the session end.
func (w *Watcher) follow(ctx context.Context, emit func(Event), root fs.FileInfo, f feed) string {
	changes := newCoalescer(w.opts.Settle, w.opts.Ceiling)
	wake := time.NewTimer(0)
	defer wake.Stop()
	heartbeat := time.NewTicker(w.heartbeat)
	defer heartbeat.Stop()
	var periodic <-chan time.Time
	if w.opts.Rescan > 0 {
		// Jitter keeps several daemons on one machine from rescanning together.
		periodic = time.After(w.opts.Rescan*3/4 + rand.N(w.opts.Rescan/2+1))
	}
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-periodic:
			return reasonPeriodic
		case <-heartbeat.C:
			if !w.sameRoot(root) {
				return reasonReplaced
			}
		case <-wake.C:
		case <-f.wake():
			if reason := f.collect(ctx, changes); reason != "" {
				return reason
			}
		}
		paths, rescan := changes.pop(time.Now())
		// A whole vault that went away is one piece of news, not many deletions.
		if (len(paths) > 0 || rescan) && !w.sameRoot(root) {
			return reasonReplaced
		}
		if len(paths) > 0 {
			emit(Event{Paths: paths})
		}
		if rescan {
			emit(Event{Rescan: reasonMoved})
		}
		if next, ok := changes.next(); ok {
			wake.Reset(time.Until(next))
		}
	}
}

// outage says that the root can't be used and waits for it.
func (w *Watcher) outage(ctx context.Context, emit func(Event), err error) string {
	reason := reasonUnreadable
	if errors.Is(err, fs.ErrNotExist) {
		reason = reasonVanished
	}
	w.opts.Log.Warn(reason, "err", err)
	w.setState("stopped: " + reason)
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

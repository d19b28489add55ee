package watch

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"time"
)

// A session is one feed, from its start until it can't be trusted any more.
type session struct {
	w       *Watcher
	feed    feed
	emit    func(Event)
	root    fs.FileInfo
	changes *coalescer
	at      time.Time // up to which all that the feed had is known
	looked  time.Time // when the root was last seen to be the same
}

// idleChecks is how many times as long as Watcher.check the root is left alone while
// nobody asks for anything: each look wakes a machine that may be asleep.
const idleChecks = 6

// follow emits what the feed brings until something makes the session end.
func (s *session) follow(ctx context.Context) string {
	wake, late := time.NewTimer(0), time.NewTimer(time.Hour)
	defer wake.Stop()
	defer late.Stop()
	s.looked = time.Now()
	check := time.NewTicker(idleChecks * s.w.check)
	defer check.Stop()
	beat := s.beat(0) // soon: a folder may send no events from the beginning
	var periodic <-chan time.Time
	if every := s.w.opts.Rescan; every > 0 {
		// Jitter keeps several daemons on one machine from rescanning together.
		periodic = time.After(every*3/4 + rand.N(every/2+1))
	}
	for {
		collect := s.catchUp
		select {
		case <-ctx.Done():
			return ""
		case <-periodic:
			return reasonPeriodic
		case <-check.C:
			if s.replaced() {
				return reasonReplaced
			}
		case <-beat:
			_ = s.w.gate.enter(&call{}) // a gate that is shut needs no heartbeat
			beat = s.beat(s.w.opts.Heartbeat)
		case <-s.w.gate.asked:
			if time.Since(s.looked) >= s.w.check && s.replaced() {
				return reasonReplaced
			}
		case <-wake.C:
		case <-late.C:
			if !s.w.gate.due(0).IsZero() {
				collect = s.collect
			}
		case <-s.feed.wake():
			collect = s.collect
		}
		reason := collect(ctx)
		if reason == "" {
			reason = s.pass()
		}
		if reason != "" {
			return reason
		}
		if next, ok := s.changes.next(); ok {
			wake.Reset(time.Until(next))
		}
		if due := s.w.gate.due(s.w.patience); !due.IsZero() {
			late.Reset(time.Until(due))
		}
	}
}

// replaced reports whether the root is another folder by now, or none.
func (s *session) replaced() bool {
	s.looked = time.Now()
	return !s.w.sameRoot(s.root)
}

// beat is when the next heartbeat is due; nil: never. A look at a polled folder
// either sees what changed or fails, so that it needs none.
func (s *session) beat(after time.Duration) <-chan time.Time {
	if _, watched := s.feed.(*watching); !watched || s.w.opts.Cookies == "" || s.w.opts.Heartbeat < 0 {
		return nil
	}
	return time.After(after*3/4 + rand.N(after/4+1))
}

// catchUp takes in what happened since, if anything did. While emit ran, or the
// events before were converted, a file that is due for being empty got its text:
// only what is known up to a moment can say what is due at that moment.
func (s *session) catchUp(ctx context.Context) (reason string) {
	now := time.Now()
	select {
	case <-s.feed.wake():
		return s.collect(ctx)
	default:
		s.at = now
		return ""
	}
}

// collect takes in what happened, and sees to it that a cookie that is late isn't
// one that only lay in the queue.
func (s *session) collect(ctx context.Context) (reason string) {
	at, cookie, reason := s.feed.collect(ctx, s.changes)
	if reason != "" {
		return reason
	}
	s.at = at
	came, waited := s.w.gate.pass(cookie, at)
	if came {
		s.w.unheard = 0
	}
	if waited {
		s.changes.hasten(at)
	}
	if due := s.w.gate.due(s.w.patience); !due.IsZero() && at.After(due) {
		s.w.unheard++
		s.w.opts.Log.Warn("no event came for a test file", "dir", s.w.opts.Cookies, "after", s.w.patience)
		return reasonSilent
	}
	return ""
}

// pass emits what is due and answers who waited for it.
func (s *session) pass() (reason string) {
	err := s.w.gate.send(s.feed.probe)
	if errors.Is(err, errJarGone) {
		return reasonFailed
	} else if err != nil {
		s.w.opts.Log.Debug("no cookie could be made", "err", err)
	}
	paths, rescan := s.changes.pop(s.at)
	// A whole vault that went away is one piece of news, not many deletions.
	if (len(paths) > 0 || rescan != "") && !s.w.sameRoot(s.root) {
		return reasonReplaced
	}
	if rescan == reasonRules {
		return reasonRules // what was ignored has no watch yet
	}
	if len(paths) > 0 {
		s.emit(Event{Paths: paths})
	}
	if rescan != "" {
		s.emit(Event{Rescan: rescan})
	}
	s.w.gate.finish(s.changes.oldest())
	return ""
}

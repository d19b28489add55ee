package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
	"kist/vault/merge/semantic"
)

// Options for [New]; Vault and Dir are needed.
type Options struct {
	Vault *vault.Vault
	Dir   string // for this machine's settings of this vault; in no vault
	Log   *slog.Logger

	Quiet    time.Duration // without a change before a round; 0: 5 seconds
	Interval time.Duration // between rounds without changes; 0: 5 minutes

	LeaveOut func() ([]string, error) // patterns, as in a .gitignore, of files that aren't committed; an error holds the round; nil: none

	// Step, for tests of kills, is called before each step that can be seen from outside,
	// with its name. It may end the process.
	Step func(name string)

	merge   merger3 // for tests of the tests; nil: semantic.Merge
	largest int64   // for tests: of a file that kist writes itself; 0: maxFile
}

// merger3 merges ours and theirs, which were made from base.
type merger3 func(base, ours, theirs []byte, o semantic.Options) semantic.Result

const (
	usualQuiet    = 5 * time.Second
	quietCeiling  = time.Minute // of a folder that is never quiet
	usualInterval = 5 * time.Minute
	// After a round that failed the next one waits: for the first time, and at most.
	firstWait = 15 * time.Second
	lastWait  = 30 * time.Minute
	wakeCheck = 20 * time.Second // how often the clock is looked at, for a machine that slept
)

// An Engine syncs one vault. Its methods may be called concurrently.
type Engine struct {
	opts  Options
	files files
	turn  chan struct{} // holds one value: who has taken it has the round
	repo  *git.Repo     // as the last round knew it; of who has the round
	wake  chan struct{}

	mu      sync.Mutex
	doing   string // phase of the round under way
	failed  error  // of the last round
	copies  listed
	since   time.Time
	last    Outcome
	untold  []string // files with a conflict of which the user hasn't heard
	yielded []string // those of them of which this machine's version lies beside the other's
	unsent  []Unsent // as the last round saw them; nil: none did
	stay    []Unsent // those of which the user hasn't heard
}

// listed is what the last look for conflict copies found, at a sequence number of the vault:
// while that stays there are no others.
type listed struct {
	seq   vault.Seq
	found []copies.Copy
}

// New returns the engine of a vault. Nothing is synced before [Engine.Run] or [Engine.Now].
func New(opts Options) *Engine {
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	opts.Quiet, opts.Interval = cmp.Or(opts.Quiet, usualQuiet), cmp.Or(opts.Interval, usualInterval)
	if opts.merge == nil {
		opts.merge = semantic.Merge
	}
	if opts.Step == nil {
		opts.Step = func(string) {}
	}
	e := &Engine{opts: opts, files: files{opts.Dir, opts.Vault.Dir()}, turn: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
	e.turn <- struct{}{}
	return e
}

// Run syncs until ctx ends: when changes were quiet for a while, at the interval, and
// soon after the machine woke up. It does nothing while sync isn't set up, or paused.
func (e *Engine) Run(ctx context.Context) error {
	l := loop{e: e, due: time.Now().Add(e.opts.Quiet)}
	for ctx.Err() == nil {
		l.rest(ctx)
		if ctx.Err() != nil {
			break
		}
		s, err := e.files.load()
		if err != nil || s.Paused {
			l.later(e.opts.Interval)
			continue
		}
		if !e.opts.Vault.Compared() { // it can't tell yet whether files have vanished
			l.later(e.opts.Quiet)
			continue
		}
		l.seq = e.opts.Vault.Seq()
		_, err = e.Now(ctx, Request{}, nil)
		l.ended(err)
	}
	return nil
}

// A loop knows when the next round is due.
type loop struct {
	e    *Engine
	seq  vault.Seq
	due  time.Time
	wait time.Duration // after a failure; 0: the last round went well
}

// later puts the next round off.
func (l *loop) later(d time.Duration) { l.due = time.Now().Add(d) }

// left is how long there is until the next round: by the clock of this process, or sooner by the wall's, which goes on while the machine
// sleeps, and may be set back.
func (l *loop) left(now, wall time.Time) time.Duration {
	return min(l.due.Sub(now), l.due.Round(0).Sub(wall.Round(0)))
}

// ended takes in how a round ended.
func (l *loop) ended(err error) {
	if err == nil {
		l.wait = 0
		l.seq = max(l.seq, l.e.opts.Vault.Seq())
		l.later(l.e.opts.Interval)
		return
	}
	l.wait = min(max(firstWait, 2*l.wait), lastWait)
	l.later(l.wait + rand.N(l.wait/4))
}

// rest returns when a round is due, and sooner when something changed, unless the last round failed.
func (l *loop) rest(ctx context.Context) {
	changed := make(chan struct{})
	watch, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		if l.e.opts.Vault.WaitChange(watch, l.seq) == nil {
			close(changed)
		}
	}()
	for {
		left := l.left(time.Now(), time.Now())
		if left <= 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-l.e.wake:
			return
		case <-time.After(min(left, wakeCheck)):
		case <-changed:
			changed = nil
			if l.wait == 0 {
				l.quiet(ctx)
				return
			}
		}
	}
}

// quiet returns when nothing has changed for a while.
func (l *loop) quiet(ctx context.Context) {
	v := l.e.opts.Vault
	for end := time.Now().Add(quietCeiling); time.Now().Before(end); {
		pause, cancel := context.WithTimeout(ctx, l.e.opts.Quiet)
		err := v.WaitChange(pause, v.Seq())
		cancel()
		if err != nil {
			return
		}
	}
}

// A Request is what is asked of one round beyond the usual.
type Request struct {
	// Rewritten merges what is there where the remote's history was rewritten: what it had
	// before and was taken in here stays, and goes back there.
	Rewritten bool
}

// Now makes one round, after one that is under way, and returns what it did, also where it
// ends with an error. progress may be nil; it is called from one goroutine at a time.
func (e *Engine) Now(ctx context.Context, req Request, progress func(Progress)) (Outcome, error) {
	return e.round(ctx, progress, func(r *round) error {
		r.rewritten = req.Rewritten
		return r.run(ctx)
	})
}

// round runs fn with the settings loaded, as the only round, and keeps what became of it.
func (e *Engine) round(ctx context.Context, progress func(Progress), fn func(*round) error) (Outcome, error) {
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
	s, err := e.files.load()
	if err != nil {
		return Outcome{}, err
	}
	r, err := e.newRound(s, progress)
	if err != nil {
		e.ended(Outcome{}, err)
		return Outcome{}, err
	}
	defer e.close(r)
	err = fn(r)
	if err == nil {
		err = e.files.save(r.settings)
	}
	e.ended(r.outcome, err)
	e.weigh(s.Unsent, r.outcome.Unsent)
	return r.outcome, err
}

func (e *Engine) newRound(s settings, progress func(Progress)) (*round, error) {
	var out []string
	if e.opts.LeaveOut != nil {
		var err error
		if out, err = e.opts.LeaveOut(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLeaveOut, err)
		}
	}
	r := &round{vault: e.opts.Vault, repo: e.repo, files: e.files, settings: s, log: e.opts.Log, step: e.opts.Step, text: e.opts.merge, largest: cmp.Or(e.opts.largest, maxFile)}
	r.progress = func(p Progress) {
		e.set(p.Phase)
		if progress != nil {
			progress(p)
		}
	}
	r.leaveOut(out)
	return r, nil
}

// close ends what a round has running, and keeps what it knows.
func (e *Engine) close(r *round) {
	if r.store != nil {
		r.store.Close()
	}
	e.repo = r.repo
	e.set("")
}

func (e *Engine) set(phase string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.doing = phase
}

// ended notes how a round ended. A failure is logged when it begins, and when it becomes another one.
func (e *Engine) ended(o Outcome, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if errors.Is(err, context.Canceled) {
		return
	}
	if err != nil && (e.failed == nil || e.failed.Error() != err.Error()) {
		e.opts.Log.Warn("sync failed", "err", err)
	}
	if err == nil && e.failed != nil {
		e.opts.Log.Info("sync works again")
	}
	if (err == nil) != (e.failed == nil) || e.since.IsZero() {
		e.since = time.Now()
	}
	e.failed, e.last = err, o
	if o.Brought+len(o.Upheld) > 0 {
		e.copies = listed{} // there may be others, of files that are no documents
	}
	e.untold, e.yielded = append(e.untold, o.Upheld...), append(e.yielded, o.Yielded...)
	if err == nil && o.Committed+o.Brought+o.Pushed > 0 {
		e.opts.Log.Info("synced", "committed", o.Committed, "brought", o.Brought, "pushed", o.Pushed, "conflicts", len(o.Upheld))
	}
}

// weigh notes which files aren't sent, and which of them weren't before. kept are those of the settings.
func (e *Engine) weigh(kept, now []Unsent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range now {
		same := func(o Unsent) bool { return o.Path == f.Path }
		if !slices.ContainsFunc(kept, same) && !slices.ContainsFunc(e.unsent, same) {
			e.stay = append(e.stay, f)
			e.opts.Log.Warn("sync: a file isn't sent", "path", f.Path, "bytes", f.Size, "filter", f.Filter)
		}
	}
	if now != nil {
		e.unsent = now
	}
}

// Pause stops or resumes the rounds that nobody asks for, from the next one on.
func (e *Engine) Pause(ctx context.Context, paused bool) error {
	return e.change(ctx, func(s *settings) { s.Paused = paused })
}

// Own makes a device's changes count as the user's own, or as somebody else's.
func (e *Engine) Own(ctx context.Context, device string, own bool) error {
	return e.change(ctx, func(s *settings) {
		s.Own = slices.DeleteFunc(s.Own, func(d string) bool { return d == device })
		if own {
			s.Own = append(s.Own, device)
		}
	})
}

// change changes the settings while no round is under way.
func (e *Engine) change(ctx context.Context, fn func(*settings)) error {
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s, err := e.files.load()
	if err != nil {
		return err
	}
	fn(&s)
	if err := e.files.save(s); err != nil {
		return err
	}
	e.soon()
	return nil
}

// soon wakes the loop.
func (e *Engine) soon() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

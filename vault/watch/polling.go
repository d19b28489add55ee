package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// polling is the feed of a tree that is looked at again and again.
type polling struct {
	root  string
	opts  Options
	seen  map[string]stamp
	due   chan struct{}
	timer *time.Timer
	asked int // the newest probe
}

// A stamp changes when a file does, as far as can be told without reading it.
type stamp struct {
	size     int64
	modified int64 // Unix nanoseconds
	id       fileID
}

func newPolling(ctx context.Context, root string, opts Options) (*polling, error) {
	p := &polling{root: root, opts: opts, due: make(chan struct{}, 1)}
	began := time.Now()
	seen, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	p.seen = seen
	p.timer = time.AfterFunc(p.interval(time.Since(began)), p.signal)
	return p, nil
}

// interval keeps polling a large vault from taking more than a tenth of a core.
func (p *polling) interval(took time.Duration) time.Duration {
	return max(p.opts.Poll, 9*took)
}

func (p *polling) close() { p.timer.Stop() }

func (p *polling) wake() <-chan struct{} { return p.due }

// probe makes a look follow at once.
func (p *polling) probe() (int, error) {
	p.asked++
	p.signal()
	return p.asked, nil
}

func (p *polling) signal() {
	select {
	case p.due <- struct{}{}:
	default:
	}
}

func (p *polling) collect(ctx context.Context, changes *coalescer) (time.Time, int, string) {
	began := time.Now()
	seen, err := p.look(ctx)
	if err != nil {
		return began, 0, reasonReplaced // or ctx ended: then nobody asks for the reason
	}
	now := time.Now()
	touch := func(path string, doubtful bool) {
		if p.opts.Rules(path) {
			changes.touch(rules, now, true)
		}
		if !p.opts.Ignore(path, false) {
			changes.touch(path, now, doubtful)
		}
	}
	for path, s := range seen {
		if p.seen[path] != s {
			touch(path, s.size == 0)
		}
	}
	for path := range p.seen {
		if _, ok := seen[path]; !ok {
			touch(path, true)
		}
	}
	p.seen = seen
	p.timer.Reset(p.interval(now.Sub(began)))
	return now, p.asked, ""
}

// look walks the tree. Of a folder that can't be read it keeps what was seen
// before, since unreadable is not deleted. An error means that of the root.
func (p *polling) look(ctx context.Context) (map[string]stamp, error) {
	seen := make(map[string]stamp, len(p.seen))
	// The separator makes WalkDir enter a root that is itself a link.
	err := filepath.WalkDir(p.root+string(filepath.Separator), func(file string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(p.root, file)
		path := filepath.ToSlash(rel)
		switch {
		case path == "." || relErr != nil:
			return errors.Join(err, relErr)
		case p.opts.Ignore(path, entry.IsDir()) && (entry.IsDir() || !p.opts.Rules(path)):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				p.keep(seen, path)
			}
			return nil
		case entry.IsDir():
			return nil
		}
		if info, err := entry.Info(); err == nil {
			seen[path] = stamp{info.Size(), info.ModTime().UnixNano(), identify(info)}
		} else if !os.IsNotExist(err) {
			p.keep(seen, path)
		}
		return nil
	})
	return seen, err
}

// keep copies what was seen at and below path.
func (p *polling) keep(seen map[string]stamp, path string) {
	for old, s := range p.seen {
		if old == path || strings.HasPrefix(old, path+"/") {
			seen[old] = s
		}
	}
}

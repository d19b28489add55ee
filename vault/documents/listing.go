package documents

import (
	"context"
	"sync"

	"kist/vault/canvas"
	"kist/vault/disk"
)

// A Listing is what one walk found: all documents and canvases, as they were at some time after
// the change numbered Seq. With what [Folder.ChangedSince] tells after that number
// it is what the folder holds now. It is shared and must not be changed.
type Listing struct {
	Seq      Seq
	Files    []disk.Info // folder by folder
	Canvases []disk.Info // which are no documents, but searched
	Copies   []string    // what is no document, but by its name a copy that was kept in a conflict of one
	Problems []disk.Problem
}

// List walks the folder as [Folder.Walk] does, for a follower that compares what it
// knows with all that is there. Since is the change that made it ask, 0 if it has
// only begun to follow. Followers that ask at about the same time, as at the start
// and after a rescan, share one walk. It returns Walk's errors.
func (f *Folder) List(ctx context.Context, since Seq) (*Listing, error) {
	if f.hides != nil { // others see more
		l := &Listing{Seq: f.Seq()}
		return l, f.fillListing(ctx, l)
	}
	for {
		l, mine := f.listings.join(since, func() *listing {
			// In this order: what a watch doesn't see yet is no news after Seq, and
			// what is news after Seq may not be in the walk.
			l := &listing{shared: f.opts.Watched(), done: make(chan struct{})}
			l.Seq = f.Seq()
			return l
		})
		if mine {
			err := f.fillListing(ctx, &l.Listing)
			f.listings.end(l, err)
			return &l.Listing, err
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if l.err == nil {
			return &l.Listing, nil
		}
		// It may have failed for the other's reasons.
	}
}

func (f *Folder) fillListing(ctx context.Context, l *Listing) error {
	if known, err := f.opts.Known(); err == nil {
		l.Files = make([]disk.Info, 0, known+known/64) // as a rule there are as many
	}
	return f.sweep(ctx, func(i disk.Info) error {
		if canvas.Is(i.Path) {
			l.Canvases = append(l.Canvases, i)
		} else {
			l.Files = append(l.Files, i)
		}
		return nil
	}, func(p disk.Problem) { l.Problems = append(l.Problems, p) }, func(p string) { l.Copies = append(l.Copies, p) }, true)
}

// listings is the walk that is under way for followers. None is kept after its end:
// what a watch can't see, such as a folder that may be read again, is found by
// whoever asks later.
type listings struct {
	mu  sync.Mutex
	now *listing // nil: none
}

type listing struct {
	Listing
	shared bool          // watches were placed before it began
	done   chan struct{} // closed at its end
	err    error
}

// join returns the walk under way, if it knows of a change, or else the one that
// begin makes, which is the caller's to carry out.
func (s *listings) join(since Seq, begin func() *listing) (l *listing, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil && s.now.shared && s.now.Seq >= since {
		return s.now, false
	}
	s.now = begin()
	return s.now, true
}

// end tells those who wait for a walk that it is done.
func (s *listings) end(l *listing, err error) {
	s.mu.Lock()
	if s.now == l {
		s.now = nil
	}
	s.mu.Unlock()
	l.err = err
	close(l.done)
}

package vault

import (
	"context"
	"sync"
)

// A Listing is what one walk found: all documents, as they were at some time after
// the change numbered Seq. With what [Vault.ChangedSince] tells after that number
// it is what the folder holds now. It is shared and must not be changed.
type Listing struct {
	Seq      Seq
	Files    []Info // folder by folder
	Problems []Problem
}

// List walks the folder as [Vault.Walk] does, for a follower that compares what it
// knows with all that is there. Since is the change that made it ask, 0 if it has
// only begun to follow. Followers that ask at about the same time, as at the start
// and after a rescan, share one walk. It returns Walk's errors.
func (v *Vault) List(ctx context.Context, since Seq) (*Listing, error) {
	for {
		l, mine := v.listings.join(since, func() *listing {
			// In this order: what a watch doesn't see yet is no news after Seq, and
			// what is news after Seq may not be in the walk.
			l := &listing{shared: v.watched(), done: make(chan struct{})}
			l.Seq = v.Seq()
			return l
		})
		if mine {
			err := v.fillListing(ctx, &l.Listing)
			v.listings.end(l, err)
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

func (v *Vault) fillListing(ctx context.Context, l *Listing) error {
	if known, err := v.state.Len(); err == nil {
		l.Files = make([]Info, 0, known+known/64) // as a rule there are as many
	}
	return v.Walk(ctx, func(i Info) error {
		l.Files = append(l.Files, i)
		return nil
	}, func(p Problem) { l.Problems = append(l.Problems, p) })
}

// watched reports whether changes by other programs are seen.
func (v *Vault) watched() bool {
	select {
	case <-v.Watching():
		return true
	default:
		return false // nil: never
	}
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

/*
Package news tells streams what happens in a vault.

	docs := news.New(v)
	err := docs.Each(ctx, after, beat, func(c news.Change) error { ... })

[Documents] follows a vault's numbered changes for all streams together: a save that came to
be known in several ways, by a write and by what the system said of it, or when it was found
and when it was logged, is one change with the first of its numbers. So a stream that goes on
where another one ended tells nothing twice and leaves nothing out. [Follow] puts signs of
life between the news of any sequence.

The package keeps a hash of each document that changed since the vault was opened, once
somebody watched, and knows no messages.
*/
package news

import (
	"context"
	"errors"
	"iter"
	"sort"
	"sync"
	"time"

	"kist/vault"
)

// A Change is news of one document or, without a path, none.
type Change struct {
	Seq    vault.Seq // everything up to here was told
	Path   string
	Hash   vault.Hash // of what it holds; empty: it is gone, or can't be read
	Resync bool       // anything may have changed
}

// Documents follows the documents of a vault.
type Documents struct {
	vault *vault.Vault

	mu     sync.Mutex
	seq    vault.Seq // followed up to here
	latest map[string]Change
	order  []Change // ascending; entries that latest contradicts are dead
}

// New returns the news of a vault's documents.
func New(v *vault.Vault) *Documents { return &Documents{vault: v, latest: map[string]Change{}} }

// Each sends a sign of life, what changed behind a number (-1: nothing), and then what
// changes, with a sign of life at every beat without news, until ctx ends or send fails. Of
// what changed before the vault was opened nobody knows all: it is one change that says so. The
// log doesn't either: while no daemon ran, git may have switched branches, or brought
// conversations, and texts above the limit may have changed, none of which is ever logged.
// Each returns [vault.ErrResync] for a number that was never given.
func (d *Documents) Each(ctx context.Context, after vault.Seq, beat time.Duration, send func(Change) error) error {
	now, began := d.vault.Seq(), d.vault.Began()
	if after > now {
		return vault.ErrResync
	}
	from, first := after, Change{Seq: after}
	if after < began { // after -1, too: then it has missed nothing
		from = now
		first = Change{Seq: now, Resync: after >= 0}
	}
	if err := send(first); err != nil {
		return err
	}
	for {
		changes, seq, err := d.since(ctx, from)
		if err != nil {
			return err
		}
		for _, c := range changes {
			if err := send(c); err != nil {
				return err
			}
		}
		from = seq
		wait, cancel := context.WithTimeout(ctx, beat)
		err = d.vault.WaitChange(wait, from)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = send(Change{Seq: from})
		}
		if err != nil {
			return err
		}
	}
}

// since returns what changed behind a number, oldest first, and the number that is reached.
func (d *Documents) since(ctx context.Context, from vault.Seq) ([]Change, vault.Seq, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed, now := d.vault.ChangedSince(d.seq)
	for _, c := range changed {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		d.add(Change{Seq: c.Seq, Path: c.Path, Resync: c.Path == ""})
		d.seq = c.Seq
	}
	d.seq = now
	i := sort.Search(len(d.order), func(i int) bool { return d.order[i].Seq > from })
	var out []Change
	for _, c := range d.order[i:] {
		if d.latest[c.Path].Seq == c.Seq {
			out = append(out, c)
		}
	}
	return out, now, nil
}

// add takes a change in, if the document isn't what was told of it last.
func (d *Documents) add(c Change) {
	if !c.Resync {
		if now, err := d.vault.Read(c.Path); err == nil {
			c.Hash = vault.HashOf(now)
		}
		if was, ok := d.latest[c.Path]; ok && was.Hash == c.Hash {
			return
		}
	}
	d.latest[c.Path] = c
	d.order = append(d.order, c)
	if len(d.order) < 2*len(d.latest)+1000 {
		return
	}
	live := d.order[:0]
	for _, c := range d.order {
		if d.latest[c.Path].Seq == c.Seq {
			live = append(live, c)
		}
	}
	d.order = live
}

// Follow sends what comes, and calls alive in between, until news or ctx end. cancel has
// to end news.
func Follow[T any](ctx context.Context, cancel func(), every time.Duration, news iter.Seq2[T, error], send func(T) error, alive func() error) error {
	type item struct {
		value T
		err   error
	}
	items := make(chan item)
	go func() {
		defer close(items)
		for v, err := range news {
			select {
			case items <- item{v, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel()
		for range items {
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		var err error
		select {
		case i, ok := <-items:
			if !ok {
				return ctx.Err()
			}
			if err = i.err; err == nil {
				err = send(i.value)
			}
		case <-tick.C:
			err = alive()
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

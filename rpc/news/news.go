/*
Package news tells streams what happens in a vault.

	docs := news.New(v)
	err := docs.Each(ctx, after, beat, func(c news.Change) error { ... })

[Documents] follows a vault's numbered changes for all streams together: a save that came to
be known in several ways, by a write and by what the system said of it, or when it was found
and when it was logged, is one change with the first of its numbers. So a stream that goes on
where another one ended tells nothing twice and leaves nothing out. [Follow] puts signs of
life between the news of any sequence.

A run of the program that ends cleanly leaves a table of what the documents were, with the last
numbers ([Documents.Leave]). The next one uses it up before it gives a number ([Resume]), compares it with the
documents ([Documents.CatchUp]), and so goes on from these numbers. Where there is no table, as
after a crash, what changed before the vault was opened isn't known, and a stream that comes from there is told so.

The package keeps a hash of each document that changed since the vault was opened, once
somebody watched, and knows no messages.
*/
package news

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sort"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/catalog"
)

// A Change is news of one document or, without a path, none.
type Change struct {
	Seq    vault.Seq // everything up to here was told
	Path   string
	Hash   vault.Hash // of what it holds; empty: it is gone, or can't be read
	Resync bool       // anything may have changed
	Missed bool       // it came before what was told first

	unread bool // the hash isn't known
}

// Documents follows the documents of a vault.
type Documents struct {
	vault *vault.Vault

	mu     sync.Mutex
	seq    vault.Seq // followed up to here
	latest map[string]Change
	order  []Change // ascending; entries that latest contradicts are dead

	program, reading string        // see Resume; how documents are read as tasks since then
	left             *table        // of the run before, until CatchUp
	floor, readFloor vault.Seq     // see table
	whole            bool          // what changed before is known, as far as these say
	caught           chan struct{} // closed when it won't be known better
}

// New returns the news of a vault's documents since it was opened.
func New(v *vault.Vault) *Documents {
	d := &Documents{vault: v, latest: map[string]Change{}, caught: make(chan struct{})}
	close(d.caught)
	return d
}

// Each sends a sign of life, what changed behind a number (-1: nothing), and then what
// changes, with a sign of life at every beat without news, until ctx ends or send fails. Where
// not all is known of what changed behind a number, that is one change that says so; tasks asks for what documents
// are read as as well. The log doesn't tell: while no daemon ran, git may have switched branches, or brought
// conversations, and texts above the limit may have changed, none of which is ever logged.
// Each returns [vault.ErrResync] for a number that was never given.
func (d *Documents) Each(ctx context.Context, after vault.Seq, tasks bool, beat time.Duration, send func(Change) error) error {
	if after > d.vault.Seq() {
		return vault.ErrResync
	}
	known := after >= 0
	if known && after < d.vault.Began() {
		select {
		case <-d.caught:
		case <-ctx.Done():
			return ctx.Err()
		}
		known = d.knows(after, tasks)
	}
	from, first := after, Change{Seq: after}
	if !known { // after -1, too: then it has missed nothing
		from = d.vault.Seq()
		first = Change{Seq: from, Resync: after >= 0}
	}
	if err := send(first); err != nil {
		return err
	}
	for missed := true; ; missed = false {
		changes, seq, err := d.since(ctx, from)
		if err != nil {
			return err
		}
		for _, c := range changes {
			c.Missed = missed
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

// knows reports whether all is known of what changed behind a number.
func (d *Documents) knows(after vault.Seq, tasks bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.whole && after >= d.floor && (!tasks || after >= d.readFloor)
}

// since returns what changed behind a number, oldest first, and the number that is reached.
func (d *Documents) since(ctx context.Context, from vault.Seq) ([]Change, vault.Seq, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.follow(ctx); err != nil {
		return nil, 0, err
	}
	i := sort.Search(len(d.order), func(i int) bool { return d.order[i].Seq > from })
	tail := d.order[i:]
	var out []Change
	for i := range tail {
		c := &tail[i]
		if d.latest[c.Path].Seq != c.Seq {
			continue
		}
		if c.unread { // from now on it is what was told of it last
			c.Hash, c.unread = hashNow(d.vault, c.Path), false
			d.latest[c.Path] = *c
		}
		out = append(out, *c)
	}
	return out, d.seq, nil
}

// follow takes in what changed since the last call. The lock is held.
func (d *Documents) follow(ctx context.Context) error {
	changed, now := d.vault.ChangedSince(d.seq)
	anything := func(c vault.PathChange) bool { return c.Path == "" }
	if i := slices.IndexFunc(changed, anything); i >= 0 && catalog.Place(ctx, d.vault) == nil {
		seq := changed[i].Seq // what differed has a number now
		changed, now = d.vault.ChangedSince(d.seq)
		changed = slices.DeleteFunc(changed, func(c vault.PathChange) bool { return anything(c) && c.Seq <= seq })
	}
	for _, c := range changed {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.add(Change{Seq: c.Seq, Path: c.Path, Resync: c.Path == ""})
		d.seq = c.Seq
	}
	d.seq = now
	return nil
}

// hashNow is of what a document holds; empty: it is none.
func hashNow(v *vault.Vault, p string) vault.Hash {
	text, err := v.Read(p)
	if err != nil || v.Ignored(p) {
		return ""
	}
	return vault.HashOf(text)
}

// add takes a change in, if the document isn't what was told of it last.
func (d *Documents) add(c Change) {
	if !c.Resync {
		c.Hash = hashNow(d.vault, c.Path)
		if was, ok := d.latest[c.Path]; ok && !was.unread && was.Hash == c.Hash {
			return
		}
	}
	d.latest[c.Path] = c
	d.order = append(d.order, c)
	if len(d.order) < 2*len(d.latest)+1000 {
		return
	}
	d.order = d.live()
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

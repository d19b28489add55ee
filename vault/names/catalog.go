/*
Package names knows what all documents of a vault are called, tagged and linked to, in
memory: a [Catalog] follows the vault, a [View] is what it says at one moment, with the texts
that an editor hasn't saved in the place of those on the disk.

A catalog has no goroutine. It is filled when it is first asked, some 60 µs a document, and
then takes in what changed since the last question, which it asks the watcher for: what was
saved before a question is in the answer, or View.Degraded says why it may not be. It holds
some 600 bytes a document and can be thrown away at any time. What it doesn't know, such as headings, is read from
the documents.
*/
package names

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/disk"
)

// freshLimit is how long a question waits for the watcher to tell what was saved before it.
const freshLimit = 100 * time.Millisecond

// A Catalog follows a vault. Its methods may be called concurrently.
type Catalog struct {
	vault *vault.Vault

	mu     sync.RWMutex
	filled bool
	seq    vault.Seq // all changes up to it are in the table
	table  *table
}

// New returns the catalog of a vault, empty as yet.
func New(v *vault.Vault) *Catalog { return &Catalog{vault: v, table: newTable()} }

// View returns what the catalog says now, with the texts of buffers in the place of the
// saved ones. The caller must call Close, and not hold it for longer than a question takes:
// nobody else learns of changes meanwhile. It returns ctx's error, or the vault's where it
// can't be read.
func (c *Catalog) View(ctx context.Context, buffers []Buffer) (*View, error) {
	limited, cancel := context.WithTimeout(ctx, freshLimit)
	seq, err := c.vault.Barrier(limited)
	cancel()
	degraded := ""
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		seq, degraded = c.vault.Seq(), "what was saved just now may be missing: "+err.Error()
	}
	for {
		c.mu.RLock()
		if c.filled && c.seq >= seq {
			return c.view(buffers, degraded), nil
		}
		c.mu.RUnlock()
		if err := c.follow(ctx, seq); err != nil {
			return nil, err
		}
	}
}

// follow takes in the changes up to a number.
func (c *Catalog) follow(ctx context.Context, until vault.Seq) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.filled && c.seq >= until {
		return nil
	}
	changes, seq := c.vault.ChangedSince(c.seq)
	anything := !c.filled
	var paths []string
	for _, ch := range changes {
		anything = anything || ch.Path == ""
		paths = append(paths, ch.Path)
	}
	if anything {
		listing, err := c.vault.List(ctx, seq)
		if err != nil {
			return err
		}
		paths, seq = c.table.compare(listing.Files), listing.Seq
	}
	if err := c.read(ctx, paths); err != nil {
		return err
	}
	c.seq, c.filled = seq, true
	return nil
}

// read takes in documents, on all processors.
func (c *Catalog) read(ctx context.Context, paths []string) error {
	c.table.many = c.table.many || len(paths) > 200 // else order is kept entry by entry
	type result struct {
		path  string
		entry *Entry
	}
	work, done := make(chan string), make(chan result, 64)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4, len(paths)) {
		workers.Go(func() {
			for p := range work {
				done <- result{p, c.entry(p)}
			}
		})
	}
	go func() {
		defer close(done)
		defer workers.Wait()
		defer close(work)
		for _, p := range paths {
			select {
			case work <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	for r := range done {
		c.table.set(r.path, r.entry)
	}
	c.table.sort()
	return ctx.Err()
}

// entry reads a document; nil: there is none.
func (c *Catalog) entry(p string) *Entry {
	if c.vault.Ignored(p) {
		return nil
	}
	info, err := c.vault.Stat(p)
	if err != nil {
		if errors.Is(err, vault.ErrNotDownloaded) {
			return newEntry(c.vault, p, nil)
		}
		return nil
	}
	text, _, err := c.vault.ReadHead(p, vault.MaxDocument)
	if err != nil {
		text = nil // it is there, by its name
	}
	e := newEntry(c.vault, p, text)
	e.stamp = stampOf(info)
	return e
}

// A stamp tells whether a file is the one that was read.
type stamp struct {
	size, changed int64
	inode         uint64
}

func stampOf(i disk.Info) stamp { return stamp{i.Size, i.ChangeTime.UnixNano(), i.Inode} }

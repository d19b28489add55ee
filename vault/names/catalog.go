/*
Package names knows what all documents of a vault are called, tagged and linked to, in
memory: a [Catalog] has it, a [View] is what that says at one moment, with the texts
that an editor hasn't saved in the place of those on the disk.

Which documents there are, and which changed, package catalog knows; this one only asks it
([catalog.News]). It is filled when it is first asked, some 60 µs a document, and
then reads what changed since the last question: what was
saved before a question is in the answer, or View.Degraded says why it may not be. It holds
some 600 bytes a document, and its headings twice, up to 4 KiB of them, and lets go of them
with the document. What it doesn't know is read from the documents.
*/
package names

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"

	"kist/vault"
	"kist/vault/catalog"
)

// A Catalog is what is known of a vault. Its methods may be called concurrently.
type Catalog struct {
	vault *vault.Vault

	mu     sync.RWMutex
	unread map[string]bool // what the table doesn't know yet
	table  *table
}

// Of returns the catalog of a vault, of which there is one.
func Of(v *vault.Vault) *Catalog {
	c := vault.Kept[Catalog](v)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.table == nil {
		c.vault, c.table, c.unread = vault.Whole(v), newTable(), map[string]bool{}
	}
	return c
}

// View returns what the catalog says now, with the texts of buffers in the place of the
// saved ones. The caller must call Close, and not hold it for longer than a question takes:
// nobody else learns of changes meanwhile. It returns ctx's error, or the vault's where it
// can't be read.
func (c *Catalog) View(ctx context.Context, buffers []Buffer) (*View, error) {
	news, degraded, err := catalog.Refresh(ctx, c.vault)
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	for news || len(c.unread) > 0 { // another's question may have been given up
		c.mu.RUnlock()
		if err := c.follow(ctx); err != nil {
			return nil, err
		}
		news = false
		c.mu.RLock()
	}
	return c.view(buffers, degraded), nil
}

// follow takes in what is new. Who finds no news waits here for who took them.
func (c *Catalog) follow(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	news, all := catalog.News(c.vault)
	maps.Copy(c.unread, news)
	if all {
		for p := range c.table.entries {
			c.unread[p] = true
		}
	}
	return c.read(ctx, slices.Collect(maps.Keys(c.unread)))
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
		delete(c.unread, r.path)
	}
	c.table.sort()
	if len(c.unread) == 0 {
		c.unread = map[string]bool{} // a map keeps its room
		c.table = c.table.shrunk()
	}
	return ctx.Err()
}

// entry reads a document; nil: there is none.
func (c *Catalog) entry(p string) *Entry {
	if c.vault.Ignored(p) {
		return nil
	}
	if _, err := c.vault.Stat(p); err != nil {
		if errors.Is(err, vault.ErrNotDownloaded) {
			return newEntry(c.vault, p, nil)
		}
		return nil
	}
	text, _, err := c.vault.ReadHead(p, vault.MaxDocument)
	if err != nil {
		text = nil // it is there, by its name
	}
	return newEntry(c.vault, p, text)
}

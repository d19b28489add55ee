package names

import (
	"context"

	"kist/vault/catalog"
)

// Room is what a catalog remembers: entries, strings that they share, what the table's maps
// have room for.
func (c *Catalog) Room() (entries, words, room int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.table.entries), len(c.table.words), c.table.most
}

// Forgo takes the news as a question does that is given up before it read them.
func (c *Catalog) Forgo() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, _ = catalog.Refresh(context.Background(), c.vault)
	_ = c.follow(ctx)
}

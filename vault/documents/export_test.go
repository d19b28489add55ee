package documents

// Listings is the walk under way for followers.
type Listings struct{ listings }

// Join returns the walk under way, or one that begins at seq.
func (s *Listings) Join(since, seq Seq, shared bool) (l any, mine bool) {
	return s.join(since, func() *listing {
		return &listing{Listing: Listing{Seq: seq}, shared: shared, done: make(chan struct{})}
	})
}

// End ends a walk.
func (s *Listings) End(l any) { s.end(l.(*listing), nil) }

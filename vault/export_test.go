package vault

import (
	"io/fs"
	"time"
)

// SetFault makes v ask f at each named step of a write whether to fail there.
func SetFault(v *Vault, f func(point string) error) { v.faultAt = f }

// SetQuiet sets how long a document must be quiet until what another program saved
// is recorded.
func SetQuiet(v *Vault, d time.Duration) { v.quiet = d }

// SetElsewhere makes v take files for kept by a cloud service.
func SetElsewhere(v *Vault, f func(fs.FileInfo) bool) { v.elsewhere, v.folder = f, nil }

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

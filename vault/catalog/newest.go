package catalog

import (
	"context"
	"fmt"
	"maps"
	"time"

	"kist/vault"
	"kist/vault/documents"
)

// newest is when documents of each project were saved last.
type newest struct {
	places *documents.Places
	of     map[string]time.Time // by slug; nil: to be made, never changed
}

// Newest returns when the newest of each project's documents was saved, by slug, as of the
// call: by the time of its file, whoever saved it. Records of conversations don't count.
// Documents that rules leave out aren't known.
func Newest(ctx context.Context, v *vault.Vault) (map[string]time.Time, error) {
	f, whole := vault.Kept[follower](v), vault.Whole(v)
	now := f.listen(ctx, whole)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx, whole, now, !now.Heard); err != nil {
		return nil, fmt.Errorf("look through the documents: %w", err)
	}
	if v != whole {
		return f.newestIn(v), nil // which may hide some
	}
	if places := documents.PlacesOf(v.Folder); f.newest.of == nil || f.newest.places != places {
		f.newest = newest{places, f.newestIn(v)}
	}
	return maps.Clone(f.newest.of), nil
}

func (f *follower) newestIn(v *vault.Vault) map[string]time.Time {
	latest := map[string]int64{}
	for p, k := range f.known {
		if slug := v.ProjectOf(p); slug != "" && k.stamp.Modified > latest[slug] && v.TypeOf(p) != "conversation" && !v.Hides(p) {
			latest[slug] = k.stamp.Modified
		}
	}
	of := make(map[string]time.Time, len(latest))
	for slug, at := range latest {
		of[slug] = time.Unix(0, at)
	}
	return of
}

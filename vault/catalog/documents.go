package catalog

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"kist/vault"
)

// A Document is one that there is.
type Document struct {
	Path     string
	Size     int64
	Modified time.Time
}

// Documents returns all documents by path, as of the call, templates among them. The list is
// shared and must not be changed.
func Documents(ctx context.Context, v *vault.Vault) ([]Document, error) {
	list, err := vault.Kept[follower](v).documents(ctx, vault.Whole(v))
	if err != nil {
		return nil, fmt.Errorf("look through the documents: %w", err)
	}
	hidden := func(d Document) bool { return v.Hides(d.Path) }
	if !slices.ContainsFunc(list, hidden) {
		return list, nil
	}
	return slices.DeleteFunc(slices.Clone(list), hidden), nil
}

func (f *follower) documents(ctx context.Context, v *vault.Vault) ([]Document, error) {
	now := f.listen(ctx, v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx, v, now, !now.Heard); err != nil {
		return nil, err
	}
	if f.paths == nil {
		f.paths = make([]Document, 0, len(f.known))
		for p, k := range f.known {
			f.paths = append(f.paths, Document{Path: p, Size: k.stamp.Size, Modified: time.Unix(0, k.stamp.Modified)})
		}
		sort.SliceStable(f.paths, func(i, j int) bool { return f.paths[i].Path < f.paths[j].Path })
	}
	return f.paths, nil
}

// freshLimit is how long [Refresh] waits for the watcher to tell what was saved before it.
const freshLimit = 100 * time.Millisecond

// Refresh takes in what changed, for who would rather have an answer at once than a whole
// one: where what was saved can't be waited for it looks at no more than is known, and
// degraded says so. news reports whether [News] has something to tell.
func Refresh(ctx context.Context, v *vault.Vault) (news bool, degraded string, err error) {
	now := Known{Seq: v.Seq()}
	limited, cancel := context.WithTimeout(ctx, freshLimit)
	seq, err := v.Barrier(limited)
	cancel()
	if err == nil {
		now = Known{Seq: seq, Heard: true, Told: true}
	} else {
		if ctx.Err() != nil {
			return false, "", ctx.Err()
		}
		degraded = "what was saved just now may be missing: " + err.Error()
	}
	f := vault.Kept[follower](v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx, vault.Whole(v), now, false); err != nil {
		return false, "", fmt.Errorf("look through the documents: %w", err)
	}
	return f.stale == nil || len(f.stale) > 0, degraded, nil
}

// News returns the documents that came, changed or went since the last call. all says that
// they are all that there are, as at the first call, and that others are gone. It is for one
// follower of a vault, which remembers what they say.
func News(v *vault.Vault) (news map[string]bool, all bool) {
	f := vault.Kept[follower](v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if news, all = f.stale, f.stale == nil; all {
		news = make(map[string]bool, len(f.known))
		for p := range f.known {
			news[p] = true
		}
	}
	f.stale = map[string]bool{}
	return news, all
}

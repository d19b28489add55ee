package copies

import (
	"context"
	"slices"
	"time"

	"kist/vault"
)

// most is how many times a document is followed to another name.
const most = 100

// Follow finds the document of a copy where it has got another name since, or the copy itself, by what the log
// has of them: the copy is of what bore the document's name when it was made. exists says whether a document is there.
func Follow(ctx context.Context, v *vault.Vault, c Copy, exists func(string) bool) (Copy, error) {
	born, first, err := origin(ctx, v, c.Path)
	if err != nil || born.IsZero() && c.Of != "" {
		return c, err
	}
	was, ok := Of(first, func(string) bool { return true })
	if !ok {
		return c, nil
	}
	for _, since := range []time.Time{born, {}} { // another machine's clock may be behind
		now, err := goes(ctx, v, was.Of, since)
		if err != nil {
			return c, err
		}
		if exists(now) {
			c.Of = now
			return c, nil
		}
	}
	return c, nil
}

// origin returns when a file was made, and what it was called then. Zero: the log doesn't say.
func origin(ctx context.Context, v *vault.Vault, p string) (time.Time, string, error) {
	for range most {
		made, change, err := find(ctx, v, p, func(c vault.FileChange) bool { return c.Path == p && (c.Before == "" || c.From != "") }, false, time.Time{})
		if err != nil || change.From == "" {
			return made, p, err
		}
		p = change.From
	}
	return time.Time{}, p, nil
}

// goes returns what became of a document's name since.
func goes(ctx context.Context, v *vault.Vault, p string, since time.Time) (string, error) {
	for range most {
		at, change, err := find(ctx, v, p, func(c vault.FileChange) bool { return c.From == p }, true, since)
		if err != nil || change.Path == "" {
			return p, err
		}
		p, since = change.Path, at
	}
	return p, nil
}

// find returns the newest change of a file, or the first one since, that is as wanted; empty: none is.
func find(ctx context.Context, v *vault.Vault, p string, wanted func(vault.FileChange) bool, first bool, since time.Time) (time.Time, vault.FileChange, error) {
	ops, err := v.Operations(ctx, vault.Filter{Entity: p, Status: vault.StatusCompleted, Since: since})
	if first {
		slices.Reverse(ops)
	}
	for _, op := range ops {
		if at := slices.IndexFunc(op.Changes, wanted); at >= 0 && op.At.After(since) {
			return op.At, op.Changes[at], err
		}
	}
	return time.Time{}, vault.FileChange{}, err
}

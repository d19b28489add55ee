package vault

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"

	"kist/vault/fsys"
	"kist/vault/markdown"
	"kist/vault/merge"
	"kist/vault/oplog"
)

// Operations lists the operations that f selects, newest first and without their
// patches.
func (v *Vault) Operations(ctx context.Context, f Filter) ([]Operation, error) {
	if p, err := v.Locate(f.Entity); err == nil {
		f.Entity = p
	}
	all, err := v.ops.List(ctx, f)
	if v.hides != nil {
		all = slices.DeleteFunc(slices.Clone(all), func(op Operation) bool { return hidden(op, v.hides) })
	}
	return all, err
}

// hidden: an operation is on something that a view of the vault hasn't got. What it deleted
// may have been such.
func hidden(op Operation, hides func(p string) bool) bool {
	return hides(op.Entity.Path) || slices.ContainsFunc(op.Changes, func(c FileChange) bool {
		return c.After == "" || hides(c.Path) || c.From != "" && hides(c.From)
	})
}

// Operation returns one operation with its patches. The id may be shortened to
// its last six or more characters. It returns ErrNotFound or ErrAmbiguous.
func (v *Vault) Operation(ctx context.Context, id string) (Operation, error) {
	op, err := found(ctx, v, id)
	if err != nil {
		return Operation{}, err
	}
	return v.ops.Patches(op)
}

// Described is Operation without the patches, which are most of the work.
func Described(ctx context.Context, v *Vault, id string) (Operation, error) {
	op, err := found(ctx, v, id)
	if err != nil {
		return Operation{}, err
	}
	return op.Operation, nil
}

func found(ctx context.Context, v *Vault, id string) (*oplog.Folded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	op, err := v.ops.Find(id)
	if err == nil && v.hides != nil && hidden(op.Operation, v.hides) {
		return nil, fmt.Errorf("%w: operation %s", ErrNotFound, id)
	}
	return op, err
}

// WatchOperations yields operations as their status changes, from the call on.
// The sequence ends with ErrResync for a reader that falls too far behind, with
// ctx's error, or without one when the vault closes.
func (v *Vault) WatchOperations(ctx context.Context) iter.Seq2[Operation, error] {
	return v.news.Watch(ctx)
}

// UnreadableRecords returns the records of the operation log that are passed over, with
// the line that each begins on or, where that is known, the faulty one: at most 100.
func UnreadableRecords(v *Vault) ([]Problem, error) { return v.ops.UnreadableRecords() }

// WithContext returns an operation with patches for people to read: of whole lines, with
// those around them. Where the text before a change isn't known any more, its patch is
// what the log has.
func WithContext(v *Vault, op Operation) Operation {
	op.Changes = slices.Clone(op.Changes)
	for i, c := range op.Changes {
		if c.From != "" || c.Before == c.After {
			continue
		}
		before, err := v.tree.ReadOrNil(c.Path)
		if err != nil || HashOf(before) != c.Before {
			before, err = v.ops.TextAt(c.Before, c.Path)
		}
		if err != nil {
			continue
		}
		after, err := merge.Patch(before, c.Patch)
		if c.Patch == "" { // what a pull brought has it elsewhere
			after, err = v.ops.TextAt(c.After, c.Path)
		}
		if err == nil {
			op.Changes[i].Patch = merge.Diff(c.Path, before, after)
		}
	}
	return op
}

// EntityOf names the entity that a document is, by its path and front matter.
func (v *Vault) EntityOf(p string, text []byte) Entity {
	e := Entity{Type: cmp.Or(v.TypeOf(p), "document"), Path: p}
	if len(text) > fsys.MaxWhole {
		return e
	}
	if fm, err := markdown.Parse(text).FrontMatter(); err == nil && fm != nil {
		e.ID = OneLine(fm.String("id"))
	}
	return e
}

// News is what happened with operations from a number on: what was logged by the time of
// the question, and what comes, each once.
type News struct {
	Now    Seq         // the number of the newest of Missed, or what it would be
	Missed []Operation // by number, each as it stands now
	Coming iter.Seq2[Operation, error]
}

// NewsSince returns what this device logs from a number on; -1: from now on. Coming ends as
// [Vault.WatchOperations] says, and has to be ranged over.
func NewsSince(ctx context.Context, v *Vault, after Seq) (News, error) {
	v.tree.Lock() // what has a number is in the log
	n := News{Now: v.Seq(), Coming: v.news.Watch(ctx)}
	v.tree.Unlock()
	if after < 0 || after >= n.Now {
		return n, nil
	}
	all, err := v.Operations(ctx, Filter{After: &after})
	if err != nil {
		return n, err
	}
	n.Missed = slices.DeleteFunc(all, func(op Operation) bool { return op.Seq > n.Now }) // they come
	sort.SliceStable(n.Missed, func(i, j int) bool { return n.Missed[i].Seq < n.Missed[j].Seq })
	return n, nil
}

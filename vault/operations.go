package vault

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// shortID is the least number of characters of an id's end that may stand for it.
const shortID = 6

// Operations lists the operations that f selects, newest first and without their
// patches.
func (v *Vault) Operations(ctx context.Context, f Filter) ([]Operation, error) {
	if err := v.ops.refresh(); err != nil {
		return nil, err
	}
	var out []Operation
	for e, err := range v.ops.db.Operations(v.bestKey(f), "") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if f.Limit > 0 && len(out) >= f.Limit || tooOld(e.ID, f.Since) {
			break
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return nil, err
		}
		if !v.selects(f, op.Operation) {
			continue
		}
		if op.UndoneBy, err = v.ops.undoneBy(op.ID); err != nil {
			return nil, err
		}
		out = append(out, op.Operation)
	}
	return out, nil
}

// bestKey is the index key that leaves the fewest operations to look at; empty: all.
func (v *Vault) bestKey(f Filter) string {
	switch {
	case f.Batch != "":
		return batchKey(f.Batch)
	case f.Status == StatusProposed && f.Session != "":
		return statusKey(f.Status) // few wait at a time, and a session may be long
	case f.Session != "":
		return sessionKey(f.Session)
	case isMarkdown(f.Entity):
		return pathKey(f.Entity)
	case f.Entity != "":
		return entityKey(f.Entity)
	case f.Status != "" && f.Status != StatusCompleted:
		return statusKey(f.Status)
	case f.Project != "":
		return projectKey(f.Project)
	case f.Actor != "":
		return actorKey(f.Actor)
	}
	return ""
}

// tooOld reports whether an operation's id, and with it all that follow, is from
// before since. A day's grace allows for clocks that were set.
func tooOld(id string, since time.Time) bool {
	u, err := ulid.ParseStrict(id)
	return err == nil && !since.IsZero() && ulid.Time(u.Time()).Before(since.Add(-24*time.Hour))
}

func (v *Vault) selects(f Filter, op Operation) bool {
	return (f.Status == "" || op.Status == f.Status) &&
		(f.Actor == "" || op.Actor == f.Actor) &&
		(f.Session == "" || op.Session == f.Session) &&
		(f.Batch == "" || op.Batch == f.Batch) &&
		(f.Since.IsZero() || !op.At.Before(f.Since)) &&
		(f.Project == "" || v.ProjectOf(op.Entity.Path) == f.Project) &&
		(f.Entity == "" || op.about(f.Entity))
}

// about reports whether an operation concerns an entity, given by its id or path.
func (op Operation) about(ref string) bool {
	if op.Entity.ID == ref || op.Entity.Path == ref {
		return true
	}
	for _, c := range op.Changes {
		if c.Path == ref || c.From == ref {
			return true
		}
	}
	return false
}

// sortOps sorts by id, which is by time.
func sortOps(ops []*loggedOp) {
	sort.Slice(ops, func(i, j int) bool { return ops[i].ID < ops[j].ID })
}

// Operation returns one operation with its patches. The id may be shortened to
// its last six or more characters. It returns ErrNotFound or ErrAmbiguous.
func (v *Vault) Operation(ctx context.Context, id string) (Operation, error) {
	if err := ctx.Err(); err != nil {
		return Operation{}, err
	}
	op, err := v.findOp(id)
	if err != nil {
		return Operation{}, err
	}
	return v.ops.patches(op)
}

func (v *Vault) findOp(id string) (*loggedOp, error) {
	if err := v.ops.refresh(); err != nil {
		return nil, err
	}
	id = strings.ToUpper(id)
	if op, ok, err := v.ops.operation(id); err != nil || ok {
		return op, err
	}
	if len(id) < shortID {
		return nil, fmt.Errorf("%w: an id needs at least its last %d characters", ErrInvalid, shortID)
	}
	ids, err := v.ops.db.IDsEndingWith(id, 2)
	switch {
	case err != nil:
		return nil, err
	case len(ids) == 0:
		return nil, &NotFoundError{Kind: "operation", Ref: id}
	case len(ids) > 1:
		return nil, fmt.Errorf("%w: several operations end in %s", ErrAmbiguous, id)
	}
	op, ok, err := v.ops.operation(ids[0])
	if err == nil && !ok {
		err = &NotFoundError{Kind: "operation", Ref: id}
	}
	return op, err
}

package vault

import (
	"context"
	"fmt"
	"sort"
	"strings"
)

// shortID is the least number of characters of an id's end that may stand for it.
const shortID = 6

// Operations lists the operations that f selects, newest first and without their
// patches.
func (v *Vault) Operations(ctx context.Context, f Filter) ([]Operation, error) {
	if err := v.ops.refresh(); err != nil {
		return nil, err
	}
	v.ops.mu.Lock()
	defer v.ops.mu.Unlock()
	v.ops.link()
	var found []*loggedOp
	for _, op := range v.ops.ops {
		if v.selects(f, op.Operation) {
			found = append(found, op)
		}
	}
	sortOps(found)
	var out []Operation
	for i := len(found) - 1; i >= 0 && (f.Limit <= 0 || len(out) < f.Limit); i-- {
		out = append(out, found[i].Operation)
	}
	return out, ctx.Err()
}

func (v *Vault) selects(f Filter, op Operation) bool {
	return (f.Status == "" || op.Status == f.Status) &&
		(f.Actor == "" || op.Actor == f.Actor) &&
		(f.Session == "" || op.Session == f.Session) &&
		(f.Batch == "" || op.Batch == f.Batch) &&
		(f.Since.IsZero() || !op.At.Before(f.Since)) &&
		(f.Project == "" || v.ProjectOf(op.Entity.Path) == f.Project)
}

// sortOps sorts by id, which is by time.
func sortOps(ops []*loggedOp) {
	sort.Slice(ops, func(i, j int) bool { return ops[i].ID < ops[j].ID })
}

// Operation returns one operation with its patches. The id may be shortened to
// its last six or more characters. It returns ErrNotFound or ErrAmbiguous.
func (v *Vault) Operation(ctx context.Context, id string) (Operation, error) {
	op, err := v.findOp(id)
	if err != nil {
		return Operation{}, err
	}
	full, err := v.ops.patches(op)
	if err != nil {
		return Operation{}, err
	}
	return full, ctx.Err()
}

func (v *Vault) findOp(id string) (*loggedOp, error) {
	if err := v.ops.refresh(); err != nil {
		return nil, err
	}
	v.ops.mu.Lock()
	defer v.ops.mu.Unlock()
	v.ops.link()
	id = strings.ToUpper(id)
	if op := v.ops.ops[id]; op != nil {
		copied := *op
		return &copied, nil
	}
	if len(id) < shortID {
		return nil, fmt.Errorf("%w: an id needs at least its last %d characters", ErrInvalid, shortID)
	}
	var found *loggedOp
	for full, op := range v.ops.ops {
		if !strings.HasSuffix(full, id) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%w: several operations end in %s", ErrAmbiguous, id)
		}
		found = op
	}
	if found == nil {
		return nil, &NotFoundError{Kind: "operation", Ref: id}
	}
	copied := *found
	return &copied, nil
}

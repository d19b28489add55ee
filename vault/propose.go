package vault

import (
	"context"
	"errors"
	"fmt"

	"kist/vault/merge"
)

// Propose logs a batch without carrying it out. Each of its operations then waits
// for [Vault.Approve] or [Vault.Reject]. Errors are those of [Vault.Apply].
func (v *Vault) Propose(ctx context.Context, b Batch) ([]Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	ops, err := v.plan(b)
	if err != nil {
		return nil, err
	}
	return v.propose(ops)
}

func (v *Vault) propose(ops []*planned) ([]Operation, error) {
	at := v.now()
	var records []record
	for _, p := range ops {
		p.op.Status = StatusProposed
		records = append(records, recordOf(p.op, StatusProposed, at))
	}
	if err := v.ops.append(at, records...); err != nil {
		return nil, err
	}
	var out []Operation
	for _, p := range ops {
		out = append(out, p.op)
		v.news.send(p.op)
	}
	return out, nil
}

// Approve carries out a proposed operation. The digest must be the one that was
// shown: it stands for the exact bytes. Of several callers one succeeds and the
// others get ErrStatus. If a file has changed since the proposal, nothing is
// applied: the operation is rejected and, where it still fits, proposed anew with
// another id and digest, which the returned [ConflictError] names.
func (v *Vault) Approve(ctx context.Context, id, digest string, o Origin) (Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	if p.op.Digest != digest {
		return Operation{}, fmt.Errorf("%w: operation %s would do something else than what was approved", ErrDigest, p.op.ID)
	}
	moved, err := v.loadProposed(p)
	if err != nil {
		return Operation{}, v.refuse(p, err)
	}
	if moved {
		return Operation{}, v.proposeAgain(p)
	}
	at := v.now()
	if err := v.ops.append(at, record{ID: p.op.ID, Event: StatusApproved, At: at, Client: o.Client}); err != nil {
		return Operation{}, err
	}
	ops, err := v.run([]*planned{p})
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

// Reject ends a proposed operation. It returns ErrStatus for one that isn't proposed.
func (v *Vault) Reject(ctx context.Context, id string, o Origin) (Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	ops, err := v.finish([]*planned{p}, StatusRejected, nil, 0)
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

func (v *Vault) proposed(ctx context.Context, id string) (*planned, error) {
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	op, err := v.Operation(ctx, id)
	if err != nil {
		return nil, err
	}
	if op.Status != StatusProposed {
		return nil, fmt.Errorf("%w: operation %s is %s, not proposed", ErrStatus, op.ID, op.Status)
	}
	return &planned{op: op}, nil
}

// loadProposed gives p the texts its patches stand for, and says whether a file
// has moved on since.
func (v *Vault) loadProposed(p *planned) (moved bool, err error) {
	if digest(p.op) != p.op.Digest {
		return false, fmt.Errorf("%w: the operation in the log was altered after it was proposed", ErrDigest)
	}
	for _, c := range p.op.Changes {
		clean, err := v.writablePath(c.Path)
		if err != nil {
			return false, err
		}
		now, err := v.readOrNil(clean)
		if err != nil {
			return false, err
		}
		var after []byte
		if HashOf(now) == c.Before {
			after, err = merge.Patch(now, c.Patch)
		} else {
			moved = true
			after, err = merge.Shift(now, c.Patch)
		}
		if err != nil {
			return false, &ConflictError{Path: clean, Reason: "edited since the proposal, in the same place", Now: now}
		}
		p.files = append(p.files, &replacement{id: p.op.ID, path: clean, before: now, after: after})
	}
	return moved, nil
}

// refuse rejects a proposal that can't be carried out any more.
func (v *Vault) refuse(p *planned, cause error) error {
	if _, err := v.finish([]*planned{p}, StatusRejected, cause, 0); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

func (v *Vault) proposeAgain(p *planned) error {
	again := &planned{op: p.op, files: p.files}
	again.op.ID, again.op.At = v.NewID(), v.now()
	again.describe()
	ops, err := v.propose([]*planned{again})
	if err != nil {
		return err
	}
	return v.refuse(p, &ConflictError{
		Path:   p.files[0].path,
		Reason: "edited since the proposal; proposed again as operation " + ops[0].ID,
		Now:    p.files[0].before,
		Wanted: p.files[0].after,
	})
}

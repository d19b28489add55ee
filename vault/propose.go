package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/vault/disk"
	"kist/vault/history"
	"kist/vault/oplog"
)

// Propose logs a batch without carrying it out. Each of its operations then waits
// for [Vault.Approve] or [Vault.Reject]. Errors are those of [Vault.Apply].
func (v *Vault) Propose(ctx context.Context, b Batch) ([]Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	ops, err := newPlan(v).batch(b)
	if err != nil {
		return nil, err
	}
	return v.propose(ops)
}

func (v *Vault) propose(ops []*planned) ([]Operation, error) {
	at := v.now()
	var records []oplog.Record
	for _, p := range ops {
		p.op.Status, p.op.Seq = StatusProposed, v.changes.Skip()
		r := oplog.RecordOf(p.op, StatusProposed, at)
		r.Seq = p.op.Seq
		records = append(records, r)
	}
	if err := v.ops.Append(at, records...); err != nil {
		return nil, err
	}
	var out []Operation
	for _, p := range ops {
		out = append(out, p.op)
		v.news.Send(p.op)
	}
	return out, nil
}

// An Approval is somebody's word for one proposed operation, bound to exactly the
// bytes that the digest stands for.
type Approval struct {
	ID     string
	Digest string
}

// Approve carries out a proposed operation. The digest must be the one that was
// shown: it stands for the exact bytes. Of several callers one succeeds and the
// others get ErrStatus. If a file has changed since the proposal, nothing is
// applied: the operation is rejected and, where it still fits, proposed anew with
// another id and digest, which the returned [ConflictError] names.
func (v *Vault) Approve(ctx context.Context, id, digest string, o Origin) (Operation, error) {
	ops, err := v.ApproveAll(ctx, []Approval{{ID: id, Digest: digest}}, o)
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

// ApproveAll carries out proposed operations in the order given, all or none, and
// otherwise as [Vault.Approve] does. One may stand on what those before it do.
func (v *Vault) ApproveAll(ctx context.Context, approvals []Approval, o Origin) ([]Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	if len(approvals) == 0 {
		return nil, fmt.Errorf("%w: nothing to approve", ErrInvalid)
	}
	var all []*planned
	pl, named := newPlan(v), map[string]bool{}
	moved := false
	for _, a := range approvals {
		p, err := v.proposed(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		if p.op.Digest != a.Digest || named[p.op.ID] {
			return nil, fmt.Errorf("%w: operation %s would do something else than what was approved", ErrDigest, p.op.ID)
		}
		named[p.op.ID] = true
		m, err := pl.loadProposed(p)
		if err != nil {
			return nil, v.refuse(p, err)
		}
		if err := unresolved(p.files, p.op.Actor); err != nil {
			return nil, err // it can be approved once the markers are gone
		}
		moved = moved || m
		all = append(all, p)
	}
	if moved {
		return nil, v.repropose(all)
	}
	at := v.now()
	var records []oplog.Record
	for _, p := range all {
		records = append(records, oplog.Record{ID: p.op.ID, Event: StatusApproved, At: at, Client: o.Client})
	}
	return v.run(all, records...)
}

// EditProposed changes what a proposed operation would do: texts gives, by path, what
// files of the operation are to hold afterwards. The digest must be that of what was
// edited; the operation keeps its id and gets another digest. Errors: ErrStatus,
// ErrDigest, ErrNotFound for a path that isn't the operation's, ErrInvalid where
// nothing would be changed, ErrConflict where a file has changed since the proposal.
func (v *Vault) EditProposed(ctx context.Context, id, digest string, texts map[string][]byte) (Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	if p.op.Digest != digest {
		return Operation{}, fmt.Errorf("%w: operation %s was edited meanwhile", ErrDigest, p.op.ID)
	}
	moved, err := newPlan(v).loadProposed(p)
	if err != nil {
		return Operation{}, err
	}
	if moved {
		return Operation{}, v.repropose([]*planned{p})
	}
	for path, text := range texts {
		i := slices.IndexFunc(p.files, func(r *disk.Replacement) bool { return r.Path == path && r.From == "" && r.After != nil })
		if i < 0 {
			return Operation{}, &NotFoundError{Kind: "text in that operation for", Ref: path}
		}
		if err := CheckText(path, text); err != nil {
			return Operation{}, err
		}
		p.files[i].After = text
	}
	for _, r := range p.files {
		if r.From == "" && HashOf(r.Before) == HashOf(r.After) {
			return Operation{}, fmt.Errorf("%w: %s says so already; reject the operation instead", ErrInvalid, r.Path)
		}
	}
	p.describe()
	ops, err := v.propose([]*planned{p})
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

// ProposedText returns what a file would hold after a proposed operation; nil: it
// would not exist. Errors are those of [Vault.EditProposed].
func (v *Vault) ProposedText(ctx context.Context, id, path string) ([]byte, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := newPlan(v).loadProposed(p); err != nil {
		return nil, err
	}
	for _, r := range p.files {
		if r.Path == path && r.From == "" {
			return r.After, nil
		}
	}
	return nil, &NotFoundError{Kind: "text in that operation for", Ref: path}
}

// Retry does anew, as another operation, what failed, was rolled back or was saved
// over by an editor. It returns ErrStatus for other operations, ErrConflict where it
// doesn't fit what the files hold now, and the errors of [Vault.Apply].
func (v *Vault) Retry(ctx context.Context, id string, propose bool, o Origin) (Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	if err := v.ready(ctx); err != nil {
		return Operation{}, err
	}
	op, err := v.Operation(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	switch op.Status {
	case StatusFailed, StatusRolledBack, StatusSuperseded:
	default:
		return Operation{}, fmt.Errorf("%w: operation %s is %s; only what failed can be done again", ErrStatus, op.ID, op.Status)
	}
	p := &planned{op: op}
	if _, err := newPlan(v).load(p); err != nil {
		return Operation{}, err
	}
	p.op = Operation{
		ID: v.NewID(), At: v.now(), Type: op.Type, Entity: op.Entity, Reason: "again: " + op.Reason, Batch: v.NewID(),
		Undoes: op.Undoes, Actor: o.Actor, Client: OneLine(o.Client), Session: o.Session, Turn: o.Turn, Outside: o.Outside || op.Outside, Request: o.Request,
	}
	p.rename(p.op.ID)
	p.describe()
	carryOut := v.propose
	if !propose {
		carryOut = func(ops []*planned) ([]Operation, error) { return v.run(ops) }
	}
	ops, err := carryOut([]*planned{p})
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

// Reject ends a proposed operation; why, if anybody said so, is kept as its error. It
// returns ErrStatus for one that isn't proposed.
func (v *Vault) Reject(ctx context.Context, id, why string, o Origin) (Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	var cause error
	if why = OneLine(why); why != "" {
		cause = errors.New("declined: " + why)
	}
	ops, err := v.finish([]*planned{p}, StatusRejected, cause, 0)
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

// refuse rejects a proposal that can't be carried out any more.
func (v *Vault) refuse(p *planned, cause error) error {
	if _, err := v.finish([]*planned{p}, StatusRejected, cause, 0); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// repropose replaces proposals by what they would do to the files as they are now.
func (v *Vault) repropose(old []*planned) error {
	batch := v.NewID()
	var again []*planned
	for _, p := range old {
		n := &planned{op: p.op, files: p.files}
		n.op.At, n.op.Batch = v.now(), batch
		n.rename(v.NewID())
		n.describe()
		again = append(again, n)
	}
	ops, err := v.propose(again)
	if err != nil {
		return err
	}
	var ids []string
	for _, op := range ops {
		ids = append(ids, op.ID)
	}
	r := old[0].files[0]
	cause := &ConflictError{
		Path:   r.Path,
		Reason: "edited since the proposal; proposed again as operation " + strings.Join(ids, ", "),
		Now:    r.Before,
		Wanted: r.After,
	}
	for _, p := range old {
		if err := v.refuse(p, cause); err != cause {
			return err
		}
	}
	return cause
}

// offer proposes once more what an editor saved over. The lock is held.
func (v *Vault) offer(offers []history.Offer) error {
	var ops []*planned
	for _, o := range offers {
		reason := "offered again, since an editor saved over it"
		if o.Op.Reason != "" {
			reason += ": " + o.Op.Reason
		}
		if o.Op.Actor == ActorSync { // doing it again is kist's idea, and no machine's news
			o.Op.Actor, o.Op.Client, o.Op.Outside = ActorAgent, "", true
		}
		p := &planned{op: Operation{
			ID: v.NewID(), At: v.now(), Type: o.Op.Type, Entity: o.Op.Entity, Reason: reason, Undoes: o.Op.Undoes,
			Actor: o.Op.Actor, Client: o.Op.Client, Session: o.Op.Session, Turn: o.Op.Turn, Outside: o.Op.Outside, Batch: v.NewID(),
		}}
		p.files = []*disk.Replacement{{ID: p.op.ID, Path: o.Path, Before: o.Now, After: o.Again}}
		p.describe()
		ops = append(ops, p)
	}
	_, err := v.propose(ops)
	if err == nil {
		for _, p := range ops {
			v.noteOffer(p.op.ID)
		}
	}
	return err
}

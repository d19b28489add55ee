package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
		p.op.Status, p.op.Seq = StatusProposed, 0
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
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(approvals) == 0 {
		return nil, fmt.Errorf("%w: nothing to approve", ErrInvalid)
	}
	var all []*planned
	seen, named := overlay{}, map[string]bool{}
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
		m, err := v.loadProposed(p, seen)
		if err != nil {
			return nil, v.refuse(p, err)
		}
		moved = moved || m
		all = append(all, p)
	}
	if moved {
		return nil, v.proposeAgain(all)
	}
	at := v.now()
	var records []record
	for _, p := range all {
		records = append(records, record{ID: p.op.ID, Event: StatusApproved, At: at, Client: o.Client})
	}
	return v.run(all, records...)
}

// EditProposed changes what a proposed operation would do: texts gives, by path, what
// files of the operation are to hold afterwards. The digest must be that of what was
// edited; the operation keeps its id and gets another digest. Errors: ErrStatus,
// ErrDigest, ErrNotFound for a path that isn't the operation's, ErrInvalid where
// nothing would be changed, ErrConflict where a file has changed since the proposal.
func (v *Vault) EditProposed(ctx context.Context, id, digest string, texts map[string][]byte) (Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	if p.op.Digest != digest {
		return Operation{}, fmt.Errorf("%w: operation %s was edited meanwhile", ErrDigest, p.op.ID)
	}
	moved, err := v.loadProposed(p, overlay{})
	if err != nil {
		return Operation{}, err
	}
	if moved {
		return Operation{}, v.proposeAgain([]*planned{p})
	}
	for path, text := range texts {
		i := slices.IndexFunc(p.files, func(r *replacement) bool { return r.path == path && r.from == "" && r.after != nil })
		if i < 0 {
			return Operation{}, &NotFoundError{Kind: "text in that operation for", Ref: path}
		}
		if err := checkText(path, text); err != nil {
			return Operation{}, err
		}
		p.files[i].after = text
	}
	for _, r := range p.files {
		if r.from == "" && HashOf(r.before) == HashOf(r.after) {
			return Operation{}, fmt.Errorf("%w: %s says so already; reject the operation instead", ErrInvalid, r.path)
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
	v.mu.Lock()
	defer v.mu.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := v.loadProposed(p, overlay{}); err != nil {
		return nil, err
	}
	for _, r := range p.files {
		if r.path == path && r.from == "" {
			return r.after, nil
		}
	}
	return nil, &NotFoundError{Kind: "text in that operation for", Ref: path}
}

// Retry does anew, as another operation, what failed, was rolled back or was saved
// over by an editor. It returns ErrStatus for other operations, ErrConflict where it
// doesn't fit what the files hold now, and the errors of [Vault.Apply].
func (v *Vault) Retry(ctx context.Context, id string, o Origin) (Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
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
	if _, err := v.load(p, overlay{}); err != nil {
		return Operation{}, err
	}
	p.op = Operation{
		ID: v.NewID(), At: v.now(), Type: op.Type, Entity: op.Entity, Reason: "again: " + op.Reason, Batch: v.NewID(),
		Undoes: op.Undoes, Actor: o.Actor, Client: oneLine(o.Client), Session: o.Session, Turn: o.Turn, Outside: o.Outside || op.Outside,
	}
	p.rename(p.op.ID)
	p.describe()
	ops, err := v.run([]*planned{p})
	if err != nil {
		return Operation{}, err
	}
	return ops[0], nil
}

// Reject ends a proposed operation; why, if anybody said so, is kept as its error. It
// returns ErrStatus for one that isn't proposed.
func (v *Vault) Reject(ctx context.Context, id, why string, o Origin) (Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, err := v.proposed(ctx, id)
	if err != nil {
		return Operation{}, err
	}
	var cause error
	if why = oneLine(why); why != "" {
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

// loadProposed is load for an operation that must be as it was proposed.
func (v *Vault) loadProposed(p *planned, seen overlay) (moved bool, err error) {
	if digest(p.op) != p.op.Digest {
		return false, fmt.Errorf("%w: the operation in the log was altered after it was proposed", ErrDigest)
	}
	return v.load(p, seen)
}

// load gives p the texts its patches stand for, and says whether a file has moved
// on since. What was said meanwhile doesn't count as such: see records.go.
func (v *Vault) load(p *planned, seen overlay) (moved bool, err error) {
	restated := false
	for _, c := range p.op.Changes {
		r, err := v.loadChange(c, seen)
		if err != nil {
			return false, err
		}
		if r == nil {
			continue // an editor had made the same change at that moment
		}
		r.id = p.op.ID
		switch {
		case r.stands(c):
		case v.isRecord(c):
			restated = true
		default:
			moved = true
		}
		p.files = append(p.files, r)
	}
	since, err := v.recordsSince(p.op, seen)
	if err != nil {
		return false, err
	}
	for _, r := range since {
		r.id = p.op.ID
		p.files = append(p.files, r)
	}
	if restated || len(since) > 0 {
		p.describe()
	}
	return moved, nil
}

// loadChange gives one change of a logged operation its texts; nil: it changes nothing.
func (v *Vault) loadChange(c FileChange, seen overlay) (*replacement, error) {
	if c.From != "" {
		return v.planChange(Change{Path: c.Path, From: c.From}, seen)
	}
	clean, err := v.writablePath(c.Path)
	if err != nil || c.Before == c.After {
		return nil, err
	}
	now, err := seen.read(v, clean)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch {
	case v.isRecord(c): // it goes, whatever was added to it
	case HashOf(now) == c.Before:
		after, err = merge.Patch(now, c.Patch)
	default:
		after, err = merge.Shift(now, c.Patch)
	}
	if err != nil {
		return nil, &ConflictError{Path: clean, Reason: "edited since the proposal, in the same place", Now: now}
	}
	seen[clean] = after
	return &replacement{path: clean, before: now, after: after}, nil
}

// stands reports whether the file is what it was when the change was logged.
func (r *replacement) stands(c FileChange) bool {
	if r.from != "" {
		return r.hash == c.After
	}
	return HashOf(r.before) == c.Before
}

// refuse rejects a proposal that can't be carried out any more.
func (v *Vault) refuse(p *planned, cause error) error {
	if _, err := v.finish([]*planned{p}, StatusRejected, cause, 0); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// proposeAgain replaces proposals by what they would do to the files as they are now.
func (v *Vault) proposeAgain(old []*planned) error {
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
		Path:   r.path,
		Reason: "edited since the proposal; proposed again as operation " + strings.Join(ids, ", "),
		Now:    r.before,
		Wanted: r.after,
	}
	for _, p := range old {
		if err := v.refuse(p, cause); err != cause {
			return err
		}
	}
	return cause
}

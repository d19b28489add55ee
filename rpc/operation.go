package rpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/rpc/orders"
	"kist/rpc/page"
	"kist/vault"
)

type operationService struct{ Deps }

// recordLimit is how long a list of operations waits for saves by hand to be recorded.
const recordLimit = 500 * time.Millisecond

func (s *operationService) ListOperations(ctx context.Context, req *kistv1.ListOperationsRequest) (*kistv1.ListOperationsResponse, error) {
	f := vault.Filter{
		Status:  vault.Status(req.Status),
		Actor:   vault.Actor(req.Actor),
		Session: req.Session,
		Batch:   req.Batch,
		Project: req.Project,
		Entity:  req.Entity,
	}
	if req.Since != nil {
		f.Since = req.Since.AsTime()
	}
	// A list that lacks what was saved a moment ago is no reason to fail.
	now, cancel := context.WithTimeout(ctx, recordLimit)
	defer cancel()
	_ = s.Vault.Record(now)
	read, behind, err := orders.Operations(req.OrderBy, func(n int) ([]vault.Operation, error) {
		f.Limit = n
		return s.Vault.Operations(ctx, f)
	})
	if err != nil {
		return nil, err
	}
	id := func(op vault.Operation) string { return op.ID }
	list, next, err := page.In(req, cmp.Or(int(req.Limit), defaultLimit), read, id, behind, listed)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListOperationsResponse{Operations: list, NextPageToken: next}, nil
}

func (s *operationService) GetOperation(ctx context.Context, req *kistv1.GetOperationRequest) (*kistv1.GetOperationResponse, error) {
	op, err := s.Vault.Operation(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	out := whole(vault.WithContext(s.Vault, op))
	if req.Texts && op.Status == vault.StatusProposed {
		if err := s.texts(ctx, op, out); err != nil {
			return nil, err
		}
	}
	if !req.Pages {
		if page.Bytes(out) > page.MaxBytes {
			return nil, fault.ErrLarge
		}
		return &kistv1.GetOperationResponse{Operation: out}, nil
	}
	next, err := cutOperation(out, req.PageToken)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetOperationResponse{Operation: out, NextPageToken: next}, nil
}

// leastRoom is how many bytes must be left of a page for another change to begin on it: more
// than it has without its patch and text.
const leastRoom = 32 << 10

// cutOperation leaves one page of an operation's changes.
func cutOperation(o *kistv1.Operation, token string) (next string, err error) {
	state := o.Id + o.Status + o.Digest
	at, err := page.PlaceOf(token, state)
	if err != nil {
		return "", err
	}
	changes := o.Changes
	o.Changes = nil
	room := page.MaxBytes - page.Bytes(o)
	for ; at.Items < len(changes); at = (page.Place{Items: at.Items + 1}) {
		if room < leastRoom {
			return at.Token(state), nil
		}
		c := changes[at.Items]
		part := &kistv1.FileChange{Path: c.Path, Before: c.Before, After: c.After, From: c.From, Continues: at.Bytes > 0}
		room -= page.Bytes(part)
		patch, text := c.Patch[min(at.Bytes, len(c.Patch)):], c.GetText()[max(0, min(at.Bytes-len(c.Patch), len(c.GetText()))):]
		n := page.Fit(patch, room)
		part.Patch = patch[:n]
		room, at.Bytes = room-page.Size(part.Patch), at.Bytes+n
		if c.Text != nil && n == len(patch) {
			n = page.Fit(text, room)
			part.Text = proto.String(text[:n])
			room, at.Bytes = room-page.Size(*part.Text), at.Bytes+n
		}
		o.Changes = append(o.Changes, part)
		if at.Bytes < len(c.Patch)+len(c.GetText()) {
			return at.Token(state), nil
		}
	}
	return "", nil
}

// texts adds what a proposed operation's files would hold. A text that isn't UTF-8
// is left out: as a message it would be another one, and might come back as that.
func (s *operationService) texts(ctx context.Context, op vault.Operation, out *kistv1.Operation) error {
	for i, c := range op.Changes {
		if c.From != "" || c.After == "" {
			continue
		}
		after, err := s.Vault.ProposedText(ctx, op.ID, c.Path)
		if err != nil {
			return err
		}
		if utf8.Valid(after) {
			out.Changes[i].Text = proto.String(string(after))
		}
	}
	return nil
}

func (s *operationService) ApproveOperation(ctx context.Context, req *kistv1.ApproveOperationRequest) (*kistv1.ApproveOperationResponse, error) {
	ops, err := s.approve(ctx, []vault.Approval{{ID: req.Id, Digest: req.Digest}})
	if err != nil {
		return nil, err
	}
	return &kistv1.ApproveOperationResponse{Operation: operation(ops[0])}, nil
}

func (s *operationService) ApproveOperations(ctx context.Context, req *kistv1.ApproveOperationsRequest) (*kistv1.ApproveOperationsResponse, error) {
	approvals := each(req.Approvals, func(a *kistv1.Approval) vault.Approval {
		return vault.Approval{ID: a.Id, Digest: a.Digest}
	})
	ops, err := s.approve(ctx, approvals)
	if err != nil {
		return nil, err
	}
	return &kistv1.ApproveOperationsResponse{Operations: operations(ops)}, nil
}

// approve answers who approves what was carried out already, and names the same digests,
// as it was answered the first time: the answer may have been lost.
func (s *operationService) approve(ctx context.Context, approvals []vault.Approval) ([]vault.Operation, error) {
	ops, err := s.Vault.ApproveAll(ctx, approvals, origin(ctx))
	if !errors.Is(err, vault.ErrStatus) {
		return ops, err
	}
	for _, a := range approvals {
		op, found := s.Vault.Operation(ctx, a.ID)
		if found != nil || !op.Status.Took() || op.Digest != a.Digest {
			return nil, err
		}
		ops = append(ops, op)
	}
	return ops, nil
}

func (s *operationService) EditOperation(ctx context.Context, req *kistv1.EditOperationRequest) (*kistv1.EditOperationResponse, error) {
	files := map[string][]byte{}
	for _, f := range req.Texts {
		if _, twice := files[f.Path]; twice {
			return nil, fmt.Errorf("%w: two texts for %s", vault.ErrInvalid, f.Path)
		}
		files[f.Path] = []byte(f.Text)
	}
	op, err := s.Vault.EditProposed(ctx, req.Id, req.Digest, files)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditOperationResponse{Operation: operation(op)}, nil
}

func (s *operationService) RejectOperation(ctx context.Context, req *kistv1.RejectOperationRequest) (*kistv1.RejectOperationResponse, error) {
	op, err := s.Vault.Reject(ctx, req.Id, "", origin(ctx))
	if errors.Is(err, vault.ErrStatus) { // the answer to the first request may have been lost
		if was, found := s.Vault.Operation(ctx, req.Id); found == nil && was.Status == vault.StatusRejected {
			op, err = was, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &kistv1.RejectOperationResponse{Operation: operation(op)}, nil
}

func (s *operationService) UndoOperation(ctx context.Context, req *kistv1.UndoOperationRequest) (*kistv1.UndoOperationResponse, error) {
	ops, err := s.Vault.Undo(ctx, undoTarget(req), origin(ctx))
	if err != nil {
		return nil, err
	}
	// Who undoes compares with what was before: no displaced file is left beside it.
	s.Vault.WaitSettled(ctx, undoSettles)
	return &kistv1.UndoOperationResponse{Operations: operations(ops)}, nil
}

// undoSettles is how long an undo waits for displaced files; commonly a tenth of it.
const undoSettles = time.Second

func (s *operationService) RedoOperation(ctx context.Context, req *kistv1.RedoOperationRequest) (*kistv1.RedoOperationResponse, error) {
	ops, err := s.Vault.Redo(ctx, undoTarget(req), origin(ctx))
	if err != nil {
		return nil, err
	}
	return &kistv1.RedoOperationResponse{Operations: operations(ops)}, nil
}

// undoTarget reads what two requests have in common.
func undoTarget(req interface {
	GetId() string
	GetBatch() string
	GetSession() string
	GetKeep() string
	GetPropose() bool
}) vault.UndoTarget {
	return vault.UndoTarget{
		ID:      req.GetId(),
		Batch:   req.GetBatch(),
		Session: req.GetSession(),
		Keep:    vault.Keep(req.GetKeep()),
		Propose: req.GetPropose(),
	}
}

func (s *operationService) RetryOperation(ctx context.Context, req *kistv1.RetryOperationRequest) (*kistv1.RetryOperationResponse, error) {
	op, err := s.Vault.Retry(ctx, req.Id, req.Propose, origin(ctx))
	if err != nil {
		return nil, err
	}
	return &kistv1.RetryOperationResponse{Operation: operation(op)}, nil
}

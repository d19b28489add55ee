package rpc

import (
	"cmp"
	"context"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
)

type operationService struct{ Deps }

func (s *operationService) ListOperations(ctx context.Context, req *kistv1.ListOperationsRequest) (*kistv1.ListOperationsResponse, error) {
	f := vault.Filter{
		Limit:   cmp.Or(int(req.Limit), defaultLimit),
		Status:  vault.Status(req.Status),
		Actor:   vault.Actor(req.Actor),
		Session: req.Session,
		Batch:   req.Batch,
		Project: req.Project,
	}
	if req.Since != nil {
		f.Since = req.Since.AsTime()
	}
	ops, err := s.Vault.Operations(ctx, f)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListOperationsResponse{Operations: each(ops, listed)}, nil
}

func (s *operationService) GetOperation(ctx context.Context, req *kistv1.GetOperationRequest) (*kistv1.GetOperationResponse, error) {
	op, err := s.Vault.Operation(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetOperationResponse{Operation: operation(op)}, nil
}

func (s *operationService) ApproveOperation(ctx context.Context, req *kistv1.ApproveOperationRequest) (*kistv1.ApproveOperationResponse, error) {
	op, err := s.Vault.Approve(ctx, req.Id, req.Digest, origin(ctx))
	if err != nil {
		return nil, err
	}
	return &kistv1.ApproveOperationResponse{Operation: operation(op)}, nil
}

func (s *operationService) RejectOperation(ctx context.Context, req *kistv1.RejectOperationRequest) (*kistv1.RejectOperationResponse, error) {
	op, err := s.Vault.Reject(ctx, req.Id, origin(ctx))
	if err != nil {
		return nil, err
	}
	return &kistv1.RejectOperationResponse{Operation: operation(op)}, nil
}

func (s *operationService) UndoOperation(ctx context.Context, req *kistv1.UndoOperationRequest) (*kistv1.UndoOperationResponse, error) {
	ops, err := s.Vault.Undo(ctx, vault.UndoTarget{
		ID:      req.GetId(),
		Batch:   req.GetBatch(),
		Session: req.GetSession(),
	}, origin(ctx))
	if err != nil {
		return nil, err
	}
	return &kistv1.UndoOperationResponse{Operations: each(ops, operation)}, nil
}

// WatchOperations ends with an error when the client reads too slowly to be told
// everything; it then lists and watches anew.
func (s *operationService) WatchOperations(ctx context.Context, _ *kistv1.WatchOperationsRequest, stream *connect.ServerStream[kistv1.WatchOperationsResponse]) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	news := s.Vault.WatchOperations(ctx) // from here on
	// Headers go out at once, so that the client knows that nothing escapes it now.
	if err := stream.Send(nil); err != nil {
		cancel()
		for range news { // ends at once, and the subscription with it
		}
		return err
	}
	for op, err := range news {
		if err != nil {
			return err
		}
		if err := stream.Send(&kistv1.WatchOperationsResponse{Operation: operation(op)}); err != nil {
			return err
		}
	}
	return nil
}

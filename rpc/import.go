package rpc

import (
	"context"
	"fmt"
	"path/filepath"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/imports"
	"kist/vault/imports/export"
)

// ImportConversations has the file's path and not its texts: so an import is one request and one
// batch, however large it is.
func (s *vaultService) ImportConversations(ctx context.Context, req *kistv1.ImportConversationsRequest) (*kistv1.ImportConversationsResponse, error) {
	if !filepath.IsAbs(req.File) {
		return nil, fmt.Errorf("%w: the file's path must be absolute", vault.ErrInvalid)
	}
	plan, err := imports.New(ctx, s.Vault, export.Source(req.Source), req.File)
	if err != nil {
		return nil, err
	}
	res := &kistv1.ImportConversationsResponse{
		Created: int32s(plan.Created), Updated: int32s(plan.Updated), Unchanged: int32s(plan.Unchanged), Empty: int32s(plan.Empty),
		Edited: texts(plan.Edited), TooLong: texts(plan.TooLong),
	}
	if req.Preview || len(plan.Steps) == 0 {
		return res, nil
	}
	from := origin(ctx)
	from.Outside = true // nobody here may have read it
	carryOut := s.Vault.Apply
	if req.Propose {
		carryOut = s.Vault.Propose
	}
	ops, err := carryOut(ctx, vault.Batch{Origin: from, Steps: plan.Steps})
	if err != nil {
		return nil, err
	}
	res.Batch = ops[0].Batch
	return res, nil
}

package rpc

import (
	"context"

	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/vault"
)

type searchService struct{ Deps }

func (s *searchService) Search(ctx context.Context, req *kistv1.SearchRequest) (*kistv1.SearchResponse, error) {
	if req.WaitSeq > 0 {
		if err := s.Index.Wait(ctx, vault.Seq(req.WaitSeq)); err != nil {
			return nil, err
		}
	}
	found, err := s.Index.Search(ctx, index.Query{
		Text:    req.Query,
		Project: req.Project,
		Type:    req.Type,
		Tags:    req.Tags,
		Limit:   int(req.Limit),
	})
	if err != nil {
		return nil, err
	}
	return &kistv1.SearchResponse{
		Results:   each(found.Hits, hit),
		Freshness: freshness(found.Freshness),
		Total:     int32s(found.Total),
	}, nil
}

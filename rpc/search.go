package rpc

import (
	"context"

	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
)

type searchService struct{ Deps }

func (s *searchService) Search(ctx context.Context, req *kistv1.SearchRequest) (*kistv1.SearchResponse, error) {
	if req.WaitSeq > 0 {
		if err := s.Index.Wait(ctx, vault.Seq(req.WaitSeq)); err != nil {
			return nil, err
		}
	}
	project, err := s.projectNamed(ctx, req.Project)
	if err != nil {
		return nil, err
	}
	found, err := s.Index.Search(ctx, index.Query{
		Text:    req.Query,
		Project: project,
		Type:    req.Type,
		Tags:    req.Tags,
		Limit:   int(req.Limit),
		Mode:    searchMode(req.Mode),
		Explain: req.Explain,
		WhyNot:  req.WhyNot,
	})
	if err != nil {
		return nil, err
	}
	return &kistv1.SearchResponse{
		Results:   each(found.Hits, hit),
		Freshness: freshness(found.Freshness),
		Total:     int32s(found.Total),
		Partial:   found.Partial,
		Corrected: corrected(found.Corrected),
		Plan:      searchPlan(found.Plan),
		WhyNot:    whyNot(found.WhyNot),
	}, nil
}

func corrected(words map[string]string) map[string]string {
	out := make(map[string]string, len(words))
	for word, instead := range words {
		out[text(word)] = text(instead)
	}
	return out
}

func (s *searchService) Backlinks(ctx context.Context, req *kistv1.BacklinksRequest) (*kistv1.BacklinksResponse, error) {
	found, err := s.Index.Backlinks(ctx, req.Path, int(req.Limit))
	if err != nil {
		return nil, err
	}
	return &kistv1.BacklinksResponse{
		Links:         each(found.Links, hit),
		Mentions:      each(found.Mentions, hit),
		Freshness:     freshness(found.Freshness),
		TotalLinks:    int32s(found.TotalLinks),
		TotalMentions: int32s(found.TotalMentions),
		Partial:       found.Partial,
	}, nil
}

func searchMode(m kistv1.SearchMode) index.Mode {
	switch m {
	case kistv1.SearchMode_SEARCH_MODE_TEXT:
		return index.Text
	case kistv1.SearchMode_SEARCH_MODE_VECTOR:
		return index.Vector
	}
	return index.Hybrid
}

func (s *searchService) Similar(ctx context.Context, req *kistv1.SimilarRequest) (*kistv1.SimilarResponse, error) {
	found, err := s.Index.Similar(ctx, req.Path, int(req.Limit))
	if err != nil {
		return nil, err
	}
	return &kistv1.SimilarResponse{
		Results:   each(found.Hits, hit),
		Freshness: freshness(found.Freshness),
		Total:     int32s(found.Total),
	}, nil
}

func (s *searchService) RelatedProjects(ctx context.Context, req *kistv1.RelatedProjectsRequest) (*kistv1.RelatedProjectsResponse, error) {
	p, err := entity.NamedProject(ctx, s.Vault, req.Project)
	if err != nil {
		return nil, err
	}
	found, err := s.Index.RelatedProjects(ctx, p.Slug, int(req.Limit))
	if err != nil {
		return nil, err
	}
	return &kistv1.RelatedProjectsResponse{
		Projects:  each(found.Projects, relatedProject),
		Freshness: freshness(found.Freshness),
		Total:     int32s(found.Total),
		Partial:   found.Partial,
	}, nil
}

package rpc

import (
	"context"

	"connectrpc.com/connect"

	"kist/agent/models"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
)

type modelService struct{ Deps }

func (s *modelService) GetModels(ctx context.Context, _ *kistv1.GetModelsRequest) (*kistv1.GetModelsResponse, error) {
	res := &kistv1.GetModelsResponse{Config: text(s.Models.Config()), Private: texts(s.Models.Private())}
	for _, r := range s.Models.Roles(ctx) {
		res.Roles = append(res.Roles, modelRole(r))
	}
	return res, nil
}

func (s *modelService) ListModels(ctx context.Context, req *kistv1.ListModelsRequest) (*kistv1.ListModelsResponse, error) {
	all := s.Models.List(ctx)
	key := page.Kept(all, func(f models.Found) string { return f.Kind + " " + f.URL })
	list, next, err := page.Of(req, 0, all, key, modelServer)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListModelsResponse{Servers: list, NextPageToken: next}, nil
}

func modelServer(f models.Found) *kistv1.ModelServer {
	server := &kistv1.ModelServer{Kind: f.Kind, Url: text(f.URL), Remote: f.Remote, Configured: f.Set, Error: text(f.Error), Hint: text(f.Hint)}
	for _, m := range f.Models {
		server.Models = append(server.Models, &kistv1.AvailableModel{Name: text(m.Name), Size: m.Size, Remote: m.Remote})
	}
	return server
}

func (s *modelService) UseModel(ctx context.Context, req *kistv1.UseModelRequest) (*kistv1.UseModelResponse, error) {
	role, err := s.Models.Use(ctx, req.Role, req.Model)
	if err != nil {
		return nil, err
	}
	return &kistv1.UseModelResponse{Role: modelRole(role), Config: text(s.Models.Config())}, nil
}

func (s *modelService) TestModel(ctx context.Context, req *kistv1.TestModelRequest, stream *connect.ServerStream[kistv1.TestModelResponse]) error {
	var gone error
	err := s.Models.Test(ctx, req.Model, func(c models.Check) bool {
		gone = stream.Send(&kistv1.TestModelResponse{What: text(c.What), Result: text(c.Result), Detail: text(c.Detail), Millis: int32s(c.Took.Milliseconds())})
		return gone == nil
	})
	if err == nil {
		err = gone
	}
	return err
}

func (s *modelService) PullModel(ctx context.Context, req *kistv1.PullModelRequest, stream *connect.ServerStream[kistv1.PullModelResponse]) error {
	var gone error
	err := s.Models.Pull(ctx, req.Model, func(status string, done, total int64) bool {
		gone = stream.Send(&kistv1.PullModelResponse{Status: text(status), Done: done, Total: total})
		return gone == nil
	})
	if err == nil {
		err = gone
	}
	return err
}

func modelRole(r models.Role) *kistv1.ModelRole {
	var price *kistv1.ModelPrice
	if p := r.Price; p != nil {
		price = &kistv1.ModelPrice{Input: p.Input, Output: p.Output, Cached: p.Cached, Told: p.Told}
	}
	return &kistv1.ModelRole{
		Role: r.Name, Model: text(r.Model), State: r.State, Url: text(r.URL), Remote: r.Remote, Context: int32s(r.Context),
		Rung: r.Rung, TokensPerSecond: r.Speed, Error: text(r.Error), Hint: text(r.Hint),
		Images: r.Images, Price: price,
	}
}

package rpc

import (
	"cmp"
	"context"

	"kist/agent"
	"kist/agent/endpoint"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/orders"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/conversation"
)

const defaultLimit = 50 // of a listing

type sessionService struct{ Deps }

func (s *sessionService) StartSession(ctx context.Context, req *kistv1.StartSessionRequest) (*kistv1.StartSessionResponse, error) {
	begun, err := s.Agent.Start(ctx, agent.Start{ID: req.RequestId, Mode: req.Mode, Project: req.Project, Draft: req.Draft, Client: origin(ctx).Client})
	if err != nil {
		return nil, err
	}
	return &kistv1.StartSessionResponse{Session: session(begun.Session), Opening: text(begun.Text), Drafts: each(begun.Drafts, draftUpdate)}, nil
}

func message(ctx context.Context, req *kistv1.SendRequest) agent.Message {
	return agent.Message{
		Session: req.Session,
		Text:    req.Text,
		Project: req.Project,
		Mode:    req.Mode,
		Client:  origin(ctx).Client,
	}
}

func (s *sessionService) PreviewTurn(ctx context.Context, req *kistv1.PreviewTurnRequest) (*kistv1.PreviewTurnResponse, error) {
	ctx, sent := endpoint.Capture(ctx)
	by, err := s.Agent.Preview(ctx, message(ctx, req.Message))
	if err != nil {
		return nil, err
	}
	return &kistv1.PreviewTurnResponse{Model: text(by.Model), Why: text(by.Degraded), Url: text(sent.URL), Body: sent.Body, Beside: text(s.Agent.Beside())}, nil
}

func (s *sessionService) ListSessions(ctx context.Context, req *kistv1.ListSessionsRequest) (*kistv1.ListSessionsResponse, error) {
	all, err := conversation.Sessions(ctx, s.Vault)
	if err != nil {
		return nil, err
	}
	key, err := orders.Sessions(req.OrderBy)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, cmp.Or(int(req.Limit), defaultLimit), all, key, session)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListSessionsResponse{Sessions: list, NextPageToken: next}, nil
}

func (s *sessionService) GetSession(ctx context.Context, req *kistv1.GetSessionRequest) (*kistv1.GetSessionResponse, error) {
	found, err := s.find(ctx, req.Session)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetSessionResponse{Session: session(found)}, nil
}

// find reads a session; one that was deleted isn't found, though its file and what was said are.
func (s *sessionService) find(ctx context.Context, id string) (conversation.Session, error) {
	found, err := conversation.FindSession(ctx, s.Vault, id)
	if err == nil && found.Hidden {
		err = &vault.NotFoundError{Kind: "session", Ref: id}
	}
	return found, err
}

func (s *sessionService) ListTools(ctx context.Context, req *kistv1.ListToolsRequest) (*kistv1.ListToolsResponse, error) {
	tools, err := s.Agent.Tools(ctx, req.Session)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, tools, page.Kept(tools, func(t agent.ToolInfo) string { return t.Name }), tool)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListToolsResponse{Tools: list, NextPageToken: next}, nil
}

package rpc

import (
	"context"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
	"kist/rpc/tokens"
)

type tokenService struct{ Deps }

func (s *tokenService) CreateToken(_ context.Context, req *kistv1.CreateTokenRequest) (*kistv1.CreateTokenResponse, error) {
	secret, t, err := s.Tokens.Create(req.Name, req.Read)
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateTokenResponse{Token: token(t), Secret: secret}, nil
}

func (s *tokenService) ListTokens(_ context.Context, req *kistv1.ListTokensRequest) (*kistv1.ListTokensResponse, error) {
	all, err := s.Tokens.List()
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, func(t tokens.Token) string { return t.Name }, token)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListTokensResponse{Tokens: list, NextPageToken: next}, nil
}

func (s *tokenService) RevokeToken(_ context.Context, req *kistv1.RevokeTokenRequest) (*kistv1.RevokeTokenResponse, error) {
	return &kistv1.RevokeTokenResponse{}, s.Tokens.Revoke(req.Name)
}

func token(t tokens.Token) *kistv1.Token {
	return &kistv1.Token{Name: text(t.Name), Read: t.Read, Created: timestamp(t.Created), Used: timestamp(t.Used)}
}

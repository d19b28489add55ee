package rpc

import (
	"context"

	"kist/agent/policy"
	kistv1 "kist/proto/kist/v1"
)

type policyService struct{ Deps }

func (s *policyService) GetPolicy(context.Context, *kistv1.GetPolicyRequest) (*kistv1.GetPolicyResponse, error) {
	r := s.Policy.Report()
	res := &kistv1.GetPolicyResponse{State: policyState(r)}
	for _, t := range r.Tools {
		res.Tools = append(res.Tools, &kistv1.ToolPolicy{
			Name: text(t.Name), Class: string(t.Class), Asked: t.Asked, Usual: t.Usual, Counts: t.Counts, Why: text(t.Why),
		})
	}
	return res, nil
}

func (s *policyService) TrustPolicy(_ context.Context, req *kistv1.TrustPolicyRequest) (*kistv1.TrustPolicyResponse, error) {
	if err := s.Policy.Trust(req.Digest); err != nil {
		return nil, err
	}
	return &kistv1.TrustPolicyResponse{State: policyState(s.Policy.Report())}, nil
}

func (s *policyService) DistrustPolicy(context.Context, *kistv1.DistrustPolicyRequest) (*kistv1.DistrustPolicyResponse, error) {
	if err := s.Policy.Distrust(); err != nil {
		return nil, err
	}
	return &kistv1.DistrustPolicyResponse{State: policyState(s.Policy.Report())}, nil
}

func policyState(r policy.Report) *kistv1.PolicyState {
	return &kistv1.PolicyState{Preset: text(r.Preset), Trust: string(r.Trust), Digest: r.Digest, Looser: texts(r.Looser), Problem: text(r.Problem)}
}

package rpc_test

import (
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"kist/agent/policy"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

// word is a policy whose user says what a test lets them say.
type word struct {
	report policy.Report
	err    error
}

func (w *word) Report() policy.Report { return w.report }

func (w *word) Trust(digest string) error {
	if digest != w.report.Digest {
		return policy.ErrChanged
	}
	w.report.Trust = policy.Given
	return w.err
}

func (w *word) Distrust() error {
	w.report.Trust = policy.Missing
	return w.err
}

func TestPolicyService(t *testing.T) {
	const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	w := &word{report: policy.Report{
		Preset: "auto", Digest: digest, Trust: policy.Missing, Looser: []string{"delete_project"},
		Tools: []policy.Standing{{Name: "delete_project", Class: "destroy", Asked: "auto", Usual: "ask", Counts: "ask", Why: "because"}},
	}}
	d := bare()
	d.Policy = w
	c, ctx := serve(t, d).Client(rpctest.Connect), t.Context()
	got, err := c.Policy.GetPolicy(ctx, &kistv1.GetPolicyRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := &kistv1.GetPolicyResponse{
		State: &kistv1.PolicyState{Preset: "auto", Trust: "missing", Digest: digest, Looser: []string{"delete_project"}},
		Tools: []*kistv1.ToolPolicy{{Name: "delete_project", Class: "destroy", Asked: "auto", Usual: "ask", Counts: "ask", Why: "because"}},
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	for _, other := range []string{"", "x", digest[1:], digest + "0"} {
		if _, err := c.Policy.TrustPolicy(ctx, &kistv1.TrustPolicyRequest{Digest: other}); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("digest %q: %v", other, err)
		}
	}
	if _, err := c.Policy.TrustPolicy(ctx, &kistv1.TrustPolicyRequest{Digest: digest[1:] + "0"}); connect.CodeOf(err) != connect.CodeAborted || hint(t, err) == "" {
		t.Errorf("another digest: %v", err)
	}
	given, err := c.Policy.TrustPolicy(ctx, &kistv1.TrustPolicyRequest{Digest: digest})
	if err != nil || given.State.Trust != "given" {
		t.Errorf("%v, %v", given, err)
	}
	taken, err := c.Policy.DistrustPolicy(ctx, &kistv1.DistrustPolicyRequest{})
	if err != nil || taken.State.Trust != "missing" {
		t.Errorf("%v, %v", taken, err)
	}
	w.err = policy.ErrNotKept
	if _, err := c.Policy.TrustPolicy(ctx, &kistv1.TrustPolicyRequest{Digest: digest}); connect.CodeOf(err) != connect.CodeFailedPrecondition || hint(t, err) == "" {
		t.Errorf("not kept: %v", err)
	}
}

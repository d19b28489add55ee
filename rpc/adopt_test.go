package rpc_test

import (
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

// TestAdoptProjects: shown first, as one proposal however often it is asked for; approved it is
// one operation, and one undo restores every byte.
func TestAdoptProjects(t *testing.T) {
	s, v := openVault(t, boat+"-- Areas/Garden.md --\n\uFEFF---\r\ntags: [x] # mine\r\n---\r\nBeds.\r\n-- Areas/person.md --\n---\ntype: person\n---\nAnn\n")
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	before := vaulttest.Tree(t, v.Dir(), "operations", ".kist")
	req := &kistv1.AdoptProjectsRequest{Paths: []string{"Areas"}, Propose: true}
	var id, digest string
	for range 2 {
		res, err := c.Project.AdoptProjects(ctx, req)
		if err != nil || res.Adopted != 1 || res.PassedOver != 1 || res.Operation.Status != "proposed" || id != "" && res.Operation.Id != id {
			t.Fatalf("%v, %v", res, err)
		}
		if n := res.Notes; len(n) != 2 || n[0].Path != "Areas/Garden.md" || n[0].Slug != "garden" || n[1].Slug != "" || n[1].Why == "" {
			t.Errorf("notes: %v", n)
		}
		id, digest = res.Operation.Id, res.Operation.Digest
	}
	if list, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{}); err != nil || len(list.Projects) != 1 {
		t.Errorf("a proposal made a project: %v, %v", list, err)
	}
	if _, err := c.Operation.ApproveOperation(ctx, &kistv1.ApproveOperationRequest{Id: id, Digest: digest}); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Project.GetProject(ctx, &kistv1.GetProjectRequest{Project: "garden"}); err != nil || got.Project.Path != "Areas/Garden.md" {
		t.Errorf("%v, %v", got, err)
	}
	res, err := c.Project.AdoptProjects(ctx, &kistv1.AdoptProjectsRequest{Paths: []string{"Areas"}})
	if err != nil || res.Operation != nil || res.Adopted != 0 {
		t.Errorf("once more: %v, %v", res, err)
	}
	if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: id}}); err != nil {
		t.Fatal(err)
	}
	for p, text := range vaulttest.Tree(t, v.Dir(), "operations", ".kist") {
		if text != before[p] {
			t.Errorf("%s holds %q after the undo, %q before", p, text, before[p])
		}
	}
	for _, bad := range []string{"../x.md", "nowhere.md"} {
		if _, err := c.Project.AdoptProjects(ctx, &kistv1.AdoptProjectsRequest{Paths: []string{bad}}); err == nil || connect.CodeOf(err) == connect.CodeInternal {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

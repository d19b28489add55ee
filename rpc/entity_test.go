package rpc_test

import (
	"strings"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

func TestTasksAreCreatedTogether(t *testing.T) {
	s, _ := open(t, boat)
	f := s.Client(rpctest.Protocols()[0])
	res, err := f.Task.CreateTasks(t.Context(), &kistv1.CreateTasksRequest{Project: "houseboat", Tasks: []*kistv1.NewTask{
		{Title: "Order", Duration: "2h", Children: []*kistv1.NewTask{{Title: "Cable", Due: "2026-12-01"}}},
		{Title: "Order"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Tasks) != 2 || res.Tasks[0].Duration != "2h" || res.Tasks[1].Path != "projects/houseboat/tasks/order-2.md" {
		t.Errorf("%v", res.Tasks)
	}
	if len(res.Operations) != 2 || res.Operations[0].Batch != res.Operations[1].Batch || res.Operations[0].Actor != "user" {
		t.Errorf("%v", res.Operations)
	}
	list, err := f.Task.ListTasks(t.Context(), &kistv1.ListTasksRequest{Project: "houseboat"})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, task := range list.Tasks {
		found = found || task.Title == "Cable" && task.Due == "2026-12-01" && task.Line > 0
	}
	if !found {
		t.Errorf("no child in %v", list.Tasks)
	}
	loose, err := f.Task.CreateTasks(t.Context(), &kistv1.CreateTasksRequest{Tasks: []*kistv1.NewTask{
		{Title: "Call mum", Due: "2026-12-01", Children: []*kistv1.NewTask{{Title: "Find her number"}}}, {Title: "Buy bread"},
	}})
	if err != nil || len(loose.Tasks) != 2 || len(loose.Operations) != 1 || loose.Operations[0].Reason != "add 2 tasks, “Call mum” first" {
		t.Fatalf("without a project: %v, %v", loose, err)
	}
	inbox, err := f.Vault.GetDocument(t.Context(), &kistv1.GetDocumentRequest{Path: "inbox.md"})
	if want := "- [ ] Call mum [due:: 2026-12-01]\n  - [ ] Find her number\n- [ ] Buy bread\n"; err != nil || !strings.HasSuffix(inbox.GetDocument().GetContent(), want) {
		t.Errorf("%v: %v", inbox, err)
	}
	for name, bad := range map[string]*kistv1.CreateTasksRequest{
		"none":      {Project: "houseboat"},
		"no title":  {Project: "houseboat", Tasks: []*kistv1.NewTask{{}}},
		"bad child": {Project: "houseboat", Tasks: []*kistv1.NewTask{{Title: "x", Children: []*kistv1.NewTask{{Title: "y", Due: "soon"}}}}},
	} {
		if _, err := f.Task.CreateTasks(t.Context(), bad); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWholeProjectsOverTheWire(t *testing.T) {
	s, _ := open(t, boat)
	f := s.Client(rpctest.Protocols()[0])
	ctx := t.Context()
	moved, err := f.Project.MoveProject(ctx, &kistv1.MoveProjectRequest{Project: "houseboat", NewSlug: "selkie"})
	if err != nil || moved.Project.GetSlug() != "selkie" || moved.Operation.Type != "move" {
		t.Fatalf("%v, %v", moved, err)
	}
	renamed, err := f.Project.RenameProject(ctx, &kistv1.RenameProjectRequest{Project: "selkie", Name: "Selkie"})
	if err != nil || renamed.Project.GetName() != "Selkie" {
		t.Fatalf("%v, %v", renamed, err)
	}
	merged, err := f.Project.MergeProjects(ctx, &kistv1.MergeProjectsRequest{From: "selkie", Into: "attic"})
	if err != nil || merged.Project.GetSlug() != "attic" {
		t.Fatalf("%v, %v", merged, err)
	}
	attic, err := f.Project.GetProject(ctx, &kistv1.GetProjectRequest{Project: "attic"})
	if err != nil || len(attic.Decisions) == 0 {
		t.Fatalf("%v, %v", attic, err)
	}
	deleted, err := f.Project.DeleteProject(ctx, &kistv1.DeleteProjectRequest{Project: "attic"})
	if err != nil || deleted.Operation.Type != "delete" {
		t.Fatalf("%v, %v", deleted, err)
	}
	if _, err := f.Project.GetProject(ctx, &kistv1.GetProjectRequest{Project: "attic"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("deleted: %v", err)
	}
	if _, err := f.Draft.GetDraft(ctx, &kistv1.GetDraftRequest{Draft: "none"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("no draft: %v", err)
	}
}

package rpc_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
	"kist/vault"
	"kist/vault/vaulttest"
)

// TestSameRequestIsDoneOnce: a request that comes again, also side by side, is answered as
// it was; a name that another request had is refused.
func TestSameRequestIsDoneOnce(t *testing.T) {
	s, v := openVault(t, boat)
	for i, p := range rpctest.Protocols() {
		c, ctx := s.Client(p), t.Context()
		req := &kistv1.CreateNoteRequest{Title: "Same thing", RequestId: fmt.Sprintf("request-%d", i)}
		var wg sync.WaitGroup
		paths := make([]string, 4)
		for i := range paths {
			wg.Go(func() {
				made, err := c.Vault.CreateNote(ctx, req)
				if err != nil {
					t.Error(err)
					return
				}
				paths[i] = made.Path + " " + made.Operation.Id + " " + made.Operation.Changes[0].Patch
			})
		}
		wg.Wait()
		for _, p := range paths[1:] {
			if p != paths[0] {
				t.Errorf("%q and %q", p, paths[0])
			}
		}
		_, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Another", RequestId: req.RequestId})
		if connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("a name twice: %v", err)
		}
	}
	ops, err := v.Operations(t.Context(), vault.Filter{})
	if err != nil || len(ops) != len(rpctest.Protocols()) {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// TestAnswersAgain: what an answer holds beside the operation is read anew.
func TestAnswersAgain(t *testing.T) {
	s, _ := openVault(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	for range 2 {
		p, err := c.Project.CreateProject(ctx, &kistv1.CreateProjectRequest{Name: "Shed", RequestId: "make-shed"})
		if err != nil || p.Project.GetSlug() != "shed" || p.Operation == nil {
			t.Errorf("project: %v, %v", p, err)
		}
		tasks, err := c.Task.CreateTasks(ctx, &kistv1.CreateTasksRequest{Project: "shed", Tasks: []*kistv1.NewTask{{Title: "One"}, {Title: "Two"}}, RequestId: "make-tasks"})
		if err != nil || len(tasks.Tasks) != 2 || len(tasks.Operations) != 2 || tasks.Tasks[0].Title != "One" {
			t.Errorf("tasks: %v, %v", tasks, err)
		}
		done, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: tasks.Tasks[0].Path, RequestId: "done-one"})
		if err != nil || done.Task.GetStatus() != "done" {
			t.Errorf("done: %v, %v", done, err)
		}
		m, err := c.Memory.CreateMemory(ctx, &kistv1.CreateMemoryRequest{Content: "The key is under the mat.", RequestId: "remember"})
		if err != nil || m.Memory.GetContent() == "" {
			t.Errorf("memory: %v, %v", m, err)
		}
	}
}

// TestExpect: of many writers that saw the same text one writes, and each of the others
// gets the conflict, with both texts where the change could be planned.
func TestExpect(t *testing.T) {
	s, dir := open(t, boat)
	if err := os.WriteFile(filepath.Join(dir, "log.md"), []byte("# Log\n\n- [ ] one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	writers, rounds := 8, 5
	var refused atomic.Int32
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			c := s.Client(rpctest.Protocols()[w%len(rpctest.Protocols())])
			for round := 0; round < rounds; {
				doc, err := c.Vault.GetDocument(t.Context(), &kistv1.GetDocumentRequest{Path: "log.md"})
				if err != nil {
					t.Error(err)
					return
				}
				_, err = c.Vault.AppendNote(t.Context(), &kistv1.AppendNoteRequest{Path: "log.md", Text: fmt.Sprintf("<%d.%d>", w, round), Expect: doc.Document.Hash})
				if err == nil {
					round++
					continue
				}
				refused.Add(1)
				if info := infoOf(err); connect.CodeOf(err) != connect.CodeAborted || info.GetConflict().GetNow() == "" {
					t.Errorf("refused: %v, %v", err, info)
					return
				}
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "log.md"))
	if err != nil {
		t.Fatal(err)
	}
	for w := range writers {
		for r := range rounds {
			if n := strings.Count(string(text), fmt.Sprintf("<%d.%d>", w, r)); n != 1 {
				t.Errorf("<%d.%d> is there %d times", w, r, n)
			}
		}
	}
	c := s.Client(rpctest.Connect)
	_, err = c.Task.CompleteTask(t.Context(), &kistv1.CompleteTaskRequest{Task: "log.md:3", Expect: strings.Repeat("0", 64)})
	if connect.CodeOf(err) != connect.CodeAborted {
		t.Errorf("a checkbox: %v", err)
	}
	t.Logf("%d refused", refused.Load())
}

// TestExpectIsNoMerge: the guard holds until the write itself, where a merge would do.
func TestExpectIsNoMerge(t *testing.T) {
	_, v := openVault(t, boat)
	before := []byte("one\n\ntwo\n")
	if err := os.WriteFile(filepath.Join(v.Dir(), "a.md"), []byte("one\n\ntwo!\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	step := func(expect vault.Hash) vault.Batch {
		return vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: "a.md"},
			Changes: []vault.Change{{Path: "a.md", Before: before, After: []byte("one!\n\ntwo\n"), Expect: expect}}}}}
	}
	if _, err := v.Apply(t.Context(), step(vault.HashOf(before))); !errors.Is(err, vault.ErrConflict) {
		t.Errorf("merged: %v", err)
	}
	if _, err := v.Apply(t.Context(), step("")); err != nil {
		t.Errorf("not merged: %v", err)
	}
}

// TestPropose: a proposal changes nothing, and its digest approves it, twice.
func TestPropose(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	made, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Idea", Text: "one", Propose: true, RequestId: "propose-it"})
	if err != nil || made.Operation.Status != "proposed" || made.Operation.Digest == "" || !strings.Contains(made.Operation.Changes[0].Patch, "+one") {
		t.Fatal(made, err)
	}
	if _, err := os.Stat(filepath.Join(dir, made.Path)); !os.IsNotExist(err) {
		t.Errorf("it is there already: %v", err)
	}
	for range 2 {
		op, err := c.Operation.ApproveOperation(ctx, &kistv1.ApproveOperationRequest{Id: made.Operation.Id, Digest: made.Operation.Digest})
		if err != nil || op.Operation.Status != "completed" {
			t.Errorf("approve: %v, %v", op, err)
		}
	}
	_, err = c.Operation.ApproveOperation(ctx, &kistv1.ApproveOperationRequest{Id: made.Operation.Id, Digest: "another"})
	if connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("another digest: %v", err)
	}
	again, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Idea", Text: "one", Propose: true, RequestId: "propose-it"})
	if err != nil || again.Operation.Id != made.Operation.Id {
		t.Errorf("again: %v, %v", again, err)
	}
}

// infoOf returns the details of an error.
func infoOf(err error) *kistv1.ErrorInfo {
	var e *connect.Error
	if errors.As(err, &e) {
		for _, d := range e.Details() {
			if v, err := d.Value(); err == nil {
				if info, ok := v.(*kistv1.ErrorInfo); ok {
					return info
				}
			}
		}
	}
	return nil
}

// TestRequestSurvivesRestart: the log tells what was done, not the process.
func TestRequestSurvivesRestart(t *testing.T) {
	dir := vaulttest.Write(t, boat)
	var first string
	for _, run := range []string{"first", "restarted", "without state"} {
		t.Run(run, func(t *testing.T) {
			if run == "without state" {
				if err := os.RemoveAll(filepath.Join(dir, vault.StateDir)); err != nil {
					t.Fatal(err)
				}
			}
			c := serveVault(t, vaulttest.Open(t, dir)).Client(rpctest.Connect)
			made, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: "Once", RequestId: "once-only"})
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = made.Operation.Id
			}
			if made.Operation.Id != first || made.Path != "once.md" {
				t.Errorf("made again: %v", made)
			}
		})
	}
}

// TestProposedTakingBack: undo, redo and retry wait as proposals where that is wished, and a
// second rejection is answered as the first.
func TestProposedTakingBack(t *testing.T) {
	s, v := openVault(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	made, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Keel"})
	if err != nil {
		t.Fatal(err)
	}
	undo := &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: made.Operation.Id}, Propose: true, RequestId: "undo-once"}
	var waiting string
	for range 2 {
		r, err := c.Operation.UndoOperation(ctx, undo)
		if err != nil || len(r.Operations) != 1 || r.Operations[0].Status != "proposed" || waiting != "" && r.Operations[0].Id != waiting || !v.Exists("keel.md") {
			t.Fatalf("undo: %v, %v", r, err)
		}
		waiting = r.Operations[0].Id
	}
	for range 2 {
		r, err := c.Operation.RejectOperation(ctx, &kistv1.RejectOperationRequest{Id: waiting})
		if err != nil || r.Operation.Status != "rejected" {
			t.Errorf("reject: %v, %v", r, err)
		}
	}
	if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: undo.Target}); err != nil {
		t.Fatal(err)
	}
	redone, err := c.Operation.RedoOperation(ctx, &kistv1.RedoOperationRequest{Target: &kistv1.RedoOperationRequest_Id{Id: made.Operation.Id}, Propose: true})
	if err != nil || redone.Operations[0].Status != "proposed" || v.Exists("keel.md") {
		t.Errorf("redo: %v, %v", redone, err)
	}
}

// TestStartSessionOnce: a session that was begun is begun once, also over a restart.
func TestStartSessionOnce(t *testing.T) {
	dir := vaulttest.Write(t, boat)
	for _, run := range []string{"first", "restarted"} {
		t.Run(run, func(t *testing.T) {
			c := serveVault(t, vaulttest.Open(t, dir)).Client(rpctest.Connect)
			for range 2 {
				begun, err := c.Session.StartSession(t.Context(), &kistv1.StartSessionRequest{Mode: "project_update", Project: "houseboat", RequestId: "session-once"})
				if err != nil || begun.Session.Id != "session-once" || begun.Session.Project != "houseboat" || begun.Opening == "" {
					t.Errorf("begun: %v, %v", begun, err)
				}
			}
			list, err := c.Session.ListSessions(t.Context(), &kistv1.ListSessionsRequest{})
			if err != nil || len(list.Sessions) != 1 {
				t.Errorf("sessions: %v, %v", list, err)
			}
		})
	}
}

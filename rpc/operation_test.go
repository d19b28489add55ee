package rpc_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

func TestOperations(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.Connect)
	ctx, call := connect.NewClientContext(t.Context())
	call.RequestHeader().Set("Kist-Client", "nvim")
	call.RequestHeader().Set("Kist-Actor", "agent") // nobody may claim that
	made, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "A", Text: "one"})
	if err != nil {
		t.Fatal(err)
	}
	if made.Operation.Client != "nvim" || made.Operation.Actor != "user" {
		t.Errorf("origin: %v", made.Operation)
	}
	list, err := c.Operation.ListOperations(t.Context(), &kistv1.ListOperationsRequest{})
	if err != nil || len(list.Operations) != 1 || len(list.Operations[0].Changes) != 1 || list.Operations[0].Changes[0].Patch != "" {
		t.Fatalf("list: %v, %v", list, err)
	}
	id := list.Operations[0].Id
	one, err := c.Operation.GetOperation(t.Context(), &kistv1.GetOperationRequest{Id: id[len(id)-8:]})
	if err != nil || !strings.Contains(one.Operation.GetChanges()[0].Patch, "+one") {
		t.Errorf("one: %v, %v", one, err)
	}
	none, err := c.Operation.ListOperations(t.Context(), &kistv1.ListOperationsRequest{Actor: "agent"})
	if err != nil || len(none.Operations) != 0 {
		t.Errorf("the agent's: %v, %v", none, err)
	}
	undone, err := c.Operation.UndoOperation(t.Context(), &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Batch{Batch: made.Operation.Batch}})
	if err != nil || len(undone.Operations) != 1 || undone.Operations[0].Undoes != id {
		t.Errorf("undone: %v, %v", undone, err)
	}
	_, err = c.Operation.RejectOperation(t.Context(), &kistv1.RejectOperationRequest{Id: id})
	if connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("reject what is done: %v", err)
	}
	_, err = c.Operation.ApproveOperation(t.Context(), &kistv1.ApproveOperationRequest{Id: "nosuchid", Digest: "x"})
	if connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("approve nothing: %v", err)
	}
}

func TestWatchOperations(t *testing.T) {
	s, _ := open(t, boat)
	for _, p := range []rpctest.Protocol{rpctest.Connect, rpctest.GRPC, rpctest.GRPCWeb} {
		c := s.Client(p)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		stream, err := c.Operation.WatchOperations(ctx, &kistv1.WatchOperationsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		stream.ResponseHeader() // waits until the server has begun
		made, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Seen by " + string(p)})
		if err != nil {
			t.Fatal(err)
		}
		seen := false
		for !seen && stream.Receive() {
			op := stream.Msg().Operation
			seen = op.GetId() == made.Operation.GetId() && op.GetStatus() == "completed"
		}
		if !seen {
			t.Errorf("%s: not seen: %v", p, stream.Err())
		}
		cancel()
		stream.Close()
	}
}

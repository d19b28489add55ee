package rpc_test

import (
	"strings"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

// TestLinesThatMoved: a checkbox is changed by the line that a list told, also when others have
// made lines more or less since: then nothing is done. What only got another title, and whoever
// was told of nothing, or has guarded himself, is served as ever.
func TestLinesThatMoved(t *testing.T) {
	v := vaulttest.New(t, "-- r.md --\n# R\n- [ ] a 🔁 every week 📅 2026-11-27\n- [ ] b\n- [ ] c\n- [ ] d\n")
	s := serveVault(t, v)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	list := func() {
		t.Helper()
		if _, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	complete := func(ref, want string) {
		t.Helper()
		r, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: ref})
		if said := connect.CodeOf(err); want == "" && (said != connect.CodeAborted || infoOf(err).GetReason() != "CONFLICT") {
			t.Errorf("%s: %v, %v", ref, r, err)
		} else if want != "" && (err != nil || !strings.Contains(r.Operation.Reason, want)) {
			t.Errorf("%s: %v, %v", ref, r, err)
		}
	}
	list()
	complete("r.md:2", "“a”")
	complete("r.md:4", "") // b by now
	complete("r.md:6", "“d”")
	list()
	complete("r.md:5", "“c”")
	list()
	if _, err := c.Task.UpdateTask(ctx, &kistv1.UpdateTaskRequest{Task: "r.md:4", Title: new("bee")}); err != nil {
		t.Fatal(err)
	}
	complete("r.md:4", "“bee”")
	if _, err := c.Task.DeleteTask(ctx, &kistv1.DeleteTaskRequest{Task: "r.md:2"}); err != nil {
		t.Fatal(err)
	}
	text, err := v.Read("r.md")
	if got := string(text); err != nil || strings.Count(got, "- [x] ") != 4 || strings.Contains(got, "- [ ] ") {
		t.Errorf("%s %v", got, err)
	}
}

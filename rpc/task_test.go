package rpc_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

// A vault with 5,000 open tasks in emoji: listed in pages, filtered, completed and undone;
// its bytes elsewhere stay.
func TestManyEmojiTasks(t *testing.T) {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "-- Daily/%02d.md --\n# Day %d\n\n", i, i)
		for n := range 100 {
			fmt.Fprintf(&b, "- [ ] Thing %d of day %d 📅 2026-12-%02d ⏫ #tag%d ^b%d\n", n, i, 1+n%28, n%3, n)
		}
	}
	s, dir := open(t, b.String())
	c, ctx := s.Client(rpctest.Connect), t.Context()
	before := vaulttest.Tree(t, dir, "operations")
	page, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{})
	if err != nil || page.TotalSize != 5000 || len(page.Tasks) != 500 || proto.Size(page) > 1<<20 {
		t.Fatalf("%d tasks of %d, %d bytes, %v", len(page.GetTasks()), page.GetTotalSize(), proto.Size(page), err)
	}
	all, err := dial.All(ctx, &kistv1.ListTasksRequest{OrderBy: "title desc"}, c.Task.ListTasks)
	if err != nil || len(all.Tasks) != 5000 || all.Tasks[0].Title <= all.Tasks[4999].Title {
		t.Fatalf("%d tasks, %v", len(all.GetTasks()), err)
	}
	some, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{DueFrom: "2026-12-24", DueTo: "2026-12-24", Tags: []string{"tag2"}, Path: "Daily/4*.md"})
	if err != nil || len(some.Tasks) != 10 || some.Tasks[0].Title != "Thing 23 of day 40 #tag2" {
		t.Fatalf("%v, %v", some, err)
	}
	ref := fmt.Sprintf("%s:%d", some.Tasks[0].Path, some.Tasks[0].Line)
	done, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: ref})
	if err != nil || done.Task.GetStatus() != "done" || done.Task.GetDone() == "" {
		t.Fatalf("%v, %v", done, err)
	}
	after := vaulttest.Tree(t, dir, "operations")
	p := some.Tasks[0].Path
	want := strings.Replace(before[p], "- [ ] Thing 23 of day 40 📅 2026-12-24 ⏫ #tag2 ^b23\n", "- [x] Thing 23 of day 40 📅 2026-12-24 ⏫ #tag2 ✅ "+done.Task.Done+" ^b23\n", 1)
	if after[p] != want {
		t.Errorf("completed: %s", after[p])
	}
	if n, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{CountOnly: true}); err != nil || n.TotalSize != 4999 || n.Tasks != nil {
		t.Errorf("afterwards: %v, %v", n, err)
	}
	if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: done.Operation.Id}}); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, vaulttest.Tree(t, dir, "operations")) {
		t.Error("undone, the vault isn't what it was")
	}
}

package rpc_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

// TestTaskOfNoProject: a task that belongs to no project goes to the inbox, with all that was said of it.
func TestTaskOfNoProject(t *testing.T) {
	v := vaulttest.New(t, boat)
	c, ctx := serveVault(t, v).Client(rpctest.Connect), t.Context()
	r, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Title: "Ring the plumber", Due: "2026-12-01", Start: "2026-11-28", Duration: "1h", Priority: "high"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := v.Read("inbox.md")
	if err != nil || !strings.Contains(string(text), "- [ ] Ring the plumber") {
		t.Fatalf("%s, %v", text, err)
	}
	if got := r.Task; got.GetPath() != "inbox.md" || got.GetDue() != "2026-12-01" || got.GetStart() != "2026-11-28" || got.GetDuration() != "1h" || got.GetPriority() != "high" || got.GetProject() != "" {
		t.Errorf("made: %v", got)
	}
}

// TestTakenAway: a priority and the rule of a recurring task can be given and taken away.
func TestTakenAway(t *testing.T) {
	const was = "- [ ] Water the plants 🔼 🔁 every week 📅 2026-12-01\n"
	v := vaulttest.New(t, "-- a.md --\n"+was+"-- projects/boat/project.md --\n---\ntype: project\n---\n# Boat\n-- projects/boat/tasks/paint.md --\n---\ntype: task\ntitle: Paint\nstatus: todo\npriority: high\n---\n")
	c, ctx := serveVault(t, v).Client(rpctest.Connect), t.Context()
	update := func(req *kistv1.UpdateTaskRequest) *kistv1.Task {
		t.Helper()
		r, err := c.Task.UpdateTask(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		return r.Task
	}
	if got := update(&kistv1.UpdateTaskRequest{Task: "projects/boat/tasks/paint.md", Priority: proto.String("none")}); got.Priority != "" {
		t.Errorf("of a file: %v", got)
	}
	if got := update(&kistv1.UpdateTaskRequest{Task: "a.md:1", Priority: proto.String("none"), Repeat: proto.String("")}); got.Priority != "" || got.Repeat != "" {
		t.Errorf("of a checkbox: %v", got)
	}
	if text, err := v.Read("a.md"); err != nil || string(text) != "- [ ] Water the plants 📅 2026-12-01\n" {
		t.Errorf("%s, %v", text, err)
	}
	if got := update(&kistv1.UpdateTaskRequest{Task: "a.md:1", Repeat: proto.String("every 2 weeks"), Created: proto.String("2026-11-20")}); got.Repeat != "every 2 weeks" || got.Created != "2026-11-20" {
		t.Errorf("given: %v", got)
	}
	if _, err := c.Task.UpdateTask(ctx, &kistv1.UpdateTaskRequest{Task: "a.md:1", Repeat: proto.String("now and then")}); infoOf(err).GetReason() != "INVALID" && infoOf(err).GetReason() != "TASKLINE_RULE" {
		t.Errorf("no rule: %v", err)
	}
}

// TestTasksOfNoPlace: that there are no tasks is said of a place that is there, and of none that isn't.
func TestTasksOfNoPlace(t *testing.T) {
	v := vaulttest.New(t, "-- Daily/2026-11-26.md --\n- [x] Ring\n-- Empty/a.md --\n# A\n")
	c, ctx := serveVault(t, v).Client(rpctest.Connect), t.Context()
	for path, there := range map[string]bool{"": true, "Daily": true, "Daily/": true, "Daily/2026-11-26": true, "Daily/2026-11-26.md": true, "Empty": true, "nope/**": true, "nope": false, "Daily/nope.md": false} {
		r, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{Path: path, Status: "todo"})
		if there && (err != nil || r.TotalSize != 0) || !there && infoOf(err).GetReason() != "NOT_FOUND" {
			t.Errorf("%q: %v, %v", path, r, err)
		}
	}
}

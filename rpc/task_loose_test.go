package rpc_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
	"kist/vault"
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

// TestTaskInDocument: a checkbox goes below the heading that is named, written as those beside it,
// and is guarded as every write.
func TestTaskInDocument(t *testing.T) {
	const was = "# Home\n\n## Tasks\n- [ ] Sow beans 📅 2026-12-05\n\n## Garden\n- [ ] Dig ⏫\n\nWords.\n"
	v := vaulttest.New(t, "-- plain.md --\n# Plain\n-- notes/home.md --\n"+was+"-- z.md --\n"+boat)
	c, ctx := serveVault(t, v).Client(rpctest.Connect), t.Context()
	req := &kistv1.CreateTaskRequest{
		Path: "notes/home.md", Section: "garden", Title: "Water the plants", Repeat: "every 3 days", Scheduled: "2026-12-01",
		Start: "2026-11-30", Priority: "high", Tags: []string{"#home"}, Body: "With the can.", Expect: string(vault.HashOf([]byte(was))), RequestId: "water-the-plants",
	}
	const line = "- [ ] Water the plants #home ⏫ 🔁 every 3 days 🛫 2026-11-30 ⏳ 2026-12-01\n"
	want := strings.Replace(was, "- [ ] Dig ⏫\n", "- [ ] Dig ⏫\n"+line+"  With the can.\n", 1)
	proposed := proto.CloneOf(req)
	proposed.Propose, proposed.RequestId = true, ""
	if r, err := c.Task.CreateTask(ctx, proposed); err != nil || r.Task != nil || r.Operation.GetStatus() != "proposed" {
		t.Fatalf("%v, %v", r, err)
	}
	for range 2 { // the second is the first come again
		r, err := c.Task.CreateTask(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Task; got.GetPath() != "notes/home.md" || got.GetLine() != 8 || got.GetRepeat() != "every 3 days" || got.GetScheduled() != "2026-12-01" || len(got.GetTags()) != 1 {
			t.Errorf("made: %v", got)
		}
		if text, err := v.Read("notes/home.md"); err != nil || string(text) != want {
			t.Fatalf("%s, %v", text, err)
		}
	}
	req.RequestId = ""
	if _, err := c.Task.CreateTask(ctx, req); infoOf(err).GetReason() != "CONFLICT" {
		t.Errorf("of an old text: %v", err)
	}
	if r, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Path: "plain.md", Title: "Paint", Due: "2026-12-31"}); err != nil || r.Task.GetLine() == 0 {
		t.Errorf("%v, %v", r, err)
	}
	if text, _ := v.Read("plain.md"); string(text) != "# Plain\n\n## Tasks\n\n- [ ] Paint 📅 2026-12-31\n" {
		t.Errorf("as the vault's other tasks are: %q", text)
	}
	for name, bad := range map[string]*kistv1.CreateTaskRequest{
		"two places":      {Path: "plain.md", Project: "boat", Title: "a"},
		"a section alone": {Section: "Garden", Title: "a"},
		"no such heading": {Path: "plain.md", Section: "Cellar", Title: "a"},
		"no document":     {Path: "none.md", Title: "a"},
		"no rule":         {Path: "plain.md", Title: "a", Repeat: "now and then"},
		"no tag":          {Path: "plain.md", Title: "a", Tags: []string{"two words"}},
		"a file recurs":   {Project: "boat", Title: "a", Repeat: "every day"},
		"no place":        {Path: "conversations/2026-11-20-desk.md", Title: "a"},
	} {
		if _, err := c.Task.CreateTask(ctx, bad); err == nil || infoOf(err).GetHint() == "" {
			t.Errorf("%s: %v, hint %q", name, err, infoOf(err).GetHint())
		}
	}
}

package rpc_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"

	"kist/agent"
	"kist/agent/model"
	"kist/agent/policy"
	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
	"kist/vault/vaulttest"
)

const boat = `
-- projects/houseboat/project.md --
---
id: 01HZ0000000000000000000001
type: project
name: Houseboat
status: active
tags: [water]
created: 2026-11-01T10:00:00Z
created_by: user
---
A small boat to live on.

## Summary
We look for a hull.

## Decisions
- Steel, not wood

## Next steps
- Call the yard
-- projects/houseboat/tasks/paint.md --
---
id: 01HZ0000000000000000000002
type: task
title: Paint the hull
status: todo
due: 2026-12-05
---
-- projects/houseboat/notes/yard.md --
# The yard

- [ ] ask for the price
- [x] find the number
-- projects/attic/project.md --
---
name: Attic
status: archived
---
Gone.
-- broken.md --
---
name: [unclosed
---
Still readable.
`

// say is a model that says what it is told to, in pieces.
type say []string

func (say) Name() string { return "scripted" }

func (s say) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for _, piece := range s {
			if !yield(model.Event{Text: piece}, nil) {
				return
			}
		}
		yield(model.Event{Stop: model.End}, nil)
	}
}

// open serves a real vault, with its index and an agent, and returns its folder.
func open(t *testing.T, archive string) (*rpctest.Server, string) {
	t.Helper()
	s, v := openVault(t, archive)
	return s, v.Dir()
}

func openVault(t *testing.T, archive string) (*rpctest.Server, *vault.Vault) {
	t.Helper()
	v := vaulttest.New(t, archive)
	return serveVault(t, v), v
}

// serveVault serves a vault until the test ends.
func serveVault(t *testing.T, v *vault.Vault, with ...func(*rpc.Deps)) *rpctest.Server {
	t.Helper()
	return serveWith(t, v, say{"Steel ", "it is."}, with...)
}

func serveWith(t *testing.T, v *vault.Vault, m model.Model, with ...func(*rpc.Deps)) *rpctest.Server {
	t.Helper()
	x, err := index.Open(v, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(v, x, m, agent.Options{Preset: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("index: %v", err)
		}
		if err := x.Close(); err != nil {
			t.Errorf("close index: %v", err)
		}
	})
	d := bare()
	d.Vault, d.Index, d.Agent, d.Policy = v, x, a, &word{report: policy.Report{Preset: "auto", Trust: policy.Given}}
	d.Status = func() rpc.DaemonInfo {
		return rpc.DaemonInfo{Version: "v0", PID: 42, URL: "http://127.0.0.1:1", Socket: "/s", Started: vaulttest.Now, Anonymous: 1 << 40, Heap: 5}
	}
	for _, set := range with {
		set(&d)
	}
	return serve(t, d)
}

// TestEveryProtocol makes the same calls over each protocol.
func TestEveryProtocol(t *testing.T) {
	for _, p := range rpctest.Protocols() {
		t.Run(string(p), func(t *testing.T) {
			s, dir := open(t, boat)
			c, ctx := s.Client(p), t.Context()

			list, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Projects) != 1 || list.Projects[0].Slug != "houseboat" || list.Projects[0].OpenTasks != 2 {
				t.Errorf("projects: %v", list)
			}
			created, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Project: "houseboat", Title: "Buy rope", Due: "2026-11-30", Reason: "there is none"})
			if err != nil {
				t.Fatal(err)
			}
			if created.Task.GetTitle() != "Buy rope" || created.Operation.GetReason() != "there is none" ||
				created.Operation.GetActor() != "user" || created.Operation.GetStatus() != "completed" {
				t.Errorf("created: %v", created)
			}
			if _, err := os.Stat(filepath.Join(dir, created.Task.GetPath())); err != nil {
				t.Error(err)
			}
			_, err = c.Project.GetProject(ctx, &kistv1.GetProjectRequest{Project: "hausboot"})
			if connect.CodeOf(err) != connect.CodeNotFound || hint(t, err) == "" {
				t.Errorf("unknown project: %v", err)
			}
			found, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: "rope", WaitSeq: created.Operation.GetSeq()})
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Results) != 1 || found.Results[0].Path != created.Task.GetPath() || found.Freshness.GetIndexedSeq() < created.Operation.GetSeq() {
				t.Errorf("search: %v", found)
			}
			if got := turn(t, c, &kistv1.SendRequest{Text: "what did we decide?"}); got != "Steel it is." {
				t.Errorf("the turn says %q", got)
			}
		})
	}
}

// turn runs a turn and returns its text.
func turn(t *testing.T, c *dial.Client, req *kistv1.SendRequest) string {
	t.Helper()
	stream, err := c.Session.Send(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var said strings.Builder
	var last *kistv1.SendResponse
	for stream.Receive() {
		last = stream.Msg()
		said.WriteString(last.GetTextDelta().GetText())
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if last.GetDone().GetSession() == "" {
		t.Errorf("the last event is %v", last)
	}
	return said.String()
}

func TestProjects(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	names := func(status string) (names []string) {
		res, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{Status: status})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range res.Projects {
			names = append(names, p.Name)
		}
		return names
	}
	if got := names("all"); !slices.Equal(got, []string{"Attic", "Houseboat"}) {
		t.Errorf("all: %v", got)
	}
	if got := names("archived"); !slices.Equal(got, []string{"Attic"}) {
		t.Errorf("archived: %v", got)
	}
	brief, err := c.Project.GetProject(ctx, &kistv1.GetProjectRequest{Project: "houseboat"})
	if err != nil {
		t.Fatal(err)
	}
	if brief.Summary != "We look for a hull." || !slices.Equal(brief.Decisions, []string{"Steel, not wood"}) || !slices.Equal(brief.NextSteps, []string{"Call the yard"}) {
		t.Errorf("brief: %v", brief)
	}
	made, err := c.Project.CreateProject(ctx, &kistv1.CreateProjectRequest{Name: "Coffee shop", Description: "Beans.", Tags: []string{"money"}})
	if err != nil {
		t.Fatal(err)
	}
	if made.Project.GetSlug() != "coffee-shop" || made.Project.GetCreatedBy() != "user" || made.Operation.GetType() != "create" {
		t.Errorf("made: %v", made)
	}
	name := "Tea shop"
	updated, err := c.Project.UpdateProject(ctx, &kistv1.UpdateProjectRequest{Project: "coffee-shop", Name: &name})
	if err != nil || updated.Project.GetName() != name || updated.Project.GetSlug() != "coffee-shop" {
		t.Errorf("updated: %v, %v", updated, err)
	}
	archived, err := c.Project.ArchiveProject(ctx, &kistv1.ArchiveProjectRequest{Project: "coffee-shop"})
	if err != nil || archived.Project.GetStatus() != "archived" {
		t.Errorf("archived: %v, %v", archived, err)
	}
	if got := names(""); !slices.Equal(got, []string{"Houseboat"}) {
		t.Errorf("after archiving: %v", got)
	}
}

func TestTasks(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	if _, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Project: "houseboat", Title: "Sooner", Due: "2026-11-21"}); err != nil {
		t.Fatal(err)
	}
	titles := func(status string) (titles []string) {
		res, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{Project: "houseboat", Status: status})
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range res.Tasks {
			titles = append(titles, task.Title)
		}
		return titles
	}
	if diff := cmp.Diff([]string{"Sooner", "Paint the hull", "ask for the price"}, titles("")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Sooner", "Paint the hull", "ask for the price", "find the number"}, titles("all")); diff != "" {
		t.Error(diff)
	}
	done, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: "projects/houseboat/notes/yard.md:3"})
	if err != nil || done.Task.GetStatus() != "done" || done.Task.GetLine() != 3 {
		t.Errorf("checkbox: %v, %v", done, err)
	}
	due, status := "", "in_progress"
	updated, err := c.Task.UpdateTask(ctx, &kistv1.UpdateTaskRequest{Task: "01HZ0000000000000000000002", Status: &status, Due: &due})
	if err != nil || updated.Task.GetStatus() != status || updated.Task.GetDue() != "" {
		t.Errorf("updated: %v, %v", updated, err)
	}
	moved, err := c.Task.MoveTask(ctx, &kistv1.MoveTaskRequest{Task: "01HZ0000000000000000000002", Project: "houseboat"})
	if moved != nil || connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("moved to where it is: %v, %v", moved, err)
	}
	gone, err := c.Task.DeleteTask(ctx, &kistv1.DeleteTaskRequest{Task: "projects/houseboat/tasks/paint.md"})
	if err != nil || gone.Operation.GetType() != "delete" {
		t.Errorf("deleted: %v, %v", gone, err)
	}
	if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: gone.Operation.GetId()}}); err != nil {
		t.Fatal(err)
	}
	if got := titles(""); !slices.Contains(got, "Paint the hull") {
		t.Errorf("after undo: %v", got)
	}
}

func TestMemories(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	for _, content := range []string{"Lives in Ghent", "Drinks tea"} {
		made, err := c.Memory.CreateMemory(ctx, &kistv1.CreateMemoryRequest{Content: content})
		if err != nil || made.Memory.GetContent() != content || made.Memory.GetScope() != "user" || made.Memory.GetConfidence() != 1 {
			t.Errorf("made: %v, %v", made, err)
		}
	}
	list, err := c.Memory.ListMemories(ctx, &kistv1.ListMemoriesRequest{})
	if err != nil || len(list.Memories) != 2 || list.Memories[0].Content != "Drinks tea" {
		t.Fatalf("list: %v, %v", list, err)
	}
	if _, err := c.Memory.ForgetMemory(ctx, &kistv1.ForgetMemoryRequest{Memory: list.Memories[0].Id}); err != nil {
		t.Fatal(err)
	}
	if list, err = c.Memory.ListMemories(ctx, &kistv1.ListMemoriesRequest{}); err != nil || len(list.Memories) != 1 {
		t.Errorf("after forgetting: %v, %v", list, err)
	}
}

func TestDocuments(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	const path = "projects/houseboat/project.md"
	res, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	doc := res.Document
	if doc.GetContent() != string(raw) || doc.Text != nil || doc.Title != "Houseboat" || doc.Type != "project" || len(doc.Hash) != 64 {
		t.Errorf("document: %v", doc)
	}
	if p := doc.Properties[4]; p.Key != "tags" || p.Value != "[water]" || p.Line != 6 {
		t.Errorf("property: %v", p)
	}
	if s := doc.Sections[2]; s.Heading != "Decisions" || s.Level != 2 || s.Line != 15 {
		t.Errorf("section: %v", s)
	}
	steps := []struct {
		name string
		call func() (*kistv1.Operation, error)
		want string
	}{
		{"set", func() (*kistv1.Operation, error) {
			r, err := c.Vault.SetProperty(ctx, &kistv1.SetPropertyRequest{Path: path, Key: "priority", Value: "high"})
			return r.GetOperation(), err
		}, "priority: high\n"},
		{"unset", func() (*kistv1.Operation, error) {
			r, err := c.Vault.UnsetProperty(ctx, &kistv1.UnsetPropertyRequest{Path: path, Key: "tags"})
			return r.GetOperation(), err
		}, "status: active\ncreated:"},
		{"append to a section", func() (*kistv1.Operation, error) {
			r, err := c.Vault.EditSection(ctx, &kistv1.EditSectionRequest{Path: path, Heading: "Decisions", How: "append", Text: "- Blue\n"})
			return r.GetOperation(), err
		}, "- Steel, not wood\n- Blue\n"},
		{"replace a section", func() (*kistv1.Operation, error) {
			r, err := c.Vault.EditSection(ctx, &kistv1.EditSectionRequest{Path: path, Heading: "Summary", Text: "Found it.\n"})
			return r.GetOperation(), err
		}, "## Summary\nFound it.\n"},
	}
	for _, step := range steps {
		op, err := step.call()
		if err != nil || op.GetStatus() != "completed" {
			t.Fatalf("%s: %v, %v", step.name, op, err)
		}
		if raw, err = os.ReadFile(filepath.Join(dir, path)); err != nil || !strings.Contains(string(raw), step.want) {
			t.Errorf("%s: %v in\n%s", step.name, err, raw)
		}
	}
	if _, err := c.Vault.CheckItem(ctx, &kistv1.CheckItemRequest{Path: "projects/houseboat/notes/yard.md", Line: 4}); err != nil {
		t.Error(err)
	}
	note, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Engines", Text: "Diesel.", Project: "houseboat"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Vault.AppendNote(ctx, &kistv1.AppendNoteRequest{Path: note.Path, Text: "Or electric."}); err != nil {
		t.Error(err)
	}
}

// TestBrokenDocuments: what can't be used fully is still shown, with the fault.
func TestBrokenDocuments(t *testing.T) {
	s, dir := open(t, boat)
	if err := os.WriteFile(filepath.Join(dir, "binary.md"), []byte("a\xff\x00b"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, ctx := s.Client(rpctest.Connect), t.Context()
	res, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: "broken.md"})
	if err != nil || len(res.Document.Problems) != 1 || res.Document.Problems[0].Line == 0 || res.Document.Problems[0].Hint == "" {
		t.Errorf("broken front matter: %v, %v", res, err)
	}
	_, err = c.Vault.SetProperty(ctx, &kistv1.SetPropertyRequest{Path: "broken.md", Key: "a", Value: "b"})
	if connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("writing into broken front matter: %v", err)
	}
	res, err = c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: "binary.md"})
	if err != nil || string(res.Document.Text) != "a\xff\x00b" || res.Document.Content != nil {
		t.Errorf("not UTF-8: %v, %v", res, err)
	}
	for path, code := range map[string]connect.Code{
		"missing.md":     connect.CodeNotFound,
		"../outside.md":  connect.CodeInvalidArgument,
		"/etc/passwd":    connect.CodeInvalidArgument,
		"projects":       connect.CodeFailedPrecondition,
		"a\nb\x1b[2J.md": connect.CodeNotFound,
	} {
		_, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: path})
		if connect.CodeOf(err) != code {
			t.Errorf("%q: %v, want %v", path, err, code)
		}
	}
}

// TestControlCharacters: contents are data and arrive as they are; a reason is a
// line of prose and loses what would steer a terminal.
func TestControlCharacters(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	const name = "bell\x07 \x1b[31mred\u202e"
	made, err := c.Memory.CreateMemory(ctx, &kistv1.CreateMemoryRequest{Content: name, Reason: name})
	if err != nil {
		t.Fatal(err)
	}
	op, err := c.Operation.GetOperation(ctx, &kistv1.GetOperationRequest{Id: made.Operation.GetId()})
	if err != nil || op.Operation.GetReason() != "bell [31mred\u202e" {
		t.Errorf("reason %q, %v", op.GetOperation().GetReason(), err)
	}
	all, err := c.Memory.ListMemories(ctx, &kistv1.ListMemoriesRequest{})
	if err != nil || len(all.Memories) != 1 || all.Memories[0].Content != name {
		t.Errorf("memories %v, %v", all, err)
	}
}

func TestSessionsAndTools(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	for range 2 {
		turn(t, c, &kistv1.SendRequest{Text: "hello", Session: "new", Project: "houseboat"})
	}
	list, err := c.Session.ListSessions(ctx, &kistv1.ListSessionsRequest{})
	if err != nil || len(list.Sessions) != 2 || list.Sessions[0].LastUsed.AsTime().Before(list.Sessions[1].LastUsed.AsTime()) {
		t.Fatalf("sessions: %v, %v", list, err)
	}
	one, err := c.Session.GetSession(ctx, &kistv1.GetSessionRequest{Session: list.Sessions[0].Id})
	if err != nil || one.Session.GetProject() != "houseboat" || one.Session.GetTurns() != 1 {
		t.Errorf("session: %v, %v", one, err)
	}
	stream, err := c.Session.Send(ctx, &kistv1.SendRequest{Text: "hello", Session: "01HZZZZZZZZZZZZZZZZZZZZZZZ"})
	if err == nil {
		for stream.Receive() {
		}
		err = stream.Err()
		stream.Close()
	}
	if connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("unknown session: %v", err)
	}
	tools, err := c.Session.ListTools(ctx, &kistv1.ListToolsRequest{})
	if err != nil || len(tools.Tools) == 0 || !strings.HasPrefix(tools.Tools[0].Schema, "{") || tools.Tools[0].Policy == "" {
		t.Errorf("tools: %v, %v", tools, err)
	}
}

func TestIndexAndStatus(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Fatal(err)
	}
	stream, err := c.Index.RebuildIndex(ctx, &kistv1.RebuildIndexRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var last *kistv1.IndexProgress
	for stream.Receive() {
		last = stream.Msg().Progress
	}
	stream.Close()
	if err := stream.Err(); err != nil || last.GetTotal() == 0 || last.GetDone() != last.GetTotal() {
		t.Errorf("rebuild: %v, %v", last, err)
	}
	status, err := c.Daemon.GetStatus(ctx, &kistv1.GetStatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if m := status.Models; len(m) != 2 || m[0].Role != "chat" || m[0].Model != "openai/x" || m[0].Context != 8192 || m[0].TokensPerSecond != 12.5 || m[0].Error != "it is\ufffd gone" {
		t.Errorf("models: %v", m)
	}
	if status.Vault != dir || status.Version != "v0" || status.Pid != 42 || status.Model != "scripted" || status.Device != "test" ||
		status.ModelError != "it is\ufffd gone" || status.ModelHint != "look for it" ||
		status.Memory.GetAnonymousBytes() != "1099511627776" || status.Index.GetDocuments() != 5 || status.Freshness == nil || status.Policy.GetTrust() != "given" {
		t.Errorf("status: %v", status)
	}
}

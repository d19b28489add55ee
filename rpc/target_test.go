package rpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"

	"kist/agent/tool"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
	"kist/vault/vaulttest"
)

// A write is a call that changes what a name says. It gets the name of a project, a
// task, a note or a memory.
type write struct {
	kind string
	call func(context.Context, *dial.Client, string) error
}

// writes is every call that takes the name of something that is there, with
// arguments that are right but for the name.
func writes() map[string]write {
	name := "new name"
	return map[string]write{
		"UpdateProject": {"project", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Project.UpdateProject(ctx, &kistv1.UpdateProjectRequest{Project: ref, Name: &name})
			return err
		}},
		"ArchiveProject": {"project", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Project.ArchiveProject(ctx, &kistv1.ArchiveProjectRequest{Project: ref})
			return err
		}},
		"CreateTask": {"project", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Project: ref, Title: "t"})
			return err
		}},
		"CreateNote": {"project", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Project: ref, Title: "t"})
			return err
		}},
		"CreateMemory": {"project", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Memory.CreateMemory(ctx, &kistv1.CreateMemoryRequest{Project: ref, Content: "t"})
			return err
		}},
		"UpdateTask": {"task", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Task.UpdateTask(ctx, &kistv1.UpdateTaskRequest{Task: ref, Title: &name})
			return err
		}},
		"CompleteTask": {"task", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: ref})
			return err
		}},
		"MoveTask": {"task", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Task.MoveTask(ctx, &kistv1.MoveTaskRequest{Task: ref, Project: "yode-nnnnn-cafy"})
			return err
		}},
		"DeleteTask": {"task", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Task.DeleteTask(ctx, &kistv1.DeleteTaskRequest{Task: ref})
			return err
		}},
		"ForgetMemory": {"memory", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Memory.ForgetMemory(ctx, &kistv1.ForgetMemoryRequest{Memory: ref})
			return err
		}},
		"SetProperty": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.SetProperty(ctx, &kistv1.SetPropertyRequest{Path: ref, Key: "k", Value: "v"})
			return err
		}},
		"UnsetProperty": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.UnsetProperty(ctx, &kistv1.UnsetPropertyRequest{Path: ref, Key: "k"})
			return err
		}},
		"EditSection": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.EditSection(ctx, &kistv1.EditSectionRequest{Path: ref, Heading: "H", Text: "v"})
			return err
		}},
		"InsertSection": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.InsertSection(ctx, &kistv1.InsertSectionRequest{Path: ref, Beside: "H", Heading: "v"})
			return err
		}},
		"AppendItem": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.AppendItem(ctx, &kistv1.AppendItemRequest{Path: ref, Text: "v"})
			return err
		}},
		"EditItem": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.EditItem(ctx, &kistv1.EditItemRequest{Path: ref, Line: 6, Text: "w"})
			return err
		}},
		"CheckItem": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.CheckItem(ctx, &kistv1.CheckItemRequest{Path: ref, Line: 6, Checked: true})
			return err
		}},
		"AppendNote": {"note", func(ctx context.Context, c *dial.Client, ref string) error {
			_, err := c.Vault.AppendNote(ctx, &kistv1.AppendNoteRequest{Path: ref, Text: "v"})
			return err
		}},
	}
}

// tools is every tool that takes a name, with its arguments; %s is the name.
func tools() map[string]struct{ kind, args string } {
	return map[string]struct{ kind, args string }{
		"create_task":   {"project", `{"title":"t","project":%s}`},
		"create_note":   {"project", `{"title":"t","text":"x","project":%s}`},
		"remember":      {"project", `{"content":"t","scope":"project","project":%s}`},
		"add_decision":  {"project", `{"text":"t","project":%s}`},
		"complete_task": {"task", `{"task":%s}`},
		"update_task":   {"task", `{"task":%s,"title":"t"}`},
		"append_note":   {"note", `{"path":%s,"text":"x"}`},
		"move_note":     {"note", `{"note":%s,"to":"zzz"}`},
		"delete_note":   {"note", `{"note":%s}`},
	}
}

const perKind = 25 // of projects, tasks, notes and memories; each has ten names that come near it

// likeness is a vault of things that are named much alike: none by another's name.
func likeness() (archive string, exact map[string][]string) {
	var b strings.Builder
	exact = map[string][]string{}
	for i := range perKind {
		word := string(rune('a'+i%25)) + "ode " + strings.Repeat("n", i/5+1) + " caf" + string(rune('a'+i))
		slug := strings.ReplaceAll(word, " ", "-")
		fmt.Fprintf(&b, "-- projects/%s/project.md --\n---\nname: %s\n---\n\n## Decisions\n\n- One.\n", slug, word)
		fmt.Fprintf(&b, "-- projects/%s/tasks/%s.md --\n---\ntype: task\ntitle: %s\nstatus: todo\n---\n", slug, slug, word)
		fmt.Fprintf(&b, "-- %s.md --\n---\nk: 1\n---\n# H\n\n- [ ] item\n", slug)
		fmt.Fprintf(&b, "-- memories/%s.md --\n---\ntype: memory\n---\n%s\n", slug, word)
		exact["project"] = append(exact["project"], slug)
		exact["task"] = append(exact["task"], "projects/"+slug+"/tasks/"+slug+".md")
		exact["note"] = append(exact["note"], slug+".md")
		exact["memory"] = append(exact["memory"], "memories/"+slug+".md")
	}
	return b.String(), exact
}

// near returns ten names that somebody might write for another: a letter, the
// case, an accent or white space differs, or it is the title and not the name.
func near(name string) []string {
	base := strings.TrimSuffix(name[strings.LastIndex(name, "/")+1:], ".md")
	return []string{
		strings.Replace(name, "n", "m", 1),
		strings.Replace(name, "ode", "od", 1),
		strings.Replace(name, "ode", "odde", 1),
		strings.ToUpper(name),
		strings.ToUpper(name[:1]) + name[1:],
		strings.Replace(name, "caf", "c\u00e1f", 1),
		strings.Replace(name, "caf", "ca\u0301f", 1), // the same to the eye
		strings.Replace(name, "ode-", "ode ", 1),
		" " + name,
		strings.ReplaceAll(base, "-", " ") + " ", // its title
	}
}

// TestOnlyExactNamesAreWritten: of 1,000 names that come near one, none makes any
// call or tool write, and the answer is an error, with a suggestion where there can be one.
func TestOnlyExactNamesAreWritten(t *testing.T) {
	archive, exact := likeness()
	s, v := openVault(t, archive)
	c := s.Client(rpctest.Connect)
	registry, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	env := &tool.Env{Vault: v, Now: vaulttest.Now}
	before := vaulttest.Tree(t, v.Dir())
	tried, suggested := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(exact)) {
		calls, called := of(writes(), kind, func(w write) string { return w.kind }), of(tools(), kind, func(u struct{ kind, args string }) string { return u.kind })
		for i, name := range exact[kind] {
			for j, ref := range near(name) {
				if slices.Contains(exact[kind], ref) {
					t.Fatalf("%q is exact", ref)
				}
				tried++
				method := calls[(i*10+j)%len(calls)]
				err := writes()[method].call(t.Context(), c, ref)
				if code := connect.CodeOf(err); code != connect.CodeNotFound && code != connect.CodeInvalidArgument {
					t.Errorf("%s(%q): %v", method, ref, err)
				}
				if err != nil && strings.Contains(err.Error(), "did you mean") {
					suggested++
				}
				if len(called) == 0 || slices.Contains(exact[kind], strings.TrimSpace(ref)) {
					continue // blanks around a model's arguments are not part of them
				}
				use := called[(i*10+j)%len(called)]
				quoted, _ := json.Marshal(ref)
				res, err := registry.Call(t.Context(), env, use, fmt.Appendf(nil, tools()[use].args, quoted))
				if err != nil || res.Fault == nil || len(res.Steps) > 0 {
					t.Errorf("%s(%q): %v, %v, %v", use, ref, res.Fault, res.Value, err)
				}
			}
		}
	}
	sameTree(t, before, vaulttest.Tree(t, v.Dir()))
	if ops, err := v.Operations(t.Context(), vault.Filter{}); err != nil || len(ops) > 0 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
	if tried != 1000 || suggested < 200 {
		t.Errorf("%d names tried, %d suggestions made", tried, suggested)
	}
}

// TestExactNamesAreWritten shows that the calls of the test above write, but for the name.
func TestExactNamesAreWritten(t *testing.T) {
	archive, exact := likeness()
	s, v := openVault(t, archive)
	c := s.Client(rpctest.Connect)
	registry, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	env := &tool.Env{Vault: v, Now: vaulttest.Now}
	for _, name := range slices.Sorted(maps.Keys(tools())) {
		use := tools()[name]
		quoted, _ := json.Marshal(exact[use.kind][20])
		if res, err := registry.Call(t.Context(), env, name, fmt.Appendf(nil, use.args, quoted)); err != nil || len(res.Steps) != 1 {
			t.Errorf("%s: %+v, %v", name, res.Fault, err)
		}
	}
	for i, method := range slices.Sorted(maps.Keys(writes())) {
		before := vaulttest.Tree(t, v.Dir())
		w := writes()[method]
		if err := w.call(t.Context(), c, exact[w.kind][i]); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		if maps.Equal(before, vaulttest.Tree(t, v.Dir())) {
			t.Errorf("%s wrote nothing", method)
		}
	}
}

// of returns the names of what is about a kind of thing, sorted.
func of[T any](all map[string]T, kind string, kindOf func(T) string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if kindOf(all[name]) == kind {
			names = append(names, name)
		}
	}
	return names
}

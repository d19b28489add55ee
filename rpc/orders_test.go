package rpc_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

// TestOrderBy: lists come in the order that is asked for, over pages of one item too, and say
// by what they can be ordered.
func TestOrderBy(t *testing.T) {
	s, v := openVault(t, "-- a.md --\nA\n-- b.md --\nB\n-- c.md --\nC\n"+
		"-- projects/x/project.md --\n---\ntype: project\nname: Xylophone\n---\n-- projects/y/project.md --\n---\ntype: project\nname: Yard\ndue: 2026-12-01\n---\n"+
		"-- projects/z/project.md --\n---\ntype: project\nname: zoo\ndue: 2026-11-30\n---\n-- projects/y/notes/n.md --\nN\n-- projects/x/conversations/2026-11.md --\n## said\n"+
		"-- sessions/01HZ00000000000000000000S1.yaml --\nid: 01HZ00000000000000000000S1\nmode: general\ncreated: 2026-11-01T10:00:00Z\nlast_used: 2026-11-05T10:00:00Z\ntitle: oars\n"+
		"-- sessions/01HZ00000000000000000000S2.yaml --\nid: 01HZ00000000000000000000S2\nmode: general\ncreated: 2026-11-02T10:00:00Z\nlast_used: 2026-11-04T10:00:00Z\ntitle: Masts\n")
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	for i, name := range []string{"b.md", "c.md", "a.md", "projects/y/project.md", "projects/x/project.md", "projects/z/project.md", "projects/y/notes/n.md", "projects/x/conversations/2026-11.md"} {
		at := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(v.Dir(), name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	var made []string
	for _, title := range []string{"One", "Two", "Three"} {
		r, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: title, Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, r.Operation.Id)
	}
	type page struct {
		items []string
		next  string
	}
	lists := map[string]func(by, token string) (page, error){
		"documents": func(by, token string) (p page, err error) {
			r, err := c.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{OrderBy: by, PageToken: token, PageSize: 1})
			for _, d := range r.GetDocuments() {
				p.items = append(p.items, d.Path)
			}
			p.next = r.GetNextPageToken()
			return p, err
		},
		"projects": func(by, token string) (p page, err error) {
			r, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{OrderBy: by, PageToken: token, PageSize: 1})
			for _, d := range r.GetProjects() {
				p.items = append(p.items, d.Slug)
			}
			p.next = r.GetNextPageToken()
			return p, err
		},
		"sessions": func(by, token string) (p page, err error) {
			r, err := c.Session.ListSessions(ctx, &kistv1.ListSessionsRequest{OrderBy: by, PageToken: token, PageSize: 1})
			for _, d := range r.GetSessions() {
				p.items = append(p.items, d.Title)
			}
			p.next = r.GetNextPageToken()
			return p, err
		},
		"operations": func(by, token string) (p page, err error) {
			r, err := c.Operation.ListOperations(ctx, &kistv1.ListOperationsRequest{OrderBy: by, PageToken: token, PageSize: 1, Actor: "user"})
			for _, d := range r.GetOperations() {
				p.items = append(p.items, d.Id)
			}
			p.next = r.GetNextPageToken()
			return p, err
		},
	}
	newest := slices.Clone(made)
	slices.Reverse(newest)
	for _, test := range []struct{ list, by, want string }{
		{"documents", "modified", "b.md c.md a.md "},
		{"documents", "path desc", "two.md three.md projects/z/project.md projects/y/project.md projects/y/notes/n.md projects/x/project.md "},
		{"documents", "", "a.md b.md c.md "},
		{"projects", "due", "z y x"},
		{"projects", "due desc", "y z x"},
		{"projects", "name desc", "z y x"},
		{"projects", "status, name", "x y z"},
		{"projects", "updated", "x z y"},
		{"projects", "updated desc", "y z x"},
		{"sessions", "", "oars Masts"},
		{"sessions", "last_used", "Masts oars"},
		{"sessions", "title", "Masts oars"},
		{"sessions", "created desc", "Masts oars"},
		{"operations", "at", strings.Join(made, " ")},
		{"operations", "at desc", strings.Join(newest, " ")},
		{"operations", "", strings.Join(newest, " ")},
	} {
		var all []string
		for token := ""; ; {
			p, err := lists[test.list](test.by, token)
			if err != nil || len(p.items) > 1 {
				t.Fatalf("%s by %q: %v, %v", test.list, test.by, p, err)
			}
			all = append(all, p.items...)
			if token = p.next; token == "" {
				break
			}
		}
		if got := strings.Join(all, " ") + " "; !strings.HasPrefix(got, test.want) {
			t.Errorf("%s by %q: %q", test.list, test.by, got)
		}
	}
	for name, list := range lists {
		_, err := list("size desc", "")
		if infoOf(err).GetReason() != "ORDER" || !strings.Contains(err.Error(), `can't be ordered by "size desc", but by `) {
			t.Errorf("%s: %v", name, err)
		}
		p, err := list("", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := list("at", p.next); err == nil {
			t.Errorf("%s: a page of another order", name)
		}
	}
	_, err := c.Task.ListTasks(t.Context(), &kistv1.ListTasksRequest{OrderBy: "size desc"})
	if infoOf(err).GetReason() != "ORDER" {
		t.Errorf("tasks: %v, %v", err, infoOf(err))
	}
}

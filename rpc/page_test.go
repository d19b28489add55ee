package rpc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
)

// TestEveryListHasPages goes over the descriptors.
func TestEveryListHasPages(t *testing.T) {
	for m := range methods(t) {
		if !strings.HasPrefix(string(m.Name()), "List") {
			continue
		}
		for msg, fields := range map[protoreflect.MessageDescriptor][]protoreflect.Name{m.Input(): {"page_size", "page_token"}, m.Output(): {"next_page_token"}} {
			for _, f := range fields {
				if msg.Fields().ByName(f) == nil {
					t.Errorf("%s has no %s", msg.Name(), f)
				}
			}
		}
	}
}

// methods yields the methods of kist's own services.
func methods(t *testing.T) func(yield func(protoreflect.MethodDescriptor) bool) {
	return func(yield func(protoreflect.MethodDescriptor) bool) {
		for _, name := range rpc.ServiceNames() {
			d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "kist.") {
				continue
			}
			all := d.(protoreflect.ServiceDescriptor).Methods()
			for i := range all.Len() {
				if !yield(all.Get(i)) {
					return
				}
			}
		}
	}
}

// TestPages follows the pages of a listing by order of name, and of the operations.
func TestPages(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	var names []string
	for i := range 7 {
		made, err := c.Project.CreateProject(ctx, &kistv1.CreateProjectRequest{Name: fmt.Sprintf("Plan %d", i)})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, made.Project.Name)
	}
	first, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{PageSize: 3})
	if err != nil || len(first.Projects) != 3 || first.NextPageToken == "" {
		t.Fatalf("first page: %v, %v", first, err)
	}
	all, err := dial.All(ctx, &kistv1.ListProjectsRequest{PageSize: 3}, c.Project.ListProjects)
	if err != nil || all.NextPageToken != "" {
		t.Fatal(all, err)
	}
	got := names[:0:0]
	for _, p := range all.Projects {
		if strings.HasPrefix(p.Name, "Plan") {
			got = append(got, p.Name)
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("got %v, want %v", got, names)
	}
	ops, err := dial.Some(ctx, &kistv1.ListOperationsRequest{PageSize: 2}, 5, c.Operation.ListOperations)
	if err != nil || len(ops.Operations) != 5 || !slices.IsSortedFunc(ops.Operations, func(a, b *kistv1.Operation) int { return strings.Compare(b.Id, a.Id) }) {
		t.Errorf("operations: %v, %v", ops, err)
	}
	_, err = c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{Status: "all", PageToken: first.NextPageToken})
	if connect.CodeOf(err) != connect.CodeInvalidArgument || hint(t, err) == "" {
		t.Errorf("a token of another listing: %v", err)
	}
}

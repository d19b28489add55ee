package page_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
)

func self(s string) string { return s }

func project(s string) *kistv1.Project { return &kistv1.Project{Slug: s} }

// TestPagesSurviveChanges: whatever comes and goes between two pages, each item that is
// there all the time comes exactly once, and in order.
func TestPagesSurviveChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stay := rapid.SliceOfNDistinct(rapid.StringMatching(`s[a-z]{3}`), 0, 30, rapid.ID).Draw(t, "stay")
		req := &kistv1.ListProjectsRequest{PageSize: int32(rapid.IntRange(1, 7).Draw(t, "size"))}
		var got []string
		for {
			guests := rapid.SliceOfN(rapid.StringMatching(`[a-z]g[a-z]{2}`), 0, 10).Draw(t, "guests")
			list, next, err := page.Of(req, 0, append(guests, stay...), self, project)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				if slices.Contains(stay, p.Slug) {
					got = append(got, p.Slug)
				}
			}
			if req.PageToken = next; next == "" {
				break
			}
		}
		if want := slices.Sorted(slices.Values(stay)); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestReadPages: the same for a list in an order of its own, read as far as is needed.
func TestReadPages(t *testing.T) {
	ids := []string{"9", "8", "7", "6", "5", "4", "3", "2", "1"}
	req := &kistv1.ListOperationsRequest{PageSize: 2}
	next := func() (got []string) {
		t.Helper()
		list, token, err := page.In(req, 0, func(n int) ([]string, error) { return ids[:min(n, len(ids))], nil }, self,
			func(id, last string) bool { return id < last }, func(id string) *kistv1.Operation { return &kistv1.Operation{Id: id} })
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range list {
			got = append(got, op.Id)
		}
		req.PageToken = token
		return got
	}
	check := func(got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	check(next(), "9", "8")
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "8" || id == "5" }) // the last one seen is gone
	check(next(), "7", "6")
	ids = append([]string{"91"}, ids...) // one more before them
	check(next(), "4", "3")
	check(next(), "2", "1")
	if req.PageToken != "" {
		t.Error("a page behind the last one")
	}
}

// TestPageBytes: no page is above its limit in either form, unless one item is.
func TestPageBytes(t *testing.T) {
	var all []string
	for i := range 40 {
		all = append(all, fmt.Sprintf("%02d", i)+strings.Repeat("\x01", 20_000)) // six times as long in JSON
	}
	all = append(all, "99"+strings.Repeat("\x01", page.MaxBytes))
	req, got := &kistv1.ListProjectsRequest{}, 0
	for {
		list, next, err := page.Of(req, 0, all, func(s string) string { return s[:2] }, project)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range list {
			n += page.Bytes(p)
		}
		if n > page.MaxBytes && len(list) > 1 {
			t.Errorf("%d bytes in %d items", n, len(list))
		}
		got += len(list)
		if req.PageToken = next; next == "" {
			break
		}
	}
	if got != len(all) {
		t.Errorf("%d of %d items", got, len(all))
	}
}

// No form of a message is longer than it is taken for, and none much shorter.
func TestBytes(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching("[\x00-\x7f]{0,40}"))
	rapid.Check(t, func(t *rapid.T) {
		long := text.Draw(t, "text")
		at := timestamppb.New(time.Unix(rapid.Int64Range(-1<<33, 1<<35).Draw(t, "at"), rapid.Int64Range(0, 1<<20).Draw(t, "ns")))
		for _, m := range []proto.Message{
			&kistv1.Task{Title: long, Line: rapid.Int32().Draw(t, "line"), Tags: rapid.SliceOf(text).Draw(t, "tags")},
			&kistv1.Draft{Name: long, Created: at, Expires: &timestamppb.Timestamp{}},
			&kistv1.Operation{Id: long, At: at, Changes: []*kistv1.FileChange{{Path: long, Patch: long}, {}}},
			&kistv1.Symbol{Name: long, Done: rapid.Bool().Draw(t, "done"), Range: &kistv1.Range{Start: &kistv1.Position{Line: 7}}},
		} {
			json, err := protojson.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			is, said := max(len(json), proto.Size(m)), page.Bytes(m)
			if said < is || said > is*2+300 {
				t.Fatalf("%d bytes are taken for %d: %s", is, said, json)
			}
		}
	})
}

func TestTokens(t *testing.T) {
	all := []string{"a", "b", "c"}
	of := func(req page.Request) (string, error) {
		_, next, err := page.Of(req, 0, all, self, project)
		return next, err
	}
	token, err := of(&kistv1.ListProjectsRequest{PageSize: 1})
	if err != nil || token == "" {
		t.Fatal(token, err)
	}
	if _, err := of(&kistv1.ListProjectsRequest{PageSize: 2, PageToken: token}); err != nil {
		t.Errorf("another size: %v", err)
	}
	for _, req := range []page.Request{
		&kistv1.ListProjectsRequest{PageToken: token, Status: "all"}, // another question
		&kistv1.ListDraftsRequest{PageToken: token},
		&kistv1.ListProjectsRequest{PageToken: "nonsense"},
		&kistv1.ListProjectsRequest{PageToken: token[:4]},
		&kistv1.ListProjectsRequest{PageToken: "%%%"},
	} {
		if _, err := of(req); !errors.Is(err, page.ErrToken) {
			t.Errorf("%s %v: %v", req.ProtoReflect().Descriptor().Name(), req, err)
		}
	}
}

func TestOrder(t *testing.T) {
	now := time.Now()
	times := []time.Time{now.Add(time.Hour), now, now.Add(-1), now.AddDate(-500, 0, 0), {}}
	keys := make([]string, len(times))
	for i, at := range times {
		keys[i] = page.Newest(at)
	}
	if !slices.IsSorted(keys) {
		t.Errorf("newest first: %q", keys)
	}
	order := []string{"b", "a", "c"}
	if key := page.Kept(order, self); !slices.IsSortedFunc(order, func(a, b string) int { return strings.Compare(key(a), key(b)) }) {
		t.Error("the order isn't kept")
	}
}

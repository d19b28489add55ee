package bounds

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/vault/vaulttest"
)

// Calls about large documents wait until there is room for them, those about others
// don't, and who stops waiting takes nothing.
func TestBudget(t *testing.T) {
	v := vaulttest.New(t, "-- small.md --\nsmall\n")
	for _, name := range []string{"one.md", "two.md"} {
		p := filepath.Join(v.Dir(), name)
		if err := os.WriteFile(p, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(p, 16<<20); err != nil {
			t.Fatal(err)
		}
	}
	served := make(chan string, 3)
	call := NewBudget(v).WrapUnary(func(_ context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		served <- DocumentOf(req.Any())
		return nil, nil
	})
	request := func(ctx context.Context, p string) error {
		_, err := call(ctx, connect.NewRequest(&kistv1.GetDocumentRequest{Path: p}))
		return err
	}
	first, written := context.WithCancel(t.Context())
	if err := request(first, "one.md"); err != nil || <-served != "one.md" {
		t.Fatal(err)
	}
	impatient, stop := context.WithCancel(t.Context())
	stop()
	if err := request(impatient, "two.md"); err == nil {
		t.Error("served beyond the budget")
	}
	for _, p := range []string{"small.md", "none.md", ""} {
		if err := request(t.Context(), p); err != nil || <-served != p {
			t.Errorf("%q waited: %v", p, err)
		}
	}
	second := make(chan error, 1)
	go func() { second <- request(t.Context(), "two.md") }()
	written()
	if err := <-second; err != nil || <-served != "two.md" {
		t.Errorf("after the first: %v", err)
	}
	for task, want := range map[string]string{"a/b.md:12": "a/b.md", "a/b.md": "a/b.md", "01ABC": "01ABC"} {
		if got := DocumentOf(&kistv1.CompleteTaskRequest{Task: task}); got != want {
			t.Errorf("%s is about %s", task, got)
		}
	}
}

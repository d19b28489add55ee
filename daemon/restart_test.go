//go:build linux

package daemon

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// TestWatchOverRestart: who watched before the daemon was stopped is told what changed until it
// was there again, by an editor and by git, and nothing else; after a kill, that it has to list.
func TestWatchOverRestart(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { down(t, paths) })
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", paths.Vault, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	save := func(p, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(paths.Vault, p), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	save("list.md", "- [ ] sand the keel\n")
	save("plan.md", "by hand\n")
	save("stays.md", "- [ ] paint\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	git("checkout", "-q", "-b", "other")
	save("plan.md", "of the other branch\n")
	git("commit", "-q", "-a", "-m", "second")

	after := lastSeq(t, starting(t, paths))
	down(t, paths)
	save("list.md", "- [x] sand the keel\n")
	git("checkout", "-q", "-")
	c := starting(t, paths)
	docs, resync := missedDocuments(t, c, after)
	if want := []string{"list.md", "plan.md"}; resync || !slices.Equal(docs, want) {
		t.Errorf("documents: %q, want %q; list again: %v", docs, want, resync)
	}
	tasks, resync := missedTasks(t, c, after)
	if want := []string{"list.md done", "plan.md"}; resync || !slices.Equal(tasks, want) {
		t.Errorf("tasks: %q, want %q; list again: %v", tasks, want, resync)
	}
	info, _ := answering(paths.Vault)
	if err := syscall.Kill(info.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, resync := missedDocuments(t, starting(t, paths), after); !resync {
		t.Error("after a kill nobody is told to list")
	}
}

// lastSeq is what a client that watches was told up to, once the daemon knows the folder.
func lastSeq(t *testing.T, c *dial.Client) int32 {
	t.Helper()
	if _, err := c.Vault.ListDocuments(t.Context(), &kistv1.ListDocumentsRequest{}); err != nil {
		t.Fatal(err)
	}
	s, err := c.Vault.WatchDocuments(t.Context(), &kistv1.WatchDocumentsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.Receive() {
		t.Fatal(s.Err())
	}
	return s.Msg().Seq
}

// quiet is how long nothing may come until a stream is taken to have told what was missed.
const quiet = 300 * time.Millisecond

func missedDocuments(t *testing.T, c *dial.Client, after int32) (told []string, resync bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := c.Vault.WatchDocuments(ctx, &kistv1.WatchDocumentsRequest{AfterSeq: proto.Int32(after)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for timer := (*time.Timer)(nil); s.Receive(); {
		if timer == nil {
			timer = time.AfterFunc(quiet, cancel)
		}
		timer.Reset(quiet)
		resync = resync || s.Msg().Resync
		if p := s.Msg().Path; p != "" && !strings.Contains(p, "/") {
			told = append(told, p)
		}
	}
	slices.Sort(told)
	return told, resync
}

func missedTasks(t *testing.T, c *dial.Client, after int32) (told []string, resync bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := c.Task.WatchTasks(ctx, &kistv1.WatchTasksRequest{AfterSeq: proto.Int32(after)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for timer := (*time.Timer)(nil); s.Receive(); {
		if timer == nil {
			timer = time.AfterFunc(quiet, cancel)
		}
		timer.Reset(quiet)
		resync = resync || s.Msg().Resync
		if p := s.Msg().Path; p != "" && !strings.Contains(p, "/") {
			for _, task := range s.Msg().Tasks {
				p += " " + task.Status
			}
			told = append(told, p)
		}
	}
	slices.Sort(told)
	return told, resync
}

package rpc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

// TestWatchFromSeq: what happens between two streams comes with the second one, once, and
// then what happens while it is open.
func TestWatchFromSeq(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.Connect)
	note := func(title string, proposed bool) string {
		made, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: title, Propose: proposed})
		if err != nil {
			t.Fatal(err)
		}
		return made.Operation.Id
	}
	first := watchOps(t, c, nil)
	if m := first.next(); m.Operation != nil {
		t.Fatalf("the first message has an operation: %v", m)
	}
	one := note("One", false)
	m := first.next()
	if m.Operation.GetId() != one || m.Seq != m.Operation.Seq {
		t.Fatalf("one: %v", m)
	}
	first.end()
	two, three := note("Two", false), note("Three", true)
	second := watchOps(t, c, &m.Seq)
	second.next()
	if a, b := second.next(), second.next(); a.Operation.GetId() != two || b.Operation.GetId() != three || b.Operation.Status != "proposed" {
		t.Errorf("missed: %v, %v", a, b)
	}
	four := note("Four", false)
	if m = second.next(); m.Operation.GetId() != four {
		t.Errorf("four: %v", m)
	}
	second.end()
	if _, err := c.Operation.RejectOperation(t.Context(), &kistv1.RejectOperationRequest{Id: three}); err != nil {
		t.Fatal(err)
	}
	third := watchOps(t, c, &m.Seq)
	third.next()
	if m = third.next(); m.Operation.GetId() != three || m.Operation.Status != "rejected" {
		t.Errorf("rejected: %v", m)
	}
	third.end()
	ahead := watchOps(t, c, proto.Int32(1<<30))
	if ahead.stream.Receive() || connect.CodeOf(ahead.stream.Err()) != connect.CodeAborted {
		t.Errorf("a number that was never given: %v", ahead.stream.Err())
	}
	ahead.end()
}

type opsWatch struct {
	t      *testing.T
	stream *connect.ServerStreamForClient[kistv1.WatchOperationsResponse]
	cancel func()
}

func watchOps(t *testing.T, c *dial.Client, after *int32) opsWatch {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	stream, err := c.Operation.WatchOperations(ctx, &kistv1.WatchOperationsRequest{AfterSeq: after})
	if err != nil {
		t.Fatal(err)
	}
	return opsWatch{t, stream, cancel}
}

func (w opsWatch) next() *kistv1.WatchOperationsResponse {
	w.t.Helper()
	if !w.stream.Receive() {
		w.t.Fatalf("the stream ended: %v", w.stream.Err())
	}
	return proto.Clone(w.stream.Msg()).(*kistv1.WatchOperationsResponse)
}

func (w opsWatch) end() {
	w.cancel()
	w.stream.Close()
}

// TestWatchBreaks: whoever watches is cut off at random points, asks for what comes behind
// the last number, and hears of every operation exactly once.
func TestWatchBreaks(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.GRPC)
	breaks := 100
	if os.Getenv("KIST_RPC_LONG") != "" {
		breaks = 1000
	}
	var made []string
	writing := make(chan struct{})
	go func() {
		defer close(writing)
		for i := range breaks {
			r, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: fmt.Sprintf("Note %d", i)})
			if err != nil {
				t.Error(err)
				return
			}
			made = append(made, r.Operation.Id)
		}
	}()
	var heard []string
	after, streams := proto.Int32(0), 0
	for done := false; !done || len(heard) < breaks; streams++ {
		select {
		case <-writing:
			done = true
		default:
		}
		w := watchOps(t, c, after)
		for range rand.IntN(4) {
			if len(heard) == breaks {
				break // nothing more comes but a sign of life, in 15 s
			}
			m := w.next()
			if after = &m.Seq; m.Operation != nil {
				heard = append(heard, m.Operation.Id)
			}
		}
		w.end()
	}
	<-writing
	if !slices.Equal(heard, made) {
		t.Errorf("heard %d operations of %d made, over %d streams", len(heard), len(made), streams)
	}
}

// TestWatchDocuments: saves by hand and operations, also those before the stream, and signs
// of life.
func TestWatchDocuments(t *testing.T) {
	v := vaulttest.New(t, boat)
	vaulttest.Watch(t, v)
	s := serveVault(t, v)
	c := s.Client(rpctest.Connect)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	start := int32(v.Seq())
	if _, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "Before"}); err != nil {
		t.Fatal(err)
	}
	stream, err := c.Vault.WatchDocuments(ctx, &kistv1.WatchDocumentsRequest{AfterSeq: &start})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	wait := func(path string, there bool) {
		t.Helper()
		for stream.Receive() {
			if m := stream.Msg(); m.Path == path && (m.Hash != "") == there {
				return
			}
		}
		t.Fatalf("%s: %v", path, stream.Err())
	}
	wait("before.md", true)
	if err := os.WriteFile(filepath.Join(v.Dir(), "by-hand.md"), []byte("by hand\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	wait("by-hand.md", true)
	if err := os.Remove(filepath.Join(v.Dir(), "by-hand.md")); err != nil {
		t.Fatal(err)
	}
	wait("by-hand.md", false)
}

// TestWatchTasks: a document comes with the tasks that it has, and without any when the last
// one is gone.
func TestWatchTasks(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.Connect)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := c.Task.WatchTasks(ctx, &kistv1.WatchTasksRequest{})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if !stream.Receive() || stream.Msg().Path != "" {
		t.Fatalf("the first message: %v, %v", stream.Msg(), stream.Err())
	}
	made, err := c.Task.CreateTask(ctx, &kistv1.CreateTaskRequest{Project: "houseboat", Title: "Sand the keel"})
	if err != nil {
		t.Fatal(err)
	}
	if !stream.Receive() || len(stream.Msg().Tasks) != 1 || stream.Msg().Tasks[0].Title != "Sand the keel" {
		t.Errorf("made: %v, %v", stream.Msg(), stream.Err())
	}
	if _, err := c.Task.DeleteTask(ctx, &kistv1.DeleteTaskRequest{Task: made.Task.Path}); err != nil {
		t.Fatal(err)
	}
	if !stream.Receive() || stream.Msg().Path != made.Task.Path || len(stream.Msg().Tasks) != 0 {
		t.Errorf("deleted: %v, %v", stream.Msg(), stream.Err())
	}
}

// TestSignsOfLife: streams without news tell that they live.
func TestSignsOfLife(t *testing.T) {
	v := vaulttest.New(t, boat)
	s := serveVault(t, v, func(d *rpc.Deps) { d.Beat = 10 * time.Millisecond })
	c := s.Client(rpctest.Connect)
	w := watchOps(t, c, nil)
	for range 3 {
		if m := w.next(); m.Operation != nil || m.Seq != int32(v.Seq()) {
			t.Errorf("operations: %v", m)
		}
	}
	w.end()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	begun, err := c.Session.StartSession(ctx, &kistv1.StartSessionRequest{})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := c.Vault.WatchDocuments(ctx, &kistv1.WatchDocumentsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	tasks, err := c.Task.WatchTasks(ctx, &kistv1.WatchTasksRequest{})
	if err != nil {
		t.Fatal(err)
	}
	defer tasks.Close()
	session, err := c.Session.WatchSession(ctx, &kistv1.WatchSessionRequest{Session: begun.Session.Id})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for range 3 {
		if !docs.Receive() || docs.Msg().Path != "" {
			t.Errorf("documents: %v, %v", docs.Msg(), docs.Err())
		}
		if !tasks.Receive() || tasks.Msg().Path != "" {
			t.Errorf("tasks: %v, %v", tasks.Msg(), tasks.Err())
		}
		if !session.Receive() || session.Msg().Event != nil {
			t.Errorf("a session: %v, %v", session.Msg(), session.Err())
		}
	}
}

// TestWatchAcrossRestart: what is done after a crash comes to who watched before, though
// numbers had been used up that the log doesn't tell of; and of documents it is said that
// anything may have changed.
func TestWatchAcrossRestart(t *testing.T) {
	v := vaulttest.New(t, boat)
	for range 20 { // as turns do
		if err := v.AppendRecord(t.Context(), "conversations/talk.md", []byte("# Talk\n"), []byte("said\n")); err != nil {
			t.Fatal(err)
		}
	}
	first := watchOps(t, serveVault(t, v).Client(rpctest.Connect), nil)
	last := first.next().Seq
	first.end()
	crashed := t.TempDir()
	if err := os.CopyFS(crashed, os.DirFS(v.Dir())); err != nil {
		t.Fatal(err)
	}
	c := serveVault(t, vaulttest.Open(t, crashed)).Client(rpctest.Connect)
	var made []string
	for i := range 4 {
		r, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: fmt.Sprintf("Note %d", i)})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, r.Operation.Id)
	}
	second := watchOps(t, c, &last)
	defer second.end()
	second.next()
	for _, id := range made {
		if m := second.next(); m.Operation.GetId() != id {
			t.Errorf("%v instead of operation %s", m, id)
		}
	}
	docs, err := c.Vault.WatchDocuments(t.Context(), &kistv1.WatchDocumentsRequest{AfterSeq: &last})
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	if !docs.Receive() || !docs.Msg().Resync || docs.Msg().Seq <= last {
		t.Errorf("documents: %v, %v", docs.Msg(), docs.Err())
	}
}

// TestWatchSizes: no message of a stream is above 1 MiB, also of a document with tens of
// thousands of tasks.
func TestWatchSizes(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.Connect)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ops := watchOps(t, c, nil)
	defer ops.end()
	ops.next()
	stream, err := c.Task.WatchTasks(ctx, &kistv1.WatchTasksRequest{})
	if err != nil || !stream.Receive() {
		t.Fatal(err)
	}
	defer stream.Close()
	start := stream.Msg().Seq
	var b strings.Builder
	const many = 30_000
	for i := range many {
		fmt.Fprintf(&b, "- [ ] Look at thing number %06d, which is one of many, before anybody else does it\n", i)
	}
	if _, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: "many.md", Text: b.String()}); err != nil {
		t.Fatal(err)
	}
	if m := ops.next(); m.Operation == nil || proto.Size(m) > 1<<20 {
		t.Errorf("the operation has %d bytes", proto.Size(m))
	}
	seen, parts := 0, 0
	for more := true; more; parts++ {
		if !stream.Receive() {
			t.Fatal(stream.Err())
		}
		m := stream.Msg()
		if more = m.More; proto.Size(m) > 1<<20 || m.Path != "many.md" || more != (m.Seq == start) {
			t.Errorf("a message of %d bytes about %s at %d, more: %v", proto.Size(m), m.Path, m.Seq, m.More)
		}
		seen += len(m.Tasks)
	}
	if seen != many || parts < 2 {
		t.Errorf("%d tasks in %d parts", seen, parts)
	}
}

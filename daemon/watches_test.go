//go:build unix

package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	wire "connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/vault"
)

// TestWatchesBreak: clients that watch operations, documents, tasks and a session are cut off
// at random moments, and the daemon is killed or stopped, and started again, while notes are made, files
// are saved by hand and something is said, each request being sent until it is answered. In
// the end every client knows all, was told nothing twice, and nothing was done twice.
//
// KIST_RPC_LONG has 100 clients, 1,000 disconnects or more, and ten kills and stops.
func TestWatchesBreak(t *testing.T) {
	b := breaking{paths: isolate(t), over: make(chan struct{}), clients: 12, notes: 60, turns: 6, kills: 3}
	limit := time.Minute // some ten times what it takes
	if os.Getenv("KIST_RPC_LONG") != "" {
		b.clients, b.notes, b.turns, b.kills = 100, 600, 40, 20
		limit = 4 * time.Hour // on a machine that has other things to do; go test -timeout says when it is enough
	}
	if _, err := Init(b.paths.Vault); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { down(t, b.paths) })
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	b.begin(t, starting(t, b.paths))

	var watchers, writers sync.WaitGroup
	for i := range b.clients {
		watchers.Go(func() {
			if err := b.watch(ctx, i); err != nil {
				t.Errorf("client %d: %v", i, err)
				cancel()
			}
		})
	}
	for _, write := range []func(context.Context) error{b.makeNotes, b.saveByHand, b.talk} {
		writers.Go(func() {
			if err := write(ctx); err != nil {
				t.Error(err)
				cancel()
			}
		})
	}
	go b.kill(ctx, t)
	writers.Wait()
	close(b.over)
	watchers.Wait()
	b.check(t, starting(t, b.paths))
	if n := b.streams.Load(); b.clients == 100 && n < 1000 {
		t.Errorf("%d streams were made and cut off: too few to show anything", n)
	}
	t.Logf("%d streams of %d clients, %d kills and stops, after which documents or tasks were listed anew %d times",
		b.streams.Load(), b.clients, b.killed.Load(), b.lists.Load())
}

// breaking is one run of the test.
type breaking struct {
	paths                        dial.Paths
	clients, notes, turns, kills int
	session                      string
	over                         chan struct{} // closed when all was written
	streams, killed, lists       atomic.Int64

	mu   sync.Mutex
	ops  []string          // of what was made by request
	said []string          // turns of the session, in order
	docs map[string]string // what the documents hold, by path
}

// begin has the first turn, so that there is a session to watch.
func (b *breaking) begin(t *testing.T, k *dial.Client) {
	t.Helper()
	b.docs = map[string]string{}
	stream, err := k.Session.Send(t.Context(), &kistv1.SendRequest{Session: "new", Text: "what is open?", RequestId: "turn-first"})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for stream.Receive() {
		if begun := stream.Msg().GetTurnBegun(); begun != nil {
			b.session, b.said = begun.Session, []string{begun.Turn}
		}
	}
	if stream.Err() != nil || b.session == "" {
		t.Fatalf("no session: %v", stream.Err())
	}
}

// again calls until it works: the daemon may be killed at any moment.
func (b *breaking) again(ctx context.Context, name string, call func(*dial.Client) (done bool, err error)) error {
	for {
		k, err := dial.Connect(ctx, b.paths.Vault, dial.Options{Start: true, Client: name, Timeout: 30 * time.Second})
		if err == nil {
			var done bool
			for !done && err == nil && ctx.Err() == nil {
				done, err = call(k)
			}
			k.Close()
			if done && err == nil {
				return nil
			}
		}
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		switch wire.CodeOf(err) { // all else may be what a kill looks like
		case wire.CodeDataLoss, wire.CodeInvalidArgument, wire.CodeNotFound, wire.CodeAlreadyExists, wire.CodeAborted, wire.CodeFailedPrecondition:
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (b *breaking) makeNotes(ctx context.Context) error {
	for i := range b.notes {
		err := b.again(ctx, "notes", func(k *dial.Client) (bool, error) {
			req := &kistv1.CreateNoteRequest{Title: fmt.Sprintf("Note %d", i), Text: fmt.Sprintf("- [ ] thing %d\n", i), RequestId: fmt.Sprintf("note-%06d", i)}
			short, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			r, err := k.Vault.CreateNote(short, req)
			if err != nil {
				return false, err
			}
			text, err := os.ReadFile(filepath.Join(b.paths.Vault, r.Path))
			b.mu.Lock()
			defer b.mu.Unlock()
			b.ops, b.docs[r.Path] = append(b.ops, r.Operation.Id), string(vault.HashOf(text))
			return true, err
		})
		if err != nil {
			return fmt.Errorf("note %d: %w", i, err)
		}
	}
	return nil
}

func (b *breaking) saveByHand(context.Context) error {
	for i := range b.notes / 3 {
		path, text := fmt.Sprintf("hand-%d.md", i%10), fmt.Sprintf("# By hand\n\n- [ ] saved %d\n", i)
		if err := os.WriteFile(filepath.Join(b.paths.Vault, path), []byte(text), 0o666); err != nil {
			return err
		}
		b.mu.Lock()
		b.docs[path] = string(vault.HashOf([]byte(text)))
		b.mu.Unlock()
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
	}
	return nil
}

// talk sends each message, lets go after a few events, and sends it once more, until the turn
// is told to its end.
func (b *breaking) talk(ctx context.Context) error {
	for i := range b.turns {
		turn, tries := "", 0
		err := b.again(ctx, "talk", func(k *dial.Client) (bool, error) {
			short, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			stream, err := k.Session.Send(short, &kistv1.SendRequest{Session: b.session, Text: fmt.Sprintf("what is open on day %d?", i), RequestId: fmt.Sprintf("turn-%06d", i)})
			if err != nil {
				return false, err
			}
			defer stream.Close()
			tries++
			for n := rand.IntN(12); (n >= 0 || tries > 3) && stream.Receive(); n-- {
				m := stream.Msg()
				if begun := m.GetTurnBegun(); begun != nil {
					turn = begun.Turn
				}
				if m.GetDone() != nil || m.GetError() != nil {
					return true, nil
				}
			}
			return false, stream.Err()
		})
		if err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
		b.mu.Lock()
		b.said = append(b.said, turn)
		b.mu.Unlock()
	}
	return nil
}

// kill kills the daemon a few times, and stops it as often; whoever needs it starts it again.
func (b *breaking) kill(ctx context.Context, t *testing.T) {
	for b.killed.Load() < int64(b.kills) {
		select {
		case <-time.After(time.Duration(300+rand.IntN(900)) * time.Millisecond):
		case <-b.over:
			return
		case <-ctx.Done():
			return
		}
		if info, up := answering(b.paths.Vault); up {
			if err := syscall.Kill(info.PID, []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[b.killed.Load()%2]); err != nil {
				t.Error(err)
			}
			b.killed.Add(1)
		}
	}
}

// A hearer is what one client makes of what it is told.
type hearer interface {
	// open opens a stream behind what was heard; hear takes its next message in.
	open(ctx context.Context, k *dial.Client) (next func() (hear func() error, err error), end func(), err error)
	// lacks says what is missing; empty: nothing.
	lacks(b *breaking) string
}

// watch hears of everything, over many streams.
func (b *breaking) watch(ctx context.Context, i int) error {
	h := []func() hearer{
		func() hearer { return &operationHearer{heard: map[string]int{}} },
		func() hearer { return &documentHearer{lists: &b.lists} },
		func() hearer { return &taskHearer{lists: &b.lists} },
		func() hearer { return &sessionHearer{session: b.session} },
	}[i%4]()
	lacks := "everything"
	err := b.again(ctx, fmt.Sprintf("client-%d", i), func(k *dial.Client) (bool, error) {
		select {
		case <-b.over:
			if lacks = h.lacks(b); lacks == "" {
				return true, nil
			}
		default:
		}
		b.streams.Add(1)
		short, cancel := context.WithTimeout(ctx, time.Duration(1+rand.IntN(400))*time.Millisecond)
		defer cancel()
		next, end, err := h.open(short, k)
		if err != nil {
			return false, unless(short, err)
		}
		defer end()
		for {
			hear, err := next()
			if err != nil {
				return false, unless(short, err)
			}
			if err := hear(); errors.Is(err, errUnlisted) {
				return false, nil
			} else if err != nil {
				return false, wire.NewError(wire.CodeDataLoss, err)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("%w; what it lacks: %s", err, lacks)
	}
	return nil
}

// unless drops the error of a stream that its client has ended.
func unless(over context.Context, err error) error {
	if over.Err() != nil || wire.CodeOf(err) == wire.CodeDeadlineExceeded {
		return nil
	}
	return err
}

// reading reads a stream of any messages.
func reading[M any](s *wire.ServerStreamForClient[M], hear func(*M) error) (func() (func() error, error), func()) {
	return func() (func() error, error) {
		if !s.Receive() {
			return nil, brokenOff(s.Err())
		}
		return func() error { return hear(s.Msg()) }, nil
	}, func() { s.Close() }
}

// brokenOff is the error of a stream that broke off, also where it says nothing.
func brokenOff(err error) error {
	if err == nil {
		return wire.NewError(wire.CodeUnavailable, errors.New("the stream ended"))
	}
	return err
}

type operationHearer struct {
	after int32
	heard map[string]int
}

func (h *operationHearer) open(ctx context.Context, k *dial.Client) (func() (func() error, error), func(), error) {
	s, err := k.Operation.WatchOperations(ctx, &kistv1.WatchOperationsRequest{AfterSeq: proto.Int32(h.after)})
	if err != nil {
		return nil, nil, err
	}
	next, end := reading(s, func(m *kistv1.WatchOperationsResponse) error {
		h.after = m.Seq
		if m.Operation == nil {
			return nil
		}
		what := m.Operation.Id + " " + m.Operation.Status
		if h.heard[what]++; h.heard[what] > 1 {
			return fmt.Errorf("operation %s (%s) was told twice", what, m.Operation.Entity.Path)
		}
		return nil
	})
	return next, end, nil
}

func (h *operationHearer) lacks(b *breaking) string {
	for _, id := range b.ops {
		if h.heard[id+" completed"] == 0 {
			return fmt.Sprintf("operation %s of %d (at %d, %d heard)", id, len(b.ops), h.after, len(h.heard))
		}
	}
	return ""
}

// errUnlisted says that a list was cut off: its message has not come, nor may what comes behind it.
var errUnlisted = errors.New("not listed")

// documentHearer knows the documents as a client does that lists them when it must.
type documentHearer struct {
	after *int32
	known map[string]string // hashes
	told  map[string]bool   // paths and hashes since the list
	lists *atomic.Int64
}

func (h *documentHearer) open(ctx context.Context, k *dial.Client) (func() (func() error, error), func(), error) {
	s, err := k.Vault.WatchDocuments(ctx, &kistv1.WatchDocumentsRequest{AfterSeq: h.after})
	if err != nil {
		return nil, nil, err
	}
	next, end := reading(s, func(m *kistv1.WatchDocumentsResponse) error {
		if h.known == nil || m.Resync {
			known, err := listDocuments(k)
			if err != nil {
				return errUnlisted
			}
			h.known, h.told = known, map[string]bool{}
			h.lists.Add(1)
		}
		h.after = proto.Int32(m.Seq)
		if m.Path == "" {
			return nil
		}
		if what := m.Path + " " + m.Hash; h.told[what] {
			return fmt.Errorf("%s was told twice", what)
		} else if filepath.Dir(m.Path) == "." {
			h.told[what] = true
		}
		h.known[m.Path] = m.Hash
		return nil
	})
	return next, end, nil
}

func listDocuments(k *dial.Client) (map[string]string, error) {
	known := map[string]string{}
	for token := ""; ; {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		list, err := k.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{PageToken: token, PageSize: 1000})
		cancel()
		if err != nil {
			return nil, err
		}
		for _, d := range list.Documents {
			known[d.Path] = d.Hash
		}
		if token = list.NextPageToken; token == "" {
			return known, nil
		}
	}
}

func (h *documentHearer) lacks(b *breaking) string {
	for p, hash := range b.docs {
		if h.known[p] != hash && h.after != nil {
			return fmt.Sprintf("%s, of which it knows %q (at %d)", p, h.known[p], *h.after)
		}
	}
	return ""
}

type taskHearer struct {
	after *int32
	known map[string]bool // documents with tasks
	told  map[string]int
	lists *atomic.Int64
}

func (h *taskHearer) open(ctx context.Context, k *dial.Client) (func() (func() error, error), func(), error) {
	s, err := k.Task.WatchTasks(ctx, &kistv1.WatchTasksRequest{AfterSeq: h.after})
	if err != nil {
		return nil, nil, err
	}
	next, end := reading(s, func(m *kistv1.WatchTasksResponse) error {
		if h.known == nil || m.Resync {
			known, err := listTasks(k)
			if err != nil {
				return errUnlisted
			}
			h.known, h.told = known, map[string]int{}
			h.lists.Add(1)
		}
		h.after = proto.Int32(m.Seq)
		if m.Path == "" {
			return nil
		}
		h.known[m.Path] = len(m.Tasks) > 0
		h.told[m.Path]++
		if n := h.told[m.Path]; n > 1 && len(m.Path) > 5 && m.Path[:5] == "note-" {
			return fmt.Errorf("%s was told %d times", m.Path, n)
		}
		return nil
	})
	return next, end, nil
}

func listTasks(k *dial.Client) (map[string]bool, error) {
	known := map[string]bool{}
	for token := ""; ; {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		list, err := k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{PageToken: token, PageSize: 1000})
		cancel()
		if err != nil {
			return nil, err
		}
		for _, d := range list.Tasks {
			known[d.Path] = true
		}
		if token = list.NextPageToken; token == "" {
			return known, nil
		}
	}
}

func (h *taskHearer) lacks(b *breaking) string {
	for p := range b.docs {
		if !h.known[p] {
			return "the tasks of " + p
		}
	}
	return ""
}

type sessionHearer struct {
	session string
	after   int32
	ended   []string
}

func (h *sessionHearer) open(ctx context.Context, k *dial.Client) (func() (func() error, error), func(), error) {
	s, err := k.Session.WatchSession(ctx, &kistv1.WatchSessionRequest{Session: h.session, AfterSeq: proto.Int32(h.after)})
	if err != nil {
		return nil, nil, err
	}
	next, end := reading(s, func(m *kistv1.WatchSessionResponse) error {
		h.after = m.Seq
		if turn := m.GetEnded(); turn != nil {
			h.ended = append(h.ended, turn.Id)
		}
		return nil
	})
	return next, end, nil
}

func (h *sessionHearer) lacks(b *breaking) string {
	if !slices.Equal(h.ended, b.said) {
		return fmt.Sprintf("turns: it heard %v of %v", h.ended, b.said)
	}
	return ""
}

// check looks at what was done: each note once, each turn once.
func (b *breaking) check(t *testing.T, k *dial.Client) {
	known, err := listDocuments(k)
	if err != nil {
		t.Fatal(err)
	}
	for p, hash := range b.docs {
		if known[p] != hash {
			t.Errorf("%s isn't what was written", p)
		}
	}
	notes := slices.DeleteFunc(slices.Collect(maps.Keys(known)), func(p string) bool { return len(p) < 5 || p[:5] != "note-" })
	if len(notes) != b.notes {
		t.Errorf("%d notes of %d", len(notes), b.notes)
	}
	list, err := k.Session.ListTurns(t.Context(), &kistv1.ListTurnsRequest{Session: b.session, PageSize: 1000})
	if err != nil || len(list.Turns) != b.turns+1 {
		t.Errorf("%d turns of %d: %v", len(list.GetTurns()), b.turns+1, err)
	}
}

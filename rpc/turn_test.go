package rpc_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"kist/agent/model"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/rpc/turns"
	"kist/vault"
	"kist/vault/vaulttest"
)

// slow is a model that says a piece for each token it gets, and counts how often it is asked.
type slow struct {
	pieces chan string
	asked  atomic.Int32
}

func (*slow) Name() string { return "slow" }

func (s *slow) Generate(ctx context.Context, _ model.Request) iter.Seq2[model.Event, error] {
	s.asked.Add(1)
	return func(yield func(model.Event, error) bool) {
		for {
			select {
			case piece, more := <-s.pieces:
				if !more {
					yield(model.Event{Stop: model.End}, nil)
					return
				}
				if !yield(model.Event{Text: piece}, nil) {
					return
				}
			case <-ctx.Done():
				yield(model.Event{}, ctx.Err())
				return
			}
		}
	}
}

// openSlow serves a vault whose model waits for the test.
func openSlow(t *testing.T, v *vault.Vault) (*dial.Client, *slow) {
	t.Helper()
	m := &slow{pieces: make(chan string, 10_000)}
	return serveWith(t, v, m, holdTurns(t)).Client(rpctest.GRPC), m
}

// holdTurns has turns outlive their calls.
func holdTurns(t *testing.T) func(*rpc.Deps) {
	return func(d *rpc.Deps) {
		stop := make(chan struct{})
		hub := turns.New(d.Agent, d.Vault, stop)
		d.Turns = hub
		t.Cleanup(func() {
			close(stop)
			if err := hub.WaitFor(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

// begin sends a message and reads until the turn has its id.
func begin(t *testing.T, c *dial.Client, req *kistv1.SendRequest) (b *kistv1.TurnBegun, letGo func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := c.Session.Send(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	if !stream.Receive() || stream.Msg().GetTurnBegun() == nil || stream.Msg().Number != 1 {
		t.Fatalf("the first event: %v, %v", stream.Msg(), stream.Err())
	}
	b = stream.Msg().GetTurnBegun()
	return b, func() {
		cancel()
		stream.Close()
	}
}

// TestTurnOutlivesItsClient: a client that lets go doesn't end its turn; another one takes it
// up, and the conversation has it whole.
func TestTurnOutlivesItsClient(t *testing.T) {
	c, m := openSlow(t, vaulttest.New(t, boat))
	m.pieces <- "One, "
	b, letGo := begin(t, c, &kistv1.SendRequest{Session: "new", Text: "Say something."})
	letGo()
	m.pieces <- "two, "
	m.pieces <- "three."
	close(m.pieces)
	said, _ := follow(t, c, b.Session, b.Turn, 0)
	if said != "One, two, three." {
		t.Errorf("heard %q", said)
	}
	list, err := c.Session.ListTurns(t.Context(), &kistv1.ListTurnsRequest{Session: b.Session})
	if err != nil || len(list.Turns) != 1 || list.Turns[0].Reply != "One, two, three." || list.Turns[0].Text != "Say something." || list.Turns[0].Id != b.Turn {
		t.Errorf("turns: %v, %v", list, err)
	}
}

// follow watches a turn to its end and returns what was said, and the last event's number.
func follow(t *testing.T, c *dial.Client, session, turn string, after int32) (said string, last int32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := c.Session.WatchTurn(ctx, &kistv1.WatchTurnRequest{Session: session, Turn: turn, AfterEvent: after})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for stream.Receive() {
		said += stream.Msg().Event.GetTextDelta().GetText()
		last = stream.Msg().Event.Number
	}
	if stream.Err() != nil {
		t.Error(stream.Err())
	}
	return said, last
}

// TestCancelTurn: a turn ends when somebody says so, and is written down with what it said.
func TestCancelTurn(t *testing.T) {
	c, m := openSlow(t, vaulttest.New(t, boat))
	m.pieces <- "Begun "
	b, letGo := begin(t, c, &kistv1.SendRequest{Session: "new", Text: "Go on for ever.", RequestId: "go-on-for-ever"})
	defer letGo()
	for _, want := range []bool{false, true} {
		r, err := c.Session.CancelTurn(t.Context(), &kistv1.CancelTurnRequest{Turn: "go-on-for-ever"})
		if err != nil || r.Ended != want {
			t.Errorf("ended %v, want %v: %v", r.GetEnded(), want, err)
		}
	}
	list, err := c.Session.ListTurns(t.Context(), &kistv1.ListTurnsRequest{Session: b.Session})
	if err != nil || len(list.Turns) != 1 || !strings.Contains(list.Turns[0].Reply, "you cancelled it. Nothing was changed.") {
		t.Errorf("turns: %v, %v", list, err)
	}
	_, err = c.Session.CancelTurn(t.Context(), &kistv1.CancelTurnRequest{Session: b.Session, Turn: "another-turn"})
	if connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("a turn that isn't: %v", err)
	}
}

// TestSendOnce: the same message is said once, also after a restart; another one under its
// name is refused.
func TestSendOnce(t *testing.T) {
	dir := vaulttest.Write(t, boat)
	req := &kistv1.SendRequest{Session: "new", Text: "Say it once.", RequestId: "say-it-once"}
	var sessions []string
	for run := range 2 {
		t.Run(fmt.Sprint("start ", run+1), func(t *testing.T) {
			c, m := openSlow(t, vaulttest.Open(t, dir))
			m.pieces <- "Once."
			close(m.pieces)
			for range 2 {
				stream, err := c.Session.Send(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				said := ""
				for stream.Receive() {
					said += stream.Msg().GetTextDelta().GetText()
					if b := stream.Msg().GetTurnBegun(); b != nil {
						sessions = append(sessions, b.Session)
					}
				}
				if said != "Once." || stream.Err() != nil {
					t.Errorf("said %q, %v", said, stream.Err())
				}
				stream.Close()
			}
			if n := m.asked.Load(); n != int32(1-run) {
				t.Errorf("the model was asked %d times", n)
			}
			other := proto.Clone(req).(*kistv1.SendRequest)
			other.Text = "Say something else."
			stream, err := c.Session.Send(t.Context(), other)
			if err == nil {
				stream.Receive()
				err = stream.Err()
				stream.Close()
			}
			if connect.CodeOf(err) != connect.CodeInvalidArgument {
				t.Errorf("another message: %v", err)
			}
		})
	}
	for _, s := range sessions {
		if s != sessions[0] || s == "" {
			t.Fatalf("sessions: %q", sessions)
		}
	}
}

// TestTurnBreaks: a client that loses its stream at random points, and takes it up behind
// the last event, hears every word once.
func TestTurnBreaks(t *testing.T) {
	c, m := openSlow(t, vaulttest.New(t, boat))
	breaks := 100
	if os.Getenv("KIST_RPC_LONG") != "" {
		breaks = 1000
	}
	m.pieces <- "0 "
	b, letGo := begin(t, c, &kistv1.SendRequest{Session: "new", Text: "Count."})
	letGo()
	want := "0 "
	go func() {
		for i := 1; i <= 3*breaks; i++ {
			m.pieces <- fmt.Sprint(i, " ")
			if i%10 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		close(m.pieces)
	}()
	for i := 1; i <= 3*breaks; i++ {
		want += fmt.Sprint(i, " ")
	}
	said, after := "", int32(0)
	for range breaks {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		stream, err := c.Session.WatchTurn(ctx, &kistv1.WatchTurnRequest{Session: b.Session, Turn: b.Turn, AfterEvent: after})
		if err != nil {
			t.Fatal(err)
		}
		for range rand.IntN(4) {
			if !stream.Receive() {
				break
			}
			if e := stream.Msg().Event; e.Number == after+1 {
				said += e.GetTextDelta().GetText()
				after = e.Number
			} else {
				t.Fatalf("event %d behind %d", e.Number, after)
			}
		}
		cancel()
		stream.Close()
	}
	rest, _ := follow(t, c, b.Session, b.Turn, after)
	if said+rest != want {
		t.Errorf("heard %d bytes of %d", len(said+rest), len(want))
	}
}

// TestWatchSession: one client hears of the turns that another one has, also those before.
func TestWatchSession(t *testing.T) {
	c, m := openSlow(t, vaulttest.New(t, boat))
	m.pieces <- "Yes."
	b, letGo := begin(t, c, &kistv1.SendRequest{Session: "new", Text: "First."})
	defer letGo()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := c.Session.WatchSession(ctx, &kistv1.WatchSessionRequest{Session: b.Session})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	next := func() *kistv1.WatchSessionResponse {
		t.Helper()
		if !stream.Receive() {
			t.Fatalf("the stream ended: %v", stream.Err())
		}
		return stream.Msg()
	}
	if m := next(); m.Event != nil || m.Seq != 0 {
		t.Errorf("at first: %v", m)
	}
	if m := next(); m.GetBegun().GetTurn() != b.Turn {
		t.Errorf("begun: %v", m)
	}
	close(m.pieces)
	if m := next(); m.GetEnded().GetReply() != "Yes." || m.Seq != 1 {
		t.Errorf("ended: %v", m)
	}
	again, err := c.Session.WatchSession(ctx, &kistv1.WatchSessionRequest{Session: b.Session, AfterSeq: proto.Int32(0)})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for range 2 { // the number it stands at, and then what was missed
		if !again.Receive() {
			t.Fatalf("missed: %v", again.Err())
		}
	}
	if again.Msg().GetEnded().GetId() != b.Turn {
		t.Errorf("missed: %v", again.Msg())
	}
}

// TestSessions: each program has a last session of its own; a session can be named by its
// user and taken out of the list.
func TestSessions(t *testing.T) {
	c, m := openSlow(t, vaulttest.New(t, boat))
	close(m.pieces)
	say := func(client string) string {
		t.Helper()
		ctx, call := connect.NewClientContext(t.Context())
		call.RequestHeader().Set("Kist-Client", client)
		stream, err := c.Session.Send(ctx, &kistv1.SendRequest{Text: "Hello there."})
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		session := ""
		for stream.Receive() {
			session += stream.Msg().GetTurnBegun().GetSession()
		}
		return session
	}
	nvim, cli := say("nvim"), say("cli")
	if nvim == cli || say("nvim") != nvim || say("cli") != cli {
		t.Errorf("sessions: %q, %q", nvim, cli)
	}
	r, err := c.Session.RenameSession(t.Context(), &kistv1.RenameSessionRequest{Session: nvim, Title: "Greetings"})
	if err != nil || r.Session.Title != "Greetings" {
		t.Errorf("rename: %v, %v", r, err)
	}
	if _, err := c.Session.DeleteSession(t.Context(), &kistv1.DeleteSessionRequest{Session: nvim}); err != nil {
		t.Error(err)
	}
	list, err := c.Session.ListSessions(t.Context(), &kistv1.ListSessionsRequest{})
	if err != nil || len(list.Sessions) != 1 || list.Sessions[0].Id != cli {
		t.Errorf("list: %v, %v", list, err)
	}
	_, got := c.Session.GetSession(t.Context(), &kistv1.GetSessionRequest{Session: nvim})
	_, turns := c.Session.ListTurns(t.Context(), &kistv1.ListTurnsRequest{Session: nvim})
	stream, err := c.Session.ExportSession(t.Context(), &kistv1.ExportSessionRequest{Session: nvim})
	if err != nil {
		t.Fatal(err)
	}
	for stream.Receive() {
		t.Errorf("exported: %v", stream.Msg())
	}
	for what, err := range map[string]error{"got": got, "turns": turns, "exported": stream.Err()} {
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("a deleted session, %s: %v", what, err)
		}
	}
	if s := say("nvim"); s == nvim {
		t.Error("a deleted session is gone on with")
	}
}

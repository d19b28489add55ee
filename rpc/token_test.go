package rpc_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/descriptorpb"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/rpctest"
	"kist/rpc/tokens"
	"kist/vault/vaulttest"
)

// bearer sends a token.
func bearer(secret string) connect.ClientOption { return connect.WithInterceptors(sends(secret)) }

type sends string

func (s sends) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		req.Header().Set("Authorization", "Bearer "+string(s))
		return next(ctx, req)
	}
}

func (s sends) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, spec)
		conn.RequestHeader().Set("Authorization", "Bearer "+string(s))
		return conn
	}
}

func (sends) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// A syncedLog is what a server logs.
type syncedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *syncedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *syncedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestTokens makes tokens, uses them and withdraws them over each protocol; no secret is in an
// answer, an error or the log, but for the one answer.
func TestTokens(t *testing.T) {
	log, store := &syncedLog{}, tokens.Open(filepath.Join(t.TempDir(), "tokens.json"), nil)
	var deps rpc.Deps
	serveVault(t, vaulttest.New(t, boat), func(d *rpc.Deps) {
		d.Tokens, d.Log = store, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		deps = *d
	})
	h := rpc.NewHandler(deps)
	s := rpctest.New(t, rpc.Guard{Hosts: []string{strings.TrimPrefix(rpctest.URL, "http://")}, Token: func() string { return testToken }, Named: store, Own: true}.Wrap(h))
	for _, p := range rpctest.Protocols() {
		own, ctx := s.Client(p, bearer(testToken)), t.Context()
		made := map[bool]string{}
		for _, read := range []bool{true, false} {
			r, err := own.Token.CreateToken(ctx, &kistv1.CreateTokenRequest{Name: fmt.Sprint("t-", read), Read: read})
			if err != nil {
				t.Fatal(err)
			}
			made[read] = r.Secret
		}
		read, full := s.Client(p, bearer(made[true])), s.Client(p, bearer(made[false]))
		if _, err := read.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{}); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		create := &kistv1.CreateProjectRequest{Name: "Pier " + string(p)}
		_, err := read.Project.CreateProject(ctx, create)
		if info := infoOf(err); info.GetReason() != "READ_TOKEN" || connect.CodeOf(err) != connect.CodePermissionDenied {
			t.Errorf("%s: a token that reads writes: %v", p, err)
		}
		if _, err := full.Project.CreateProject(ctx, create); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		for _, c := range []*kistv1.CreateTokenRequest{{Name: "more"}} {
			if _, err := full.Token.CreateToken(ctx, c); infoOf(err).GetReason() != "NAMED_TOKEN" {
				t.Errorf("%s: a named token makes others: %v", p, err)
			}
		}
		stream, err := read.Operation.WatchOperations(ctx, &kistv1.WatchOperationsRequest{})
		if err != nil || !stream.Receive() {
			t.Fatalf("%s: %v, %v", p, err, stream.Err())
		}
		list, err := own.Token.ListTokens(ctx, &kistv1.ListTokensRequest{})
		if err != nil || len(list.Tokens) != 2 || list.Tokens[1].Name != "t-true" || list.Tokens[1].Used == nil {
			t.Errorf("%s: %v, %v", p, list, err)
		}
		for _, name := range []string{"t-true", "t-false"} {
			if _, err := own.Token.RevokeToken(ctx, &kistv1.RevokeTokenRequest{Name: name}); err != nil {
				t.Error(err)
			}
		}
		for stream.Receive() {
		}
		if infoOf(stream.Err()).GetReason() != "TOKEN" {
			t.Errorf("%s: the stream ends with %v", p, stream.Err())
		}
		stream.Close()
		_, err = full.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{})
		if infoOf(err).GetReason() != "TOKEN" {
			t.Errorf("%s: withdrawn, %v", p, err)
		}
		for _, secret := range []string{made[true], made[false], testToken} {
			if said := fmt.Sprint(list, err, stream.Err(), log); strings.Contains(said, secret) {
				t.Errorf("%s: %s is told", p, secret)
			}
		}
	}
}

// TestWithdrawnTokenEndsItsTurns: what a program had begun ends with its token, and the
// conversation says why; the turns of others go on.
func TestWithdrawnTokenEndsItsTurns(t *testing.T) {
	store, m := tokens.Open(filepath.Join(t.TempDir(), "tokens.json"), nil), &slow{pieces: make(chan string)}
	go func() { // both turns want some of it
		for t.Context().Err() == nil {
			select {
			case m.pieces <- ".":
				time.Sleep(time.Millisecond)
			case <-t.Context().Done():
			}
		}
	}()
	var deps rpc.Deps
	serveWith(t, vaulttest.New(t, boat), m, holdTurns(t), func(d *rpc.Deps) {
		d.Tokens = store
		deps = *d
	})
	guard := rpc.Guard{Hosts: []string{strings.TrimPrefix(rpctest.URL, "http://")}, Token: func() string { return testToken }, Named: store, Own: true}
	s := rpctest.New(t, guard.Wrap(rpc.NewHandler(deps)))
	own, ctx := s.Client(rpctest.GRPC, bearer(testToken)), t.Context()
	r, err := own.Token.CreateToken(ctx, &kistv1.CreateTokenRequest{Name: "nvim"})
	if err != nil {
		t.Fatal(err)
	}
	_, letGo := begin(t, own, &kistv1.SendRequest{Session: "new", Text: "Go on for ever.", RequestId: "of-the-user"})
	defer letGo()
	b, letGo := begin(t, s.Client(rpctest.GRPC, bearer(r.Secret)), &kistv1.SendRequest{Session: "new", Text: "And you.", RequestId: "of-the-editor"})
	letGo() // its stream is not what ends the turn
	if _, err := own.Token.RevokeToken(ctx, &kistv1.RevokeTokenRequest{Name: "nvim"}); err != nil {
		t.Fatal(err)
	}
	follow(t, own, b.Session, b.Turn, 0)
	list, err := own.Session.ListTurns(ctx, &kistv1.ListTurnsRequest{Session: b.Session})
	if err != nil || len(list.Turns) != 1 || !strings.Contains(list.Turns[0].Reply, "ended early: the token with which it was begun was withdrawn") {
		t.Errorf("turns: %v, %v", list, err)
	}
	if r, err := own.Session.CancelTurn(ctx, &kistv1.CancelTurnRequest{Turn: "of-the-user"}); err != nil || r.Ended {
		t.Errorf("another's turn has ended, too: %v, %v", r, err)
	}
}

// TestReadTokenReads goes over all calls: a token that reads gets those without side effects.
func TestReadTokenReads(t *testing.T) {
	store := tokens.Open(filepath.Join(t.TempDir(), "tokens.json"), nil)
	secret, _, err := store.Create("reads", true)
	if err != nil {
		t.Fatal(err)
	}
	handler := &counting{}
	guarded := rpc.Guard{Hosts: []string{"localhost"}, Token: func() string { return testToken }, Named: store, Own: true}.Wrap(handler)
	ask := func(path string) bool {
		before := handler.runs.Load()
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Content-Type", "application/json")
		guarded.ServeHTTP(httptest.NewRecorder(), r)
		return handler.runs.Load() > before
	}
	for m := range methods(t) {
		options, _ := m.Options().(*descriptorpb.MethodOptions)
		want := options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS && m.Parent().Name() != "TokenService"
		if got := ask(fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name())); got != want {
			t.Errorf("%s: let through: %v", m.FullName(), got)
		}
	}
	for path, want := range map[string]bool{
		"/healthz": true, "/readyz": true, "/grpc.health.v1.Health/Check": true, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": true,
		"/": false, "/metrics": false, "/kist.v1.VaultService/Dream": false, "/kist.v1.ProjectService/ListProjects/": false, "//kist.v1.ProjectService/ListProjects": false,
	} {
		if got := ask(path); got != want {
			t.Errorf("%s: let through: %v", path, got)
		}
	}
}

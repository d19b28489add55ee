package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/proto/grpc/health/v1/healthv1connect"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/rpctest"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(vaulttest.InMemory(m)) }

// bare returns dependencies without a vault, for what needs none.
func bare() rpc.Deps {
	return rpc.Deps{
		Status:  func() rpc.DaemonInfo { return rpc.DaemonInfo{} },
		Stop:    func() {},
		Ready:   func() bool { return true },
		Models:  &shelf{},
		Repanic: true,
	}
}

func serve(t *testing.T, d rpc.Deps) *rpctest.Server {
	t.Helper()
	h := rpc.NewHandler(d)
	return rpctest.New(t, h)
}

func TestHealth(t *testing.T) {
	var ready atomic.Bool
	d := bare()
	d.Ready = ready.Load
	s := serve(t, d)
	for _, p := range rpctest.Protocols() {
		c := s.Client(p)
		for _, on := range []bool{false, true} {
			ready.Store(on)
			want := healthv1.HealthCheckResponse_NOT_SERVING
			if on {
				want = healthv1.HealthCheckResponse_SERVING
			}
			for _, name := range append(rpc.ServiceNames(), "") {
				res, err := c.Health.Check(t.Context(), &healthv1.HealthCheckRequest{Service: name})
				if err != nil || res.Status != want {
					t.Fatalf("%s: %q: %v, %v", p, name, res, err)
				}
			}
		}
		_, err := c.Health.Check(t.Context(), &healthv1.HealthCheckRequest{Service: "kist.v1.NoService"})
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("%s: unknown service: %v", p, err)
		}
	}
}

func TestHealthWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ready atomic.Bool
		stopping := make(chan struct{})
		d := bare()
		d.Ready, d.Stopping = ready.Load, stopping
		stream, err := serve(t, d).Client(rpctest.GRPC).Health.Watch(t.Context(), &healthv1.HealthCheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		next := func() string {
			if !stream.Receive() {
				return connect.CodeOf(stream.Err()).String()
			}
			return stream.Msg().Status.String()
		}
		got := []string{next()}
		ready.Store(true)
		got = append(got, next())
		close(stopping)
		got = append(got, next())
		if want := []string{"NOT_SERVING", "SERVING", "unavailable"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := stream.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestHealthPages(t *testing.T) {
	var ready atomic.Bool
	d := bare()
	d.Ready = ready.Load
	c := serve(t, d).HTTP1()
	status := func(path string) int {
		res, err := c.Get(rpctest.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if a, b := status("/healthz"), status("/readyz"); a != 200 || b != 503 {
		t.Errorf("while starting: %d %d", a, b)
	}
	ready.Store(true)
	if a, b := status("/healthz"), status("/readyz"); a != 200 || b != 200 {
		t.Errorf("when ready: %d %d", a, b)
	}
	if got := status("/nothing"); got != 404 {
		t.Errorf("unknown path: %d", got)
	}
}

// TestValidation: a request against the rules in the proto files reaches no
// handler (there is no vault here to handle it with) and says what is wrong.
func TestValidation(t *testing.T) {
	s := serve(t, bare())
	for _, p := range rpctest.Protocols() {
		c := s.Client(p)
		_, err := c.Task.CreateTask(t.Context(), &kistv1.CreateTaskRequest{Project: "boat", Title: "Paint", Due: "tomorrow"})
		if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), "due") {
			t.Errorf("%s: unary: %v", p, err)
		}
		if hint(t, err) == "" {
			t.Errorf("%s: no hint", p)
		}
		stream, err := c.Session.Send(t.Context(), &kistv1.SendRequest{})
		if err == nil {
			for stream.Receive() {
			}
			err = stream.Err()
			stream.Close()
		}
		if connect.CodeOf(err) != connect.CodeInvalidArgument || hint(t, err) == "" {
			t.Errorf("%s: stream: %v", p, err)
		}
	}
}

func hint(t *testing.T, err error) string {
	t.Helper()
	var e *connect.Error
	if !errors.As(err, &e) {
		return ""
	}
	for _, d := range e.Details() {
		if v, err := d.Value(); err == nil {
			if info, ok := v.(*kistv1.ErrorInfo); ok {
				return info.Hint
			}
		}
	}
	return ""
}

// TestReflection lists everything as a stock gRPC client does: services, and the
// methods and messages of each.
func TestReflection(t *testing.T) {
	s := serve(t, bare())
	stream := grpcreflect.NewClient(s.HTTP2(), rpctest.URL, connect.WithGRPC()).NewStream(t.Context())
	defer stream.Close()
	names, err := stream.ListServices()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range rpc.ServiceNames() {
		if !slices.Contains(names, protoreflect.FullName(want)) {
			t.Errorf("%s is not listed", want)
		}
	}
	got, want := 0, 0
	for _, name := range rpc.ServiceNames() {
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			t.Fatal(err)
		}
		want += d.(protoreflect.ServiceDescriptor).Methods().Len()
	}
	for _, name := range names {
		files, err := stream.FileContainingSymbol(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range files {
			for _, svc := range f.Service {
				if f.GetPackage()+"."+svc.GetName() == string(name) {
					got += len(svc.Method)
				}
			}
		}
	}
	if got != want || want == 0 {
		t.Errorf("%d methods are described, want %d", got, want)
	}
}

func TestLimits(t *testing.T) {
	s := serve(t, bare())
	big := strings.Repeat("x", 5<<20)
	for _, p := range rpctest.Protocols() {
		_, err := s.Client(p).Vault.AppendNote(t.Context(), &kistv1.AppendNoteRequest{Path: "a.md", Text: big})
		if connect.CodeOf(err) != connect.CodeResourceExhausted {
			t.Errorf("%s: 5 MiB: %v", p, connect.CodeOf(err))
		}
	}
	// A body that never ends is cut off, also where the client hides its length.
	endless := io.LimitReader(zeros{}, 64<<20)
	req, err := http.NewRequestWithContext(t.Context(), "POST", rpctest.URL+"/kist.v1.ProjectService/ListProjects", endless)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.HTTP1().Do(req)
	if err == nil {
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			t.Error("64 MiB were accepted")
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestNoCompression: what isn't unpacked can't explode.
func TestNoCompression(t *testing.T) {
	s := serve(t, bare())
	req, err := http.NewRequestWithContext(t.Context(), "POST", rpctest.URL+"/grpc.health.v1.Health/Check", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Encoding", "gzip")
	res, err := s.HTTP1().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNotImplemented {
		t.Errorf("gzip: status %d", res.StatusCode)
	}
}

// TestPanic: a panic becomes an error, the server lives on, and what was panicked
// with is neither logged nor answered.
func TestPanic(t *testing.T) {
	const secret = "my diary"
	var log syncBuffer
	d := bare()
	d.Repanic = false
	d.Log = slog.New(slog.NewTextHandler(&log, nil))
	d.Stop = func() { panic(secret) }
	s := serve(t, d)
	c := s.Client(rpctest.Connect)
	_, err := c.Daemon.Stop(t.Context(), &kistv1.StopRequest{})
	if connect.CodeOf(err) != connect.CodeInternal || strings.Contains(err.Error(), secret) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(log.String(), "panic") || strings.Contains(log.String(), secret) {
		t.Errorf("log: %s", log.String())
	}
	if _, err := c.Health.Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil {
		t.Errorf("after the panic: %v", err)
	}
}

// TestLog: one line a call, without anything from its messages.
func TestLog(t *testing.T) {
	var log syncBuffer
	d := bare()
	d.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := serve(t, d)
	c := healthv1connect.NewHealthClient(s.HTTP1(), rpctest.URL)
	ctx, call := connect.NewClientContext(t.Context())
	call.RequestHeader().Set("Kist-Client", "nvim")
	call.RequestHeader().Set("Authorization", "Bearer "+testToken)
	if _, err := c.Check(ctx, &healthv1.HealthCheckRequest{Service: "no.such.Service"}); err == nil {
		t.Error("no error")
	}
	text := log.String()
	for _, want := range []string{"procedure=/grpc.health.v1.Health/Check", "code=not_found", "client=nvim", "took="} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n != 1 {
		t.Errorf("%d lines: %s", n, text)
	}
	for _, secret := range []string{testToken, "no.such.Service"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s was logged", secret)
		}
	}
}

func TestStopAnswers(t *testing.T) {
	stopped := make(chan struct{}, 1)
	d := bare()
	d.Stop = func() { stopped <- struct{}{} }
	if _, err := serve(t, d).Client(rpctest.GRPCWeb).Daemon.Stop(t.Context(), &kistv1.StopRequest{}); err != nil {
		t.Fatal(err)
	}
	<-stopped
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	_, err := serve(t, bare()).Client(rpctest.Connect).Health.Check(ctx, &healthv1.HealthCheckRequest{})
	if connect.CodeOf(err) != connect.CodeDeadlineExceeded {
		t.Errorf("got %v", err)
	}
}

// syncBuffer is a buffer that a server may write while a test reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

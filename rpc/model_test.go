package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"kist/agent/budget"
	"kist/agent/models"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/rpctest"
)

// shelf is models that do what a test says.
type shelf struct {
	roles  []models.Role
	found  []models.Found
	checks []models.Check
	config string
	err    error
	used   []string
	wait   bool          // after the checks, until nobody listens
	left   chan struct{} // gets one when a test ends; nil: nobody wants to know
}

func (s *shelf) Roles(context.Context) []models.Role { return s.roles }
func (s *shelf) List(context.Context) []models.Found { return s.found }
func (s *shelf) Config() string                      { return s.config }
func (s *shelf) Private() []string                   { return []string{"journal/", "#a\xff"} }

func (s *shelf) Known() []models.Role {
	return []models.Role{
		{Name: "chat", Model: "openai/x", State: "failing", URL: "http://127.0.0.1:1/v1", Context: 8192, Speed: 12.5, Error: "it is\xff gone", Hint: "look for it"},
		{Name: "embed", Model: "builtin", State: "ready", Error: "not of chat"},
	}
}

func (s *shelf) Pull(_ context.Context, ref string, tell func(string, int64, int64) bool) error {
	if ref == "ollama/none" {
		return fmt.Errorf("%w: %s", models.ErrName, ref)
	}
	_ = tell("pulling a1\xff", 4, 10) && tell("success", 0, 0)
	return nil
}

func (s *shelf) Use(_ context.Context, role, ref string) (models.Role, error) {
	s.used = append(s.used, role+" "+ref)
	if s.err != nil {
		return models.Role{}, s.err
	}
	return s.roles[0], nil
}

func (s *shelf) Test(ctx context.Context, ref string, tell func(models.Check) bool) error {
	s.used = append(s.used, ref)
	if s.left != nil {
		defer func() { s.left <- struct{}{} }()
	}
	for _, c := range s.checks {
		if !tell(c) {
			return nil
		}
	}
	if s.wait {
		<-ctx.Done()
		return ctx.Err()
	}
	return s.err
}

func tests(ctx context.Context, t *testing.T, c kistv1Model, ref string) (all []*kistv1.TestModelResponse, err error) {
	t.Helper()
	stream, err := c.TestModel(ctx, &kistv1.TestModelRequest{Model: ref})
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	for stream.Receive() {
		all = append(all, stream.Msg())
	}
	return all, stream.Err()
}

// kistv1Model is the call of a client that tests need beside the others.
type kistv1Model interface {
	TestModel(context.Context, *kistv1.TestModelRequest) (*connect.ServerStreamForClient[kistv1.TestModelResponse], error)
}

// Every field arrives, by each protocol.
func TestModelService(t *testing.T) {
	const bad, fine = "caf\xe9", "caf\uFFFD"
	s := &shelf{
		config: "/home/" + bad,
		roles: []models.Role{
			{Name: "chat", Model: "ollama/" + bad, State: "failing", URL: "http://" + bad, Remote: true, Context: 1 << 40, Rung: "union", Speed: 2.5, Error: bad + "1", Hint: bad + "2", Images: true, Price: &models.Price{Price: budget.Price{Input: 3, Output: 15, Cached: 0.3}, Told: true}},
			{Name: "embed", Model: "builtin", State: "ready"},
		},
		found: []models.Found{
			{Kind: "ollama", URL: "http://" + bad, Remote: true, Set: true, Models: []models.Available{{Name: "ollama/" + bad, Size: 7, Remote: true}, {Name: "ollama/b"}}},
			{Kind: "openai", Error: bad + "1", Hint: bad + "2"},
		},
		checks: []models.Check{{What: bad, Result: "passed", Detail: bad + "1", Took: 1500 * time.Millisecond}, {What: "b", Result: "failed", Took: 1 << 62}},
	}
	d := bare()
	d.Models = s
	server := serve(t, d)
	role := &kistv1.ModelRole{Role: "chat", Model: "ollama/" + fine, State: "failing", Url: "http://" + fine, Remote: true, Context: 1<<31 - 1, Rung: "union", TokensPerSecond: 2.5, Error: fine + "1", Hint: fine + "2", Images: true, Price: &kistv1.ModelPrice{Input: 3, Output: 15, Cached: 0.3, Told: true}}
	for _, p := range rpctest.Protocols() {
		c, ctx := server.Client(p), t.Context()
		got, err := c.Model.GetModels(ctx, &kistv1.GetModelsRequest{})
		same(t, err, &kistv1.GetModelsResponse{Config: "/home/" + fine, Private: []string{"journal/", "#a\ufffd"}, Roles: []*kistv1.ModelRole{role, {Role: "embed", Model: "builtin", State: "ready"}}}, got)
		list, err := c.Model.ListModels(ctx, &kistv1.ListModelsRequest{})
		same(t, err, &kistv1.ListModelsResponse{Servers: []*kistv1.ModelServer{
			{Kind: "ollama", Url: "http://" + fine, Remote: true, Configured: true, Models: []*kistv1.AvailableModel{{Name: "ollama/" + fine, Size: 7, Remote: true}, {Name: "ollama/b"}}},
			{Kind: "openai", Error: fine + "1", Hint: fine + "2"},
		}}, list)
		use, err := c.Model.UseModel(ctx, &kistv1.UseModelRequest{Role: "chat", Model: "ollama/x"})
		same(t, err, &kistv1.UseModelResponse{Role: role, Config: "/home/" + fine}, use)
		all, err := tests(ctx, t, c.Model, "")
		same(t, err, []*kistv1.TestModelResponse{{What: fine, Result: "passed", Detail: fine + "1", Millis: 1500}, {What: "b", Result: "failed", Millis: 1<<31 - 1}}, all)
	}
	want := strings.Repeat("chat ollama/x,,", len(rpctest.Protocols()))
	if got := strings.Join(s.used, ",") + ","; got != want {
		t.Errorf("asked for %q", got)
	}
}

func same(t *testing.T, err error, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// What is refused never reaches the models, and what they refuse says why.
func TestModelErrors(t *testing.T) {
	s := &shelf{roles: []models.Role{{Name: "chat"}}}
	d := bare()
	d.Models = s
	c, ctx := serve(t, d).Client(rpctest.Connect), t.Context()
	for _, r := range []*kistv1.UseModelRequest{
		{Role: "", Model: "offline"}, {Role: "sing", Model: "offline"}, {Role: "CHAT", Model: "offline"},
		{Role: "chat", Model: ""}, {Role: "chat", Model: strings.Repeat("x", 257)},
	} {
		if _, err := c.Model.UseModel(ctx, r); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("%v: %v", r, err)
		}
	}
	if _, err := tests(ctx, t, c.Model, strings.Repeat("x", 257)); connect.CodeOf(err) != connect.CodeInvalidArgument {
		t.Errorf("a long name: %v", err)
	}
	if len(s.used) > 0 {
		t.Errorf("asked for %q", s.used)
	}
	for _, tc := range []struct {
		err  error
		code connect.Code
	}{
		{models.ErrName, connect.CodeInvalidArgument},
		{models.ErrServer, connect.CodeFailedPrecondition},
		{models.ErrSettings, connect.CodeFailedPrecondition},
	} {
		s.err = fmt.Errorf("%w: %w", tc.err, errors.New("caf\xe9"))
		_, err := c.Model.UseModel(ctx, &kistv1.UseModelRequest{Role: "embed", Model: "x"})
		_, again := tests(ctx, t, c.Model, "x")
		for _, err := range []error{err, again} {
			if connect.CodeOf(err) != tc.code || hint(t, err) == "" || !strings.Contains(err.Error(), tc.err.Error()+": caf\uFFFD") {
				t.Errorf("%v: %v", tc.err, err)
			}
		}
	}
	// What was told before something broke arrives all the same.
	s.checks = []models.Check{{What: "a"}}
	if all, err := tests(ctx, t, c.Model, ""); len(all) != 1 || connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("%v, %v", all, err)
	}
}

// A test ends with its client, and with the daemon.
func TestModelTestEnds(t *testing.T) {
	stopping := make(chan struct{})
	s := &shelf{checks: []models.Check{{What: "a"}}, wait: true, left: make(chan struct{}, 1)}
	d := bare()
	d.Models, d.Stopping = s, stopping
	server := serve(t, d)
	for _, p := range rpctest.Protocols() {
		ctx, cancel := context.WithCancel(t.Context())
		stream, err := server.Client(p).Model.TestModel(ctx, &kistv1.TestModelRequest{})
		if err != nil || !stream.Receive() {
			t.Fatalf("%s: %v", p, err)
		}
		cancel()
		<-s.left
		_ = stream.Close()
	}
	stream, err := server.Client(rpctest.GRPC).Model.TestModel(t.Context(), &kistv1.TestModelRequest{})
	if err != nil || !stream.Receive() {
		t.Fatal(err)
	}
	close(stopping)
	if stream.Receive() || connect.CodeOf(stream.Err()) != connect.CodeUnavailable {
		t.Errorf("when the daemon stops: %v", stream.Err())
	}
	<-s.left
	_ = stream.Close()
}

// Which model text is sent to, only a process of this user may say; whoever has the token
// may ask.
func TestUseModelIsOwnWord(t *testing.T) {
	s := &shelf{roles: []models.Role{{Name: "chat", Model: "offline", State: "ready"}}}
	d := bare()
	d.Models = s
	h := rpc.NewHandler(d)
	for method, want := range map[string][2]int{ // over TCP, on the socket
		"UseModel":   {http.StatusForbidden, http.StatusOK},
		"GetModels":  {http.StatusOK, http.StatusOK},
		"ListModels": {http.StatusOK, http.StatusOK},
	} {
		for i, own := range []bool{false, true} {
			s.used = nil
			g := rpc.Guard{Hosts: []string{"localhost:7777"}, Origins: rpc.DefaultOrigins(), Token: func() string { return testToken }, Own: own}
			body := `{}`
			if method == "UseModel" {
				body = `{"role":"chat","model":"offline"}`
			}
			r := httptest.NewRequest(http.MethodPost, "http://localhost:7777/kist.v1.ModelService/"+method, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+testToken)
			w := httptest.NewRecorder()
			g.Wrap(h).ServeHTTP(w, r)
			if w.Code != want[i] || w.Code != http.StatusOK && len(s.used) > 0 {
				t.Errorf("%s, own %v: %d %s, asked for %q", method, own, w.Code, w.Body, s.used)
			}
		}
	}
}

// A pull is told as it goes, and its errors have codes.
func TestPullModel(t *testing.T) {
	for ref, want := range map[string]struct {
		told []string
		code connect.Code
	}{
		"ollama/x":    {[]string{"pulling a1\uFFFD 4 10", "success 0 0"}, 0},
		"ollama/none": {nil, connect.CodeInvalidArgument},
	} {
		d := bare()
		d.Models = &shelf{}
		stream, err := serve(t, d).Client(rpctest.Protocols()[0]).Model.PullModel(t.Context(), &kistv1.PullModelRequest{Model: ref})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for stream.Receive() {
			m := stream.Msg()
			told = append(told, fmt.Sprintf("%s %d %d", m.Status, m.Done, m.Total))
		}
		if diff := cmp.Diff(want.told, told); diff != "" || want.code != 0 && connect.CodeOf(stream.Err()) != want.code || want.code == 0 && stream.Err() != nil {
			t.Errorf("%s: %v %s", ref, stream.Err(), diff)
		}
	}
}

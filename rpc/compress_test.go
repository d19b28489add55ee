package rpc_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
)

// encodings are the headers by which a protocol says how messages are packed.
var encodings = []string{"Content-Encoding", "Grpc-Encoding", "Connect-Content-Encoding"}

// A recorder notes packed requests and replies.
type recorder struct {
	http.RoundTripper
	mu       sync.Mutex
	requests []string
	replies  []string
	accepted int // requests that would take gzip
	calls    int
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := r.RoundTripper.RoundTrip(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	accepts := strings.Join(append(append(req.Header.Values("Accept-Encoding"), req.Header.Values("Grpc-Accept-Encoding")...), req.Header.Values("Connect-Accept-Encoding")...), ",")
	if strings.Contains(accepts, "gzip") {
		r.accepted++
	}
	for _, name := range encodings {
		if v := req.Header.Get(name); v != "" && v != "identity" {
			r.requests = append(r.requests, req.URL.Path+": "+v)
		}
		if err == nil {
			if v := res.Header.Get(name); v != "" && v != "identity" {
				r.replies = append(r.replies, req.URL.Path+": "+v)
			}
		}
	}
	return res, err
}

// protocolOptions are those of clients that would take gzip, by protocol.
func protocolOptions() map[rpctest.Protocol][]connect.ClientOption {
	return map[rpctest.Protocol][]connect.ClientOption{
		rpctest.Connect:     nil,
		rpctest.ConnectJSON: {connect.WithProtoJSON()},
		rpctest.GRPC:        {connect.WithGRPC()},
		rpctest.GRPCWeb:     {connect.WithGRPCWeb()},
	}
}

func recording(s *rpctest.Server, p rpctest.Protocol) (*http.Client, *recorder) {
	c := s.HTTP1()
	if p == rpctest.GRPC {
		c = s.HTTP2()
	}
	r := &recorder{RoundTripper: c.Transport}
	return &http.Client{Transport: r}, r
}

// TestRepliesAreNotCompressed: not even for a client that takes gzip, in any protocol,
// neither single replies nor streams.
func TestRepliesAreNotCompressed(t *testing.T) {
	s, _ := open(t, boat)
	for p, opts := range protocolOptions() {
		c, r := recording(s, p)
		list, err := kistv1connect.NewProjectServiceClient(c, rpctest.URL, opts...).ListProjects(t.Context(), &kistv1.ListProjectsRequest{})
		if err != nil || len(list.Projects) == 0 {
			t.Fatalf("%s: %v, %v", p, list, err)
		}
		stream, err := kistv1connect.NewIndexServiceClient(c, rpctest.URL, opts...).WatchIndex(t.Context(), &kistv1.WatchIndexRequest{UntilReady: true})
		if err != nil {
			t.Fatal(err)
		}
		for stream.Receive() {
		}
		if err := stream.Err(); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		stream.Close()
		if r.accepted != r.calls || r.calls != 2 {
			t.Errorf("%s: %d of %d calls would take gzip", p, r.accepted, r.calls)
		}
		if len(r.replies) > 0 {
			t.Errorf("%s: compressed: %v", p, r.replies)
		}
	}
}

// TestClientsDoNotCompress: kist's own clients send nothing packed and ask for nothing
// packed.
func TestClientsDoNotCompress(t *testing.T) {
	s, _ := open(t, boat)
	for p, opts := range protocolOptions() {
		c, r := recording(s, p)
		big := &kistv1.AppendNoteRequest{Path: "none.md", Text: strings.Repeat("a long text ", 10_000)}
		if _, err := dial.NewClient(c, rpctest.URL, opts...).Vault.AppendNote(t.Context(), big); connect.CodeOf(err) != connect.CodeNotFound {
			t.Fatalf("%s: %v", p, err)
		}
		if r.calls != 1 || r.accepted > 0 || len(r.requests) > 0 {
			t.Errorf("%s: %d of %d calls would take gzip; compressed: %v", p, r.accepted, r.calls, r.requests)
		}
	}
}

type projects struct {
	kistv1connect.UnimplementedProjectServiceHandler
}

func (projects) ListProjects(context.Context, *kistv1.ListProjectsRequest) (*kistv1.ListProjectsResponse, error) {
	return &kistv1.ListProjectsResponse{Projects: []*kistv1.Project{{Description: strings.Repeat("a long text ", 1000)}}}, nil
}

// TestCompressionIsSeen: a handler and a client as the library makes them do compress,
// and the tests above would notice.
func TestCompressionIsSeen(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle(kistv1connect.NewProjectServiceHandler(projects{}))
	s := rpctest.New(t, mux)
	for p, opts := range protocolOptions() {
		c, r := recording(s, p)
		opts = append(opts, connect.WithSendGzip())
		if _, err := kistv1connect.NewProjectServiceClient(c, rpctest.URL, opts...).ListProjects(t.Context(), &kistv1.ListProjectsRequest{}); err != nil {
			t.Fatal(err)
		}
		if len(r.replies) == 0 || len(r.requests) == 0 || r.accepted == 0 {
			t.Errorf("%s: not seen: %+v", p, r)
		}
	}
}

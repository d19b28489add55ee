/*
Package rpctest serves a handler over pipes in memory, for tests of handlers and
of whatever calls them.

A [Server] speaks HTTP/1.1 and HTTP/2 without encryption, as the daemon does.
[Server.Client] returns the clients of all services over one of the protocols:

	s := rpctest.New(t, handler)
	c := s.Client(rpctest.GRPC)
	res, err := c.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{})

Everything is closed when the test ends. The package opens no port, and guards
nothing: wrap the handler in an rpc.Guard to test one.
*/
package rpctest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"connectrpc.com/connect"

	"kist/rpc/dial"
)

// URL is the base URL of every [Server].
const URL = "http://localhost"

// A Protocol is one that a client can speak.
type Protocol string

// The protocols.
const (
	Connect     Protocol = "connect"
	ConnectJSON Protocol = "connect+json"
	GRPC        Protocol = "grpc"
	GRPCWeb     Protocol = "grpc-web"
)

// Protocols returns all of them.
func Protocols() []Protocol { return []Protocol{Connect, ConnectJSON, GRPC, GRPCWeb} }

// A Server serves one handler until its test ends.
type Server struct {
	t        testing.TB
	listener *listener
}

// New starts a server.
func New(t testing.TB, h http.Handler) *Server {
	t.Helper()
	s := &Server{t: t, listener: &listener{conns: make(chan net.Conn), closed: make(chan struct{})}}
	server := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(s.listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return s
}

// HTTP1 returns an HTTP client that speaks HTTP/1.1 to the server, whatever the
// host in the URL.
func (s *Server) HTTP1() *http.Client { return s.http(false) }

// HTTP2 returns an HTTP client that speaks HTTP/2 to the server from the start.
func (s *Server) HTTP2() *http.Client { return s.http(true) }

func (s *Server) http(http2 bool) *http.Client {
	t := &http.Transport{DialContext: s.listener.dial, Protocols: new(http.Protocols), DisableCompression: true}
	t.Protocols.SetHTTP1(!http2)
	t.Protocols.SetUnencryptedHTTP2(http2)
	s.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// Client returns clients of all services.
func (s *Server) Client(p Protocol, opts ...connect.ClientOption) *dial.Client {
	c := s.HTTP1()
	switch p {
	case ConnectJSON:
		opts = append(opts, connect.WithProtoJSON())
	case GRPC:
		c = s.HTTP2()
		opts = append(opts, connect.WithGRPC())
	case GRPCWeb:
		opts = append(opts, connect.WithGRPCWeb())
	}
	return dial.NewClient(c, URL, opts...)
}

// A listener accepts the other ends of pipes.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return addr{} }

type addr struct{}

func (addr) Network() string { return "pipe" }
func (addr) String() string  { return "pipe" }

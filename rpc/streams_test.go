package rpc_test

import (
	"context"
	"testing"

	"connectrpc.com/connect"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
)

// A client that forgets to close its streams gets no more at some point, and is in
// nobody's way: neither other clients' streams nor calls, its own neither.
func TestStreamsOfOneClient(t *testing.T) {
	const each = 256
	s := serve(t, bare())
	c := s.Client(rpctest.Protocols()[0])
	open := func(client string) (end func(), err error) {
		ctx, cancel := context.WithCancel(t.Context())
		ctx, info := connect.NewClientContext(ctx)
		info.RequestHeader().Set(dial.ClientHeader, client)
		stream, err := c.Health.Watch(ctx, &healthv1.HealthCheckRequest{})
		if err == nil && !stream.Receive() {
			err = stream.Err()
		}
		if err != nil {
			cancel()
			return nil, err
		}
		return func() {
			cancel()
			for stream.Receive() { // until the server has ended it, too
			}
			_ = stream.Close()
		}, nil
	}
	var ends []func()
	for range each {
		end, err := open("leaky")
		if err != nil {
			t.Fatalf("stream %d: %v", len(ends)+1, err)
		}
		ends = append(ends, end)
	}
	_, err := open("leaky")
	if connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("one more: %v", err)
	}
	if end, err := open("other"); err != nil {
		t.Errorf("another client: %v", err)
	} else {
		end()
	}
	if _, err := c.Health.Check(t.Context(), &healthv1.HealthCheckRequest{}); err != nil {
		t.Errorf("a call: %v", err)
	}
	for _, end := range ends {
		end()
	}
	// The server notices an end a moment after the client.
	for again := false; !again; {
		if end, err := open("leaky"); err == nil {
			again = true
			end()
		} else if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

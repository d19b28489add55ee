package dial

import (
	"net"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"
	healthv1 "kist/proto/grpc/health/v1"
)

// A daemon that was killed breaks its connections: to a client it is gone, and isn't what the
// client itself gave up.
func TestABrokenConnectionIsUnavailable(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1)) // and leaves the rest unread, which resets it
			_ = c.Close()
		}
	}()
	k := NewClient(HTTPClient(socket, "token", "test"), "http://localhost")
	defer k.Close()
	for range 20 {
		if _, err := k.Health.Check(t.Context(), &healthv1.HealthCheckRequest{}); connect.CodeOf(err) != connect.CodeUnavailable {
			t.Fatalf("%v: %v", connect.CodeOf(err), err)
		}
	}
}

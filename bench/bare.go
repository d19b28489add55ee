package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/proto/grpc/health/v1/healthv1connect"
)

// bareSocket is the name of the socket that bare calls go to.
const bareSocket = "bare.sock"

// bareHealth answers and does nothing else.
type bareHealth struct {
	healthv1connect.UnimplementedHealthHandler
}

// Check says that all is well.
func (bareHealth) Check(context.Context, *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	return &healthv1.HealthCheckResponse{Status: healthv1.HealthCheckResponse_SERVING}, nil
}

// serveBare is the least that a server of such calls can be: no guard, no checks of
// requests (and no compression, which the client doesn't ask for). It ends when in does, and says on out when it listens.
func serveBare(ctx context.Context, t task, in io.Reader, out io.Writer) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", filepath.Join(t.Floor, bareSocket))
	if err != nil {
		return fmt.Errorf("serve bare calls: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle(healthv1connect.NewHealthHandler(bareHealth{}))
	server := &http.Server{Handler: mux}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, in) // however it ends, the parent is gone
		server.Close()
	}()
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve bare calls: %w", err)
	}
	return nil
}

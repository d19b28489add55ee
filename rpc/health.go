package rpc

import (
	"context"
	"errors"
	"slices"
	"time"

	"connectrpc.com/connect"

	healthv1 "kist/proto/grpc/health/v1"
)

// watchEvery is how often Watch looks; readiness changes twice in a daemon's life.
const watchEvery = 250 * time.Millisecond

type healthService struct{ Deps }

func (s *healthService) Check(_ context.Context, req *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	if !known(req.Service) {
		return nil, connect.NewError(connect.CodeNotFound, errors.New("unknown service"))
	}
	return &healthv1.HealthCheckResponse{Status: s.status()}, nil
}

func (s *healthService) Watch(ctx context.Context, req *healthv1.HealthCheckRequest, stream *connect.ServerStream[healthv1.HealthCheckResponse]) error {
	status := func() healthv1.HealthCheckResponse_ServingStatus {
		if !known(req.Service) {
			return healthv1.HealthCheckResponse_SERVICE_UNKNOWN
		}
		return s.status()
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	last := healthv1.HealthCheckResponse_UNKNOWN
	for {
		if now := status(); now != last {
			last = now
			if err := stream.Send(&healthv1.HealthCheckResponse{Status: now}); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *healthService) status() healthv1.HealthCheckResponse_ServingStatus {
	if s.Ready() {
		return healthv1.HealthCheckResponse_SERVING
	}
	return healthv1.HealthCheckResponse_NOT_SERVING
}

// known reports whether name is a service; empty means the server as a whole.
func known(name string) bool {
	return name == "" || slices.Contains(ServiceNames(), name)
}

package rpc

import (
	"context"
	"errors"
	"sync"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/vault"
)

// progressEvery is how often a rebuild reports, at most.
const progressEvery = 100 * time.Millisecond

type indexService struct{ Deps }

func (s *indexService) GetIndexStatus(context.Context, *kistv1.GetIndexStatusRequest) (*kistv1.GetIndexStatusResponse, error) {
	return indexStatus(s.Index.Status()), nil
}

// errSettled ends the watching of an index that is ready.
var errSettled = errors.New("settled")

func (s *indexService) WatchIndex(ctx context.Context, req *kistv1.WatchIndexRequest, stream *connect.ServerStream[kistv1.WatchIndexResponse]) error {
	var last *kistv1.GetIndexStatusResponse
	err := s.Index.Watch(ctx, progressEvery, func(status index.Status) error {
		now := indexStatus(status)
		if last == nil || !proto.Equal(last, now) {
			if err := stream.Send(&kistv1.WatchIndexResponse{Status: now}); err != nil {
				return err
			}
			last = now
		}
		if settled := status.State == index.Ready || status.State == index.Paused; req.UntilReady && settled {
			return errSettled
		}
		return nil
	})
	if err == errSettled {
		return nil
	}
	return err
}

func (s *indexService) RebuildIndex(ctx context.Context, _ *kistv1.RebuildIndexRequest, stream *connect.ServerStream[kistv1.RebuildIndexResponse]) error {
	var (
		mu   sync.Mutex // progress may come from several workers
		last time.Time
		lost error
	)
	// A client that went away ends the rebuild by ctx; the index then catches up
	// by itself.
	err := s.Index.Rebuild(ctx, func(p index.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if lost != nil || p.Done < p.Total && time.Since(last) < progressEvery {
			return
		}
		last = time.Now()
		lost = stream.Send(&kistv1.RebuildIndexResponse{Progress: progress(p)})
	})
	if err != nil {
		return err
	}
	// Whoever builds the index from the files as they are now takes them for right.
	s.Vault.AcceptVanished()
	mu.Lock()
	defer mu.Unlock()
	return lost
}

func (s *indexService) WaitIndex(ctx context.Context, req *kistv1.WaitIndexRequest) (*kistv1.WaitIndexResponse, error) {
	if err := s.Index.Wait(ctx, vault.Seq(req.Seq)); err != nil {
		return nil, err
	}
	return &kistv1.WaitIndexResponse{Freshness: freshness(s.Index.Freshness())}, nil
}

package rpc

import (
	"context"
	"time"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/documents"
	"kist/rpc/news"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/entity"
)

// beat is how often a stream without news shows that it lives.
const beat = 15 * time.Second

func (d Deps) beat() time.Duration {
	if d.Beat > 0 {
		return d.Beat
	}
	return beat
}

// afterSeq reads where a watch begins; -1: now. A number that this vault never gave, or no
// longer knows, is ErrResync.
func (d Deps) afterSeq(after *int32) (vault.Seq, error) {
	if after == nil {
		return -1, nil
	}
	if vault.Seq(*after) > d.Vault.Seq() {
		return 0, vault.ErrResync
	}
	return vault.Seq(*after), nil
}

// WatchOperations ends with an error when the client reads too slowly to be told
// everything; it then watches anew from where it was.
func (s *operationService) WatchOperations(ctx context.Context, req *kistv1.WatchOperationsRequest, stream *connect.ServerStream[kistv1.WatchOperationsResponse]) error {
	after, err := s.afterSeq(req.AfterSeq)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	since, err := vault.NewsSince(ctx, s.Vault, after)
	told := after
	if after < 0 {
		told = since.Now
	}
	send := func(op vault.Operation) error {
		told = max(told, op.Seq)
		return stream.Send(&kistv1.WatchOperationsResponse{Operation: listed(op), Seq: int32s(told)})
	}
	alive := func() error { return stream.Send(&kistv1.WatchOperationsResponse{Seq: int32s(told)}) }
	if err == nil {
		err = alive()
	}
	for _, op := range since.Missed {
		if err == nil {
			err = send(op)
		}
	}
	if err != nil {
		cancel()
		for range since.Coming { // ends at once, and the subscription with it
		}
		return err
	}
	told = max(told, since.Now)
	return news.Follow(ctx, cancel, s.beat(), since.Coming, send, alive)
}

// vaultService watches; package documents does the rest.
type vaultService struct {
	documents.Service
	watched Deps
}

func (s *vaultService) WatchDocuments(ctx context.Context, req *kistv1.WatchDocumentsRequest, stream *connect.ServerStream[kistv1.WatchDocumentsResponse]) error {
	return s.watched.documents(ctx, req.AfterSeq, false, func(c news.Change) error {
		return stream.Send(&kistv1.WatchDocumentsResponse{Seq: int32s(c.Seq), Path: text(c.Path), Hash: string(c.Hash), Resync: c.Resync})
	})
}

// documents sends which documents changed behind a number, and then what comes.
func (d Deps) documents(ctx context.Context, after *int32, tasks bool, send func(news.Change) error) error {
	from := vault.Seq(-1)
	if after != nil {
		from = vault.Seq(*after)
	}
	return d.News.Each(ctx, from, tasks, d.beat(), send)
}

// WatchTasks looks at the tasks of a document that changed, and at no others.
func (s *taskService) WatchTasks(ctx context.Context, req *kistv1.WatchTasksRequest, stream *connect.ServerStream[kistv1.WatchTasksResponse]) error {
	var had map[string]bool        // as of the first message
	missing := req.AfterSeq != nil // nobody knows what had tasks then
	told := vault.Seq(-1)
	return s.documents(ctx, req.AfterSeq, true, func(c news.Change) error {
		if had == nil {
			had = map[string]bool{}
			if err := entity.EachTask(ctx, s.Vault, "", func(t entity.Task) { had[t.Path] = true }); err != nil {
				return err
			}
		}
		last := told
		told = c.Seq
		m := &kistv1.WatchTasksResponse{Seq: int32s(c.Seq), Path: text(c.Path), Resync: c.Resync}
		if c.Path == "" {
			return stream.Send(m)
		}
		in, err := entity.TasksIn(ctx, s.Vault, c.Path)
		if err != nil {
			return err
		}
		if len(in) == 0 && !had[c.Path] && !(missing && c.Missed) {
			return nil
		}
		had[c.Path] = len(in) > 0
		for part, more := range page.Parts(in, task) {
			m.Tasks, m.More = part, more
			if m.Seq = int32s(c.Seq); more { // until all are told
				m.Seq = int32s(last)
			}
			if err := stream.Send(m); err != nil {
				return err
			}
		}
		return nil
	})
}

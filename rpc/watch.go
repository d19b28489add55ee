package rpc

import (
	"context"
	"errors"
	"iter"
	"time"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/documents"
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

// follow sends what comes, and calls alive in between, until news or ctx end. cancel has
// to end news.
func follow[T any](ctx context.Context, cancel func(), every time.Duration, news iter.Seq2[T, error], send func(T) error, alive func() error) error {
	type item struct {
		value T
		err   error
	}
	items := make(chan item)
	go func() {
		defer close(items)
		for v, err := range news {
			select {
			case items <- item{v, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel()
		for range items {
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		var err error
		select {
		case i, ok := <-items:
			if !ok {
				return ctx.Err()
			}
			if err = i.err; err == nil {
				err = send(i.value)
			}
		case <-tick.C:
			err = alive()
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
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
	news, err := vault.NewsSince(ctx, s.Vault, after)
	told := after
	if after < 0 {
		told = news.Now
	}
	send := func(op vault.Operation) error {
		told = max(told, op.Seq)
		return stream.Send(&kistv1.WatchOperationsResponse{Operation: operation(op), Seq: int32s(told)})
	}
	alive := func() error { return stream.Send(&kistv1.WatchOperationsResponse{Seq: int32s(told)}) }
	if err == nil {
		err = alive()
	}
	for _, op := range news.Missed {
		if err == nil {
			err = send(op)
		}
	}
	if err != nil {
		cancel()
		for range news.Coming { // ends at once, and the subscription with it
		}
		return err
	}
	told = max(told, news.Now)
	return follow(ctx, cancel, s.beat(), news.Coming, send, alive)
}

// A news is one document that changed, or none.
type news struct {
	seq    vault.Seq // everything up to here was sent
	path   string
	resync bool
}

// documents sends which documents changed behind a number, and then what comes. Of what
// changed before this process began the operation log tells.
func (d Deps) documents(ctx context.Context, after *int32, send func(news) error) error {
	from, err := d.afterSeq(after)
	if err != nil {
		return err
	}
	if from < 0 {
		from = d.Vault.Seq()
	}
	if err := send(news{seq: from}); err != nil {
		return err
	}
	if after != nil && from < d.Vault.Seq() {
		if from, err = d.missed(ctx, from, send); err != nil {
			return err
		}
	}
	for {
		wait, cancel := context.WithTimeout(ctx, d.beat())
		err := d.Vault.WaitChange(wait, from)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			if err := send(news{seq: from}); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		changes, seq := d.Vault.ChangedSince(from)
		for _, c := range changes {
			if err := send(news{seq: c.Seq, path: c.Path, resync: c.Path == ""}); err != nil {
				return err
			}
		}
		from = seq
	}
}

// missed sends each document that changed behind a number once, and returns the number that
// is reached then.
func (d Deps) missed(ctx context.Context, from vault.Seq, send func(news) error) (vault.Seq, error) {
	changes, now := d.Vault.ChangedSince(from) // first: what is logged later is news
	ops, err := d.Vault.Operations(ctx, vault.Filter{After: &from})
	if err != nil {
		return 0, err
	}
	var paths []string
	seen := map[string]bool{}
	add := func(p string) {
		if p != "" && !seen[p] {
			seen[p] = true
			paths = append(paths, p)
		}
	}
	for _, op := range ops {
		for _, c := range op.Changes {
			add(c.From)
			add(c.Path)
		}
	}
	resync := false
	for _, c := range changes {
		add(c.Path)
		resync = resync || c.Path == ""
	}
	for _, p := range paths {
		if err := send(news{seq: from, path: p}); err != nil {
			return 0, err
		}
	}
	return now, send(news{seq: now, resync: resync})
}

// vaultService watches; package documents does the rest.
type vaultService struct {
	documents.Service
	watched Deps
}

func (s *vaultService) WatchDocuments(ctx context.Context, req *kistv1.WatchDocumentsRequest, stream *connect.ServerStream[kistv1.WatchDocumentsResponse]) error {
	return s.watched.documents(ctx, req.AfterSeq, func(n news) error {
		m := &kistv1.WatchDocumentsResponse{Seq: int32s(n.seq), Path: text(n.path), Resync: n.resync}
		if n.path != "" {
			if now, err := s.Vault.Read(n.path); err == nil {
				m.Hash = string(vault.HashOf(now))
			}
		}
		return stream.Send(m)
	})
}

// WatchTasks looks at the tasks of a document that changed, and at no others.
func (s *taskService) WatchTasks(ctx context.Context, req *kistv1.WatchTasksRequest, stream *connect.ServerStream[kistv1.WatchTasksResponse]) error {
	had := map[string]bool{}
	if err := entity.EachTask(ctx, s.Vault, "", func(t entity.Task) { had[t.Path] = true }); err != nil {
		return err
	}
	missed := req.AfterSeq != nil // nobody knows what had tasks then
	return s.documents(ctx, req.AfterSeq, func(n news) error {
		m := &kistv1.WatchTasksResponse{Seq: int32s(n.seq), Path: text(n.path), Resync: n.resync}
		if n.path == "" {
			missed = missed && n.seq == vault.Seq(req.GetAfterSeq())
			return stream.Send(m)
		}
		in, err := entity.TasksIn(ctx, s.Vault, n.path)
		if err != nil {
			return err
		}
		m.Tasks = each(in, task)
		if len(m.Tasks) == 0 && !had[n.path] && !missed {
			return nil
		}
		had[n.path] = len(m.Tasks) > 0
		return stream.Send(m)
	})
}

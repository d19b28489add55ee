package rpc

import (
	"context"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"connectrpc.com/connect"

	vaultsync "kist/daemon/sync"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/rpc/page"
	"kist/vault/merge"
)

// maxConflictSide is the size of a text that is still compared with its conflict copy, in bytes.
const maxConflictSide = 1 << 20

type syncService struct{ Deps }

// engine is nil where a daemon has none, as in tests of other services.
func (s *syncService) engine() (*vaultsync.Engine, error) {
	if s.Sync == nil {
		return nil, vaultsync.ErrNotSetUp
	}
	return s.Sync, nil
}

func (s *syncService) GetSyncStatus(ctx context.Context, _ *kistv1.GetSyncStatusRequest) (*kistv1.GetSyncStatusResponse, error) {
	res := syncStatus(ctx, s.Sync)
	if s.Sync != nil {
		lines, err := s.Sync.Attributes()
		if err != nil {
			return nil, err
		}
		res.Attributes = texts(lines)
	}
	return res, nil
}

func syncStatus(ctx context.Context, e *vaultsync.Engine) *kistv1.GetSyncStatusResponse {
	st := vaultsync.Status{State: vaultsync.Off}
	if e != nil {
		st = e.Status(ctx)
	}
	res := &kistv1.GetSyncStatusResponse{
		State: string(st.State), Sentence: text(st.Sentence(time.Now())), Url: text(st.URL), Branch: text(st.Branch), Local: text(st.Local), Phase: text(st.Phase),
		Synced: timestamp(st.Synced), Failing: timestamp(st.Failing), Conflicts: int32s(st.Copies), OwnDevices: texts(st.Own), Left: texts(st.Left),
		Large: each(st.Unsent, unsent), Hooks: texts(st.Hooks),
	}
	if st.Err != nil {
		hint := fault.Hint(st.Err)
		res.Error, res.Hint = text(st.Err.Error()), hint
	} else {
		res.Hint = st.Hint()
	}
	return res
}

// A teller sends progress to a stream, some times a second, and stops once it is gone.
type teller struct {
	mu   sync.Mutex
	last time.Time
	was  string
	send func(*kistv1.SyncProgress) error
	gone error
}

func (t *teller) tell(p vaultsync.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone != nil || p.Phase == t.was && time.Since(t.last) < progressEvery {
		return
	}
	t.last, t.was = time.Now(), p.Phase
	t.gone = t.send(&kistv1.SyncProgress{Phase: p.Phase, Detail: text(p.Detail), Percent: int32s(p.Percent)})
}

func (s *syncService) SetUpSync(ctx context.Context, req *kistv1.SetUpSyncRequest, stream *connect.ServerStream[kistv1.SetUpSyncResponse]) error {
	e, err := s.engine()
	if err != nil {
		return err
	}
	t := &teller{send: func(p *kistv1.SyncProgress) error { return stream.Send(&kistv1.SetUpSyncResponse{Progress: p}) }}
	out, err := e.Setup(ctx, vaultsync.Wanted{URL: req.Url, Replace: req.Replace, Attributes: req.Attributes}, t.tell)
	if err != nil {
		return err
	}
	return stream.Send(&kistv1.SetUpSyncResponse{Setup: &kistv1.SyncSetup{
		Made: out.Made, Remote: text(out.Remote), Branch: text(out.Branch), Local: text(out.Local), Url: text(out.URL), Result: syncResult(out.Outcome),
		Attributes: texts(out.Attributes),
	}})
}

func (s *syncService) SyncNow(ctx context.Context, req *kistv1.SyncNowRequest, stream *connect.ServerStream[kistv1.SyncNowResponse]) error {
	e, err := s.engine()
	if err != nil {
		return err
	}
	t := &teller{send: func(p *kistv1.SyncProgress) error { return stream.Send(&kistv1.SyncNowResponse{Progress: p}) }}
	out, err := e.Now(ctx, vaultsync.Request{Rewritten: req.Rewritten}, t.tell)
	if err != nil {
		return err
	}
	return stream.Send(&kistv1.SyncNowResponse{Result: syncResult(out)})
}

func syncResult(o vaultsync.Outcome) *kistv1.SyncResult {
	return &kistv1.SyncResult{
		Committed: int32s(o.Committed), Brought: int32s(o.Brought), Pushed: int32s(o.Pushed), Conflicts: texts(slices.Concat(o.Upheld, o.Yielded)), Left: texts(o.Left), Commit: text(o.Commit),
		Large: each(o.Unsent, unsent),
	}
}

func unsent(f vaultsync.Unsent) *kistv1.LargeFile {
	return &kistv1.LargeFile{Path: text(f.Path), Size: f.Size, Filter: text(f.Filter), Unresolved: f.Unresolved}
}

func (s *syncService) PauseSync(ctx context.Context, req *kistv1.PauseSyncRequest) (*kistv1.PauseSyncResponse, error) {
	e, err := s.engine()
	if err != nil {
		return nil, err
	}
	return &kistv1.PauseSyncResponse{}, e.Pause(ctx, req.Paused)
}

func (s *syncService) OwnDevice(ctx context.Context, req *kistv1.OwnDeviceRequest) (*kistv1.OwnDeviceResponse, error) {
	e, err := s.engine()
	if err != nil {
		return nil, err
	}
	return &kistv1.OwnDeviceResponse{}, e.Own(ctx, req.Device, req.Own)
}

func (s *syncService) ListConflicts(ctx context.Context, req *kistv1.ListConflictsRequest) (*kistv1.ListConflictsResponse, error) {
	e, err := s.engine()
	if err != nil {
		return nil, err
	}
	found, err := e.Conflicts(ctx)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, found, func(c vaultsync.Conflict) string { return c.Path }, func(c vaultsync.Conflict) *kistv1.SyncConflict {
		out := &kistv1.SyncConflict{Path: text(c.Path), Of: text(c.Of), KeptBy: text(c.From), Note: text(c.Note)}
		if req.Texts && c.Of != "" {
			out.Patch = conflictPatch(ctx, e, c)
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	return &kistv1.ListConflictsResponse{Conflicts: list, NextPageToken: next}, nil
}

// conflictPatch compares a document with its copy; empty: they can't be, or it is too much.
func conflictPatch(ctx context.Context, e *vaultsync.Engine, c vaultsync.Conflict) string {
	ours, theirs, err := e.Texts(ctx, c)
	if err != nil || max(len(ours), len(theirs)) > maxConflictSide || !utf8.Valid(ours) || !utf8.Valid(theirs) {
		return ""
	}
	if patch := merge.Diff(c.Of, ours, theirs); len(patch) <= page.MaxBytes/2 {
		return patch
	}
	return ""
}

func (s *syncService) ResolveConflict(ctx context.Context, req *kistv1.ResolveConflictRequest) (*kistv1.ResolveConflictResponse, error) {
	e, err := s.engine()
	if err != nil {
		return nil, err
	}
	ops, err := e.Resolve(ctx, req.Path, vaultsync.Choice(req.Choice), origin(ctx), req.Propose)
	if err != nil {
		return nil, err
	}
	return &kistv1.ResolveConflictResponse{Operations: operations(ops)}, nil
}

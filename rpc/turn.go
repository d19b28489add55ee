package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/rpc/page"
	"kist/rpc/tokens"
	"kist/rpc/turns"
	"kist/vault/conversation"
)

// Send streams a turn. An error that belongs to the turn is its last event; only broken
// machinery ends the call with an error. The turn goes on without the client, but not without
// its token.
func (s *sessionService) Send(ctx context.Context, req *kistv1.SendRequest, stream *connect.ServerStream[kistv1.SendResponse]) error {
	m := message(ctx, req)
	m.ID = req.RequestId
	t, err := s.Turns.Send(m, tokens.Gone(ctx))
	if err != nil {
		return err
	}
	return s.stream(ctx, t, 0, stream.Send)
}

// stoppedWithin bounds how long a stream waits for its turn when the daemon stops: what was
// said is to be written down.
const stoppedWithin = 10 * time.Second

func (s *sessionService) stream(ctx context.Context, t *turns.Turn, after int32, send func(*kistv1.SendResponse) error) error {
	for e, err := range t.Events(ctx, int(after)) {
		if context.Cause(ctx) == fault.ErrStopping {
			late, cancel := context.WithTimeout(context.WithoutCancel(ctx), stoppedWithin)
			defer cancel()
			return errors.Join(fault.ErrStopping, t.Ended(late))
		}
		if err != nil {
			return err
		}
		if out := turnEvent(e); out != nil {
			if err := send(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnEvent converts an event; nil for one that clients have no use for.
func turnEvent(e turns.Event) *kistv1.SendResponse {
	var out *kistv1.SendResponse
	if b := e.Begun; b != nil {
		out = &kistv1.SendResponse{Event: &kistv1.SendResponse_TurnBegun{TurnBegun: begun(*b)}}
	} else if out = event(e.Event); out == nil {
		return nil
	}
	out.Number = int32s(e.Number)
	return out
}

func begun(b turns.Begun) *kistv1.TurnBegun {
	return &kistv1.TurnBegun{Session: text(b.Session), Turn: text(b.Turn), Retold: b.Retold}
}

// WatchTurn takes a turn up from any event on, or tells what the conversation has of it.
func (s *sessionService) WatchTurn(ctx context.Context, req *kistv1.WatchTurnRequest, stream *connect.ServerStream[kistv1.WatchTurnResponse]) error {
	send := func(e *kistv1.SendResponse) error { return stream.Send(&kistv1.WatchTurnResponse{Event: e}) }
	if t := s.Turns.Find(req.Session, req.Turn); t != nil {
		return s.stream(ctx, t, req.AfterEvent, send)
	}
	all, err := s.turnsOf(ctx, req.Session)
	if err != nil {
		return err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if said := all[i]; req.Turn == "" || said.ID == req.Turn {
			return retell(ctx, s, said, send)
		}
	}
	return noTurn(req.Turn, req.Session)
}

func retell(ctx context.Context, s *sessionService, said conversation.Turn, send func(*kistv1.SendResponse) error) error {
	n := 1
	err := send(turnEvent(turns.Event{Number: n, Begun: &turns.Begun{Session: said.Session, Turn: said.ID, Retold: true}}))
	for _, e := range turns.Told(ctx, s.Vault, said) {
		if n++; err == nil {
			err = send(turnEvent(turns.Event{Number: n, Event: e}))
		}
	}
	return err
}

func noTurn(turn, session string) error {
	what := "turn"
	if turn != "" {
		what = fmt.Sprintf("turn %q", turn)
	}
	return fmt.Errorf("no %s in session %q: %w", what, session, fault.ErrNoTurn)
}

func (s *sessionService) turnsOf(ctx context.Context, session string) ([]conversation.Turn, error) {
	found, err := s.find(ctx, session)
	if err != nil {
		return nil, err
	}
	return conversation.SessionTurns(ctx, s.Vault, found)
}

func (s *sessionService) CancelTurn(ctx context.Context, req *kistv1.CancelTurnRequest) (*kistv1.CancelTurnResponse, error) {
	t := s.Turns.Find(req.Session, req.Turn)
	if t == nil && req.Session == "" {
		return nil, noTurn(req.Turn, req.Session)
	}
	if t == nil {
		all, err := s.turnsOf(ctx, req.Session)
		if err != nil {
			return nil, err
		}
		for _, said := range all {
			if req.Turn == "" || said.ID == req.Turn {
				return &kistv1.CancelTurnResponse{Ended: true}, nil
			}
		}
		return nil, noTurn(req.Turn, req.Session)
	}
	ended, err := t.Cancel(ctx)
	if err != nil {
		return nil, err
	}
	return &kistv1.CancelTurnResponse{Ended: ended}, nil
}

func (s *sessionService) ListTurns(ctx context.Context, req *kistv1.ListTurnsRequest) (*kistv1.ListTurnsResponse, error) {
	all, err := s.turnsOf(ctx, req.Session)
	if err != nil {
		return nil, err
	}
	key := page.Kept(all, func(t conversation.Turn) string { return t.ID })
	list, next, err := page.Of(req, defaultLimit, all, key, said)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListTurnsResponse{Turns: list, NextPageToken: next}, nil
}

func (s *sessionService) ExportSession(ctx context.Context, req *kistv1.ExportSessionRequest, stream *connect.ServerStream[kistv1.ExportSessionResponse]) error {
	found, err := s.find(ctx, req.Session)
	if err != nil {
		return err
	}
	all, err := conversation.SessionTurns(ctx, s.Vault, found)
	if err != nil {
		return err
	}
	for piece := range turns.Markdown(found, all) {
		if err := stream.Send(&kistv1.ExportSessionResponse{Markdown: piece}); err != nil {
			return err
		}
	}
	return nil
}

func said(t conversation.Turn) *kistv1.Turn {
	return &kistv1.Turn{
		Id: text(t.ID), Session: text(t.Session), Project: text(t.Project), At: timestamp(t.At), Text: text(t.User), Reply: text(t.Reply),
		Actions: texts(t.Actions), Operations: texts(t.Operations), Sources: texts(t.Context),
	}
}

// WatchSession counts the turns of a session, which only become more.
func (s *sessionService) WatchSession(ctx context.Context, req *kistv1.WatchSessionRequest, stream *connect.ServerStream[kistv1.WatchSessionResponse]) error {
	told := -1
	if req.AfterSeq != nil {
		told = int(*req.AfterSeq)
	}
	began := ""
	alive := func() error { return stream.Send(&kistv1.WatchSessionResponse{Seq: int32s(told)}) }
	for first := true; ; first = false {
		running, changed := s.Turns.Running(req.Session)
		all, err := s.turnsOf(ctx, req.Session)
		if err != nil {
			return err
		}
		if told < 0 {
			told = len(all)
		}
		if first {
			if err := alive(); err != nil {
				return err
			}
		}
		for ; told < len(all); told++ {
			if err := stream.Send(&kistv1.WatchSessionResponse{Seq: int32s(told + 1), Event: &kistv1.WatchSessionResponse_Ended{Ended: said(all[told])}}); err != nil {
				return err
			}
		}
		if running != nil {
			if session, turn := running.Begun(); turn != began {
				began = turn
				b := &kistv1.WatchSessionResponse_Begun{Begun: begun(turns.Begun{Session: session, Turn: turn})}
				if err := stream.Send(&kistv1.WatchSessionResponse{Seq: int32s(told), Event: b}); err != nil {
					return err
				}
			}
		}
		if err := waitOr(ctx, changed, s.beat(), alive); err != nil {
			return err
		}
	}
}

// waitOr waits for a channel to be closed, and calls alive in between.
func waitOr(ctx context.Context, changed <-chan struct{}, every time.Duration, alive func() error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-changed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := alive(); err != nil {
				return err
			}
		}
	}
}

func (s *sessionService) RenameSession(ctx context.Context, req *kistv1.RenameSessionRequest) (*kistv1.RenameSessionResponse, error) {
	if strings.TrimSpace(req.Title) == "" {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("the title is empty"))
	}
	renamed, err := s.Agent.Rename(ctx, req.Session, req.Title)
	if err != nil {
		return nil, err
	}
	return &kistv1.RenameSessionResponse{Session: session(renamed)}, nil
}

func (s *sessionService) DeleteSession(ctx context.Context, req *kistv1.DeleteSessionRequest) (*kistv1.DeleteSessionResponse, error) {
	if err := s.Agent.Hide(ctx, req.Session); err != nil {
		return nil, err
	}
	return &kistv1.DeleteSessionResponse{}, nil
}

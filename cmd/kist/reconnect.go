package main

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	healthv1 "kist/proto/grpc/health/v1"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// This file is what a chat does when its daemon was killed or started anew: it may
// last for days, in which that is nothing unusual.

// reach makes sure that a daemon answers before something is said, so that a message
// isn't lost to one that is no longer there.
func (ch *chat) reach(ctx context.Context) error {
	if _, err := ch.k.Health.Check(ctx, &healthv1.HealthCheckRequest{}); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	k, err := ch.c.connect(ctx, true)
	if err != nil {
		return err
	}
	ch.k.Close()
	ch.k = k
	return nil
}

// broke tells what became of a turn that didn't come to its end, once a daemon is
// there to be asked. Other errors stay what they are.
func (ch *chat) broke(ctx context.Context, req *v1.SendRequest, sent time.Time, err error) error {
	if ctx.Err() != nil || !lost(err) {
		return err
	}
	broken := &dial.Error{Kind: dial.ErrUnreachable, What: "the daemon ended in the middle of this turn"}
	if err := ch.reach(ctx); err != nil {
		broken.What += ", and there is none now: " + err.Error()
		broken.Hint = "what was kept of the turn is told when there is one again"
		return broken
	}
	session, kept, err := ch.lookup(ctx, req, sent)
	switch {
	case err != nil:
		broken.Hint = "what was kept of the turn is told with the next message"
	case session == "":
		broken.Hint = "nothing of the message was kept, and nothing done; send it again"
	case kept:
		broken.Hint = `the message is kept: "go on" takes it up again, and nothing is done twice`
	default:
		broken.Hint = "the turn is in the conversation; kist op list --session " + session + " shows what it changed"
	}
	if session != "" {
		ch.session, ch.next = session, &v1.SendRequest{Session: session}
	}
	return broken
}

// lookup finds the session that a message came to, if it came to one, and whether the
// message waits there to be gone on with. A session that wasn't named is looked for
// among those used last.
func (ch *chat) lookup(ctx context.Context, req *v1.SendRequest, sent time.Time) (id string, kept bool, err error) {
	named := req.Session != "" && req.Session != "new"
	var sessions []*v1.Session
	if named {
		r, err := ch.k.Session.GetSession(ctx, &v1.GetSessionRequest{Session: req.Session})
		if err != nil {
			return "", false, err
		}
		sessions = append(sessions, r.Session)
	} else {
		r, err := ch.k.Session.ListSessions(ctx, &v1.ListSessionsRequest{PageSize: 20})
		if err != nil {
			return "", false, err
		}
		sessions = r.Sessions
	}
	for _, s := range sessions {
		if s.Interrupted == req.Text || named && s.Interrupted != "" {
			return s.Id, true, nil
		}
	}
	for _, s := range sessions {
		// A session is used when a turn ends; a new one also when it begins.
		if s.Turns > 0 && s.LastUsed.AsTime().After(sent) {
			return s.Id, false, nil
		}
	}
	return "", false, nil
}

// lost reports whether a call failed because of who answers, not of what was asked.
func lost(err error) bool {
	e, ok := errors.AsType[*connect.Error](err)
	if !ok || e.Code() == connect.CodeCanceled || e.Code() == connect.CodeDeadlineExceeded {
		return false
	}
	return e.Code() == connect.CodeUnavailable || !connect.IsWireError(err)
}

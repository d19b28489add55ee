package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/proto/grpc/health/v1/healthv1connect"
	v1 "kist/proto/kist/v1"
	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/dial"
)

// brokenDaemon lets every turn break off, after a piece of the reply or before, and
// answers afterwards as one that was started anew.
type brokenDaemon struct {
	kistv1connect.UnimplementedSessionServiceHandler
	healthv1connect.UnimplementedHealthHandler
	reply   string
	session func(sent time.Time) *v1.Session // nil: there is none
}

func (d *brokenDaemon) Check(context.Context, *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	return &healthv1.HealthCheckResponse{Status: healthv1.HealthCheckResponse_SERVING}, nil
}

func (d *brokenDaemon) Send(_ context.Context, _ *v1.SendRequest, stream *connect.ServerStream[v1.SendResponse]) error {
	if d.reply != "" {
		if err := stream.Send(textDelta(d.reply)); err != nil {
			return err
		}
	}
	panic(http.ErrAbortHandler) // ends the connection as a kill does
}

func (d *brokenDaemon) GetSession(context.Context, *v1.GetSessionRequest) (*v1.GetSessionResponse, error) {
	return &v1.GetSessionResponse{Session: d.session(time.Now())}, nil
}

func (d *brokenDaemon) ListSessions(context.Context, *v1.ListSessionsRequest) (*v1.ListSessionsResponse, error) {
	r := &v1.ListSessionsResponse{}
	if d.session != nil {
		r.Sessions = append(r.Sessions, d.session(time.Now()))
	}
	return r, nil
}

func TestTurnThatBreaksOff(t *testing.T) {
	session := func(interrupted string, turns int32, ago time.Duration) func(time.Time) *v1.Session {
		return func(now time.Time) *v1.Session {
			return &v1.Session{Id: "s1", Interrupted: interrupted, Turns: turns, LastUsed: timestamppb.New(now.Add(-ago))}
		}
	}
	tests := []struct {
		name    string
		daemon  brokenDaemon
		in      string // the session that the message is for
		hint    string
		session string // that the next message is for
	}{
		{"kept", brokenDaemon{session: session("call Bo", 3, time.Hour)}, "s1", `"go on" takes it up again`, "s1"},
		{"kept after a piece", brokenDaemon{reply: "I'll", session: session("call Bo", 3, time.Hour)}, "s1", `"go on" takes it up again`, "s1"},
		{"kept in a new session", brokenDaemon{session: session("call Bo", 0, 0)}, "new", `"go on" takes it up again`, "s1"},
		{"kept in the last session", brokenDaemon{session: session("call Bo", 9, time.Hour)}, "", `"go on" takes it up again`, "s1"},
		{"another's message", brokenDaemon{session: session("call Lea", 9, time.Hour)}, "", "nothing of the message was kept", ""},
		{"finished", brokenDaemon{reply: "Done", session: session("", 4, 0)}, "s1", "the turn is in the conversation; kist op list --session s1", "s1"},
		{"never arrived", brokenDaemon{session: session("", 4, time.Hour)}, "s1", "nothing of the message was kept", "s1"},
		{"no session came of it", brokenDaemon{}, "new", "nothing of the message was kept", "new"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.Handle(kistv1connect.NewSessionServiceHandler(&tt.daemon))
			mux.Handle(healthv1connect.NewHealthHandler(&tt.daemon))
			server := httptest.NewServer(mux)
			defer server.Close()
			var out, log bytes.Buffer
			ch := &chat{
				turn: turn{c: &cli{out: newPrinter(&out), log: newPrinter(&log)}},
				k:    dial.NewClient(server.Client(), server.URL), next: &v1.SendRequest{Session: tt.in},
			}
			err := ch.say(t.Context(), "call Bo")
			f, code := explain(err)
			if code != exitUnreachable || f.Message != "the daemon ended in the middle of this turn" || !strings.Contains(f.Hint, tt.hint) {
				t.Errorf("exit code %d, %+v", code, f)
			}
			if ch.next.Session != tt.session {
				t.Errorf("the next message is for the session %q, want %q", ch.next.Session, tt.session)
			}
			if got := out.String(); tt.daemon.reply != "" && got != tt.daemon.reply+"\n" {
				t.Errorf("shown %q", got)
			}
		})
	}
}

// TestCutAnswer: where a daemon is killed in the middle of an answer, that is said, by whatever command asked.
func TestCutAnswer(t *testing.T) {
	err := connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("protocol error: incomplete envelope: %w", io.ErrUnexpectedEOF))
	if f, code := explain(err); code != exitUnreachable || f.Code != "unavailable" || f.Message != "the daemon ended in the middle of its answer" || f.Hint == "" {
		t.Errorf("exit code %d, %+v", code, f)
	}
}

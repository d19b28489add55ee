package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/fault"
	"kist/vault"
	"kist/vault/entity"

	"connectrpc.com/connect"
)

// edge is the outermost interceptor: it logs each call, turns errors and panics
// into answers, bounds the number of streams, and ends them when the daemon stops.
type edge struct {
	Deps
	streams streams
}

// WrapUnary implements connect.Interceptor.
func (e *edge) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (res connect.AnyResponse, err error) {
		err = e.call(ctx, req.Spec().Procedure, req.Header(), func() error {
			res, err = next(ctx, req)
			return err
		})
		return res, err
	}
}

// WrapStreamingHandler implements connect.Interceptor.
func (e *edge) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return e.call(ctx, conn.Spec().Procedure, conn.RequestHeader(), func() error {
			end, err := e.streams.begin(clientName(conn.RequestHeader()))
			if err != nil {
				return err
			}
			defer end()
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			go func() {
				select {
				case <-e.Stopping:
					cancel(fault.ErrStopping)
				case <-ctx.Done():
				}
			}()
			err = next(ctx, conn)
			// Of these two the handler knows only that the stream is over.
			if cause := context.Cause(ctx); cause == fault.ErrStopping || cause == fault.ErrToken {
				return cause
			}
			return err
		})
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (e *edge) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// call runs a handler. Its log line holds no part of any message.
func (e *edge) call(ctx context.Context, procedure string, h http.Header, run func() error) error {
	start := time.Now()
	err := e.atHome(procedure)
	if err == nil {
		err = e.recovered(procedure, run)
	}
	code := "ok"
	if err != nil {
		if e.Vault != nil {
			err = entity.Suggest(ctx, e.Vault, err)
		}
		mapped := fault.Connect(err)
		if mapped.Code() == connect.CodeInternal || mapped.Code() == connect.CodeUnknown {
			e.Log.Error("call failed", "procedure", procedure, "error", err)
		}
		code, err = mapped.Code().String(), mapped
	}
	e.Log.LogAttrs(ctx, slog.LevelDebug, "call", slog.String("procedure", procedure), slog.String("code", code),
		slog.Duration("took", time.Since(start)), slog.String("client", clientName(h)))
	return err
}

// atHome stops the daemon where another folder is in the vault's place, and returns why.
// It can still be asked how it is.
func (e *edge) atHome(procedure string) error {
	if e.Vault == nil || strings.HasPrefix(procedure, "/"+kistv1connect.DaemonServiceName+"/") {
		return nil
	}
	err := vault.Moved(e.Vault)
	if err != nil {
		e.Stop()
	}
	return err
}

// recovered turns a panic into an error, so that one bad document doesn't end the
// daemon. What was panicked with is logged only if it comes from the runtime: any
// other value may hold the user's text.
func (e *edge) recovered(procedure string, run func() error) (err error) {
	if e.Repanic {
		return run()
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("%w: %w", fault.ErrPanic, p)
			e.Log.Error("panic", "procedure", procedure, "error", p, "stack", string(debug.Stack()))
		default:
			if p == http.ErrAbortHandler {
				panic(p)
			}
			err = fault.ErrPanic
			e.Log.Error("panic", "procedure", procedure, "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return run()
}

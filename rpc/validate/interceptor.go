package validate

import (
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
)

// An Interceptor refuses requests that break rules with CodeInvalidArgument, the [Error] and
// a detail of type buf.validate.Violations. Replies aren't checked.
type Interceptor struct{ rules *Rules }

// NewInterceptor returns the interceptor of rules.
func NewInterceptor(r *Rules) Interceptor { return Interceptor{r} }

// WrapUnary implements connect.Interceptor.
func (i Interceptor) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		if err := i.request(req.Any()); err != nil {
			return nil, err
		}
		return next(ctx, req)
	}
}

// WrapStreamingHandler implements connect.Interceptor.
func (i Interceptor) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return next(ctx, stream{conn, i})
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (i Interceptor) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// A stream checks each message that comes in.
type stream struct {
	connect.StreamingHandlerConn
	interceptor Interceptor
}

// Receive implements connect.StreamingHandlerConn.
func (s stream) Receive(m any) error {
	if err := s.StreamingHandlerConn.Receive(m); err != nil {
		return err
	}
	return s.interceptor.request(m)
}

func (i Interceptor) request(m any) error {
	request, ok := m.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", m)
	}
	err := i.rules.Check(request)
	broken, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	refusal := connect.NewError(connect.CodeInvalidArgument, broken)
	if detail, err := connect.NewErrorDetail(bufvalidate.Violations_builder{Violations: broken.Violations}.Build()); err == nil {
		refusal.AddDetail(detail)
	}
	return refusal
}

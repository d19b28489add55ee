package main

import (
	"context"
	"errors"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
)

// aside takes kist.v1.ErrorInfo out of errors: the suite compares details to the letter, and
// knows nothing of that one, which kist adds to each.
type aside struct{}

func (aside) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		res, err := next(ctx, req)
		return res, without(err)
	}
}

func (aside) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return without(next(ctx, conn))
	}
}

func (aside) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

func without(err error) error {
	var known *connect.Error
	if !errors.As(err, &known) {
		return err
	}
	bare := connect.NewError(known.Code(), known.Unwrap())
	for name, values := range known.Meta() {
		bare.Meta()[name] = values
	}
	for _, d := range known.Details() {
		if d.Type() != string((*kistv1.ErrorInfo)(nil).ProtoReflect().Descriptor().FullName()) {
			bare.AddDetail(d)
		}
	}
	return bare
}

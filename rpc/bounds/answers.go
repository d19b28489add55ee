package bounds

import (
	"context"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"kist/rpc/fault"
	"kist/rpc/page"
)

// MaxAnswer is how many bytes an answer may have, in either form: clients of gRPC take four
// times as much, if nobody tells them otherwise.
const MaxAnswer = 1 << 20

// NewAnswers returns the interceptor that answers a read with [fault.ErrLarge] where the
// answer is too large to be sent. That of a call that writes comes too late to be refused:
// such a call has to know before.
func NewAnswers() connect.UnaryInterceptorFunc {
	return func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			res, err := next(ctx, req)
			if err != nil || req.Spec().IdempotencyLevel != connect.IdempotencyNoSideEffects {
				return res, err
			}
			if m, ok := res.Any().(proto.Message); ok && tooLarge(m) {
				return nil, fault.ErrLarge
			}
			return res, nil
		}
	}
}

// tooLarge measures only what may be too large: of the binary form a field has two bytes at
// least, of JSON its name besides, which no message has longer than thirty.
func tooLarge(m proto.Message) bool {
	n := proto.Size(m)
	if n > MaxAnswer || n < MaxAnswer/32 || page.Bytes(m) <= MaxAnswer {
		return n > MaxAnswer
	}
	j, err := protojson.Marshal(m)
	return err == nil && len(j) > MaxAnswer
}

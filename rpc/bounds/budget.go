/*
Package bounds holds calls to what a daemon and its clients can take: of large documents no
more at a time than there is memory for ([NewBudget]).
*/
package bounds

import (
	"context"
	"strings"

	"connectrpc.com/connect"
	"golang.org/x/sync/semaphore"

	"kist/vault"
)

const (
	// budgetBytes bounds what all calls at a time may hold of large documents: the
	// bytes, what is parsed of them, the answer and its compressed form.
	budgetBytes = 64 << 20
	// copies is about how many times a call holds a document's bytes: of one with a
	// heading on every other line, the outline alone takes ten times as much.
	copies = 16
	// smallBytes is up to where a document counts for nothing.
	smallBytes = 256 << 10
)

// A budget makes calls about large documents wait for each other. A document that alone
// takes more than there is waits for all of it.
type budget struct {
	vault *vault.Vault
	bytes *semaphore.Weighted
}

// NewBudget returns the interceptor of a vault's budget; nil: of none.
func NewBudget(v *vault.Vault) connect.Interceptor {
	return &budget{vault: v, bytes: semaphore.NewWeighted(budgetBytes)}
}

// WrapUnary implements connect.Interceptor.
func (b *budget) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		if n := b.weigh(DocumentOf(req.Any())); n > 0 {
			if err := b.bytes.Acquire(ctx, n); err != nil {
				return nil, err
			}
			// The answer is held until it is written, which ends the call's context.
			context.AfterFunc(ctx, func() { b.bytes.Release(n) })
		}
		return next(ctx, req)
	}
}

// DocumentOf is the path in a request that is about one document.
func DocumentOf(req any) string {
	switch m := req.(type) {
	case interface{ GetPath() string }:
		return m.GetPath()
	case interface{ GetTask() string }:
		if p, _, ok := strings.Cut(m.GetTask(), ".md:"); ok {
			return p + ".md" // a checkbox, by its line
		}
		return m.GetTask()
	}
	return ""
}

// weigh is what a call about a document takes of the budget.
func (b *budget) weigh(p string) int64 {
	if b.vault == nil || p == "" {
		return 0
	}
	at, err := b.vault.Locate(p)
	if err != nil {
		return 0
	}
	info, err := b.vault.Stat(at)
	if err != nil || info.Size <= smallBytes {
		return 0
	}
	return min(copies*info.Size, budgetBytes)
}

// WrapStreamingHandler implements connect.Interceptor.
func (b *budget) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// WrapStreamingClient implements connect.Interceptor.
func (b *budget) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

package tokens

import "context"

// A Caller is who showed a named token.
type Caller struct {
	Name string
	Read bool
	Gone context.Context // ends when the token is withdrawn
}

// Until returns a context for a call of c, which ends for a reason when its token is
// withdrawn. done is to be called behind it.
func (c Caller) Until(ctx context.Context, why error) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.Gone, func() { cancel(why) })
	return context.WithValue(ctx, goneKey{}, c.Gone.Done()), func() {
		stop()
		cancel(nil)
	}
}

type goneKey struct{}

// Gone is closed when the token of a call is withdrawn, for what outlives the call; nil where
// that was the vault's own.
func Gone(ctx context.Context) <-chan struct{} {
	gone, _ := ctx.Value(goneKey{}).(<-chan struct{})
	return gone
}

// Package ending says why a turn ended early, to programs and in the conversation.
package ending

import (
	"context"
	"errors"
	"strings"
	"time"

	"kist/vault"
)

// Cause is the error that a turn ended with, or what was said by who broke it off.
func Cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); errors.Is(err, context.Canceled) && why != nil && why != context.Canceled {
		return why
	}
	return err
}

// Cancelled is the cause of a turn's end by the user's word. It is a [context.Canceled].
type Cancelled struct{}

func (Cancelled) Error() string { return "you cancelled it" }

// Is reports that it is a cancellation.
func (Cancelled) Is(target error) bool { return target == context.Canceled }

// Told is what the conversation says of a turn that ended early: why, what was done before, and what was
// only proposed, each by its reason.
func Told(ctx context.Context, v *vault.Vault, why error, operations []string) string {
	var done, proposed []string
	for _, id := range operations {
		switch op, err := v.Operation(ctx, id); {
		case err != nil:
		case op.Status == vault.StatusProposed:
			proposed = append(proposed, vault.OneLine(op.Reason))
		case op.Status == vault.StatusCompleted:
			done = append(done, vault.OneLine(op.Reason))
		}
	}
	out := "(The turn ended early: " + strings.TrimRight(Words(why), ".") + "."
	if len(done) > 0 {
		out += " Done before that: " + strings.Join(done, "; ") + "."
	}
	if len(proposed) > 0 {
		out += " Proposed, and not done: " + strings.Join(proposed, "; ") + "."
	}
	if len(done) == 0 {
		out += " Nothing was changed."
	}
	return out + ")"
}

// Words say why, for the conversation.
func Words(err error) string {
	if errors.Is(err, context.Canceled) && errors.As(err, new(Cancelled)) {
		return Cancelled{}.Error()
	}
	if errors.Is(err, context.Canceled) {
		return "it was broken off"
	}
	return err.Error()
}

// Within bounds the writes that end a turn whose caller has gone.
const Within = 10 * time.Second

// Passes tells an error of keeping a message that doesn't end its turn, which is answered and kept
// nowhere, from one that does.
func Passes(err error) (passing, failing error) {
	if errors.Is(err, vault.ErrBusy) {
		return err, nil
	}
	return nil, err
}

// Passing says that a turn is kept nowhere, and why.
func Passing(why error) string {
	text := why.Error()
	if _, reason, ok := strings.Cut(text, ": "); ok {
		text = reason
	}
	return "This conversation isn't kept, nor what is told in it: " + text + ". Once that is over, tell it again."
}

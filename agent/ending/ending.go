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

// Words say why, for the conversation.
func Words(err error) string {
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

// Package ending says why a turn ended early, to programs and in the conversation.
package ending

import (
	"context"
	"errors"
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

package agent

import (
	"context"
	"errors"
	"fmt"

	"kist/agent/model"
)

// wrap adds where an error of the vault came from.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// brokeOff says how a model failed.
func brokeOff(ctx context.Context, name string, begun bool, err error) error {
	switch {
	case errors.Is(err, model.ErrLimit):
		return err
	case !begun || ctx.Err() != nil:
		return wrap("model "+name, err)
	}
	return wrap(name+" broke off in the middle of its answer", err)
}

// Package quiet marks searches that may send nothing anywhere.
package quiet

import "context"

type key struct{}

// Context returns a context in which searches send nothing to an embedder elsewhere, and go by
// words and the built-in vectors instead.
func Context(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, true) }

// In reports whether a context is one.
func In(ctx context.Context) bool { return ctx.Value(key{}) != nil }

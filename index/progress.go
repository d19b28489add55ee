package index

import (
	"context"
	"kist/index/meter"
	"time"
)

// Progress is that of a build.
type Progress = meter.Progress

// Watch calls fn with the status at once and then whenever it may have changed, though
// not oftener than the interval, until fn returns an error or ctx ends; it returns that
// error, or ErrClosed.
func (x *Index) Watch(ctx context.Context, interval time.Duration, fn func(Status) error) error {
	for {
		x.mu.RLock()
		moved, closed := x.moved, x.current == nil
		x.mu.RUnlock()
		if closed {
			return ErrClosed
		}
		if err := fn(x.Status()); err != nil {
			return err
		}
		// What a server of vectors is doing wakes nobody.
		look := time.NewTimer(max(interval, time.Second))
		select {
		case <-moved:
		case <-look.C:
		case <-ctx.Done():
		}
		look.Stop()
		pause := time.NewTimer(interval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// Package parallel does things on all processors, by workers that start and end inside one call
// ([Do]), and wakes who waits ([Signal]).
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls fn for 0 to n-1 on all processors, and no more once the context has ended.
func Do(ctx context.Context, n int, fn func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	workers.Wait()
}

// Signal gives a channel its token.
func Signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

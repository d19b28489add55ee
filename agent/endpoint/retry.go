package endpoint

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"syscall"
	"time"
)

// How often and how long a request is tried again.
const (
	retries      = 3
	retryFirst   = 400 * time.Millisecond
	retryRefused = 100 * time.Millisecond // nobody listens: a server that is started anew is back soon
	retryWithin  = 30 * time.Second       // a server that wants more is not waited for
	unheard      = 10 * time.Second       // after which it is told that nothing came
)

// overloaded is what Anthropic answers.
const overloaded = 529

// Passing reports whether the fault may be over in a moment: the server is there and has
// too much to do, or it isn't there yet.
func (e *Error) Passing() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, overloaded:
		return e.RetryAfter <= retryWithin
	}
	return e.Status == 0 && errors.Is(e.Err, syscall.ECONNREFUSED)
}

// Retry calls do, and again after a pause while it fails with an error that is passing, up
// to three times. do must not have had any effect when it fails. A pause that a server asks
// for by its answer is told; where nobody listens the first, since they are short. None
// is made where tell returns false or ctx ends within it. do runs in a goroutine of its own,
// so that a long silence can be told too, and has ended when Retry returns.
func Retry(ctx context.Context, tell func(string) bool, do func() error) error {
	for n := 0; ; n++ {
		err := await(tell, do)
		e, ok := errors.AsType[*Error](err)
		if !ok || !e.Passing() || n == retries || ctx.Err() != nil {
			return err
		}
		pause := pauseBefore(n, e)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return err
		}
		if (e.Status != 0 || n == 0) && !tell(fmt.Sprintf("%v. Trying again in %v.", e, pause.Round(100*time.Millisecond))) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// await runs do, and tells once where that takes long.
func await(tell func(string) bool, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	long := time.NewTimer(unheard)
	defer long.Stop()
	select {
	case err := <-done:
		return err
	case <-long.C:
		tell(fmt.Sprintf("No answer for %v: the server may be loading its model, or reading a long text.", unheard))
	}
	return <-done
}

// pauseBefore is as long as the server says, or doubles with each retry; a part of it is
// by chance, so that many clients don't come back at once.
func pauseBefore(n int, e *Error) time.Duration {
	if e.RetryAfter > 0 {
		return e.RetryAfter
	}
	first := retryFirst
	if e.Status == 0 {
		first = retryRefused
	}
	pause := first << n
	return pause/2 + rand.N(pause/2)
}

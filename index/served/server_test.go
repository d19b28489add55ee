package served

import (
	"context"
	"errors"
	"fmt"
	"math"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"kist/index/parallel"
	"kist/index/vectorcache"
)

func TestCheckVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{nan, 1}, {1, inf}, {-inf, 1}, {}, nil, make([]float32, vectorcache.MaxDim+1), {1, 2, 3}} {
		if err := checkVectors([][]float32{v}, 1, 2); !errors.Is(err, errAnswer) {
			t.Errorf("%v: %v", v, err)
		}
	}
	v := [][]float32{{3, 4}, {0, 0}}
	if err := checkVectors(v, 2, 0); err != nil || v[0][0] != 0.6 || v[1] != nil {
		t.Errorf("%v, %v", v, err)
	}
}

// A stepEmbedder answers as its function says.
type stepEmbedder func(ctx context.Context, texts []string) ([][]float32, error)

func (stepEmbedder) Model() string             { return "step" }
func (stepEmbedder) Prompts() (string, string) { return "", "" }
func (e stepEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e(ctx, texts)
}

// TestBackOff: failures are further and further apart, up to a ceiling, and work to do
// is no reason to try sooner; a server that is heard of is.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueries(stepEmbedder(nil), func() int { return 0 })
		defer q.close()
		r := &Server{embedder: stepEmbedder(nil), queries: q, look: make(chan struct{}, 1), Again: make(chan struct{}, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		var at []time.Time
		broken := true
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.Follow(ctx, func(context.Context) error {
				at = append(at, time.Now())
				if broken {
					return errors.New("refused")
				}
				return nil
			}, func(error, time.Duration) {})
		}()
		parallel.Signal(r.look)
		for range 3600 {
			parallel.Signal(r.look)
			time.Sleep(time.Second)
		}
		synctest.Wait()
		wait := time.Second
		for i := range len(at) - 1 {
			if gap := at[i+1].Sub(at[i]); gap < wait || gap > wait+wait/4 {
				t.Errorf("after failure %d: %v, want %v and up to a quarter", i+1, gap, wait)
			}
			wait = min(2*wait, retryMost)
		}
		n := len(at)
		if n < 350 || n > 460 {
			t.Errorf("%d tries in an hour", n)
		}
		broken = false
		parallel.Signal(r.Again)
		synctest.Wait()
		// The second one is for the work that was noted meanwhile.
		if len(at) != n+2 || !at[n].Equal(at[n+1]) || r.problem != "" {
			t.Errorf("%d tries, problem %q", len(at)-n, r.problem)
		}
		cancel()
		<-done
	})
}

// TestQueryLimit: a search waits a moment for the vector of its query; what comes later
// serves the next one, and a server that fails isn't asked at each search.
func TestQueryLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took time.Duration
		var failure error
		asked := 0
		q := newQueries(stepEmbedder(func(ctx context.Context, _ []string) ([][]float32, error) {
			asked++
			select {
			case <-time.After(took):
				return [][]float32{{1, 0}}, failure
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}), func() int { return 2 })
		defer q.close()
		vector := func(text string) (found bool, waited time.Duration) {
			began := time.Now()
			v, _ := q.vector(t.Context(), text)
			waited = time.Since(began)
			synctest.Wait() // nobody writes what the test reads now
			return v != nil, waited
		}
		expect := func(step, text string, found bool, waited time.Duration, calls int) {
			t.Helper()
			if f, w := vector(text); f != found || w != waited || asked != calls {
				t.Errorf("%s: found %v after %v with %d requests, want %v, %v, %d", step, f, w, asked, found, waited, calls)
			}
		}
		took = 10 * time.Millisecond
		expect("quick", "a", true, took, 1)
		expect("known", "a", true, 0, 1)
		took = 20 * time.Second
		expect("loading", "b", false, queryLimit, 2)
		expect("busy", "c", false, 0, 2)
		if _, late := q.state(); !late {
			t.Error("not late")
		}
		time.Sleep(took)
		synctest.Wait()
		took = 10 * time.Millisecond
		expect("came late", "b", true, 0, 2)
		expect("quick again", "c", true, took, 3)
		failure = errors.New("gone")
		expect("failing", "d", false, took, 4)
		for range 600 { // ten minutes of searches
			vector("e")
			time.Sleep(time.Second)
		}
		if n := asked - 4; n < 60 || n > 85 {
			t.Errorf("a server that fails was asked %d times in ten minutes", n)
		}
		failure = nil
		q.well()
		n := asked
		expect("well", "f", true, took, n+1)

		failure = fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
		for i := range 10 { // it costs nothing
			expect("nothing listens", "g", false, took, n+2+i)
		}
		failure = nil
		expect("back", "g", true, took, n+12)
	})
}

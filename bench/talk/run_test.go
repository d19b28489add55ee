package talk

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
)

// A scripted chat does the same whatever it is asked.
type scripted struct {
	from ladder.Rung
	do   func(ctx context.Context, yield func(model.Event, error) bool)
}

func (s scripted) Name() string      { return "scripted" }
func (s scripted) Rung() ladder.Rung { return s.from }

func (s scripted) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return budget.Metered(ctx, req, budget.Price{}, func(error) bool { return false }, func() iter.Seq2[model.Event, error] {
		return func(yield func(model.Event, error) bool) { s.do(ctx, yield) }
	})
}

func options(t *testing.T, do func(context.Context, func(model.Event, error) bool)) Options {
	return Options{
		Dir: t.TempDir(), Requests: 6, Seed: 1, Turn: time.Minute,
		Open: func(from ladder.Rung) (Chat, error) { return scripted{from, do}, nil },
	}
}

func says(text string, pause time.Duration) func(context.Context, func(model.Event, error) bool) {
	return func(_ context.Context, yield func(model.Event, error) bool) {
		time.Sleep(pause)
		_ = yield(model.Event{Text: text}, nil) && yield(model.Event{Usage: &model.Usage{Input: 100, Output: 10}}, nil) && yield(model.Event{Stop: model.End}, nil)
	}
}

// TestRun: each rung has all requests, the partner is beside them, and nothing is left.
func TestRun(t *testing.T) {
	const pause = 5 * time.Millisecond
	opts := options(t, says("Fine.", pause))
	heard, progress := map[string]int{}, 0
	opts.Heard = func(rung, _ string, _ Turn) { heard[rung]++ }
	opts.Progress = func(string, int, int) { progress++ }
	scores, err := Run(t.Context(), opts)
	if err != nil || len(scores) != 4 {
		t.Fatalf("%d scores, %v", len(scores), err)
	}
	for i, rung := range []string{"native", "union", "text", "offline"} {
		s := scores[i]
		if s.Rung != rung || s.Turns != 6 || s.Broken() != 0 || s.Lost != "" || s.Failed != 0 || heard[rung] != 7 {
			t.Errorf("%s: %+v, %d heard", rung, s, heard[rung])
		}
		if rung == "offline" {
			if s.Right != 6 || s.Alone != 6 || s.Calls == 0 || s.Beside != 0 || s.Ended != "" {
				t.Errorf("the partner did %d right: %+v", s.Right, s)
			}
			continue
		}
		if s.Right == 0 || s.Alone != 0 { // what is told for keeping is kept without the model
			t.Errorf("%s: %d right, %d by the model", rung, s.Right, s.Alone)
		}
		if s.Ended != rung || s.FirstText == nil || s.FirstText.P50 < 5 || s.FirstText.P95 < s.FirstText.P50 || s.Turn.P50 < s.FirstText.P50 || s.Output < 60 {
			t.Errorf("%s: %+v, first text %+v, turn %+v", rung, s, s.FirstText, s.Turn)
		}
	}
	if left, err := os.ReadDir(opts.Dir); err != nil || len(left) > 0 || progress != 24 {
		t.Errorf("%v is left, %v; progress %d", left, err, progress)
	}
	if Messages(6) != heard["native"]+heard["union"]+heard["text"] {
		t.Errorf("%d messages were announced", Messages(6))
	}
}

// TestRunFindsFaults: a turn that has no end counts, and that of "go" too.
func TestRunFindsFaults(t *testing.T) {
	opts := options(t, func(ctx context.Context, yield func(model.Event, error) bool) {
		<-ctx.Done()
		yield(model.Event{}, ctx.Err())
	})
	opts.Requests, opts.Turn = 2, 100*time.Millisecond
	scores, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores[:3] {
		if s.Endless < 2 || s.Broken() < 2 || len(s.Faults) == 0 || s.Turns != 2 {
			t.Errorf("%+v", s)
		}
	}
	if scores[3].Broken() != 0 { // whatever the time of a model's turns
		t.Errorf("%+v", scores[3])
	}
}

// TestRunIsInterrupted: what was measured until then is told, without the turn that it
// broke off.
func TestRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opts := options(t, says("Fine.", 0))
	turns := 0
	opts.Heard = func(rung, _ string, _ Turn) {
		if turns++; rung == "union" && turns >= 17 {
			cancel()
		}
	}
	scores, err := Run(ctx, opts)
	if !errors.Is(err, context.Canceled) || len(scores) != 3 {
		t.Fatalf("%v, %d scores", err, len(scores))
	}
	if s := scores[1]; s.Rung != "union" || s.Turns == 0 || s.Turns == 6 || s.Lost != "interrupted" || s.Broken() != 0 || s.Turn == nil {
		t.Errorf("%+v", s)
	}
	if left, err := os.ReadDir(opts.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestRunLosesItsServer: it ends where a server is gone or wants another key, and goes on
// where it refuses a request.
func TestRunLosesItsServer(t *testing.T) {
	for status, lost := range map[int]bool{0: true, http.StatusUnauthorized: true, http.StatusNotFound: true, http.StatusInternalServerError: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", status) }))
			defer s.Close()
			e, err := endpoint.New(s.URL, "")
			if err != nil {
				t.Fatal(err)
			}
			if status == 0 {
				s.Close()
			}
			opts := options(t, func(ctx context.Context, yield func(model.Event, error) bool) {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
				if err == nil {
					_, err = e.Client().Do(req)
				}
				yield(model.Event{}, endpoint.Cause(err))
			})
			opts.Requests = 2
			scores, err := Run(t.Context(), opts)
			_, says := errors.AsType[*endpoint.Error](err)
			if lost != says || lost != (len(scores) == 2) {
				t.Errorf("%d scores, %v", len(scores), err)
			}
			if s := scores[0]; lost != (s.Lost != "") || s.Beside == 0 || s.Alone != 0 || s.Requests == 0 || s.Broken() != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	var all []time.Duration
	for i := range 20 {
		all = append(all, time.Duration(20-i)*time.Millisecond)
	}
	if got := times(all); *got != (Times{P50: 10, P95: 19}) || times(nil) != nil {
		t.Errorf("%+v", got)
	}
	if got := times(all[:1]); *got != (Times{P50: 20, P95: 20}) || !slices.IsSorted([]float64{got.P50, got.P95}) {
		t.Errorf("%+v", got)
	}
}

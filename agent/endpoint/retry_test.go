package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetry(t *testing.T) {
	e, err := New("http://127.0.0.1:1", key)
	if err != nil {
		t.Fatal(err)
	}
	status := func(n int) error { return e.fault(n, errors.New("busy")) }
	wait := func(n int, d time.Duration) error { f := e.fault(n, errors.New("busy")); f.RetryAfter = d; return f }
	refused := e.fault(0, &url.Error{Op: "Post", URL: "http://x", Err: fmt.Errorf("dial: %w\n", syscall.ECONNREFUSED)})
	for name, tc := range map[string]struct {
		err         error
		least, most time.Duration // of all pauses together; 0, 0: it isn't tried again
	}{
		"429":                      {status(429), (200 + 400 + 800) * time.Millisecond, (400 + 800 + 1600) * time.Millisecond},
		"502":                      {status(502), 1400 * time.Millisecond, 2800 * time.Millisecond},
		"503":                      {status(503), 1400 * time.Millisecond, 2800 * time.Millisecond},
		"529":                      {status(529), 1400 * time.Millisecond, 2800 * time.Millisecond},
		"in what a client returns": {&url.Error{Op: "Post", URL: "http://x", Err: status(503)}, 1400 * time.Millisecond, 2800 * time.Millisecond},
		"nobody listens":           {refused, 350 * time.Millisecond, 700 * time.Millisecond},
		"as long as it wants":      {wait(429, 7*time.Second), 21 * time.Second, 21 * time.Second},
		"just about":               {wait(503, retryWithin), 3 * retryWithin, 3 * retryWithin},
		"an hour":                  {wait(429, time.Hour), 0, 0},
		"400":                      {status(400), 0, 0},
		"401":                      {status(401), 0, 0},
		"404":                      {status(404), 0, 0},
		"500":                      {status(500), 0, 0},
		"504":                      {status(504), 0, 0}, // it was at work all that time
		"silence":                  {e.fault(0, ErrSilent), 0, 0},
		"no *Error":                {errors.New("busy"), 0, 0},
		"nor one of the system":    {syscall.ECONNREFUSED, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			tries, start := 0, time.Now()
			quiet := name == "nobody listens"
			var told []string
			err := Retry(t.Context(), func(s string) bool { told = append(told, s); return true }, func() error { tries++; return tc.err })
			took, want := time.Since(start), 1
			if tc.most > 0 {
				want += retries
			}
			if err != tc.err || tries != want || len(told) != want-1 && !quiet || quiet && len(told) != 1 || took < tc.least || took > tc.most {
				t.Errorf("%s: %v, %d tries in %v, told %q", name, err, tries, took, told)
			}
			for _, s := range told {
				if !strings.Contains(s, "Trying again in ") || strings.Contains(s, key) || strings.Contains(s, "in 0s") {
					t.Errorf("%s: %q", name, s)
				}
			}
		})
	}
}

func TestRetryEnds(t *testing.T) {
	e, _ := New("http://127.0.0.1:1", "")
	busy := e.fault(503, errors.New("busy"))
	slow := e.fault(503, errors.New("busy"))
	slow.RetryAfter = 10 * time.Second
	listen := func(string) bool { return true }
	for name, test := range map[string]func(t *testing.T) error{
		"it works at last": func(t *testing.T) error {
			n := 0
			return Retry(t.Context(), listen, func() error {
				if n++; n < 3 {
					return busy
				}
				return nil
			})
		},
		"nobody listens": func(t *testing.T) error {
			if err := Retry(t.Context(), func(string) bool { return false }, fails(t, 1, busy)); err != error(busy) {
				t.Errorf("%v", err)
			}
			return nil
		},
		"another error": func(t *testing.T) error {
			other, n := errors.New("other"), 0
			if err := Retry(t.Context(), listen, func() error { n++; return []error{busy, other}[n-1] }); err != other {
				t.Errorf("%v", err)
			}
			return nil
		},
		"the deadline comes before": func(t *testing.T) error {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			start := time.Now()
			if err := Retry(ctx, listen, fails(t, 1, slow)); err != error(slow) || time.Since(start) > 0 {
				t.Errorf("%v after %v", err, time.Since(start))
			}
			return nil
		},
		"cancelled in the pause": func(t *testing.T) error {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			start := time.Now()
			if err := Retry(ctx, listen, fails(t, 1, slow)); err != context.Canceled || time.Since(start) != 3*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
			return nil
		},
		"cancelled before": func(t *testing.T) error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := Retry(ctx, func(string) bool { t.Error("told"); return true }, fails(t, 1, busy)); err != error(busy) {
				t.Errorf("%v", err)
			}
			return nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			if err := test(t); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestLongSilenceIsTold: after ten seconds without a word the user hears that, once.
func TestLongSilenceIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, told := time.Now(), time.Duration(0)
		err := Retry(t.Context(), func(s string) bool {
			if told > 0 || !strings.Contains(s, "No answer for 10s") {
				t.Errorf("%q", s)
			}
			told = time.Since(start)
			return true
		}, func() error { time.Sleep(time.Minute); return nil })
		if err != nil || told != unheard || time.Since(start) != time.Minute {
			t.Errorf("%v, told after %v of %v", err, told, time.Since(start))
		}
	})
}

// fails fails so many times.
func fails(t *testing.T, times int, err error) func() error {
	return func() error {
		if times--; times < 0 {
			t.Error("once too often")
		}
		return err
	}
}

// TestPause: pauses double, and differ from client to client.
func TestPause(t *testing.T) {
	for n := range retries {
		var all []time.Duration
		for range 200 {
			all = append(all, pauseBefore(n, &Error{Status: 503}))
		}
		least, most := slices.Min(all), slices.Max(all)
		if full := retryFirst << n; least < full/2 || most >= full || most-least < full/4 {
			t.Errorf("pause %d: %v to %v", n, least, most)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                     0,
		"7":                    7 * time.Second,
		" 7 ":                  7 * time.Second,
		"-7":                   0,
		"soon":                 0,
		"999999999999":         24 * time.Hour,
		"99999999999999999999": 0,
		now.Add(9 * time.Second).Format(http.TimeFormat): 9 * time.Second,
		now.Add(time.Hour).Format(http.TimeFormat):       time.Hour,
		now.Add(-time.Hour).Format(http.TimeFormat):      0,
		now.Add(9 * time.Second).Format(time.RFC850):     9 * time.Second,
		"Fri, 31 Dec 9999 23:59:59 GMT":                  time.Duration(1<<63 - 1),
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

package budget

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/vault/usage"
	"kist/vault/vaulttest"
)

// A book is a ledger in memory.
type book map[string]usage.Use

func (b book) AddUse(day string, use usage.Use) error {
	sum := b[day]
	b[day] = usage.Use{Tokens: sum.Tokens + use.Tokens, Cost: sum.Cost + use.Cost}
	return nil
}

func (b book) BookUse(day string, use usage.Use, allow func(day, month usage.Use) bool) error {
	if !allow(b.Used(day), b.Used(day[:7])) {
		return nil
	}
	return b.AddUse(day, use)
}

func (b book) Used(when string) (sum usage.Use) {
	for day, use := range b {
		if strings.HasPrefix(day, when) {
			sum = usage.Use{Tokens: sum.Tokens + use.Tokens, Cost: sum.Cost + use.Cost}
		}
	}
	return sum
}

var today = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func meter(l Limits, b book) *Meter {
	return New(func() Limits { return l }, b, func() time.Time { return today }, slog.New(slog.DiscardHandler))
}

func TestLimits(t *testing.T) {
	next := model.Usage{Input: 900, Output: 100, Cost: 0.5}
	for name, tc := range map[string]struct {
		limits Limits
		before book
		want   string
	}{
		"none":             {},
		"just within":      {limits: Limits{Tokens: Limit{Turn: 1000, Day: 3000}}, before: book{"2026-11-20": {Tokens: 2000}}},
		"turn":             {limits: Limits{Tokens: Limit{Turn: 999}}, want: "This turn has used 0 tokens so far, and the next request takes about 1000: more than the limit of 999"},
		"day":              {limits: Limits{Tokens: Limit{Day: 2999}}, before: book{"2026-11-20": {Tokens: 2000}}, want: "Today has used 2000 tokens"},
		"another day":      {limits: Limits{Tokens: Limit{Day: 2999}}, before: book{"2026-11-19": {Tokens: 2000}}},
		"month":            {limits: Limits{Money: Limit{Month: 2}}, before: book{"2026-11-19": {Cost: 1}, "2026-11-01": {Cost: 0.75}, "2026-10-31": {Cost: 9}}, want: "This month has cost 1.75 so far, and the next request costs about 0.50: more than the limit of 2.00"},
		"the month before": {limits: Limits{Money: Limit{Month: 2}}, before: book{"2026-10-31": {Cost: 9}}},
	} {
		if tc.before == nil {
			tc.before = book{}
		}
		err := meter(tc.limits, tc.before).Allow(next)
		if tc.want == "" && err != nil || tc.want != "" && (!errors.Is(err, model.ErrLimit) || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// A lifted turn has the first request that passes the limit of a turn, and no second one.
func TestLift(t *testing.T) {
	m := meter(Limits{Tokens: Limit{Turn: 500, Day: 100, Month: 100}}, book{"2026-11-20": {Tokens: 2000}})
	m.Lift()
	for i, want := range []bool{true, false} {
		if err := m.Allow(model.Usage{Input: 900}); (err == nil) != want {
			t.Errorf("request %d: %v", i, err)
		}
		m.Count(model.Usage{Input: 900})
	}
}

func TestCheck(t *testing.T) {
	for _, wrong := range []Limit{{Turn: -1}, {Day: math.NaN()}, {Month: math.Inf(1)}, {Turn: 2, Day: 1}, {Turn: 2, Month: 1}, {Day: 2, Month: 1}} {
		if wrong.Check() == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if err := (Limit{Turn: 1, Month: 1}).Check(); err != nil {
		t.Error(err)
	}
	if (Price{Output: -1}).Check() == nil || (Price{Input: math.NaN()}).Check() == nil || (Price{Input: 3}).Check() != nil {
		t.Error("prices")
	}
}

// What was cut off, given up or refused in its middle is counted; what never began isn't.
func TestMetered(t *testing.T) {
	price := Price{Input: 3, Output: 15, Cached: 0.3}
	words := model.Event{Text: strings.Repeat("word ", 400)} // some 450 tokens
	refused := errors.New("refused")
	const read = 10_000
	for name, tc := range map[string]struct {
		events   []model.Event
		err      error
		stop     bool // the consumer goes away after the first event
		canceled bool
		least    int
		cost     float64 // 0: any
	}{
		"counted by the server": {events: []model.Event{words, {Usage: &model.Usage{Input: 1_000_000, Cached: 900_000, Output: 100_000}}, {Stop: model.End}}, least: 1_100_000, cost: 0.3 + 0.27 + 1.5},
		"counts nothing":        {events: []model.Event{words, {Usage: &model.Usage{}}, {Stop: model.End}}, least: read + 400},
		"tells no count":        {events: []model.Event{words, {Stop: model.End}}, least: read + 400},
		"broke off":             {events: []model.Event{words}, err: io.ErrUnexpectedEOF, least: read + 400},
		"fails at once":         {err: io.ErrUnexpectedEOF, least: read},
		"refused":               {err: refused},
		"refused after a word":  {events: []model.Event{{Notice: "Trying again."}}, err: refused},
		"given up":              {events: []model.Event{words, words}, stop: true, least: read + 400},
		"canceled":              {err: refused, canceled: true, least: read},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if tc.canceled {
			cancel()
		}
		b := book{}
		req := model.Request{Input: read, Meter: meter(Limits{}, b)}
		answer := func() iter.Seq2[model.Event, error] {
			return func(yield func(model.Event, error) bool) {
				for _, e := range tc.events {
					if !yield(e, nil) {
						return
					}
				}
				if tc.err != nil {
					yield(model.Event{}, tc.err)
				}
			}
		}
		for range Metered(ctx, req, price, func(err error) bool { return err == refused }, answer) {
			if tc.stop {
				break
			}
		}
		cancel()
		got := b["2026-11-20"]
		if got.Tokens < tc.least || got.Tokens > tc.least+100 || (tc.cost != 0 && math.Abs(got.Cost-tc.cost) > 1e-9) || got.Cost == 0 && tc.least > 0 {
			t.Errorf("%s: %+v, want %d tokens, %v", name, got, tc.least, tc.cost)
		}
	}
}

// A request that isn't allowed isn't made, and doesn't count.
func TestMeteredRefuses(t *testing.T) {
	b := book{}
	req := model.Request{Input: 600, MaxOutput: 50, Meter: meter(Limits{Tokens: Limit{Turn: 649}}, b)}
	for _, err := range Metered(context.Background(), req, Price{}, func(error) bool { return false }, func() iter.Seq2[model.Event, error] { panic("it was made") }) {
		if !errors.Is(err, model.ErrLimit) {
			t.Error(err)
		}
	}
	if len(b) > 0 {
		t.Errorf("%v", b)
	}
}

// Turns side by side see what the others' requests are likely to take.
func TestSideBySide(t *testing.T) {
	v := vaulttest.New(t, "")
	price := Price{Input: 1000} // a request costs 1
	var allowed, refused atomic.Int32
	asked := make(chan bool, 4)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			m := New(func() Limits { return Limits{Money: Limit{Day: 2.5}} }, v, func() time.Time { return today }, slog.New(slog.DiscardHandler))
			answer := func() iter.Seq2[model.Event, error] {
				asked <- true
				return func(yield func(model.Event, error) bool) {
					for len(asked) < cap(asked) { // nobody is done before all have asked
						time.Sleep(time.Millisecond)
					}
					yield(model.Event{Usage: &model.Usage{Input: 500}}, nil)
				}
			}
			for _, err := range Metered(context.Background(), model.Request{Input: 1000, Meter: m}, price, func(error) bool { return false }, answer) {
				if errors.Is(err, model.ErrLimit) {
					refused.Add(1)
					asked <- true
				} else {
					allowed.Add(1)
				}
			}
		})
	}
	all.Wait()
	if allowed.Load() != 2 || refused.Load() != 2 {
		t.Errorf("%d requests were made, %d refused", allowed.Load(), refused.Load())
	}
	if got := v.Used("2026-11-20"); got != (usage.Use{Tokens: 1000, Cost: 1}) {
		t.Errorf("%+v", got)
	}
}

// What is asked for and never counted, as the process died, stays counted as estimated.
func TestKilled(t *testing.T) {
	v := vaulttest.New(t, "")
	m := New(func() Limits { return Limits{} }, v, func() time.Time { return today }, slog.New(slog.DiscardHandler))
	if err := m.Allow(model.Usage{Input: 900, Output: 100, Cost: 0.5}); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if got := vaulttest.Open(t, v.Dir()).Used("2026-11-20"); got != (usage.Use{Tokens: 1000, Cost: 0.5}) {
		t.Errorf("%+v", got)
	}
}

// A request that ends behind midnight is corrected on the day that it was booked on, and one
// that took nothing leaves nothing.
func TestCountCorrects(t *testing.T) {
	b, now := book{"2026-11-20": {Tokens: 70, Cost: 0.25}}, today
	limit := 500.0
	m := New(func() Limits { return Limits{Tokens: Limit{Turn: limit}} }, b, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	if err := m.Allow(model.Usage{Input: 400, Cost: 0.5}); err != nil {
		t.Fatal(err)
	}
	if got := b["2026-11-20"]; got != (usage.Use{Tokens: 470, Cost: 0.75}) || m.Calls() != 0 || m.Spent() != (usage.Use{}) {
		t.Errorf("booked: %+v, %d calls, %+v", got, m.Calls(), m.Spent())
	}
	now = now.Add(24 * time.Hour)
	m.Count(model.Usage{Input: 30, Cost: 0.125})
	if diff := cmp.Diff(book{"2026-11-20": {Tokens: 100, Cost: 0.375}}, b); diff != "" || m.Calls() != 1 {
		t.Error(diff, m.Calls())
	}
	if err := m.Allow(model.Usage{Input: 400, Cost: 0.5}); err != nil {
		t.Fatal(err)
	}
	m.Count(model.Usage{})
	if b["2026-11-21"] != (usage.Use{}) || m.Calls() != 1 || m.Last().Input != 30 || m.Spent() != (usage.Use{Tokens: 30, Cost: 0.125}) {
		t.Errorf("taken back: %+v, %d calls, %+v, %+v", b, m.Calls(), m.Last(), m.Spent())
	}
	if limit = 400; m.Allow(model.Usage{Input: 400}) == nil {
		t.Error("a limit that changed in the turn doesn't count")
	}
}

func TestMoney(t *testing.T) {
	for amount, want := range map[float64]string{0: "0.00", 0.004: "0.004", 0.00012345: "0.00012", 0.01: "0.01", 1.239: "1.24", 12345: "12345.00"} {
		if got := Money(amount); got != want {
			t.Errorf("%s", fmt.Sprint(amount, got))
		}
	}
}

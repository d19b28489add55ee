package budget

import (
	"context"
	"errors"
	"iter"

	"kist/agent/model"
)

// A Price is what a million tokens cost, in the user's currency.
type Price model.Price

// Check refuses what can't be meant.
func (p Price) Check() error {
	for _, v := range []float64{p.Input, p.Output, p.Cached} {
		if !(v >= 0 && v < 1e9) {
			return errors.New("a price is a number from 0, for a million tokens")
		}
	}
	return nil
}

func (p Price) of(u model.Usage) float64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	read := min(max(u.Cached, 0), max(u.Input, 0))
	return (float64(max(u.Input, 0)-read)*p.Input + float64(read)*cached + float64(max(u.Output, 0))*p.Output) / 1e6
}

// typical is how many tokens an answer is taken to have before it is there.
const typical = 400

// Metered is the answer to req, made only if its meter allows it, and counted there: as the
// server counts, or else by estimate. unsent reports whether an error before the first
// event means that nothing was taken. A request without a meter is made.
func Metered(ctx context.Context, req model.Request, p Price, unsent func(error) bool, answer func() iter.Seq2[model.Event, error]) iter.Seq2[model.Event, error] {
	if req.Meter == nil {
		return answer()
	}
	return func(yield func(model.Event, error) bool) {
		likely := model.Usage{Input: reads(req), Output: typical}
		if req.MaxOutput > 0 {
			likely.Output = min(typical, req.MaxOutput)
		}
		likely.Cost = p.of(likely)
		if err := req.Meter.Allow(likely); err != nil {
			yield(model.Event{}, err)
			return
		}
		guess, taken := model.Usage{Input: likely.Input}, true
		var counted *model.Usage
		defer func() {
			used := guess
			switch {
			case !taken:
				used = model.Usage{}
			case counted != nil:
				used = *counted
			}
			used.Cost = p.of(used)
			req.Meter.Count(used)
		}()
		begun := false
		for e, err := range answer() {
			if err != nil {
				taken = begun || ctx.Err() != nil || !unsent(err)
				yield(model.Event{}, err)
				return
			}
			begun = begun || e.Notice == ""
			guess.Output += model.Tokens(e.Text) + model.Tokens(e.Thinking)
			if e.Call != nil {
				guess.Output += model.Tokens(e.Call.Name) + model.Tokens(string(e.Call.Arguments))
			}
			if e.Usage != nil && *e.Usage != (model.Usage{}) { // else the server doesn't count
				counted = e.Usage
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// reads estimates what a request takes to read.
func reads(req model.Request) int {
	if req.Input > 0 {
		return req.Input
	}
	n := req.Tokens()
	if req.Brief != nil {
		b := req.Brief(0)
		n += model.Tokens(b.Rules) + model.Tokens(b.Now)
	}
	return n
}

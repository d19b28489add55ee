/*
Package agenttest helps to test the agent: a [Script] is a model that says what
it was told to, whatever the agent asks, and remembers what it was asked. A
script that obeys every injected instruction stands in for the worst model there
is.
*/
package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"sync"

	"kist/agent/budget"
	"kist/agent/model"
)

// A Step is the answer to one request.
type Step struct {
	Events []model.Event
	Stop   model.Stop // empty: that of an answer with such events
	Err    error      // ends the stream after Events
	CutOff bool       // the stream ends after Events, without an error or a Stop
}

func stopOf(s Step) model.Stop {
	calls := slices.ContainsFunc(s.Events, func(e model.Event) bool { return e.Call != nil })
	switch {
	case s.Stop != "":
		return s.Stop
	case calls:
		return model.Calls
	}
	return model.End
}

// A Script is a model that answers its nth request with its nth step, and with
// the words "The script is over." when there is none. It may be used
// concurrently.
type Script struct {
	mu       sync.Mutex
	steps    []Step
	answer   func(model.Request) Step // nil: by steps
	requests []model.Request
}

var _ model.Model = (*Script)(nil)

// NewScript returns a model that goes through steps.
func NewScript(steps ...Step) *Script { return &Script{steps: steps} }

// Answer returns a model whose answer depends on the request.
func Answer(answer func(model.Request) Step) *Script { return &Script{answer: answer} }

// Name is "script".
func (s *Script) Name() string { return "script" }

// Requests are the requests so far.
func (s *Script) Requests() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]model.Request(nil), s.requests...)
}

// Generate plays the next step, if the request's meter allows it.
func (s *Script) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	none := func(error) bool { return false }
	return budget.Metered(ctx, req, budget.Price{}, none, func() iter.Seq2[model.Event, error] { return play(ctx, s.next(req)) })
}

func (s *Script) next(req model.Request) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := Say("The script is over.")
	if n := len(s.requests); s.answer != nil {
		step = s.answer(req)
	} else if n < len(s.steps) {
		step = s.steps[n]
	}
	// The agent goes on appending to the same slice.
	req.Messages = append([]model.Message(nil), req.Messages...)
	s.requests = append(s.requests, req)
	req.Prompt() // it reads prose, as real ones do
	return step
}

func play(ctx context.Context, step Step) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for _, e := range step.Events {
			if err := ctx.Err(); err != nil {
				yield(model.Event{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		switch {
		case step.Err != nil:
			yield(model.Event{}, step.Err)
		case !step.CutOff:
			yield(model.Event{Stop: stopOf(step)}, nil)
		}
	}
}

// Say is a step of words.
func Say(text string) Step { return Step{Events: []model.Event{{Text: text}}} }

// Call is a step that calls tools: pairs of a name and its arguments as JSON.
func Call(namesAndArguments ...string) Step {
	var step Step
	for i := 0; i+1 < len(namesAndArguments); i += 2 {
		step.Events = append(step.Events, model.Event{Call: &model.Call{
			Name: namesAndArguments[i], Arguments: json.RawMessage(namesAndArguments[i+1]),
		}})
	}
	return step
}

// Break is a step whose stream fails.
func Break(msg string) Step { return Step{Err: errors.New(msg)} }

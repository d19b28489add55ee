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
	"sync"

	"kist/agent/model"
)

// A Step is the answer to one request.
type Step struct {
	Events []model.Event
	Err    error // ends the stream after Events
}

// A Script is a model that answers its nth request with its nth step, and with
// the words "The script is over." when there is none. It may be used
// concurrently.
type Script struct {
	mu       sync.Mutex
	steps    []Step
	requests []model.Request
}

var _ model.Model = (*Script)(nil)

// NewScript returns a model that goes through steps.
func NewScript(steps ...Step) *Script { return &Script{steps: steps} }

// Name is "script".
func (s *Script) Name() string { return "script" }

// Requests are the requests so far.
func (s *Script) Requests() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]model.Request(nil), s.requests...)
}

// Generate plays the next step.
func (s *Script) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := Say("The script is over.")
	if n := len(s.requests); n < len(s.steps) {
		step = s.steps[n]
	}
	// The agent goes on appending to the same slice.
	req.Messages = append([]model.Message(nil), req.Messages...)
	s.requests = append(s.requests, req)
	if req.System != nil {
		req.System() // it reads prose, as real ones do
	}
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
		if step.Err != nil {
			yield(model.Event{}, step.Err)
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

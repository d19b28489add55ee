package offline

import (
	"context"
	"iter"
	"strings"

	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// A Partner answers without a language model. It keeps nothing of a conversation and is
// safe for concurrent use.
type Partner struct {
	trained interpret.Trained // nil: the model that is built in
	lessons Lessons           // nil: nothing is learned
}

var _ model.Model = (*Partner)(nil)

// New returns the partner.
func New() *Partner { return &Partner{} }

// Name is "offline".
func (*Partner) Name() string { return "offline" }

// Generate streams the answer to the last user message: tool calls as long as
// results are missing, then the words. It fails only when ctx ends.
func (p *Partner) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(model.Event{}, err)
			return
		}
		if !yield(model.Event{Usage: &model.Usage{}}, nil) {
			return
		}
		t := newTalk(req)
		t.Trained = p.trained
		t = follow(t, req)
		t.work()
		if calls := t.Calls; len(calls) > 0 && len(req.Tools) > 0 && req.Choice != model.None {
			for _, call := range calls {
				if !yield(model.Event{Call: &call}, nil) {
					return
				}
			}
			yield(model.Event{Stop: model.Calls}, nil)
			return
		}
		p.keep(t.lesson)
		reply := t.Reply()
		if t.Question != nil && !yield(model.Event{Ask: t.Question}, nil) {
			return
		}
		for piece := range pieces(reply) {
			if err := ctx.Err(); err != nil {
				yield(model.Event{}, err)
				return
			}
			if !yield(model.Event{Text: piece}, nil) {
				return
			}
		}
		yield(model.Event{Stop: model.End, Heard: t.Heard, Aside: t.Aside()}, nil)
	}
}

// pieces cuts a reply into a few words each, so that it appears as it is read.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		const words = 4
		start, seen := 0, 0
		for i := range len(text) {
			if text[i] != ' ' && text[i] != '\n' {
				continue
			}
			if seen++; seen%words == 0 {
				if !yield(text[start : i+1]) {
					return
				}
				start = i + 1
			}
		}
		if rest := text[start:]; strings.TrimSpace(rest) != "" {
			yield(rest)
		}
	}
}

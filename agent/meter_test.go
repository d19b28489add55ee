package agent_test

import (
	"context"
	"iter"
	"sync"
	"time"

	"kist/agent/model"
)

// meter is a model that counts how many of its answers run at once.
type meter struct {
	mu        sync.Mutex
	now, most int
}

func (*meter) Name() string { return "meter" }

func (m *meter) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		m.mu.Lock()
		m.now++
		m.most = max(m.most, m.now)
		m.mu.Unlock()
		time.Sleep(3 * time.Millisecond)
		m.mu.Lock()
		m.now--
		m.mu.Unlock()
		if yield(model.Event{Text: "done"}, nil) {
			yield(model.Event{Stop: model.End}, nil)
		}
	}
}

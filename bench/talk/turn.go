package talk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kist/agent"
)

// A Turn is what was heard of one.
type Turn struct {
	Events  []agent.Event
	Reply   string // what the user reads of it, notices and errors included
	Text    string // of that, the model's words
	Session string
	By      string // the model that answered at last
	Failed  error
	First   time.Duration // until its first words; 0: there were none
	Took    time.Duration
	Ended   time.Time
	Faults  []Fault
}

// Play runs a turn, for at most limit, and holds it to what every turn has to do. The error
// says that there was no turn, or that ctx ended.
func (s *Stage) Play(ctx context.Context, m agent.Message, limit time.Duration) (Turn, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	t := Turn{}
	for e, err := range s.agent.Send(limited, m) {
		if err != nil {
			return t, fmt.Errorf("%q: %w", m.Text, err)
		}
		if t.hear(e); t.First == 0 && t.Text != "" {
			t.First = time.Since(began)
		}
	}
	t.Took, t.Ended = time.Since(began), time.Now()
	if ctx.Err() != nil {
		return t, ctx.Err()
	}
	if limited.Err() != nil {
		t.fault(Endless, "not at its end after %v", t.Took)
	}
	return t, s.Judge(ctx, &t)
}

func (t *Turn) hear(e agent.Event) {
	t.Events = append(t.Events, e)
	switch e := e.(type) {
	case agent.Struck:
		t.Reply = strings.Replace(t.Reply, e.Text, "", 1)
	case agent.TextDelta:
		t.Text += e.Text
		t.Reply += e.Text
	case agent.Notice:
		t.Reply += "\n(" + e.Text + ")\n"
	case agent.AnsweredBy:
		t.By = e.Model
	case agent.Failed:
		t.Reply, t.Failed = t.Reply+"\n"+e.Err.Error(), e.Err
	case agent.Done:
		t.Session = e.Session
	}
}

func (t *Turn) ends() bool {
	if len(t.Events) == 0 {
		return false
	}
	switch t.Events[len(t.Events)-1].(type) {
	case agent.Done, agent.Failed:
		return true
	}
	return false
}

// worded: there is something to read. A question about what waits is the engine's, and
// comes as an event of its own.
func (t *Turn) worded() bool {
	if strings.TrimSpace(t.Reply) != "" {
		return true
	}
	for _, e := range t.Events {
		if _, ok := e.(agent.ApprovalRequest); ok {
			return true
		}
	}
	return false
}

// Outline is the turn in a few lines.
func (t *Turn) Outline() string {
	var b strings.Builder
	for _, e := range t.Events {
		switch e := e.(type) {
		case agent.ToolCall:
			fmt.Fprintf(&b, "  call %s %.200s %s\n", e.Name, e.Arguments, e.Error)
		case agent.Operation:
			fmt.Fprintf(&b, "  %s %s %s: %s\n", e.Status, e.Type, e.Entity.Path, e.Reason)
		case agent.ApprovalRequest:
			fmt.Fprintf(&b, "  waits: %s %s: %s\n", e.Type, e.Entity.Path, e.Reason)
		}
	}
	fmt.Fprintf(&b, "  says %.300q", t.Reply)
	return b.String()
}

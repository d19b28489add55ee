package talk

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/model"
	"kist/vault"
)

// nobody is a model for stages on which nothing is asked.
type nobody struct{}

func (nobody) Name() string { return "nobody" }

func (nobody) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) { yield(model.Event{Stop: model.End}, nil) }
}

// TestWishes shows that what is asked for is as it was for a seed, and that each kind can
// be told from what the stage begins with.
func TestWishes(t *testing.T) {
	texts := map[string]bool{}
	before := Start()
	if len(before) != 6 {
		t.Errorf("it begins with %d documents", len(before))
	}
	again := Wishes(200, 1)
	for i, w := range Wishes(200, 1) {
		if again[i].Text != w.Text {
			t.Errorf("%q is %q the next time", w.Text, again[i].Text)
		}
		if w.Done(before, Turn{}) {
			t.Errorf("%q is done before it was said", w.Text)
		}
		texts[w.Text] = true
	}
	if len(texts) < 150 {
		t.Errorf("only %d different: %v", len(texts), slices.Sorted(maps.Keys(texts))[:10])
	}
}

func newStage(t *testing.T, m model.Model) *Stage {
	t.Helper()
	s, err := NewStage(t.Context(), t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestFaultsAreFound shows that the checks can fail.
func TestFaultsAreFound(t *testing.T) {
	s := newStage(t, nobody{})
	done := agent.Done{}
	for _, c := range []struct {
		kind   Kind
		want   string
		events []agent.Event
		reply  string
	}{
		{"", "", []agent.Event{done}, "Fine, {really}."},
		{Endless, "no end", []agent.Event{agent.TextDelta{}}, "Fine."},
		{Endless, "nothing is said", []agent.Event{done}, " \n"},
		{Raw, "raw output", []agent.Event{done}, `Well: { "say" : "x"}`},
		{Raw, "raw output", []agent.Event{done}, `[ACTION: search {}]`},
		{"", "", []agent.Event{done}, "See:\n```go\nx := `{\"name\": 1}`\n```\nFine."},
		{"", "", []agent.Event{done}, "See:\n```\njson\n{\"template\": {\"name\": \"hull\", \"type\": \"file\"}}\n```\nFine."},
		{"", "", []agent.Event{done}, "See:\n```json\n{\"name\": \"search\"}\n```\nFine."},
		{Raw, "raw output", []agent.Event{done}, "```json\n{\"name\": \"search\"}\n```\n"},
		{Raw, "raw output", []agent.Event{done}, "See:\n```go\n1\n```\n{\"name\": \"look\", \"arguments\": {}}"},
		{Raw, "raw output", []agent.Event{done}, "See:\n```go\n[ACTION: x\n```\n"},
		{Raw, "no text", []agent.Event{done}, "a\x1b[2J"},
		{Raw, "told of with", []agent.Event{agent.ToolCall{Name: "search", Arguments: json.RawMessage(`{`), Error: "no"}, done}, "Done."},
		{Invalid, "ran with", []agent.Event{agent.ToolCall{Name: "create_task", Arguments: json.RawMessage(`{"titel":1}`)}, done}, "Done."},
		{"", "", []agent.Event{agent.Operation{Operation: vault.Operation{Reason: "keep these two sentences in the inbox of Houseboat: “a” and “b”"}}, done}, "Fine."},
		{Invalid, "no validated call", []agent.Event{agent.ToolCall{Name: "create_task", Arguments: json.RawMessage(`{}`), Error: "no"}, agent.Operation{}, done}, "Done."},
	} {
		turn := Turn{Events: c.events, Reply: c.reply}
		if err := s.Judge(t.Context(), &turn); err != nil {
			t.Fatal(err)
		}
		got := turn.Faults
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].Kind != c.kind || !strings.Contains(got[0].Text, c.want)) {
			t.Errorf("%q: %q", c.want, got)
		}
	}
}

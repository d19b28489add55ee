package window

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
)

// texts are drawn once, of every length up to so many bytes: what costs in a random request is
// to count it, and a text that was counted before costs nothing.
func texts(r *rand.Rand, n, most int) []string {
	words := []string{"hull ", "Überfahrt ", "船 ", "2026-11-23 ", "{\"a\":1} ", "море ", "\n"}
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for long := most * (i + 1) / n; ; {
			word := words[r.IntN(len(words))]
			if b.Len()+len(word) > long {
				break
			}
			b.WriteString(word)
		}
		out[i] = b.String()
	}
	return out
}

// maxResult is what tools give at most, in bytes.
const maxResult = 16 << 10

// situations draws requests with so much of everything that some of it has to go.
func situations(r *rand.Rand) func() model.Request {
	past, asked, about, results := texts(r, 40, 14<<10), texts(r, 20, 1400), texts(r, 20, 200), texts(r, 60, maxResult)
	one := func(of []string) string { return of[r.IntN(len(of))] }
	rules := func(room int) model.Brief {
		if room <= 0 {
			room = 3500
		}
		return model.Brief{Rules: "The rules." + strings.Repeat(" r", room), Now: "It is Monday." + strings.Repeat(" n", room)}
	}
	return func() model.Request {
		req := model.Request{Brief: rules}
		for range r.IntN(11) {
			req.Messages = append(req.Messages, model.Message{Role: model.User, Text: one(past)}, model.Message{Role: model.Assistant, Text: one(past)})
		}
		req.Said = len(req.Messages)
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "MINE " + one(asked)})
		for i := range r.IntN(42) {
			req.Tools = append(req.Tools, model.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Does it. " + one(about), Schema: []byte(`{"type":"object"}`), Rank: r.IntN(5)})
		}
		largest := r.IntN(4) == 0
		for step := range r.IntN(26) {
			m := model.Message{Role: model.Assistant, Text: one(about)}
			var told []model.Message
			for c := range r.IntN(4) + 1 {
				id := fmt.Sprintf("%d-%d", step, c)
				m.Calls = append(m.Calls, model.Call{ID: id, Name: "tool_0", Arguments: []byte(`{"query":"hull"}`)})
				text := one(results)
				if largest {
					text = results[len(results)-1]
				}
				told = append(told, model.Message{Role: model.ToolRole, CallID: id, Tool: "tool_0", Text: text})
			}
			req.Messages = append(append(req.Messages, m), told...)
		}
		return req
	}
}

// random is one of them.
func random(r *rand.Rand) model.Request { return situations(r)() }

// Every request fits, with room for the answer, and keeps the rules, the user's message
// and each call with its result.
func TestFit(t *testing.T) {
	next := situations(rand.New(rand.NewPCG(1, 2)))
	for n := range 2000 {
		req := next()
		for _, size := range []int{4096, 8192, 32768} {
			got, err := Fit(req, size, 1)
			if err != nil {
				t.Fatalf("%d at %d: %v", n, size, err)
			}
			instructions, messages := got.Prompt()
			used := model.Tokens(instructions) + model.Request{Messages: messages, Tools: got.Tools}.Tokens()
			if used+got.MaxOutput > size || got.MaxOutput < 500 {
				t.Fatalf("%d at %d: %d tokens and %d for the answer", n, size, used, got.MaxOutput)
			}
			said := got.Messages[got.Said]
			if said.Text != req.Messages[req.Said].Text || !strings.Contains(instructions, "The rules.") {
				t.Fatalf("%d at %d: the message or the rules are gone", n, size)
			}
			if diff := cmp.Diff(calls(lastStep(req)), calls(lastStep(got))); diff != "" {
				t.Fatalf("%d at %d: the last step isn't whole: %s", n, size, diff)
			}
			if diff := cmp.Diff(calls(got.Messages), results(got.Messages)); diff != "" {
				t.Fatalf("%d at %d: calls and results: %s", n, size, diff)
			}
			if limit := profileOf(size).tools; limit > 0 && len(got.Tools) > limit+1 {
				t.Fatalf("%d at %d: %d tools", n, size, len(got.Tools))
			}
			for i := range got.Said {
				if role := got.Messages[i].Role; i == 0 && role != model.User {
					t.Fatalf("the history begins with %s", role)
				}
			}
		}
	}
}

// lastStep are the messages from the last one of the assistant on.
func lastStep(req model.Request) []model.Message {
	for i := len(req.Messages) - 1; i > 0; i-- {
		if req.Messages[i].Role == model.Assistant {
			return req.Messages[i:]
		}
	}
	return nil
}

func calls(messages []model.Message) (ids []string) {
	for _, m := range messages {
		for _, c := range m.Calls {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func results(messages []model.Message) (ids []string) {
	for _, m := range messages {
		if m.Role == model.ToolRole {
			ids = append(ids, m.CallID)
		}
	}
	return ids
}

// What is given up first: not the tools while there is history.
func TestOrder(t *testing.T) {
	long := strings.Repeat("hull ", 300)
	req := model.Request{Said: 4, Messages: []model.Message{
		{Role: model.User, Text: long}, {Role: model.Assistant, Text: long}, {Role: model.User, Text: long}, {Role: model.Assistant, Text: long},
		{Role: model.User, Text: "now"},
	}}
	for i := range 8 {
		req.Tools = append(req.Tools, model.Tool{Name: fmt.Sprint("tool", i), Description: "It does. " + strings.Repeat("More. ", 40)})
	}
	got, err := Fit(req, 2300, 1)
	if err != nil || len(got.Tools) != 8 || got.Said == 4 || got.Tools[0].Description != req.Tools[0].Description {
		t.Errorf("%v, %d tools, %d messages", err, len(got.Tools), len(got.Messages))
	}
	if len(req.Messages) != 5 || req.Said != 4 {
		t.Error("the caller's request was changed")
	}
	req.Messages[4].Text = strings.Repeat("hull ", 10_000)
	if _, err := Fit(req, 4096, 1); !errors.Is(err, model.ErrTooLong) {
		t.Errorf("a message that can't fit: %v", err)
	}
	if got, err := Fit(req, 32768, 1); err != nil || got.Messages[got.Said].Text != req.Messages[4].Text {
		t.Errorf("a long message that fits: %v", err)
	}
}

// counting is a model with a window of its own.
type counting struct {
	per     float64 // tokens it counts for one that is estimated
	window  int
	late    bool // it speaks before it finds the request too long
	asked   int
	largest int
}

func (c *counting) Name() string { return "counting" }

func (c *counting) Info(context.Context) (model.Info, error) {
	return model.Info{Context: c.window}, nil
}

func (c *counting) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		c.asked++
		instructions, messages := req.Prompt()
		n := int(c.per * float64(model.Tokens(instructions)+model.Request{Messages: messages, Tools: req.Tools}.Tokens()))
		c.largest = max(c.largest, n)
		if c.late && !yield(model.Event{Text: "Well"}, nil) {
			return
		}
		if n > c.window {
			yield(model.Event{}, fmt.Errorf("%w: %d", model.ErrTooLong, n))
			return
		}
		if yield(model.Event{Text: "Fine."}, nil) && yield(model.Event{Usage: &model.Usage{Input: n}}, nil) {
			yield(model.Event{Stop: model.End}, nil)
		}
	}
}

func ask(t *testing.T, m model.Model, req model.Request) error {
	t.Helper()
	for _, err := range m.Generate(t.Context(), req) {
		if err != nil {
			return err
		}
	}
	return nil
}

// What a server counts corrects the estimate: after a few requests it is within 15 %.
func TestLearns(t *testing.T) {
	for _, per := range []float64{0.6, 1, 1.8} {
		c := &counting{per: per, window: 8192}
		m := New(c, 0)
		r := rand.New(rand.NewPCG(3, 4))
		for range 6 {
			if err := ask(t, m, random(r)); err != nil {
				t.Errorf("%v: %v", per, err)
			}
		}
		if off := m.current() / per; off < 0.85 || off > 1.15 {
			t.Errorf("%v: off by %v", per, off)
		}
		before := c.asked
		if err := ask(t, m, random(r)); err != nil || c.asked != before+1 || c.largest > 8192*2 {
			t.Errorf("%v: %v after %d requests", per, err, c.asked-before)
		}
	}
}

// A server that finds a request too long gets a smaller one, but not once it has answered.
func TestTooLong(t *testing.T) {
	c := &counting{per: 1, window: 5000}
	m := New(&other{c, 8192}, 0)
	req := random(rand.New(rand.NewPCG(5, 6)))
	if err := ask(t, m, req); err != nil || c.asked < 2 {
		t.Errorf("%v after %d", err, c.asked)
	}
	c = &counting{per: 9, window: 4096, late: true}
	if err := ask(t, New(c, 4096), req); !errors.Is(err, model.ErrTooLong) || c.asked != 1 {
		t.Errorf("%v after %d", err, c.asked)
	}
	if info, err := New(&other{c, 131072}, 4096).Info(t.Context()); err != nil || info.Context != 4096 {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestLength: an answer that came to its limit with nothing to show is asked for once more,
// with all the room that is left; one that said something isn't, and is passed on.
func TestLength(t *testing.T) {
	half, whole := &model.Call{Name: "create_note", Arguments: []byte(`{"text":"The hu`)}, &model.Call{Name: "create_note", Arguments: []byte(`{}`)}
	for name, c := range map[string]struct {
		first []model.Event
		most  int // that is asked for
		twice bool
	}{
		"only thoughts": {first: []model.Event{{Thinking: "hm"}}, twice: true},
		"half a call":   {first: []model.Event{{Call: half}}, twice: true},
		"whole calls":   {first: []model.Event{{Call: whole}}},
		"words":         {first: []model.Event{{Text: "The hull"}, {Call: half}}},
		"a small form":  {first: []model.Event{{Thinking: "hm"}}, most: 50},
	} {
		t.Run(name, func(t *testing.T) {
			l := &limited{first: c.first}
			got := 0
			for e, err := range New(l, 4096).Generate(t.Context(), model.Request{MaxOutput: c.most, Messages: []model.Message{{Role: model.User, Text: "Write it down."}}}) {
				if err != nil {
					t.Fatal(err)
				}
				if got++; e.Stop != "" && (e.Stop == model.End) != c.twice {
					t.Errorf("it ends with %s", e.Stop)
				}
			}
			if twice := len(l.most) == 2; twice != c.twice || twice && (l.most[0] > 1100 || l.most[1] < 3800) {
				t.Errorf("asked for %v tokens", l.most)
			}
			if !c.twice && got != len(c.first)+1 {
				t.Errorf("%d events of %d", got, len(c.first)+1)
			}
		})
	}
}

// limited comes to its limit at first.
type limited struct {
	first []model.Event
	most  []int // tokens that each answer may take
}

func (l *limited) Name() string                             { return "limited" }
func (l *limited) Info(context.Context) (model.Info, error) { return model.Info{Context: 4096}, nil }
func (l *limited) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		l.most = append(l.most, req.MaxOutput)
		events := append(slices.Clone(l.first), model.Event{Stop: model.Length})
		if len(l.most) > 1 {
			events = []model.Event{{Text: "Done."}, {Stop: model.End}}
		}
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// other says of itself what isn't so.
type other struct {
	*counting
	says int
}

func (o *other) Info(context.Context) (model.Info, error) { return model.Info{Context: o.says}, nil }

// TestHalfOfTheHistoryStays: for a better beginning no more than half of the turns that fit
// are given up, whatever they say.
func TestHalfOfTheHistoryStays(t *testing.T) {
	text := strings.Repeat("the same in each of them ", 20)
	for mark(text) {
		text += "x"
	}
	req := model.Request{Messages: []model.Message{{Role: model.User, Text: "And now?"}}}
	for turns := range 60 {
		got, err := Fit(req, 4096, 1)
		if err != nil {
			t.Fatal(err)
		}
		fits := min(2*turns, 2*(4096-700-frame-10)/(2*model.Message{Role: model.User, Text: text}.Tokens()))
		if got.Said < fits/2-1 || got.Said%2 != 0 {
			t.Errorf("of %d turns %d messages are left, of %d that fit", turns, got.Said, fits)
		}
		req.Messages = append([]model.Message{{Role: model.User, Text: text}, {Role: model.Assistant, Text: text}}, req.Messages...)
		req.Said += 2
	}
}

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
	"kist/agent/window/windowtest"
)

// random is one of them.
func random(r *rand.Rand) model.Request { return windowtest.Situations(r)() }

// Every request fits, with room for the answer, and keeps the rules, the user's message
// and each call with its result.
func TestFit(t *testing.T) {
	next := windowtest.Situations(rand.New(rand.NewPCG(1, 2)))
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
			if limit := profileOf(size).tools; limit > 0 && len(got.Tools) > limit {
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
		if off := ratio(m) / per; off < 0.85 || off > 1.15 {
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
	if err := ask(t, New(c, 512), req); err == nil || !strings.Contains(err.Error(), "for the answer, in a window of ") {
		t.Error(err)
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

func ratio(m *Model) float64 {
	r, _ := m.Learned()
	return r
}

// cutting is a server with a smaller window than it tells of, which says nothing.
type cutting struct {
	window int
	keep   func(n, window int) int // of n tokens that are more than the window
	calls  bool                    // it answers by a call
	got    []int                   // tokens of each request
}

func (c *cutting) Name() string                             { return "openai/m" }
func (c *cutting) Info(context.Context) (model.Info, error) { return model.Info{Context: 32768}, nil }
func (c *cutting) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		instructions, messages := req.Prompt()
		n := model.Tokens(instructions) + model.Request{Messages: messages, Tools: req.Tools}.Tokens()
		c.got = append(c.got, n)
		if n > c.window {
			n = c.keep(n, c.window)
		}
		first, stop := model.Event{Text: "Fine."}, model.End
		if c.calls {
			first, stop = model.Event{Call: &model.Call{Name: "list_tasks", Arguments: []byte("{}")}}, model.Calls
		}
		_ = yield(first, nil) && yield(model.Event{Usage: &model.Usage{Input: n, Output: 5}}, nil) && yield(model.Event{Stop: stop}, nil)
	}
}

// ofTokens is a request of about so many.
func ofTokens(n int) model.Request {
	req := model.Request{Brief: func(int) model.Brief { return model.Brief{Rules: "The rules."} }}
	line := strings.Repeat("the hull was scraped ", 100)
	for n > model.Tokens(line) {
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: line}, model.Message{Role: model.Assistant, Text: "Fine."})
		n -= model.Tokens(line) + 20
	}
	req.Said = len(req.Messages)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "And now?"})
	return req
}

// TestCuts: a server that leaves out what is too long is found out by what it counts. The user
// hears of it once, requests are as small as its window from then on, and no estimate is
// corrected by what was cut.
func TestCuts(t *testing.T) {
	exactly := func(_, window int) int { return window - 3 }
	for name, c := range map[string]struct {
		server  cutting
		sizes   []int // of the requests
		told    int   // notices
		keeps   int
		watched bool
	}{
		"far below":                     {cutting{4096, exactly, false, nil}, []int{12_000, 12_000, 20_000, 3000}, 1, 4096, true},
		"a count that stays the same":   {cutting{4096, exactly, false, nil}, []int{5500, 7800, 7800, 20_000}, 1, 4096, true},
		"whole messages are gone":       {cutting{4096, func(int, int) int { return 900 }, false, nil}, []int{9000, 9000, 12_000}, 1, 4096, true},
		"after ones that did fit":       {cutting{4096, func(int, int) int { return 2100 }, false, nil}, []int{2500, 3000, 3200, 9000, 9000}, 1, 4096, true},
		"twice as small as it seemed":   {cutting{1024, func(int, int) int { return 600 }, false, nil}, []int{9000, 9000, 9000}, 2, 2048, true},
		"a call":                        {cutting{4096, exactly, true, nil}, []int{12_000}, 1, 4096, true},
		"no window is so small":         {cutting{100, func(int, int) int { return 60 }, false, nil}, []int{9000, 9000, 9000, 9000}, 2, 2048, true},
		"what it reads anew":            {cutting{0, func(n, _ int) int { return n / 5 }, false, nil}, []int{12_000, 12_000}, 0, 0, false},
		"one that doesn't cut":          {cutting{32768, exactly, false, nil}, []int{3000, 9000, 20_000, 26_000}, 0, 0, true},
		"a count that can't be":         {cutting{0, func(int, int) int { return 1 }, false, nil}, []int{9000, 9000}, 0, 0, true},
		"it tells its window and is up": {cutting{32768, exactly, false, nil}, []int{60_000, 60_000}, 0, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := New(&c.server, 0)
			if c.watched {
				m.Watch(func(model.Info) bool { return true })
			}
			told, ran := 0, 0
			for _, size := range c.sizes {
				for e, err := range m.Generate(t.Context(), ofTokens(size)) {
					if err != nil {
						t.Fatal(err)
					}
					if e.Notice != "" {
						t.Log(e.Notice)
						told++
					}
					if e.Call != nil {
						ran++
					}
				}
			}
			r, keeps := m.Learned()
			if told != c.told || keeps != c.keeps {
				t.Errorf("told %d times, and it keeps %d", told, keeps)
			}
			if last := c.server.got[len(c.server.got)-1]; keeps > 0 && last > keeps {
				t.Errorf("it is sent %d tokens all the same", last)
			}
			if r < 0.9 || r > 1.1 {
				t.Errorf("%v tokens for one estimated", r)
			}
			if c.server.calls && (ran != 1 || len(c.server.got) != 2) {
				t.Errorf("%d calls of %d answers ran", ran, len(c.server.got))
			}
			if info, _ := m.Info(t.Context()); c.keeps > 0 && info.Context != c.keeps {
				t.Errorf("it tells of a window of %d", info.Context)
			}
		})
	}
}

// TestCutsLess: one that keeps less of a longer request is found out as well, though it counted
// more before.
func TestCutsLess(t *testing.T) {
	server := &cutting{keep: func(n, _ int) int { return 28_000_000 / n }}
	m, told := New(server, 0), 0
	m.Watch(func(model.Info) bool { return true })
	for _, size := range []int{7000, 12_000} {
		for e := range m.Generate(t.Context(), ofTokens(size)) {
			if e.Notice != "" {
				told++
			}
		}
	}
	if _, keeps := m.Learned(); told != 1 || keeps != 4096 {
		t.Errorf("told %d times, and it keeps %d", told, keeps)
	}
}

// TestNoTools: a server whose template has no place for tools isn't taken for one that cuts.
func TestNoTools(t *testing.T) {
	read := 0
	server := &cutting{keep: func(int, int) int { return read }}
	m := New(server, 0)
	m.Watch(func(model.Info) bool { return true })
	for _, size := range []int{2000, 3000, 3000, 2000} {
		req := ofTokens(size)
		read = req.Tokens()
		for i := range 40 {
			req.Tools = append(req.Tools, model.Tool{Name: fmt.Sprint("tool", i), Description: strings.Repeat("It does. ", 40)})
		}
		for e := range m.Generate(t.Context(), req) {
			if e.Notice != "" {
				t.Errorf("%d: %s", size, e.Notice)
			}
		}
	}
}

// TestAnew: a server that counts only what it hasn't read before isn't taken for one that cuts.
func TestAnew(t *testing.T) {
	before := 0
	server := &cutting{window: 0, keep: func(n, _ int) int { n, before = n-before*9/10, n; return n }}
	m := New(server, 0)
	m.Watch(func(model.Info) bool { return true })
	for _, size := range []int{4000, 5000, 9000, 9500, 12_000} {
		for e := range m.Generate(t.Context(), ofTokens(size)) {
			if e.Notice != "" {
				t.Errorf("%d: %s", size, e.Notice)
			}
		}
	}
}

// TestBlocks: in a long turn that outgrows its window results are left out several at once, so
// that steps begin as the one before did more often than not, or nearly.
func TestBlocks(t *testing.T) {
	req := ofTokens(3000)
	for i := range 10 {
		req.Tools = append(req.Tools, model.Tool{Name: fmt.Sprint("tool", i), Description: strings.Repeat("It does. ", 20)})
	}
	before, anew, full := "", 0, 0
	for step := range 24 {
		id := fmt.Sprint(step)
		req.Messages = append(req.Messages,
			model.Message{Role: model.Assistant, Calls: []model.Call{{ID: id, Name: "tool0", Arguments: []byte("{}")}}},
			model.Message{Role: model.ToolRole, CallID: id, Tool: "tool0", Text: strings.Repeat(fmt.Sprintf("plank %d is soft ", step), 80)})
		got, err := Fit(req, 8192, 1)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range got.Messages {
			text.WriteString(m.Text + "\n")
		}
		if len(got.Messages) < len(req.Messages) || strings.Contains(text.String(), dropped) {
			full++
		}
		if !strings.HasPrefix(text.String(), before) {
			anew++
		}
		before = text.String()
	}
	if t.Logf("%d of %d steps that outgrow the window begin anew", anew, full); full < 12 || anew > full*3/5 {
		t.Error("want three of five of them at most")
	}
}

// What no model has isn't believed of a server.
func TestAbsurdWindow(t *testing.T) {
	for told, want := range map[int]int{99_999_999: usual, Largest: Largest, 8192: 8192, 0: usual, -1: usual} {
		if got := New(nil, 0).Size(model.Info{Context: told}); got != want {
			t.Errorf("%d is told: %d", told, got)
		}
	}
}

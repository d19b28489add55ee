package models_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/brief"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/models"
	"kist/agent/route"
	"kist/agent/tool"
	"kist/agent/tool/dialect"
	"kist/agent/window"
	"kist/index"
	"kist/vault/vaulttest"
)

// aside is a partner that has nothing to say.
type aside struct{}

func (aside) Name() string            { return models.Offline }
func (aside) Sure(model.Request) bool { return false }
func (aside) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) { yield(model.Event{Stop: model.End}, nil) }
}

// allTools are those of the registry, whatever the context.
func allTools(t testing.TB) (all []model.Tool) {
	t.Helper()
	r, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range r.All() {
		all = append(all, model.Tool{Name: tl.Name, Description: tl.Description, Schema: tl.Schema, Rank: tl.Rank()})
	}
	return all
}

const prose = "The surveyor looked at the hull on Monday: near the stern two planks are soft, the rest is sound. Sanding can begin as soon as the yard has a dry week. "

// aRequest is the last of a turn: behind a history of ten turns, with so many results of
// one step and a brief with passages and memories.
func aRequest(t testing.TB, results int) model.Request {
	t.Helper()
	w, err := brief.New()
	if err != nil {
		t.Fatal(err)
	}
	s := model.Situation{Now: vaulttest.Now, Mode: "general", Turns: 10, Summary: strings.Repeat(prose, 4)}
	for i := range 20 {
		s.Projects = append(s.Projects, model.Project{Slug: fmt.Sprintf("project-%d", i), Name: fmt.Sprintf("Project %d", i), Description: "About " + prose[:60], Status: "active"})
	}
	s.Project = &s.Projects[3]
	for i := range 8 {
		s.Passages = append(s.Passages, model.Passage{Path: fmt.Sprintf("projects/project-3/notes/page-%d.md", i), Line: 3 * i, Heading: "Hull", Text: strings.Repeat(prose, 3)})
		s.Memories = append(s.Memories, fmt.Sprintf("The yard is closed on day %d of the month.", i))
	}
	req := model.Request{Brief: func(room int) model.Brief { return w.Write(s, room) }, Tools: allTools(t), Situation: s}
	for i := range 10 {
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: fmt.Sprintf("What about plank %d?", i)}, model.Message{Role: model.Assistant, Text: strings.Repeat(prose, 2)})
	}
	req.Said = len(req.Messages)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "Now look at all of them, and note what you find."})
	if results == 0 {
		return req
	}
	called := model.Message{Role: model.Assistant, Text: "I look."}
	var told []model.Message
	for i := range results {
		id := fmt.Sprintf("call-%d", i)
		called.Calls = append(called.Calls, model.Call{ID: id, Name: "read_document", Arguments: fmt.Appendf(nil, `{"path":"projects/project-3/notes/page-%d.md"}`, i)})
		text, err := json.Marshal(map[string]any{"ok": true, "result": map[string]string{"text": strings.Repeat(prose, 20)}})
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, model.Message{Role: model.ToolRole, CallID: id, Tool: "read_document", Text: string(text)})
	}
	req.Messages = append(append(req.Messages, called), told...)
	return req
}

// report tells times as p50 and p95 in milliseconds.
func report(b *testing.B, name string, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	for _, p := range []int{50, 95} {
		b.ReportMetric(float64(times[len(times)*p/100].Nanoseconds())/1e6, fmt.Sprintf("%s-p%d-ms", name, p))
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFirstText measures how long the first text of an answer takes from its server,
// which is on this machine and answers at once, through the client and all that is around
// it. Goal: 5 ms at p95.
func BenchmarkFirstText(b *testing.B) {
	for name, first := range map[string]string{"native": "Hello there", "union": `{\"say\":\"Hello`} {
		b.Run(name, func(b *testing.B) {
			wrote := make(chan time.Time, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					io.WriteString(w, `{"data":[{"id":"m","context_length":32768}]}`)
					return
				}
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				wrote <- time.Now()
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n", first)
				http.NewResponseController(w).Flush()
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			}))
			defer server.Close()
			s := models.Settings{Chat: "openai/m", Embed: "builtin", Servers: map[string]models.Server{"openai": {URL: server.URL, Set: true}}}
			router := route.New(aside{})
			if _, err := models.New(router, s, func() (models.Settings, error) { return s, nil }, nil, models.Store{}); err != nil {
				b.Fatal(err)
			}
			req := aRequest(b, 0)
			req.Situation.Action = name == "union" // a local model that is to act is held to a schema
			var times []time.Duration
			for range b.N {
				var heard time.Time
				for e, err := range router.Turn().Generate(b.Context(), req) {
					if err != nil {
						b.Fatal(err)
					}
					if e.Text != "" && heard.IsZero() {
						heard = time.Now()
					}
				}
				if heard.IsZero() || !strings.HasPrefix(router.State().Model, "openai/") || router.State().Err != nil {
					b.Fatalf("no text: %+v", router.State())
				}
				times = append(times, heard.Sub(<-wrote))
			}
			report(b, "first", times)
		})
	}
}

// fake is a client of a local server without the server. It keeps each request as it would
// be sent.
type fake struct {
	window int
	answer func(model.Request) []model.Event
	sent   []string // of each request what is read, in the order in which servers read it
	keep   bool
	kind   dialect.Kind // of the schemas of its tools
}

func (f *fake) Name() string { return "fake" }

func (f *fake) Info(context.Context) (model.Info, error) {
	return model.Info{Context: f.window, Tools: true, Format: true}, nil
}

func (f *fake) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		req.Tools = dialect.For(f.kind, req.Tools)
		instructions, messages := req.Prompt()
		if f.keep {
			f.sent = append(f.sent, wireText(instructions, req.Tools, messages))
		}
		events := []model.Event{{Text: "Fine."}, {Stop: model.End}}
		if f.answer != nil {
			events = f.answer(req)
		}
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// wireText is a request as a model reads it: a line for the instructions, for each tool and
// for each message.
func wireText(instructions string, tools []model.Tool, messages []model.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "instructions %q\n", instructions)
	for _, t := range tools {
		fmt.Fprintf(&b, "tool %s %s %s\n", t.Name, t.Description, t.Schema)
	}
	for _, m := range messages {
		fmt.Fprintf(&b, "%s %s %q", m.Role, m.CallID, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " %s %s %s", c.ID, c.Name, c.Arguments)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// stack is what stands around a client.
func stack(f *fake) *ladder.Model {
	union := func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) }
	return ladder.New(window.New(f, 0), ladder.Options{Schema: union, Offer: window.Tools})
}

// BenchmarkStep measures what one request costs before it is sent and after it is answered,
// with all tools, ten turns of history and five results: the layers around a client, and
// with a local server's schemas of tools. Goal: 2 ms.
func BenchmarkStep(b *testing.B) {
	for _, size := range []int{8192, 32768} {
		for name, tc := range map[string]struct {
			kind dialect.Kind
			act  bool // a local model that is to act is held to a schema
		}{"layers": {}, "grammar": {kind: dialect.Grammar}, "union": {kind: dialect.Grammar, act: true}} {
			b.Run(fmt.Sprintf("%d/%s", size, name), func(b *testing.B) {
				req := aRequest(b, 5)
				req.Situation.Action = tc.act
				router := route.New(aside{})
				var times []time.Duration
				for range b.N {
					router.Use(stack(&fake{window: size, kind: tc.kind, answer: fine}), true) // that has learned nothing yet
					start := time.Now()
					for _, err := range router.Turn().Generate(b.Context(), req) {
						if err != nil {
							b.Fatal(err)
						}
					}
					times = append(times, time.Since(start))
				}
				report(b, "step", times)
			})
		}
	}
}

// fine is an answer in words, with what a server counted.
func fine(req model.Request) []model.Event {
	say := "Fine."
	if req.Format != nil {
		say = `{"say":"Fine.","call":null}`
	}
	instructions, messages := req.Prompt()
	counted := model.Tokens(instructions) + model.Request{Messages: messages, Tools: req.Tools}.Tokens()
	return []model.Event{{Text: say}, {Usage: &model.Usage{Input: counted, Output: 5}}, {Stop: model.End}}
}

// talkVault has a project of kist's own, notes of some length that belong to what is said,
// and memories.
func talkVault(length int) string {
	var b strings.Builder
	b.WriteString("-- projects/houseboat/project.md --\n---\ntype: project\nname: Houseboat\nstatus: active\ncreated_by: agent\n---\n\n# Houseboat\n")
	for i := range 12 {
		fmt.Fprintf(&b, "-- projects/houseboat/notes/plank-%d.md --\n# Plank %[1]d\n\nPlank %[1]d lies near the stern. %s\n\n## Rope %[1]d\n\n%[2]s\n", i, strings.Repeat(prose, length))
		fmt.Fprintf(&b, "-- memories/m%d.md --\n---\ntype: memory\nscope: user\n---\nPlank %[1]d is to be sanded by hand, and rope %[1]d is the yard's.\n", i)
	}
	return b.String()
}

// talk has the agent take so many turns of four steps each, of which one looks at so many
// documents of some length at once, and returns the requests as they were sent.
func talk(t *testing.T, size, turns, documents, length int) []string {
	t.Helper()
	v := vaulttest.New(t, talkVault(length))
	x, err := index.Open(v, index.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	defer func() {
		cancel()
		if err := cmp.Or(<-done, x.Close()); err != nil {
			t.Error(err)
		}
	}()
	f := &fake{window: size, keep: true, kind: dialect.Grammar}
	f.answer = func(model.Request) []model.Event {
		asked := len(f.sent) - 1
		// Another tokenizer than the one that is estimated with.
		used := model.Event{Usage: &model.Usage{Input: len(f.sent[asked]) * 10 / 36, Output: 20}}
		return append(script(asked/4, asked%4, documents), used, model.Event{Stop: model.End})
	}
	router := route.New(aside{})
	router.Use(stack(f), true)
	a, err := agent.New(v, x, router, agent.Options{Now: func() time.Time { return vaulttest.Now }})
	if err != nil {
		t.Fatal(err)
	}
	for n := range turns {
		if err := x.Wait(t.Context(), v.Seq()); err != nil {
			t.Fatal(err)
		}
		for e, err := range a.Send(t.Context(), agent.Message{Text: fmt.Sprintf("What do we know about plank %d near the stern? Note what has to be done.", n), Project: "houseboat"}) {
			if failed, ok := e.(agent.Failed); ok || err != nil {
				t.Fatal(err, failed)
			}
		}
	}
	if len(f.sent) != 4*turns {
		t.Fatalf("%d requests in %d turns", len(f.sent), turns)
	}
	return f.sent
}

// script is what the model says in a step of a turn.
func script(turn, step, documents int) (events []model.Event) {
	call := func(name, format string, a ...any) {
		events = append(events, model.Event{Call: &model.Call{Name: name, Arguments: fmt.Appendf(nil, format, a...)}})
	}
	switch step {
	case 0:
		call("search", `{"query":"plank %d stern","limit":3}`, turn)
	case 1:
		for i := range documents {
			call("read_document", `{"path":"projects/houseboat/notes/plank-%d.md"}`, (turn+i)%12)
		}
	case 2:
		call("create_task", `{"title":"Sand plank %d"}`, turn)
	default:
		events = append(events, model.Event{Text: fmt.Sprintf("Plank %d is soft near the stern; the task to sand it is there. %s", turn, prose)})
	}
	return events
}

// A sameness is how much of requests is the same as in the ones before, from the beginning.
type sameness struct {
	tokens, same int
	sent         int // of the tokens, those that could be the same: as many as the request before had
	anew         int // requests that don't begin with all of the one before
}

// add compares two requests, and tells where they part if it isn't at the end of the first.
func (s *sameness) add(before, now string) (where string) {
	n := 0
	for n < min(len(before), len(now)) && before[n] == now[n] {
		n++
	}
	s.tokens += model.Tokens(now)
	s.same += model.Tokens(now[:n])
	s.sent += min(model.Tokens(before), model.Tokens(now))
	if n < len(before) {
		s.anew++
		line := now[strings.LastIndexByte(now[:n], '\n')+1:]
		where = fmt.Sprintf("from byte %d of %d on, in %.60q", n, len(before), line)
	}
	return where
}

func (s *sameness) part() float64 { return float64(s.same) / float64(s.tokens) }

// TestPrefix: what a server has read before it needn't read again. Of the later steps of a
// turn that is most, and of the first step of the next turn more than half.
func TestPrefix(t *testing.T) {
	for _, tc := range []struct {
		size, documents, length int
		steps, turns            float64 // at least
		anew                    int     // at most
	}{
		{32768, 1, 2, 0.9, 0.6, 0},
		{8192, 1, 2, 0.9, 0.6, 0},
		{8192, 5, 40, 0.84, 0.6, 3}, // more than there is room for, of which a third is new in a step: .889 if all else were the same
	} {
		t.Run(fmt.Sprintf("%d/%d/%d", tc.size, tc.documents, tc.length), func(t *testing.T) {
			t.Parallel()
			sent := talk(t, tc.size, 12, tc.documents, tc.length)
			var steps, turns sameness
			for i := 1; i < len(sent); i++ {
				if i%4 == 0 {
					turns.add(sent[i-1], sent[i])
				} else if where := steps.add(sent[i-1], sent[i]); where != "" {
					t.Logf("turn %d, step %d of %d tokens: %s", i/4+1, i%4+1, model.Tokens(sent[i]), where)
				}
			}
			again := float64(steps.same) / float64(steps.sent)
			t.Logf("the same: %.3f of later steps (%.3f of what was sent before), %d of which begin anew, and %.3f of first ones", steps.part(), again, steps.anew, turns.part())
			if steps.part() < tc.steps || again < 0.95 || turns.part() < tc.turns || steps.anew > tc.anew {
				t.Errorf("want %.2f and %.2f", tc.steps, tc.turns)
			}
		})
	}
}

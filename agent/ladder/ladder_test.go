package ladder

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// A fake is a model that answers each request as answer says.
type fake struct {
	info   model.Info
	answer func(model.Request) ([]model.Event, error)
	asked  []model.Request
}

func (f *fake) Name() string                             { return "fake" }
func (f *fake) Info(context.Context) (model.Info, error) { return f.info, nil }
func (f *fake) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		f.asked = append(f.asked, req)
		events, err := f.answer(req)
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(model.Event{}, err)
		}
	}
}

// says is an answer in pieces.
func says(pieces ...string) func(model.Request) ([]model.Event, error) {
	return func(model.Request) ([]model.Event, error) {
		var out []model.Event
		for _, p := range pieces {
			if p != "" {
				out = append(out, model.Event{Text: p})
			}
		}
		return append(out, model.Event{Stop: model.End}), nil
	}
}

func options() Options {
	return Options{Schema: func([]model.Tool) json.RawMessage { return json.RawMessage(`{"type":"object"}`) }, Offer: func(int) int { return 0 }}
}

var tools = []model.Tool{{Name: "create_task", Description: "Adds a task.", Schema: []byte(`{"properties":{"title":{},"due":{},"priority":{"enum":["low","high"]}},"required":["title"]}`), Changes: true}, {Name: "search", Schema: []byte(`{}`)}}

// hear plays an answer on a rung and returns what is shown, the calls and the stop.
func hear(t *testing.T, rung Rung, req model.Request, answer func(model.Request) ([]model.Event, error)) (text string, calls []string, stop model.Stop) {
	t.Helper()
	opts := options()
	opts.From = rung
	req.Tools = tools
	for e, err := range New(&fake{info: model.Info{Tools: true, Format: true}, answer: answer}, opts).Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		text += e.Text
		if e.Call != nil {
			calls = append(calls, e.Call.Name+" "+string(e.Call.Arguments)+strings.Repeat(" refused", min(1, len(e.Call.Refuse))))
			if e.Call.Propose && e.Call.Refuse == "" {
				calls[len(calls)-1] += " proposed"
			}
		}
		stop = e.Stop
	}
	return text, calls, stop
}

// However an answer is cut in pieces, what is shown and called is the same.
func TestHearing(t *testing.T) {
	task := `create_task {"title":"Weld {it}"}`
	for _, c := range []struct {
		rung        Rung
		said, shown string
		calls       []string
	}{
		{Native, "Hello.\nAll is well {really}.", "Hello.\nAll is well {really}.", nil},
		{Native, "[see](x.md) and `code`\n- [ ] open", "[see](x.md) and `code`\n- [ ] open", nil},
		{Native, `{"name":"create_task","arguments":{"title":"Weld {it}"}}`, "", []string{task}},
		{Native, "On it.\n<tool_call>\n{\"name\":\"create_task\",\"arguments\":{\"title\":\"Weld {it}\"}}\n</tool_call>\nDone.", "On it.\nDone.", []string{task + " refused"}},
		{Text, "On it.\n<tool_call>\n{\"name\":\"create_task\",\"arguments\":{\"title\":\"Weld {it}\"}}\n</tool_call>\nDone.", "On it.\nDone.", []string{task}},
		{Union, "On it: {\"say\":\"So.\",\"call\":{\"tool\":\"create_task\",\"arguments\":{\"title\":\"Weld {it}\"}}}", "On it: ", []string{task}},
		{Union, `{"say":"One is create_task({\"title\":\"Weld {it}\"})","call":null}`, "One is ", []string{task + " refused"}},
		{Union, `{"say":"On it.","call":{"tool":"create_task","argu`, "On it.", []string{`unknown {"say":"On it.","call":{"tool":"create_task","argu refused`}},
		{Native, "I add it. {\"name\":\"create_task\",\"argu", "I add it. ", []string{`create_task {"name":"create_task","argu refused`}},
		{Native, "```json\n{\"tool\":\"create_task\",\"parameters\":{\"title\":\"Weld {it}\"}}\n```\n", "", []string{task}},
		{Native, "```json\n{\"width\": 3}\n```\nSo it is.", "```json\n{\"width\": 3}\n```\nSo it is.", nil},
		{Native, "```go\nfunc f() {\n{\n```\nSee?", "```go\nfunc f() {\n{\n```\nSee?", nil},
		{Native, "{\"width\": 3}\n", "{\"width\": 3}\n", nil},
		{Native, `{"say":"Hello \"you\"."}`, `Hello "you".`, nil},
		{Native, `{"say":"Hello.","call":{"tool":"create_task","arguments":{"title":"Weld {it}"}}}`, "", []string{task}},
		{Native, `<tool_call>{"name": broken</tool_call>`, "", []string{`unknown {"name": broken`}},
		{Native, `{"name":"create_task","arguments":{"title":"We`, "", []string{`create_task {"name":"create_task","arguments":{"title":"We refused`}},
		{Native, "A set {1, 2", "A set {1, 2", nil},
		{Native, "{1, 2", "{1, 2", nil},
		{Text, `[ACTION: create_task {"title":"Weld {it}"}]`, "", []string{task}},
		{Text, "I add it.\n[ACTION: create_task {\"title\":\"Weld {it}\"}]\n[ACTION: search]", "I add it.\n", []string{task, "search {}"}},
		{Text, "[ACTION: create_task {\"title\":\"Weld {it}\"}", "", []string{task}},
		{Union, `{"say": "Grüße \u00fc\ud83d\ude00\n\"x\"", "call": {"tool":"create_task","arguments":{"title":"Weld {it}"}}}`, "Grüße ü😀\n\"x\"", []string{task}},
		{Union, `{"call": null, "say": "No call."}`, "No call.", nil},
		{Union, ` {"say":"","call":{"tool":"search","arguments":{}}} {"say":"again"}`, "", []string{"search {}"}},
		{Union, `{"say":"Cut of`, "Cut of", nil},
		{Union, `{"say":"Well.","call":{"tool":"create_task","arguments":{"tit`, "Well.", []string{`unknown {"say":"Well.","call":{"tool":"create_task","arguments":{"tit refused`}},
		{Union, `{"say":{"text":"Hello.","more":["So","it is."]},"call":null}`, "Hello.\n\nSo\n\nit is.", nil},
		{Union, `{"say":["Hello.","You."],"call":{"tool":"create_task","arguments":{"title":"Weld {it}"}}}`, "Hello.\n\nYou.", []string{task}},
		{Union, `{"say":{"tool":"create_task","arguments":{"title":"Weld {it}"}},"call":null}`, "", []string{task}},
		{Union, "It said it in words.", "It said it in words.", nil},
		{Union, `{"nested":{"say":"no"},"say":"yes","call":null}`, "yes", nil},
		// What is left of calls is shown on no rung.
		{Text, "```<tool_call>\n{\"name\": \" note[\" Order", "", []string{`unknown {"name": " note[" Order`}}, // a tag is no language
		{Text, "So</tool_call> it is.</tool_call>\nYes.", "So it is.\nYes.", nil},
		{Text, "On it. [ACTION: search the hull\nDone.", "On it. Done.", []string{"search the hull {}"}},
		{Text, "[ACTION: {}]\n", " {}]\n", nil},
		{Text, `So {"query": " think{"name": " search {}]", "call": null} it is`, `So {"query": " think{"name": " search {}]", "call": null} it is`, nil},
		{Text, `{"type":"a [ACTION: search {}]"} so`, `{"type":"a  search {}]"} so`, nil},
		{Text, "```console\n<tool_call>\n  ls</tool_call> [ACTION: x\n```\nSee?", "```console\n\n  ls  x\n```\nSee?", nil},
		{Text, `Well {"name": "find_task"} so`, "Well so", []string{"find_task {}"}},
		{Text, `{"name": ""}`, "", []string{"unknown {}"}},
		{Text, `{"call": {"tool": ""}}`, "", []string{"unknown {}"}},
		{Native, `{"say":"So [ACTION: search}"}`, "So ", []string{"search} {} refused"}},
		{Text, `{"say":"So\n` + "```" + `\n{\"name\": \" x {\"y\": \"z"}`, "So\n```\n{\"name\": \" x {\"y\": \"z\n```", nil},
		{Text, `Well {"tool": "no_such_tool", "x": ""} so`, "Well so", []string{"no_such_tool {}"}},
		{Text, `Well {"tool": "hammer", "x": ""} so`, `Well {"tool": "hammer", "x": ""} so`, nil},
		{Native, `{"tool":"create_task","title":"Weld {it}"}`, "", []string{task}},
		{Native, `{"title":"Weld {it}","name":"create_task"}`, "", []string{task}},
		{Native, `{"name":"Hull","tool":"create_task"}`, "", []string{`create_task {"name":"Hull"}`}},
		{Text, `Write {"name": "Bob", "age": 3}.`, `Write {"name": "Bob", "age": 3}.`, nil},
		{Union, `{"say":"On it: [ACTION: search {}]","call":null}`, "On it: ", []string{"search {} refused"}},
		{Union, `{"say":"On it: [ACTION: search {}]","call":{"tool":"create_task","arguments":{"title":"Weld {it}"}}}`, "On it: ", []string{task}},
		{Union, `{"say":"So</tool_call> it <tool_call>is","call":null}`, "So it ", []string{"unknown is refused"}},
	} {
		for at := range len(c.said) + 1 {
			if at < len(c.said) && !utf8.RuneStart(c.said[at]) {
				continue // pieces are whole runes by then
			}
			text, calls, stop := hear(t, c.rung, model.Request{}, says(c.said[:at], c.said[at:]))
			want := model.End
			if len(c.calls) > 0 {
				want = model.Calls
			}
			if diff := cmp.Diff(c.calls, calls); diff != "" || text != c.shown || stop != want {
				t.Errorf("%v %q cut at %d: shown %q, want %q, %s, %s", c.rung, c.said, at, text, c.shown, stop, diff)
				break
			}
		}
	}
}

// What was thought, as is known afterwards, is read anew behind it: no call in it counts, and
// what was held of it isn't shown.
func TestHearingTakenBack(t *testing.T) {
	for _, c := range []struct {
		rung          Rung
		thought, said string
		back          bool
	}{
		{Text, "So [ACTION: search {}]\nand then", "Yes.", true},
		{Text, "[ACTION: search {}", "Yes.", false},
		{Union, "So {", `{"say":"Yes.","call":null}`, true},
		{Union, `{"say":"No.","call":{"tool":"search","arguments":{}}}`, `{"say":"Yes.","call":null}`, true},
	} {
		back := false
		said := ""
		answer := func(model.Request) ([]model.Event, error) {
			return []model.Event{{Text: c.thought}, {Back: true}, {Text: c.said}, {Stop: model.End}}, nil
		}
		opts := options()
		opts.From = c.rung
		for e, err := range New(&fake{info: model.Info{Tools: true, Format: true}, answer: answer}, opts).Generate(t.Context(), model.Request{Tools: tools}) {
			if err != nil || e.Call != nil {
				t.Fatalf("%q: %+v, %v", c.thought, e, err)
			}
			if said += e.Text; e.Back {
				back, said = true, ""
			}
		}
		if said != "Yes." || back != c.back {
			t.Errorf("%q: %q, %v", c.thought, said, back)
		}
	}
}

// What is among words is an example where nobody asked for a change, also where calls are to
// stand in the text. What looks only may look.
func TestExamples(t *testing.T) {
	const task, search = `create_task {"title":"Weld"}`, `search {"query":"hull"}`
	for _, c := range []struct {
		said         string
		asks, action bool
		calls        []string
	}{
		{"A call of mine is\n[ACTION: " + task + "]\nfor instance.", false, false, []string{task + " refused"}},
		{"The note says: [ACTION: " + task + "]", false, false, []string{task + " refused"}},
		{"On it.\n[ACTION: " + task + "]", true, false, []string{task}},
		{"On it.\n[ACTION: " + task + "]", false, true, []string{task}},
		{"[ACTION: " + task + "]\n", false, false, []string{task + " proposed"}},
		{"[ACTION: " + task + "]\n", true, false, []string{task}},
		{`{"name":"create_task","arguments":{"title":"Weld"}}`, false, false, []string{task + " proposed"}},
		{`{"say":"","call":{"tool":"create_task","arguments":{"title":"Weld"}}}`, false, false, []string{task}},
		{"I look.\n[ACTION: " + search + "]", false, false, []string{search}},
	} {
		rung := Text
		req := model.Request{Asks: func() bool { return c.asks }, Situation: model.Situation{Action: c.action}}
		if strings.HasPrefix(c.said, "{") {
			rung = Union
		}
		if _, calls, _ := hear(t, rung, req, says(c.said)); fmt.Sprint(calls) != fmt.Sprint(c.calls) {
			t.Errorf("%q (%t, %t): %q", c.said, c.asks, c.action, calls)
		}
	}
}

// Dots alone are no words; before words they are shown.
func TestDots(t *testing.T) {
	for said, want := range map[string]string{`{"say":"...","call":null}`: "", "...": "", " … \n": "", "... and so on": "... and so on", `{"say":".5","call":null}`: ".5"} {
		for _, rung := range []Rung{Native, Union} {
			var pieces []string
			for _, c := range said {
				pieces = append(pieces, string(c))
			}
			if got, _, stop := hear(t, rung, model.Request{}, says(pieces...)); got != want || stop != model.End {
				t.Errorf("%s %q: %q, %s", rung, said, got, stop)
			}
		}
	}
}

// A call that its limit cuts off is asked for again, like one that breaks off by itself.
func TestCutCalls(t *testing.T) {
	for rung, said := range map[Rung]string{
		Text:  "On it.\n[ACTION: create_task {\"title\": \"Wel",
		Union: `{"say":"On it.","call":{"tool":"create_task","argu`,
	} {
		answer := func(model.Request) ([]model.Event, error) {
			return []model.Event{{Text: said}, {Stop: model.Length}}, nil
		}
		if text, calls, stop := hear(t, rung, model.Request{}, answer); len(calls) != 1 || !strings.HasSuffix(calls[0], " refused") || stop != model.Calls || strings.TrimSpace(text) != "On it." {
			t.Errorf("%s: %q, %q, %s", rung, text, calls, stop)
		}
	}
	if _, calls, stop := hear(t, Text, model.Request{}, func(model.Request) ([]model.Event, error) {
		return []model.Event{{Text: "The hull is"}, {Stop: model.Length}}, nil
	}); len(calls) != 0 || stop != model.Length {
		t.Errorf("words: %q, %s", calls, stop)
	}
}

// No piece of an answer is lost or makes the ladder stumble.
func TestHearingNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	bits := []string{"{", "}", `"`, `\`, "[ACTION:", " create_task", "]", "```", "json", "\n", "<tool_call>", "</tool_call>", `"say":`, `"call":`, `"name":`, "null", `\u00`, "é", ",", "a word "}
	for range 1000 {
		var pieces []string
		for range r.IntN(30) {
			pieces = append(pieces, bits[r.IntN(len(bits))])
		}
		for _, rung := range []Rung{Native, Union, Text} {
			whole, calls, _ := hear(t, rung, model.Request{}, says(strings.Join(pieces, "")))
			text, again, stop := hear(t, rung, model.Request{}, says(pieces...))
			if tag := regexp.MustCompile(`\[ACTION:|</?tool_call>`).FindString(text); tag != "" {
				t.Fatalf("%v %q: %q is shown: %q", rung, pieces, tag, text)
			}
			if diff := cmp.Diff(calls, again); whole != text || diff != "" || stop == "" {
				t.Fatalf("%v %q: %q and %q %s", rung, pieces, whole, text, diff)
			}
		}
	}
}

// A server that doesn't take a rung's request is asked from the next at once, and the
// model stays there.
func TestRefusedRungs(t *testing.T) {
	f := &fake{info: model.Info{Tools: true, Format: true}}
	f.answer = func(req model.Request) ([]model.Event, error) {
		if len(req.Tools) > 0 || req.Format != nil {
			return nil, &endpoint.Error{Status: 400, Err: fmt.Errorf("no tools here")}
		}
		return says("[ACTION: search]")(req)
	}
	m := New(f, options())
	for range 2 {
		for e, err := range m.Generate(t.Context(), model.Request{Tools: tools}) {
			if err != nil || e.Text != "" {
				t.Fatalf("%+v, %v", e, err)
			}
		}
	}
	if m.Rung() != Text || len(f.asked) != 4 {
		t.Errorf("%v after %d requests", m.Rung(), len(f.asked))
	}
	f.answer = func(req model.Request) ([]model.Event, error) {
		if len(req.Tools) > 0 {
			return nil, &endpoint.Error{Status: 500, Err: fmt.Errorf("the runner died")}
		}
		return says("So.")(req)
	}
	var told []string
	for e, err := range New(f, options()).Generate(t.Context(), model.Request{Tools: tools}) {
		if e.Notice != "" || err != nil {
			told = append(told, e.Notice)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "failed when it was asked with tools (the runner died)") {
		t.Errorf("of a server's fault is told %q", told)
	}
	f.asked = f.asked[:4]
	f.answer = func(model.Request) ([]model.Event, error) {
		return nil, &endpoint.Error{Status: 401, Err: fmt.Errorf("no")}
	}
	for _, err := range New(f, options()).Generate(t.Context(), model.Request{Tools: tools}) {
		if err == nil {
			t.Error("no error")
		}
	}
	if len(f.asked) != 5 {
		t.Error("a wrong key was tried on every rung")
	}
}

// A server that says nothing of the model is asked from the top: what isn't known is tried.
func TestMute(t *testing.T) {
	c := newClimber(options(), Native)
	c.fake.info = model.Info{Context: 8192} // the usual window
	c.expect(t, "the first turn", "native ", 0, true)
	if c.Rung() != Native {
		t.Errorf("%v", c.Rung())
	}
	c.fake.info = model.Info{Context: 8192, Format: true}
	c.expect(t, "it says now that it has no tools", "union text ", 0, true)
}

// Steps of nothing but wrong calls lead down for the turn; the model stays down after two
// such turns.
func TestWrongCalls(t *testing.T) {
	f := &fake{info: model.Info{Tools: true, Format: true}, answer: says("x")}
	m := New(f, options())
	req := model.Request{Tools: tools, Messages: []model.Message{{Role: model.User, Text: "go"}}}
	ask := func(req model.Request) model.Request {
		for range m.Generate(t.Context(), req) {
		}
		return f.asked[len(f.asked)-1]
	}
	wrong := func(req model.Request) model.Request {
		req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)],
			model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "1", Name: "nonsense", Arguments: []byte(`{}`)}}},
			model.Message{Role: model.ToolRole, CallID: "1", Tool: "nonsense", Text: `{"ok":false}`, Invalid: true})
		return req
	}
	if got := ask(req); len(got.Tools) != 2 || got.Format != nil {
		t.Error("it doesn't begin natively")
	}
	if got := ask(wrong(req)); len(got.Tools) != 0 || got.Format == nil || m.Rung() != Native {
		t.Errorf("after a wrong step: %+v", got)
	}
	if got := ask(wrong(wrong(req))); got.Format != nil || len(got.Tools) != 0 {
		t.Errorf("after two: %+v", got)
	}
	ask(wrong(req))
	if m.Rung() != Union {
		t.Errorf("after two such turns: %v", m.Rung())
	}
	req.Situation.Action = true
	m = New(f, options())
	if got := ask(req); got.Format == nil {
		t.Error("a local model acts without a schema")
	}
	f.info.Remote = true
	if got := ask(req); got.Format != nil {
		t.Error("a remote one has one")
	}
}

// Below native there are no tools in a request, and no calls in its messages.
func TestInWords(t *testing.T) {
	f := &fake{info: model.Info{Format: true}, answer: says("Fine.")}
	m := New(f, options())
	req := model.Request{
		Tools: tools, Brief: func(int) model.Brief { return model.Brief{Rules: "Rules."} },
		Messages: []model.Message{
			{Role: model.User, Text: "add it"},
			{Role: model.Assistant, Text: "On it.", Calls: []model.Call{{ID: "1", Name: "search", Arguments: []byte(`{"query":"x"}`)}}},
			{Role: model.ToolRole, CallID: "1", Tool: "search", Text: `{"ok":true}`},
		},
	}
	for range m.Generate(t.Context(), req) {
	}
	instructions, messages := f.asked[0].Prompt()
	want := []model.Message{
		{Role: model.User, Text: "add it"},
		{Role: model.Assistant, Text: `{"call":{"arguments":{"query":"x"},"tool":"search"},"say":"On it."}`},
		{Role: model.User, Text: `(kist: the result of search:) {"ok":true}`},
	}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(instructions, "- create_task(title, due?, priority: low|high?): Adds a task.") || len(f.asked[0].Tools) != 0 || m.Rung() != Union {
		t.Errorf("%v\n%s", m.Rung(), instructions)
	}
	req.Choice = model.None
	for range m.Generate(t.Context(), req) {
	}
	if instructions, _ := f.asked[1].Prompt(); strings.Contains(instructions, "tool") || f.asked[1].Format != nil {
		t.Errorf("for words alone: %s", instructions)
	}
}

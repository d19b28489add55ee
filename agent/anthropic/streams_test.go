package anthropic

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/agent/wire"
	"kist/agent/wire/wiretest"
)

var rounds = flag.Int("rounds", 2000, "how many damaged streams are tried")

// recorded returns the streams in testdata by name. They are written after what servers
// send.
func recorded(t testing.TB) map[string]string { return wiretest.Recorded(t, "testdata/*.sse") }

// listen reads a stream without a server between.
func listen(t testing.TB, body io.Reader) (wiretest.Heard, error) {
	t.Helper()
	e, err := Endpoint("http://127.0.0.1:1", key)
	if err != nil {
		t.Fatal(err)
	}
	return wiretest.Hear(t, func(yield func(model.Event, error) bool) {
		a := wire.NewAnswer(yield)
		if err := answerOf(e, body, a); err != nil {
			a.Fail(cause(err))
			return
		}
		a.End()
	})
}

func call(id, name, arguments string) model.Call {
	return model.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// kept is a state of this provider.
func kept(data string) *model.State {
	return &model.State{Provider: provider, Data: json.RawMessage(data)}
}

// told is what each stream says.
var told = map[string]wiretest.Heard{
	"text": {Text: "Grüße, 世界 👩‍🚀!", Usage: &model.Usage{Input: 25, Output: 15}, Stop: model.End},
	"thinking": {
		Text: "Sanding first.", Thinking: "First, the hull.", Usage: &model.Usage{Input: 1115, Output: 42, Cached: 1024}, Stop: model.End,
		State: kept(`[{"signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds","thinking":"First, the hull.","type":"thinking"}]`),
	},
	"call": {
		Text: "Okay, let me look. ", Calls: []model.Call{call("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "create_task", `{"title": "Sand the hull"}`)},
		Usage: &model.Usage{Input: 472, Output: 89}, Stop: model.Calls,
	},
	"calls": {
		Calls: []model.Call{call("toolu_01A", "create_task", `{"title": "Sand {\"it\"}"}`), call("toolu_01B", "create_task", `{"title": "Paint"}`), call("toolu_01C", "list_projects", `{}`)},
		Usage: &model.Usage{Input: 2520, Output: 120, Cached: 2048}, Stop: model.Calls,
	},
	"thinking_between": {
		Text: "And then the list.", Thinking: "Look first.",
		Calls: []model.Call{call("toolu_01", "search", `{"query": "hull"}`), call("toolu_02", "list_tasks", `{}`)},
		State: kept(`[{"signature":"c2lnbmF0dXJlLTE=","thinking":"Look first.","type":"thinking"},{"type":"tool_use"},{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix"},{"signature":"c2lnbmF0dXJlLTI=","thinking":"","type":"thinking"}]`),
		Usage: &model.Usage{Input: 500, Output: 210}, Stop: model.Calls,
	},
	"refusal":         {Text: "I can't ", Usage: &model.Usage{Input: 40, Output: 3}, Stop: model.Refused},
	"refusal_at_once": {Usage: &model.Usage{Input: 40}, Stop: model.Refused},
	"length":          {Text: "1. Sand\n2. Paint\n3. ", Usage: &model.Usage{Input: 30, Output: 12}, Stop: model.Length},
	"server_tool":     {Text: "I'll look. \n\nHigh at noon.", Usage: &model.Usage{Input: 700, Output: 80}, Stop: model.End},
	"other": {
		Thinking: "They want a task.", Calls: []model.Call{call("call_x1", "create_task", `{"title":"Buy paint"}`)},
		Usage: &model.Usage{Input: 240, Output: 25}, Stop: model.Calls,
	},
	"error":         {Text: "Good "},
	"error_in_call": {},
}

// failing reports whether a stream ends in an error.
func failing(name string) bool { return strings.HasPrefix(name, "error") }

func TestStreams(t *testing.T) {
	all := recorded(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(told)), slices.Sorted(maps.Keys(all))); diff != "" {
		t.Fatal(diff)
	}
	for name, want := range told {
		for form, body := range map[string]io.Reader{
			"as it is":  strings.NewReader(all[name]),
			"CRLF":      strings.NewReader(strings.ReplaceAll(all[name], "\n", "\r\n")),
			"no blanks": strings.NewReader(strings.ReplaceAll(all[name], "data: ", "data:")),
			"comments":  strings.NewReader(": hm\n\n" + strings.ReplaceAll(all[name], "data: ", ": hm\ndata: ")),
			"byte-wise": iotest.OneByteReader(strings.NewReader(all[name])),
		} {
			got, err := listen(t, body)
			if diff := cmp.Diff(want, got); diff != "" || (err != nil) != failing(name) {
				t.Errorf("%s, %s: %v %s", name, form, err, diff)
			}
		}
	}
}

// TestCutStreams: of each stream that ends anywhere, what came is told, and calls or an end
// only if the server's reason came whole, or its error.
func TestCutStreams(t *testing.T) {
	for name, stream := range recorded(t) {
		reason := strings.Index(stream, `data: {"type":"message_delta"`)
		if failing(name) {
			reason = strings.Index(stream, `data: {"type":"error"`)
		}
		if reason < 0 {
			t.Fatalf("%s: no end", name)
		}
		line := reason + strings.Index(stream[reason:], "\n")
		for n := range len(stream) + 1 {
			got, err := listen(t, strings.NewReader(stream[:n]))
			if (err != nil) != (failing(name) && n >= line) || (got.Stop != "") != (n >= line && !failing(name)) {
				t.Fatalf("%s, %d bytes: %+v, %v", name, n, got, err)
			}
			if !strings.HasPrefix(told[name].Text, got.Text) || !strings.HasPrefix(told[name].Thinking, got.Thinking) {
				t.Errorf("%s, %d bytes: %+v", name, n, got)
			}
		}
	}
}

// TestDamaged: a stream that is damaged in any way ends soon, in an error or an end, and what
// it said can be sent back.
func TestDamaged(t *testing.T) {
	wiretest.Anthropic(key).Test(t, *rounds, recorded(t), func(stream []byte) error {
		got, err := listen(t, strings.NewReader(string(stream)))
		said := model.Message{Role: model.Assistant, Text: got.Text, Calls: got.Calls, State: got.State}
		if _, unsendable := json.Marshal(assistant(model.Sendable(said, 1<<20))); unsendable != nil {
			t.Error(unsendable)
		}
		return err
	})
}

package ollama

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
	"kist/agent/wire/wiretest"
)

var rounds = flag.Int("rounds", 2000, "how many damaged streams are tried")

// streams returns those in testdata by name. They are written after what servers send.
func streams(t testing.TB) map[string]string { return wiretest.Recorded(t, "testdata/*.ndjson") }

// listen reads a stream without a server between.
func listen(t testing.TB, body io.Reader) (wiretest.Heard, error) {
	t.Helper()
	e, err := endpoint.New("http://127.0.0.1:1", key)
	if err != nil {
		t.Fatal(err)
	}
	c := &Chat{endpoint: e, model: "m"}
	return wiretest.Hear(t, func(yield func(model.Event, error) bool) {
		a := wire.NewAnswer(yield)
		r := reader{Chat: c, answer: a}
		if err := r.read(&http.Response{Body: io.NopCloser(body)}); err != nil {
			a.Fail(cause(err))
			return
		}
		a.End()
	})
}

func call(id, name, arguments string) model.Call {
	return model.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// heard is what each stream says.
var heard = map[string]wiretest.Heard{
	"text":          {Text: "Grüße, 世界 👩‍🚀!", Usage: &model.Usage{Input: 26, Output: 9}, Stop: model.End},
	"thinking":      {Text: "Sand it, then paint.", Thinking: "Okay, the hull first.\n", Usage: &model.Usage{Input: 31, Output: 14}, Stop: model.End},
	"thinking_tags": {Text: "The houseboat.", Thinking: "\nHm, which boat?\n", Usage: &model.Usage{Input: 18, Output: 11}, Stop: model.End},
	"call": {
		Thinking: "They want a task.", Calls: []model.Call{call("call_a1b2c3d4", "create_task", `{"title":"Sand the hull","due":"2026-12-01"}`)},
		Usage: &model.Usage{Input: 412, Output: 37, Cached: 380}, Stop: model.Calls,
	},
	"call_old": {Calls: []model.Call{call("", "create_task", `{"title":"Buy paint"}`)}, Usage: &model.Usage{Input: 200, Output: 20}, Stop: model.Calls},
	"calls": {
		Text: "I look. ", Calls: []model.Call{call("", "list_tasks", `{"project":"houseboat"}`), call("", "search", `{"query":"hull \"rot\"","limit":5}`), call("", "list_projects", `{}`)},
		Usage: &model.Usage{Input: 398, Output: 51}, Stop: model.Calls,
	},
	"calls_apart": {
		Calls: []model.Call{call("call_1", "create_task", `{"title":"Sand"}`), call("call_2", "create_task", `{"title":"Paint {red}"}`), call("call_3", "switch_project", `{"project":null}`)},
		Usage: &model.Usage{Input: 420, Output: 66}, Stop: model.Calls,
	},
	"cloud": {
		Thinking: "Need to note it.",
		Calls:    []model.Call{call("call_k2m4", "create_note", `{"title":"Survey","text":"# Survey\n\nThe hull is *rotten* near the stern — \\o/ \t</think>","tags":["boat","hull"],"pinned":true,"weight":1.5}`)},
		Usage:    &model.Usage{Input: 1117, Output: 94}, Stop: model.Calls,
	},
	"length":           {Text: "1. Sand\n2. Paint\n3. ", Usage: &model.Usage{Input: 30, Output: 8}, Stop: model.Length},
	"refusal":          {Text: "I'm sorry, but I can't help with that.", Usage: &model.Usage{Input: 40, Output: 11}, Stop: model.End},
	"load":             {},
	"error":            {Text: "Good "},
	"error_after_call": {Thinking: "Hm."},
}

// failing reports whether a stream ends in an error.
func failing(name string) bool { return strings.HasPrefix(name, "error") }

func TestStreams(t *testing.T) {
	all := streams(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(heard)), slices.Sorted(maps.Keys(all))); diff != "" {
		t.Fatal(diff)
	}
	for name, want := range heard {
		for form, body := range map[string]io.Reader{
			"as it is":    strings.NewReader(all[name]),
			"CRLF":        strings.NewReader(strings.ReplaceAll(all[name], "\n", "\r\n")),
			"empty lines": strings.NewReader(strings.ReplaceAll(all[name], "\n", "\n\n")),
			"no newline":  strings.NewReader(strings.TrimSpace(all[name])),
			"byte-wise":   iotest.OneByteReader(strings.NewReader(all[name])),
		} {
			got, err := listen(t, body)
			if diff := cmp.Diff(want, got); diff != "" || (err != nil) != failing(name) {
				t.Errorf("%s, %s: %v %s", name, form, err, diff)
			}
		}
	}
}

// TestCut: of each stream that ends anywhere, what came is told, and calls or an end only if
// its last line came whole.
func TestCut(t *testing.T) {
	for name, stream := range streams(t) {
		last := strings.TrimSpace(stream)
		for n := range len(stream) + 1 {
			got, err := listen(t, strings.NewReader(stream[:n]))
			if (err != nil) != (failing(name) && n >= len(last)) || (got.Stop != "") != (n >= len(last) && heard[name].Stop != "") {
				t.Fatalf("%s, %d bytes: %+v, %v", name, n, got, err)
			}
			if !strings.HasPrefix(heard[name].Text, got.Text) && !strings.HasPrefix(got.Text, "<") || !strings.HasPrefix(heard[name].Thinking, strings.TrimRight(got.Thinking, "</think>")) {
				t.Errorf("%s, %d bytes: %+v", name, n, got)
			}
		}
	}
}

// TestDamaged: a stream that is damaged in any way ends soon, in an error or an end.
func TestDamaged(t *testing.T) {
	wiretest.Ollama(key).Test(t, *rounds, streams(t), func(stream []byte) error {
		_, err := listen(t, strings.NewReader(string(stream)))
		return err
	})
}

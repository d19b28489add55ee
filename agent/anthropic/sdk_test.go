//go:build sdk

package anthropic

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

// unnamed is a stream of a server that leaves out the names of events; the official SDK
// wants them.
const unnamed = "other"

var named = regexp.MustCompile(`(?m)^data: \{"type":"(\w+)"`)

// TestSDK: the official SDK of npm reads from each stream what kist reads.
func TestSDK(t *testing.T) {
	streams := recorded(t)
	for name, stream := range maps.Clone(streams) {
		streams[name+", CRLF"] = strings.ReplaceAll(stream, "\n", "\r\n")
		streams[name+", no blanks"] = strings.ReplaceAll(stream, "data: ", "data:")
	}
	streams["says"], streams["worked"] = lines(says("Aye.")...), lines(worked...)
	streams["named"] = named.ReplaceAllString(streams[unnamed], "event: $1\n$0")
	refused := wiretest.ReadBySDK(t, "anthropic", streams, func(name string, message []byte) {
		want, err := listen(t, strings.NewReader(streams[name]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// What is kept for the provider is compared by what it says.
		if diff := cmp.Diff(want, bySDK(t, message), cmpopts.IgnoreFields(wiretest.Heard{}, "State"), asValues); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, message)
		}
	})
	for name := range streams {
		first, _, _ := strings.Cut(name, ",")
		if why := refused[name]; (why != "") != (failing(name) || first == unnamed) {
			t.Errorf("%s: refused: %q", name, why)
		}
	}
}

// asValues compares arguments as what they mean: the SDK parses them.
var asValues = cmp.Transformer("value", func(raw json.RawMessage) (v any) {
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	return v
})

// bySDK is what the SDK heard.
func bySDK(t *testing.T, message []byte) (h wiretest.Heard) {
	t.Helper()
	var all struct {
		Content []struct {
			Type, Text, Thinking, ID, Name string
			Input                          json.RawMessage
		}
		Stop  string `json:"stop_reason"`
		Usage struct {
			Input   int `json:"input_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Created int `json:"cache_creation_input_tokens"`
			Output  int `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal(message, &all); err != nil {
		t.Errorf("%v: %s", err, message)
	}
	for i, b := range all.Content {
		switch b.Type {
		case "text":
			if h.Text != "" && all.Content[i-1].Type != "text" {
				h.Text += "\n\n" // texts that stand apart
			}
			h.Text += b.Text
		case "thinking":
			h.Thinking += b.Thinking
		case "tool_use":
			h.Calls = append(h.Calls, call(b.ID, b.Name, string(b.Input)))
		}
	}
	u := all.Usage
	h.Usage = &model.Usage{Input: u.Input + u.Read + u.Created, Cached: u.Read, Output: u.Output}
	h.Stop = map[string]model.Stop{"end_turn": model.End, "tool_use": model.Calls, "max_tokens": model.Length, "refusal": model.Refused}[all.Stop]
	return h
}

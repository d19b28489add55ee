//go:build sdk

package openai

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
	"kist/agent/wire/wiretest"
)

// beyond are the streams of servers that don't keep to OpenAI's protocol, and what makes
// them ones that do. Without that the official SDK must not read what kist does: else the
// row is no longer needed.
var beyond = map[string]func(string) string{
	// Gemini gives all calls the same index: the SDK makes one call of them.
	"gemini": func(s string) string {
		return strings.NewReplacer(`"id":"function-call-2","index":0`, `"id":"function-call-2","index":1`, `"id":"","index":0`, `"id":"function-call-3","index":2`).Replace(s)
	},
	// Mistral's models that think send parts in the place of a text.
	"mistral": func(s string) string { return thoughts.ReplaceAllString(s, `"content":"$1"`) },
}

var thoughts = regexp.MustCompile(`"content":\[\{"type":"thinking","thinking":\[[^\]]*\]\}(?:,\{"type":"text","text":"(\w*)"\})?\]`)

// wrong are the streams that end in an error.
var wrong = []string{"openrouter_error"}

// TestSDK: the official SDK of npm reads from each stream what kist reads.
func TestSDK(t *testing.T) {
	streams := map[string]string{}
	for name, stream := range recorded(t) {
		streams[name] = stream
		if mend, ok := beyond[name]; ok {
			streams[name+", mended"] = mend(stream)
		} else {
			streams[name+", CRLF"] = strings.ReplaceAll(stream, "\n", "\r\n")
			streams[name+", no blanks"] = strings.ReplaceAll(stream, "data: ", "data:")
			streams[name+", no [DONE]"] = strings.ReplaceAll(stream, "data: [DONE]\n\n", "")
		}
	}
	refused := wiretest.ReadBySDK(t, "openai", streams, func(name string, message []byte) {
		want, err := ask(t, endpoint.Patience{}, wiretest.Answer{Body: streams[name]})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// The SDK knows nothing of thoughts.
		diff := cmp.Diff(want, bySDK(t, message), cmpopts.IgnoreFields(wiretest.Heard{}, "Thinking"))
		if _, ok := beyond[name]; (diff != "") != ok {
			t.Errorf("%s: %s\n%s", name, diff, message)
		}
	})
	for name, why := range refused {
		first, _, _ := strings.Cut(name, ",")
		if _, ok := beyond[name]; !ok && first != wrong[0] {
			t.Errorf("%s: %s", name, why)
		}
	}
	for _, name := range wrong {
		if refused[name] == "" {
			t.Errorf("%s: read", name)
		}
	}
}

// bySDK is what the SDK heard.
func bySDK(t *testing.T, message []byte) (h wiretest.Heard) {
	t.Helper()
	type function struct{ Name, Arguments string }
	var all struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content, Refusal string
				ToolCalls        []struct {
					ID       string
					Function function
				} `json:"tool_calls"`
				FunctionCall *function `json:"function_call"`
			}
		}
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Read       struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
			Written struct {
				Reasoning int `json:"reasoning_tokens"`
			} `json:"completion_tokens_details"`
		}
	}
	if err := json.Unmarshal(message, &all); err != nil || len(all.Choices) != 1 {
		t.Errorf("%v: %s", err, message)
		return h
	}
	choice := all.Choices[0]
	m := choice.Message
	// What stands between tags of thought is none of the text.
	a := wire.NewAnswer(func(e model.Event, _ error) bool { h.Text += e.Text; return true })
	a.Text(m.Content + m.Refusal)
	a.End()
	for _, c := range m.ToolCalls {
		h.Calls = append(h.Calls, call(c.ID, c.Function.Name, c.Function.Arguments))
	}
	if f := m.FunctionCall; f != nil {
		h.Calls = append(h.Calls, call("", f.Name, f.Arguments))
	}
	h.Stop = map[string]model.Stop{"stop": model.End, "tool_calls": model.Calls, "function_call": model.Calls, "length": model.Length, "model_length": model.Length, "content_filter": model.Filtered}[choice.FinishReason]
	if m.Refusal != "" {
		h.Stop = model.Refused
	}
	if u := all.Usage; u != nil {
		h.Usage = &model.Usage{Input: u.Prompt, Output: u.Completion, Cached: u.Read.Cached, Thinking: u.Written.Reasoning}
	}
	return h
}

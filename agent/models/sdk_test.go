//go:build sdk

package models

import (
	"encoding/json"
	"strings"
	"testing"

	"kist/agent/wire/wiretest"
)

// TestSDK: what the scripted servers of the tests stream is what the official SDKs of npm
// take for an answer.
func TestSDK(t *testing.T) {
	replies := map[string]reply{"words": {text: "Grüße.", count: 7}, "call": {text: "I look. ", tool: "search", arguments: `{"query":"mast"}`, count: 7}, "uncounted": {text: "Aye."}}
	for sdk, says := range map[string]func(reply) wiretest.Answer{"openai": openAI, "anthropic": anthropicSays} {
		streams := map[string]string{}
		for name, r := range replies {
			streams[name] = says(r).Body
		}
		refused := wiretest.ReadBySDK(t, sdk, streams, func(name string, message []byte) {
			var text, tool, arguments string
			switch sdk {
			case "openai":
				text, tool, arguments = ofOpenAI(t, message)
			default:
				text, tool, arguments = ofAnthropic(t, message)
			}
			if r := replies[name]; text != r.text || tool != r.tool || arguments != r.arguments {
				t.Errorf("%s, %s: %s", sdk, name, message)
			}
		})
		if len(refused) > 0 {
			t.Errorf("%s: %v", sdk, refused)
		}
	}
}

func ofOpenAI(t *testing.T, message []byte) (text, tool, arguments string) {
	t.Helper()
	var all struct {
		Choices []struct {
			Message struct {
				Content   string
				ToolCalls []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(message, &all); err != nil {
		t.Error(err)
	}
	for _, c := range all.Choices {
		text += c.Message.Content
		for _, call := range c.Message.ToolCalls {
			tool += call.Function.Name
			arguments += call.Function.Arguments
		}
	}
	return text, tool, arguments
}

func ofAnthropic(t *testing.T, message []byte) (text, tool, arguments string) {
	t.Helper()
	var all struct {
		Content []struct {
			Text, Name string
			Input      json.RawMessage
		}
	}
	if err := json.Unmarshal(message, &all); err != nil {
		t.Error(err)
	}
	for _, b := range all.Content {
		text += b.Text
		tool += b.Name
		arguments += strings.TrimSpace(string(b.Input))
	}
	return text, tool, arguments
}

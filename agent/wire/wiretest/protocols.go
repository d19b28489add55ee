package wiretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Recorded are the streams in the files that a pattern finds, by the names of these without what
// they end in.
func Recorded(t testing.TB, pattern string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))] = string(text)
	}
	return all
}

// OpenAI is what may happen to a stream of that protocol, whose server may have a key.
func OpenAI(key string) Damage {
	return Damage{
		Fields: []string{"content", "index", "finish_reason", "arguments", "tool_calls", "id", "name", "choices", "delta", "usage", "error", "reasoning", "reasoning_content", "function_call"},
		Lines:  []string{` {"choices":[{"delta":{"content":%[1]s,"tool_calls":[{"function":%[2]s}]}}],"usage":%[1]s,"error":%[2]s}`},
		Key:    key,
	}
}

// Ollama is what may happen to a stream of Ollama's.
func Ollama(key string) Damage {
	return Damage{
		Fields: []string{"message", "content", "thinking", "role", "tool_calls", "function", "index", "id", "name", "arguments", "done", "done_reason", "prompt_eval_count", "prompt_eval_cached_count", "eval_count", "error", "remote_host"},
		Lines:  []string{`{"message":{"content":%[1]s,"thinking":%[1]s,"tool_calls":[{"id":%[2]s,"function":{"name":%[1]s,"arguments":%[2]s}}]},"prompt_eval_count":%[1]s,"error":%[2]s}`},
		Key:    key,
	}
}

// Anthropic is what may happen to a stream of Anthropic's.
func Anthropic(key string) Damage {
	return Damage{
		Fields: []string{"type", "index", "message", "content_block", "delta", "usage", "error", "text", "thinking", "signature", "partial_json", "input", "id", "name", "stop_reason", "data",
			"text_delta", "thinking_delta", "signature_delta", "input_json_delta", "tool_use", "redacted_thinking", "message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop", "end_turn", "refusal"},
		Lines: []string{
			` {"type":"message_start","message":{"usage":{"input_tokens":%[1]s}},"error":%[2]s}`,
			` {"type":"content_block_start","index":%[1]s,"content_block":{"type":"tool_use","id":%[1]s,"name":"a","input":%[2]s}}`,
			` {"type":"content_block_start","index":0,"content_block":{"type":"text","text":%[1]s,"signature":%[2]s}}`,
			` {"type":"content_block_delta","index":%[1]s,"delta":{"type":"input_json_delta","partial_json":%[2]s}}`,
			` {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":%[1]s,"signature":%[2]s}}`,
			` {"type":"message_delta","delta":{"stop_reason":%[1]s},"usage":%[2]s}`,
			` {"type":"error","error":{"type":%[1]s,"message":%[2]s}}`,
		},
		Key: key,
	}
}

package anthropic

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"kist/agent/model"
)

// usualOutput bounds an answer where the request doesn't: the API wants a number. It is
// enough for a long reply and the calls of a step, and all models since Claude 3.5 take it.
const usualOutput = 8192

// request is a request as the API takes it. Up to four marks say where what may stay in
// its cache ends: after the tools, the instructions, what was said in former turns, and
// all of it.
func (c *Chat) request(req model.Request) query {
	instructions, messages := req.Prompt()
	out := query{Model: c.model, MaxTokens: c.output(req.MaxOutput), Stream: true, Messages: conversation(messages)}
	if strings.TrimSpace(instructions) != "" {
		out.System = []content{{Type: kindText, Text: instructions, Cache: ephemeral()}}
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, toolOf(t))
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].Cache = ephemeral()
		switch req.Choice {
		case model.None:
			out.Choice = &kind{"none"}
		case model.Required:
			out.Choice = &kind{"any"}
		}
	}
	if req.Format != nil {
		out.Output = &output{format{"json_schema", req.Format}}
	}
	return out
}

func (c *Chat) output(asked int) int64 {
	n := int64(asked)
	if n <= 0 {
		n = usualOutput
	}
	if most := c.most.Load(); most > 0 {
		n = min(n, most)
	}
	return n
}

func toolOf(t model.Tool) tool {
	out := tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
	if len(out.Schema) == 0 {
		out.Schema = json.RawMessage(`{"type":"object"}`)
	}
	return out
}

// conversation is the messages in the API's form: what stands next to each other of one
// role is one message, and results are the user's.
func conversation(messages []model.Message) (out []message) {
	said := 0 // the last of the user: what is before it, the next turn begins with as well
	for i, m := range messages {
		if m.Role == model.User {
			said = i
		}
	}
	for i, m := range messages {
		if i == said {
			mark(out)
		}
		role, blocks := "user", []content(nil)
		switch m.Role {
		case model.Assistant:
			role, blocks = "assistant", assistant(m)
		case model.ToolRole:
			blocks = append(blocks, result(m))
		default:
			blocks = appendText(blocks, m.Text)
		}
		last := len(out) - 1
		switch {
		case len(blocks) == 0:
		case last < 0 || out[last].Role != role:
			out = append(out, message{role, blocks})
		case m.Role == model.ToolRole:
			out[last].Content = slices.Insert(out[last].Content, results(out[last].Content), blocks...)
		default:
			out[last].Content = append(out[last].Content, blocks...)
		}
	}
	mark(out)
	return out
}

// results counts the results at the beginning of a message, where the API wants them.
func results(blocks []content) int {
	for i, b := range blocks {
		if b.Type != kindResult {
			return i
		}
	}
	return len(blocks)
}

// mark has the cache keep all up to the last block. Thoughts can't have a mark.
func mark(messages []message) {
	if len(messages) == 0 {
		return
	}
	blocks := messages[len(messages)-1].Content
	for i, b := range slices.Backward(blocks) {
		if b.thought == nil {
			blocks[i].Cache = ephemeral()
			return
		}
	}
}

// appendText adds a text: the API refuses blank ones.
func appendText(blocks []content, text string) []content {
	if strings.TrimSpace(text) == "" {
		return blocks
	}
	return append(blocks, content{Type: kindText, Text: text})
}

// assistant is what the model said: its thoughts where they were, its words and its calls.
// Blanks at the end are left out, which the API refuses in a last message; they are so in
// all, since a message that changes is not found in the cache.
func assistant(m model.Message) []content {
	blocks, text, calls := restore(m)
	blocks = appendText(blocks, strings.TrimRightFunc(text, unicode.IsSpace))
	for _, c := range calls {
		blocks = append(blocks, use(c))
	}
	return blocks
}

func use(c model.Call) content {
	input := c.Arguments
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	return content{Type: kindUse, ID: callID(c.ID), Name: c.Name, Input: input}
}

// result tells of a call that failed that it did.
func result(m model.Message) content {
	out := content{Type: kindResult, CallID: callID(m.CallID), Content: appendText(nil, m.Text)}
	var told struct {
		OK *bool `json:"ok"`
	}
	out.Failed = json.Unmarshal([]byte(m.Text), &told) == nil && told.OK != nil && !*told.OK
	return out
}

var fitID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// callID is an id as the API takes it: those of other providers, which a conversation may
// have had before, hold other characters.
func callID(id string) string {
	if fitID.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return fmt.Sprintf("call-%x", sum[:8])
}

package anthropic

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	anthropic "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"kist/agent/model"
)

// usualOutput bounds an answer where the request doesn't: the API wants a number. It is
// enough for a long reply and the calls of a step, and all models since Claude 3.5 take it.
const usualOutput = 8192

// request is a request as the API takes it. Up to four marks say where what may stay in
// its cache ends: after the tools, the instructions, what was said in former turns, and
// all of it.
func (c *Chat) request(req model.Request) anthropic.MessageNewParams {
	instructions, messages := req.Prompt()
	out := anthropic.MessageNewParams{Model: c.model, MaxTokens: c.output(req.MaxOutput), Messages: conversation(messages)}
	if strings.TrimSpace(instructions) != "" {
		out.System = []anthropic.TextBlockParam{{Text: instructions, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, tool(t))
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].OfTool.CacheControl = anthropic.NewCacheControlEphemeralParam()
		if req.Choice == model.None {
			none := anthropic.NewToolChoiceNoneParam()
			out.ToolChoice.OfNone = &none
		}
	}
	if req.Format != nil {
		out.OutputConfig.Format = param.Override[anthropic.JSONOutputFormatParam](map[string]any{"type": "json_schema", "schema": req.Format})
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

// tool has its schema as it is: the library's type knows only a part of what may be in one.
func tool(t model.Tool) anthropic.ToolUnionParam {
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	out := &anthropic.ToolParam{Name: t.Name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](schema)}
	if t.Description != "" {
		out.Description = anthropic.String(t.Description)
	}
	return anthropic.ToolUnionParam{OfTool: out}
}

// conversation is the messages in the API's form: what stands next to each other of one
// role is one message, and results are the user's.
func conversation(messages []model.Message) (out []anthropic.MessageParam) {
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
		role, blocks := anthropic.MessageParamRoleUser, []anthropic.ContentBlockParamUnion(nil)
		switch m.Role {
		case model.Assistant:
			role, blocks = anthropic.MessageParamRoleAssistant, assistant(m)
		case model.ToolRole:
			blocks = append(blocks, result(m))
		default:
			blocks = appendText(blocks, m.Text)
		}
		last := len(out) - 1
		switch {
		case len(blocks) == 0:
		case last < 0 || out[last].Role != role:
			out = append(out, anthropic.MessageParam{Role: role, Content: blocks})
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
func results(blocks []anthropic.ContentBlockParamUnion) int {
	for i, b := range blocks {
		if b.OfToolResult == nil {
			return i
		}
	}
	return len(blocks)
}

// mark has the cache keep all up to the last block. Thoughts can't have a mark.
func mark(messages []anthropic.MessageParam) {
	if len(messages) == 0 {
		return
	}
	for _, b := range slices.Backward(messages[len(messages)-1].Content) {
		if c := b.GetCacheControl(); c != nil {
			*c = anthropic.NewCacheControlEphemeralParam()
			return
		}
	}
}

// appendText adds a text: the API refuses blank ones.
func appendText(blocks []anthropic.ContentBlockParamUnion, text string) []anthropic.ContentBlockParamUnion {
	if strings.TrimSpace(text) == "" {
		return blocks
	}
	return append(blocks, anthropic.NewTextBlock(text))
}

// assistant is what the model said: its thoughts where they were, its words and its calls.
// Blanks at the end are left out, which the API refuses in a last message; they are so in
// all, since a message that changes is not found in the cache.
func assistant(m model.Message) []anthropic.ContentBlockParamUnion {
	blocks, text, calls := restore(m)
	blocks = appendText(blocks, strings.TrimRightFunc(text, unicode.IsSpace))
	for _, c := range calls {
		blocks = append(blocks, use(c))
	}
	return blocks
}

func use(c model.Call) anthropic.ContentBlockParamUnion {
	input := c.Arguments
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	return anthropic.NewToolUseBlock(callID(c.ID), input, c.Name)
}

// result tells of a call that failed that it did.
func result(m model.Message) anthropic.ContentBlockParamUnion {
	out := &anthropic.ToolResultBlockParam{ToolUseID: callID(m.CallID)}
	if strings.TrimSpace(m.Text) != "" {
		out.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: m.Text}}}
	}
	var told struct {
		OK *bool `json:"ok"`
	}
	if json.Unmarshal([]byte(m.Text), &told) == nil && told.OK != nil && !*told.OK {
		out.IsError = anthropic.Bool(true)
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: out}
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

package ladder

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"kist/agent/model"
)

// withoutTools is a request without native tools: what can be called, and how, stands in the
// instructions, and calls and results in the messages.
func (m *Model) withoutTools(rung Rung, info model.Info, req model.Request) model.Request {
	tools := req.Tools
	if n := m.opts.Offer(info.Context); n > 0 && len(tools) > n {
		tools = slices.Clone(tools)
		sort.SliceStable(tools, func(i, j int) bool { return tools[j].Rank < tools[i].Rank })
		tools = tools[:n]
	}
	req.Tools = nil
	req.Messages = slices.Clone(req.Messages)
	for i, msg := range req.Messages {
		req.Messages[i] = asWords(msg, rung)
	}
	if req.Choice == model.None || len(tools) == 0 {
		return req
	}
	how := instructions(rung, tools)
	if rung == Union {
		req.Format = m.opts.Schema(tools)
	}
	if brief := req.Brief; brief != nil {
		req.Brief = func(room int) model.Brief {
			if room > 0 {
				room = max(1, room-model.Tokens(how))
			}
			b := brief(room)
			b.Rules = strings.TrimRight(b.Rules, "\n") + "\n\n" + how
			return b
		}
	}
	return req
}

// asWords is a message without calls and results of its own kind.
func asWords(m model.Message, rung Rung) model.Message {
	switch {
	case m.Role == model.ToolRole:
		return model.Message{Role: model.User, Text: "(kist: the result of " + m.Tool + ":) " + m.Text}
	case len(m.Calls) == 0:
		return m
	}
	parts := []string{}
	if m.Text != "" && rung == Text {
		parts = append(parts, m.Text)
	}
	for i, c := range m.Calls {
		if rung == Text {
			parts = append(parts, fmt.Sprintf("[ACTION: %s %s]", c.Name, c.Arguments))
			continue
		}
		said := ""
		if i == 0 {
			said = m.Text
		}
		text, err := json.Marshal(map[string]any{"say": said, "call": map[string]any{"tool": c.Name, "arguments": c.Arguments}})
		if err != nil {
			continue // arguments that are no JSON were emptied before
		}
		parts = append(parts, string(text))
	}
	return model.Message{Role: model.Assistant, Text: strings.Join(parts, "\n")}
}

// instructions say how to call a tool in words, and which there are.
func instructions(rung Rung, tools []model.Tool) string {
	var b strings.Builder
	b.WriteString("## How you answer\n\n")
	if rung == Union {
		b.WriteString(`Answer with one JSON object: {"say": "...", "call": null}, with your words to the user in the place of the dots. To use a tool, put it in the place of null: {"tool": "its name", "arguments": {...}}. One at a time; its result comes next. When nothing is left to do, say so, with null.`)
	} else {
		b.WriteString(`To use a tool, write a line of its own: [ACTION: name {"argument": "value"}]. One at a time; its result comes next. When nothing is left to do, say so in words.`)
	}
	b.WriteString("\n\nThe tools, with their arguments (? may be left out):\n\n")
	for _, t := range tools {
		fmt.Fprintf(&b, "- %s(%s): %s\n", t.Name, strings.Join(arguments(t.Schema), ", "), t.Description)
	}
	return b.String()
}

// arguments names those of a tool.
func arguments(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]struct {
			Enum []string `json:"enum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	var optional []string
	for name := range s.Properties {
		if !slices.Contains(s.Required, name) {
			optional = append(optional, name)
		}
	}
	slices.Sort(optional)
	var out []string
	for _, name := range append(slices.Clone(s.Required), optional...) {
		text := name
		if enum := s.Properties[name].Enum; len(enum) > 0 && len(enum) <= 6 {
			text += ": " + strings.Join(enum, "|")
		}
		if slices.Contains(optional, name) {
			text += "?"
		}
		out = append(out, text)
	}
	return out
}

package model

import (
	"slices"
	"strings"
)

// Prompt is how a request is sent: instructions, and the messages, the user's with what
// holds now before it. No message is empty, the first is the user's, and no two of the
// user or of the assistant stand next to each other, since there are servers that refuse
// that. Results follow the calls that they answer.
func (req Request) Prompt() (instructions string, messages []Message) {
	messages = slices.Clone(req.Messages)
	if req.Brief != nil {
		b := req.Brief(0)
		instructions = b.Rules
		if now := strings.TrimSpace(b.Now); now != "" && req.Said >= 0 && req.Said < len(messages) {
			said := &messages[req.Said]
			said.Text = "<context>\n" + now + "\n</context>\n\n" + said.Text
		}
	}
	var out []Message
	for _, m := range withTold(messages) {
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 && m.Role != ToolRole {
			continue
		}
		if len(out) == 0 && m.Role == Assistant {
			m = Message{Role: User, Text: "(Before this you said:)\n\n" + m.Text}
		}
		if last := len(out) - 1; last >= 0 && m.Role != ToolRole && out[last].Role == m.Role && len(out[last].Calls) == 0 {
			m.Text = strings.TrimSpace(out[last].Text + "\n\n" + m.Text)
			out[last] = m
			continue
		}
		out = append(out, m)
	}
	return instructions, out
}

// withTold has what kist told as messages of their own.
func withTold(messages []Message) []Message {
	if !slices.ContainsFunc(messages, func(m Message) bool { return m.Told != "" }) {
		return messages
	}
	var out []Message
	for _, m := range messages {
		told := m.Told
		m.Told = ""
		if out = append(out, m); told != "" {
			out = append(out, Message{Role: User, Text: "(kist told me beside your answer: " + told + ")", Private: m.Private})
		}
	}
	return out
}

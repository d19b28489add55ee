package export

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// claudeConversation is one of Claude's: a list.
type claudeConversation struct {
	UUID         string           `json:"uuid"`
	Name         string           `json:"name"`
	CreatedAt    string           `json:"created_at"`
	ChatMessages *[]claudeMessage `json:"chat_messages"`
	Mapping      json.RawMessage  `json:"mapping"` // ChatGPT's
}

type claudeMessage struct {
	Sender  string `json:"sender"`
	Text    string `json:"text"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Attachments []json.RawMessage `json:"attachments"`
	Files       []json.RawMessage `json:"files"`
}

func readClaude(raw json.RawMessage) (Conversation, error) {
	var g claudeConversation
	if err := json.Unmarshal(raw, &g); err != nil {
		return Conversation{}, err
	}
	switch {
	case g.Mapping != nil:
		return Conversation{}, errors.New("it is one of ChatGPT's: import it as chatgpt")
	case g.ChatMessages == nil:
		return Conversation{}, errors.New("it has no \"chat_messages\"; the export may be of a newer kind")
	}
	c := Conversation{ID: g.UUID, Title: g.Name}
	if at, err := time.Parse(time.RFC3339, g.CreatedAt); err == nil {
		c.Created = at.UTC()
	}
	for _, m := range *g.ChatMessages {
		if m.Sender != "human" && m.Sender != "assistant" {
			return c, errors.New("a message is neither by \"human\" nor by \"assistant\"; the export may be of a newer kind")
		}
		c.add(Message{User: m.Sender == "human", Text: m.text(), Left: len(m.Attachments) + len(m.Files)})
	}
	return c, nil
}

// text is that of the blocks, of which older exports have none.
func (m *claudeMessage) text() string {
	var texts []string
	for _, b := range m.Content {
		if b.Type == "text" && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	if len(texts) == 0 {
		return m.Text
	}
	return strings.Join(texts, "\n\n")
}

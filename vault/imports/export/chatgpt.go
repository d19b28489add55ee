package export

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// gptConversation is one of ChatGPT's: a tree, in which an answer made anew is a branch.
type gptConversation struct {
	ID             string             `json:"id"`
	ConversationID string             `json:"conversation_id"`
	Title          string             `json:"title"`
	CreateTime     float64            `json:"create_time"`
	CurrentNode    string             `json:"current_node"`
	Mapping        map[string]gptNode `json:"mapping"`
	ChatMessages   json.RawMessage    `json:"chat_messages"` // Claude's
}

type gptNode struct {
	Parent   string      `json:"parent"`
	Children []string    `json:"children"`
	Message  *gptMessage `json:"message"`
}

type gptMessage struct {
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	CreateTime float64 `json:"create_time"`
	Recipient  string  `json:"recipient"`
	Content    struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

func readChatGPT(raw json.RawMessage) (Conversation, error) {
	var g gptConversation
	if err := json.Unmarshal(raw, &g); err != nil {
		return Conversation{}, err
	}
	switch {
	case g.ChatMessages != nil:
		return Conversation{}, errors.New("it is one of Claude's: import it as claude")
	case g.Mapping == nil:
		return Conversation{}, errors.New("it has no \"mapping\"; the export may be of a newer kind")
	}
	c := Conversation{ID: g.ConversationID, Title: g.Title}
	if c.ID == "" {
		c.ID = g.ID
	}
	if g.CreateTime > 0 && g.CreateTime < 1e11 {
		c.Created = time.Unix(int64(g.CreateTime), 0).UTC()
	}
	for _, m := range g.branch() {
		if said, ok := m.said(); ok {
			c.add(said)
		}
	}
	return c, nil
}

// branch returns the messages that are shown, oldest first: those up to the current node.
func (g *gptConversation) branch() []*gptMessage {
	at := g.CurrentNode
	if _, ok := g.Mapping[at]; !ok {
		at = g.newest()
	}
	var back []*gptMessage
	seen := map[string]bool{}
	for at != "" && !seen[at] { // a file may say that a message is its own answer
		seen[at] = true
		if m := g.Mapping[at].Message; m != nil {
			back = append(back, m)
		}
		at = g.Mapping[at].Parent
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

// newest is the end of the branch that was written last, where none is the current one.
func (g *gptConversation) newest() (id string) {
	last := -1.0
	for k, n := range g.Mapping {
		if len(n.Children) > 0 || n.Message == nil {
			continue
		}
		if t := n.Message.CreateTime; t > last || t == last && k < id {
			id, last = k, t
		}
	}
	return id
}

// said tells what people saw of a message; not ok: nothing.
func (m *gptMessage) said() (said Message, ok bool) {
	user := m.Author.Role == "user"
	if !user && m.Author.Role != "assistant" || m.Metadata.Hidden || m.Recipient != "" && m.Recipient != "all" {
		return said, false // the system's, a tool's, or one for a tool
	}
	if m.Content.Type != "text" && m.Content.Type != "multimodal_text" {
		return said, false // thoughts, code that was run, what it read on the way
	}
	said.User = user
	var texts []string
	for _, part := range m.Content.Parts {
		var text string
		if json.Unmarshal(part, &text) != nil {
			said.Left++
		} else if text != "" {
			texts = append(texts, text)
		}
	}
	said.Text = strings.Join(texts, "\n\n")
	return said, true
}

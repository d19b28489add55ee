package anthropic

import (
	"encoding/json"
	"strings"

	"kist/agent/model"
)

// The kinds of blocks that are understood.
const (
	kindText     = "text"
	kindThinking = "thinking"
	kindRedacted = "redacted_thinking"
	kindUse      = "tool_use"
	kindResult   = "tool_result" // only in requests
)

// ours: the kind is understood. Others are those of tools that a server runs itself, which
// nobody asked for.
func ours(kind string) bool {
	switch kind {
	case kindText, kindThinking, kindRedacted, kindUse:
		return true
	}
	return false
}

// A block is a part of an answer that is being streamed.
type block struct {
	kind      string
	index     *int // as the server counts, if it does
	number    int  // as they came
	text      strings.Builder
	signature strings.Builder
	redacted  json.RawMessage // as it came
	input     json.RawMessage // with which a call began
	pieces    bool            // its arguments came in pieces
	gap       bool            // a text after something else: it stands by itself
}

// state is what the API wants back with the calls of an answer: the signed thoughts as
// they came. The API refuses them in another order, so what the model said and called
// before the last of them is in between, by its text or as a place for a call.
func state(blocks []*block) *model.State {
	last := -1
	for i, b := range blocks {
		if b.kind == kindRedacted || b.kind == kindThinking && b.signature.Len() > 0 {
			last = i
		}
	}
	var all []any
	for _, b := range blocks[:last+1] {
		switch {
		case b.kind == kindRedacted:
			all = append(all, b.redacted)
		case b.kind == kindThinking && b.signature.Len() > 0:
			all = append(all, map[string]string{"type": kindThinking, "thinking": b.text.String(), "signature": b.signature.String()})
		case b.kind == kindText && strings.TrimSpace(b.text.String()) != "":
			all = append(all, map[string]string{"type": kindText, "text": b.text.String()})
		case b.kind == kindUse:
			all = append(all, map[string]string{"type": kindUse})
		}
	}
	if last < 0 {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil {
		return nil // they are strings, and what was JSON before
	}
	return &model.State{Provider: provider, Data: data}
}

// restore returns the blocks of a message's state, and what is left of its text and calls.
// Where the text isn't the one that was said, the thoughts stand before all.
func restore(m model.Message) (blocks []content, text string, calls []model.Call) {
	var kept []json.RawMessage
	if m.State == nil || m.State.Provider != provider || json.Unmarshal(m.State.Data, &kept) != nil {
		return nil, m.Text, m.Calls
	}
	text, calls = m.Text, m.Calls
	var thoughts []content
	inOrder := true
	for _, raw := range kept {
		var b struct{ Type, Text string }
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		switch b.Type {
		case kindThinking, kindRedacted:
			thought := content{Type: b.Type, thought: raw}
			thoughts, blocks = append(thoughts, thought), append(blocks, thought)
		case kindText:
			said := strings.TrimSpace(b.Text)
			rest, ok := strings.CutPrefix(strings.TrimSpace(text), said)
			if inOrder = inOrder && ok; ok {
				text, blocks = strings.TrimSpace(rest), appendText(blocks, said)
			}
		case kindUse:
			if len(calls) > 0 {
				blocks, calls = append(blocks, use(calls[0])), calls[1:]
			}
		}
	}
	if !inOrder {
		return thoughts, m.Text, m.Calls
	}
	return blocks, text, calls
}

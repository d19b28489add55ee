package model

import (
	"encoding/json"
	"fmt"
	"slices"

	"kist/vault/pattern"
)

// What a model answers can't be sent back as it is: servers refuse a request with arguments
// that are no object, names of other characters, or two results of one id.

// CallTags are of calls that stand in a text, and of nothing else.
func CallTags() []string { return []string{"[ACTION:", "<tool_call>", "</tool_call>"} }

// IDs gives calls ids that are unique in a turn.
type IDs map[string]bool

// Next returns the id by which a call goes: its own, unless that is missing, too long, or
// another call has it.
func (ids IDs) Next(id string) string {
	const longest = 40 // that every server takes
	for n := len(ids); id == "" || len(id) > longest || ids[id]; n++ {
		id = fmt.Sprintf("call-%d", n)
	}
	ids[id] = true
	return id
}

// Sendable is an assistant's message as it goes back: arguments that are no object, or are
// longer than most bytes, are left out. Each such call was refused.
func Sendable(said Message, most int) Message {
	said.Calls = slices.Clone(said.Calls)
	for i := range said.Calls {
		c := &said.Calls[i]
		var object map[string]json.RawMessage
		if len(c.Arguments) > most || json.Unmarshal(c.Arguments, &object) != nil || object == nil {
			c.Arguments = json.RawMessage("{}")
		}
		c.Name = SendableName(c.Name)
	}
	return said
}

var callName = pattern.Lazy(`^[a-zA-Z0-9_-]{1,64}$`)

// SendableName is a tool's name as it goes back.
func SendableName(name string) string {
	if callName().MatchString(name) {
		return name
	}
	return "unknown"
}

// Notice says what the user has to know of how an answer ended; empty: nothing.
func (s Stop) Notice() string {
	switch s {
	case Length:
		return "The answer was cut off: it reached the model's limit."
	case Refused:
		return "The model declined to answer."
	case Filtered:
		return "The model's provider kept the answer back."
	case Circles:
		return "The model went in circles, so its answer was cut off."
	}
	return ""
}

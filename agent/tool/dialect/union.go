package dialect

import (
	"encoding/json"

	"kist/agent/model"
)

// Union is one schema for what a model says and does in one step, for servers that make a
// grammar of it: an object of "say", a text, and "call", which is an object of "tool",
// the name of one of the tools, and "arguments", which are its own. With words "call" may
// be null, as it has to be where there are no tools. What is said comes first, so that a
// model may say why before it decides.
func Union(tools []model.Tool, words bool) json.RawMessage {
	var calls []json.RawMessage
	for _, t := range For(Grammar, tools) {
		calls = append(calls, closed(
			member{"tool", object{{"const", encode(t.Name)}}.json()},
			member{"arguments", t.Schema},
		))
	}
	if words || len(calls) == 0 {
		calls = append(calls, object{{"type", encode("null")}}.json())
	}
	return closed(
		member{"say", object{{"type", encode("string")}}.json()},
		member{"call", object{{"anyOf", encode(calls)}}.json()},
	)
}

// closed is the schema of an object that has just these members.
func closed(props ...member) json.RawMessage {
	var names []string
	for _, p := range props {
		names = append(names, p.key)
	}
	return object{
		{"type", encode("object")},
		{"properties", object(props).json()},
		{"required", encode(names)},
		{"additionalProperties", encode(false)},
	}.json()
}

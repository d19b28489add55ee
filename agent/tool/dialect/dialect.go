package dialect

import (
	"encoding/json"
	"slices"
	"sync"

	"kist/agent/model"
)

// A Kind is what sort of schemas a server takes.
type Kind string

// The kinds.
const (
	// AsIs is the whole of JSON Schema, as Anthropic's servers take it.
	AsIs Kind = ""
	// Strict is OpenAI's strict mode: every argument is required, what may be left out may
	// be null, and texts have no length. Its rules:
	// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
	Strict Kind = "strict"
	// Grammar is for servers that make a grammar of a schema, as llama.cpp and Ollama do.
	Grammar Kind = "grammar"
)

// mostRepeated is how often a grammar may repeat something. llama.cpp refuses a few
// thousand, and older runners, which write each repetition out, end; below it only gets
// slower.
const mostRepeated = 200

// For returns the tools with schemas of a kind. The tools that it is given stay as they are.
func For(kind Kind, tools []model.Tool) []model.Tool {
	tools = slices.Clone(tools)
	for i, t := range tools {
		tools[i].Schema = written(kind, t.Schema)
	}
	return tools
}

// known holds schemas that were written before: those of the tools, which are in every
// request. It is emptied when foreign ones make it large.
var known = struct {
	sync.Mutex
	schemas map[string]json.RawMessage
}{schemas: map[string]json.RawMessage{}}

const mostKnown = 500

func written(kind Kind, schema json.RawMessage) json.RawMessage {
	key := string(kind) + " " + string(schema)
	known.Lock()
	out, ok := known.schemas[key]
	known.Unlock()
	if ok {
		return out
	}
	switch kind {
	case Strict:
		out = strict(schema)
	case Grammar:
		out = grammar(schema)
	default:
		return schema
	}
	known.Lock()
	defer known.Unlock()
	if len(known.schemas) >= mostKnown {
		clear(known.schemas)
	}
	known.schemas[key] = out
	return out
}

func strict(text json.RawMessage) json.RawMessage {
	s, ok := parse(text)
	if !ok {
		return text
	}
	s.drop("minLength", "maxLength")
	s.spell()
	s.each(strict)
	if s.get("anyOf") != nil {
		s.drop("type") // of the alternatives, one may be null
	}
	if s.text("type") == "object" {
		props, _ := parse(s.get("properties"))
		needed, names := s.texts("required"), []string{}
		for i, p := range props {
			names = append(names, p.key)
			if !slices.Contains(needed, p.key) {
				props[i].value = nullable(p.value)
			}
		}
		s.set("properties", props.json())
		s.set("required", encode(names))
		s.set("additionalProperties", encode(false))
	}
	return s.json()
}

// nullable is a schema that takes null too.
func nullable(text json.RawMessage) json.RawMessage {
	null := object{{"type", encode("null")}}.json()
	s, ok := parse(text)
	switch typ := s.text("type"); {
	case ok && s.get("anyOf") != nil:
		s.set("anyOf", encode(append(list(s.get("anyOf")), null)))
	case ok && typ != "" && s.get("const") == nil:
		s.set("type", encode([]string{typ, "null"}))
		if words := s.get("enum"); words != nil {
			s.set("enum", encode(append(list(words), encode(nil))))
		}
	default:
		return object{{"anyOf", encode([]json.RawMessage{text, null})}}.json()
	}
	return s.json()
}

func grammar(text json.RawMessage) json.RawMessage {
	s, ok := parse(text)
	if !ok {
		return text
	}
	// A text that is cut off in its middle would be taken for a whole one; one that is too
	// long is refused, and the model hears why.
	s.drop("maxLength")
	for _, key := range []string{"minLength", "minItems", "maxItems"} {
		var n int
		if v := s.get(key); v != nil && (json.Unmarshal(v, &n) != nil || n > mostRepeated) {
			s.drop(key)
		}
	}
	s.spell()
	s.each(grammar)
	return s.json()
}

package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
)

// An object is a JSON object that keeps the order of its members: models write arguments
// in the order of the schema, and a server finds a request in its cache that is the same
// byte for byte.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

// parse reads an object; text that is none is not ok.
func parse(text json.RawMessage) (o object, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('{') || !json.Valid(text) {
		return nil, false
	}
	for d.More() {
		var m member
		key, err := d.Token()
		if err == nil {
			err = d.Decode(&m.value)
		}
		if m.key, ok = key.(string); err != nil || !ok {
			return nil, false
		}
		o = append(o, m)
	}
	return o, true
}

func (o object) json() json.RawMessage {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(m.key)...), ':'), m.value...)
	}
	return append(out, '}')
}

// encode writes what can always be written: texts, lists of them, truth, null and JSON.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// list reads an array; anything else is none.
func list(text json.RawMessage) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}

func (o object) get(key string) json.RawMessage {
	if i := slices.IndexFunc(o, func(m member) bool { return m.key == key }); i >= 0 {
		return o[i].value
	}
	return nil
}

// text is a member that is a string, else empty.
func (o object) text(key string) string {
	var s string
	if json.Unmarshal(o.get(key), &s) != nil {
		return ""
	}
	return s
}

func (o object) texts(key string) []string {
	var all []string
	if json.Unmarshal(o.get(key), &all) != nil {
		return nil
	}
	return all
}

func (o *object) set(key string, value json.RawMessage) {
	if i := slices.IndexFunc(*o, func(m member) bool { return m.key == key }); i >= 0 {
		(*o)[i].value = value
		return
	}
	*o = append(*o, member{key, value})
}

func (o *object) drop(keys ...string) {
	*o = slices.DeleteFunc(*o, func(m member) bool { return slices.Contains(keys, m.key) })
}

// each puts every schema within a schema through fn.
func (o *object) each(fn func(json.RawMessage) json.RawMessage) {
	for i, m := range *o {
		switch m.key {
		case "items":
			(*o)[i].value = fn(m.value)
		case "anyOf":
			all := list(m.value)
			for i := range all {
				all[i] = fn(all[i])
			}
			(*o)[i].value = encode(all)
		case "properties":
			props, _ := parse(m.value)
			for i := range props {
				props[i].value = fn(props[i].value)
			}
			(*o)[i].value = props.json()
		}
	}
}

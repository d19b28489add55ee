package link

import (
	"bytes"
	"encoding/json"

	"kist/vault/markdown"
)

// Recard returns the edits with which the cards of a canvas (jsoncanvas.org) that show a file show it
// at its new path. What isn't the JSON of a canvas gets none.
func Recard(canvas []byte, from, to string) (edits []markdown.Edit) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(to) != nil {
		return nil
	}
	whole := eachValue(canvas, 0, func(list string, at int, nodes []byte) {
		if list != "nodes" {
			return
		}
		eachValue(nodes, at, func(_ string, at int, node []byte) {
			eachValue(node, at, func(field string, at int, value []byte) {
				var file string
				if field == "file" && json.Unmarshal(value, &file) == nil && file == from {
					edits = append(edits, markdown.Edit{Start: at, End: at + len(value), Text: bytes.TrimSpace(text.Bytes())})
				}
			})
		})
	})
	if !whole {
		return nil
	}
	return edits
}

// eachValue yields the values of a JSON object, with their keys, or of an array, each with its offset,
// where at is that of the text. It is false where the text is neither.
func eachValue(text []byte, at int, yield func(key string, at int, value []byte)) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return false
	}
	for d.More() {
		key := ""
		if open == json.Delim('{') {
			t, err := d.Token()
			if err != nil {
				return false
			}
			key, _ = t.(string)
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		yield(key, at+int(d.InputOffset())-len(value), value)
	}
	_, err = d.Token()
	return err == nil
}

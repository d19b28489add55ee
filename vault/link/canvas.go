package link

import (
	"bytes"
	"encoding/json"
	"strings"

	"kist/vault/markdown"
)

// Recard returns the edits with which the cards of a canvas (jsoncanvas.org) that show a file show it
// at its new path. What isn't the JSON of a canvas gets none.
func Recard(canvas []byte, from, to string) []markdown.Edit {
	return recard(canvas, "file", func(c card) (string, bool) { return to, c.File == from })
}

// Recard returns the edits with which the cards of a canvas that show the section show it by its
// new heading.
func (r *Retitle) Recard(canvas []byte) []markdown.Edit {
	return recard(canvas, "subpath", func(c card) (string, bool) {
		anchor, ok := strings.CutPrefix(c.Subpath, "#")
		if !ok || c.File != r.Path || strings.HasPrefix(anchor, "^") {
			return "", false
		}
		anchor, changed := r.anchor(markdown.Link{Kind: markdown.WikiLink, Anchor: anchor})
		return "#" + anchor, changed
	})
}

// A card is what a node of a canvas shows.
type card struct {
	File    string `json:"file"`
	Subpath string `json:"subpath"` // "#" and a heading, or "#^" and a block's name
}

// recard gives a field of those cards another value for which there is one.
func recard(canvas []byte, field string, anew func(card) (string, bool)) (edits []markdown.Edit) {
	whole := eachValue(canvas, 0, func(list string, at int, nodes []byte) {
		if list != "nodes" {
			return
		}
		eachValue(nodes, at, func(_ string, at int, node []byte) {
			var c card
			if json.Unmarshal(node, &c) != nil {
				return
			}
			now, ok := anew(c)
			if !ok {
				return
			}
			eachValue(node, at, func(name string, at int, value []byte) {
				if name == field {
					edits = append(edits, markdown.Edit{Start: at, End: at + len(value), Text: inJSON(now)})
				}
			})
		})
	})
	if !whole {
		return nil
	}
	return edits
}

// inJSON is a text in JSON, with its letters as they are.
func inJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can be encoded
	return bytes.TrimSpace(b.Bytes())
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

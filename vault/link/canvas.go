package link

import (
	"bytes"
	"encoding/json"
	"strings"

	"kist/vault/markdown"
)

// Recard returns the edits with which the cards of a canvas (jsoncanvas.org) at a path that show the
// file which moves show it at its new path, and links in the texts of others mean what they meant.
// What isn't the JSON of a canvas gets none.
func (m Move) Recard(canvas []byte, p string) []markdown.Edit {
	return recard(canvas, func(c card) (string, string, bool) {
		if c.Type != "text" {
			return "file", m.To, c.File == m.From
		}
		doc := markdown.Parse([]byte(c.Text))
		edits, _ := m.Relink(doc, p) // a link that can't be written anew stays as it is
		return "text", string(Apply(doc.Source(), edits)), len(edits) > 0
	})
}

// Recard returns the edits with which the cards of a canvas that show the section show it by its
// new heading.
func (r *Retitle) Recard(canvas []byte) []markdown.Edit {
	return recard(canvas, func(c card) (string, string, bool) {
		anchor, ok := strings.CutPrefix(c.Subpath, "#")
		if !ok || c.File != r.Path || strings.HasPrefix(anchor, "^") {
			return "", "", false
		}
		anchor, changed := r.anchor(markdown.Link{Kind: markdown.WikiLink, Anchor: anchor})
		return "subpath", "#" + anchor, changed
	})
}

// A card is what a node of a canvas shows.
type card struct {
	Type    string `json:"type"`
	Text    string `json:"text"` // Markdown
	File    string `json:"file"`
	Subpath string `json:"subpath"` // "#" and a heading, or "#^" and a block's name
}

// recard gives those cards another value of a field for which there is one.
func recard(canvas []byte, anew func(card) (field, value string, ok bool)) (edits []markdown.Edit) {
	whole := eachValue(canvas, 0, func(list string, at int, nodes []byte) {
		if list != "nodes" {
			return
		}
		eachValue(nodes, at, func(_ string, at int, node []byte) {
			var c card
			if json.Unmarshal(node, &c) != nil {
				return
			}
			field, now, ok := anew(c)
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

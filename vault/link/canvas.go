package link

import (
	"bytes"
	"encoding/json"
	"strings"

	"kist/vault/canvas"
	"kist/vault/markdown"
)

// Recard returns the edits with which the cards of a canvas (jsoncanvas.org) at a path show what they
// showed, by shown, and links in the texts of others mean what they meant. What isn't the JSON of a canvas
// gets none.
func Recard(text []byte, p string, shown func(Card) (field, value string, ok bool), relinks Relinks) []markdown.Edit {
	return recard(text, func(c Card) (string, string, bool) {
		if c.Type != "text" {
			return shown(c)
		}
		doc := markdown.Parse([]byte(c.Text))
		edits, _ := relinks(doc, p) // a link that can't be written anew stays as it is
		return "text", string(Apply(doc.Source(), edits)), len(edits) > 0
	})
}

// Shown gives a card that shows the file which moves its new path.
func (m Move) Shown(c Card) (field, value string, ok bool) {
	return "file", m.To, c.File == m.From && m.To != m.From
}

// Shown gives a card that shows the section its new heading.
func (r *Retitle) Shown(c Card) (field, value string, ok bool) {
	anchor, ok := strings.CutPrefix(c.Subpath, "#")
	if !ok || c.File != r.Path || strings.HasPrefix(anchor, "^") {
		return "", "", false
	}
	anchor, changed := r.anchor(markdown.Link{Kind: markdown.WikiLink, Anchor: anchor})
	return "subpath", "#" + anchor, changed
}

// A Card is what a node of a canvas shows.
type Card struct {
	Type    string `json:"type"`
	Text    string `json:"text"` // Markdown
	File    string `json:"file"`
	Subpath string `json:"subpath"` // "#" and a heading, or "#^" and a block's name
}

// recard gives those cards another value of a field for which there is one.
func recard(text []byte, anew func(Card) (field, value string, ok bool)) (edits []markdown.Edit) {
	if !json.Valid(text) {
		return nil
	}
	canvas.Values(text, 0, func(list string, at, _ int) {
		if list != "nodes" {
			return
		}
		canvas.Values(text, at, func(_ string, at, end int) {
			var c Card
			if json.Unmarshal(text[at:end], &c) != nil {
				return
			}
			field, now, ok := anew(c)
			if !ok {
				return
			}
			canvas.Values(text, at, func(name string, at, end int) {
				if name == field {
					edits = append(edits, markdown.Edit{Start: at, End: end, Text: inJSON(now)})
				}
			})
		})
	})
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

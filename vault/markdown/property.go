package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// SetProperty returns the edit that gives a key of the front matter a value,
// which is one YAML value on one line: a scalar (see [Quote]), a list in
// brackets ([QuoteList]), a map in braces, or "" for none. Where the key exists,
// only its value is replaced, and comments behind it stay; comments in the
// middle of a value of several lines go with it. Else a line is added at the
// front matter's end, and front matter at the file's start where there is none.
//
// The result has been parsed: every other key is written as before. Errors wrap
// [ErrFrontMatter], [ErrValue] or, where that can't be had, [ErrUnsupported]: for
// a value that is an alias or that one stands for, front matter in braces, a key
// written as "? key".
func (d *Document) SetProperty(key, yamlValue string) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	value, err := parseValue(key, yamlValue)
	if err != nil {
		return Edit{}, err
	}
	yamlValue = strings.Trim(yamlValue, " \t")
	var edit Edit
	switch e := front.entry(key); {
	case front == nil:
		nl := lineEnding(d.src)
		text := "---" + nl + property(key, yamlValue) + nl + "---" + nl
		edit = Edit{Start: d.layout.bom, End: d.layout.bom, Text: []byte(text)}
	case !front.block:
		return Edit{}, d.unsupported(d.layout.yaml, "front matter in braces")
	case e == nil:
		nl := lineEnding(d.src[d.layout.bom:])
		text := front.indent + property(key, yamlValue) + nl
		edit = Edit{Start: d.layout.end, End: d.layout.end, Text: []byte(text)}
	default:
		if err := d.checkEntry(e); err != nil {
			return Edit{}, err
		}
		edit = d.replaceValue(e, yamlValue)
	}
	return edit, d.checkProperties(edit, key, value)
}

// UnsetProperty returns the edit that removes a key of the front matter with its
// lines and the comment behind its value. [ErrNoProperty] if there is no such key; otherwise as
// [Document.SetProperty].
func (d *Document) UnsetProperty(key string) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	e := front.entry(key)
	switch {
	case e == nil:
		return Edit{}, fmt.Errorf("%q: %w", key, ErrNoProperty)
	case !front.block:
		return Edit{}, d.unsupported(d.layout.yaml, "front matter in braces")
	}
	if err := d.checkEntry(e); err != nil {
		return Edit{}, err
	}
	if merge := front.entry("<<"); merge != nil && merge != e {
		return Edit{}, d.unsupported(merge.name, fmt.Sprintf("without a %q of its own the front matter may have one from here", key))
	}
	eol := lineEnd(d.src, e.end, e.limit)
	edit := Edit{Start: e.start, End: nextLine(d.src, eol, e.limit)}
	return edit, d.checkProperties(edit, key, nil)
}

func property(key, yamlValue string) string {
	return strings.TrimRight(quoteKey(key)+": "+yamlValue, " ")
}

// replaceValue returns the edit of an entry whose value was located.
func (d *Document) replaceValue(e *entry, yamlValue string) Edit {
	eol := lineEnd(d.src, e.colon, e.limit)
	comment := ""
	edit := Edit{Start: e.first, End: e.end}
	switch {
	case e.first > eol:
		// The value starts on a further line: it moves to the key's line, before what is there.
		edit.Start = e.colon
		lead := d.src[e.colon:e.first]
		lead = lead[:bytes.LastIndexAny(lead, "\r\n")]
		if bytes.IndexByte(lead, '#') >= 0 {
			comment = strings.TrimRight(string(lead), " \t\r\n")
		}
	case e.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		header := d.src[e.first:lineEnd(d.src, e.first, e.limit)]
		if i := bytes.Index(header, []byte(" #")); i >= 0 {
			comment = string(trimBlanks(header[i:]))
		}
	}
	if yamlValue == "" {
		edit.Start = e.colon
	}
	text := yamlValue + comment
	if edit.Start == e.colon && yamlValue != "" {
		text = " " + text
	}
	edit.Text = []byte(text)
	return edit
}

// checkEntry makes sure that the span found for an entry's value is the value:
// alone it parses as the same, and nothing but comments is left behind it.
func (d *Document) checkEntry(e *entry) error {
	if e.colon == 0 {
		return d.unsupported(e.name, fmt.Sprintf("the way key %q is written", e.key))
	}
	if n := anchored(e.value); n != nil && d.alias != nil {
		at := newLineTable(d.src, d.layout.yaml, d.layout.end).offset(n)
		return d.unsupported(at, fmt.Sprintf("%q has a part in an alias", e.key))
	}
	fault := d.unsupported(e.name, fmt.Sprintf("the way the value of %q is written", e.key))
	// With its line break, which is a part of the value of a block text.
	root, err := decode(d.src[e.start:nextLine(d.src, e.end, e.limit)])
	if err != nil || root == nil || root.Kind != yaml.MappingNode || len(root.Content) != 2 || !sameNode(root.Content[1], e.value) {
		return fault
	}
	if rest := skipSpace(d.src, e.end, e.limit); rest != e.limit {
		return fault
	}
	return nil
}

// checkProperties parses the result of an edit and compares it with what it
// was: only the key may have changed, to value; nil: it is gone.
func (d *Document) checkProperties(edit Edit, key string, value *yaml.Node) error {
	fault := d.unsupported(edit.Start, fmt.Sprintf("changing %q would change other lines", key))
	after := Parse(edit.Apply(d.src))
	front, err := after.properties()
	if err != nil || front == nil {
		return fault
	}
	var old []entry
	if d.front != nil {
		old = d.front.entries
	}
	got := slices.DeleteFunc(slices.Clone(front.entries), func(e entry) bool { return e.key == key })
	want := slices.DeleteFunc(slices.Clone(old), func(e entry) bool { return e.key == key })
	same := slices.EqualFunc(got, want, func(a, b entry) bool {
		return a.key == b.key && sameNode(a.value, b.value) &&
			bytes.Equal(after.src[a.first:a.end], d.src[b.first:b.end])
	})
	if !same || !bytes.Equal(after.src[after.layout.body:], d.src[d.layout.body:]) {
		return fault
	}
	switch e := front.entry(key); {
	case value == nil && e != nil, value != nil && (e == nil || !sameNode(e.value, value)):
		return fault
	}
	return nil
}

// sameNode reports whether two nodes hold the same, whatever they look like.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameNode)
}

// anchored returns the first node of a value that is an alias or that one could
// stand for; nil if there is none. An edit that leaves all of them alone leaves
// every alias with its meaning.
func anchored(n *yaml.Node) *yaml.Node {
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		return n
	}
	for _, child := range n.Content {
		if found := anchored(child); found != nil {
			return found
		}
	}
	return nil
}

// parseValue checks that key and value can be written on one line.
func parseValue(key, text string) (*yaml.Node, error) {
	if key == "" || len(key) > 200 || !utf8.ValidString(key) || strings.ContainsAny(key, "\r\n") {
		return nil, fmt.Errorf("key %q: %w", key, ErrValue)
	}
	fault := fmt.Errorf("%q is not one YAML value on one line: %w", text, ErrValue)
	text = strings.Trim(text, " \t")
	line := []byte("k: " + text)
	if len(text) > maxYAML || bytes.ContainsAny(line, "\r\n\u0085\u2028\u2029") || !utf8.Valid(line) {
		return nil, fault
	}
	root, alias, err := parseYAML(line, 0, len(line))
	if err != nil || alias != nil || root == nil || len(root.Content) != 2 || root.Style&yaml.FlowStyle != 0 {
		return nil, fault
	}
	value := root.Content[1]
	if anchored(value) != nil || value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return nil, fault
	}
	e := entry{value: value, limit: len(line)}
	e.locate(line, root.Content[0], newLineTable(line, 0, len(line)))
	if e.end != len(line) && text != "" {
		return nil, fault
	}
	return value, nil
}

// unsupported returns the error for an edit that can't be made at an offset.
func (d *Document) unsupported(at int, message string) error {
	line, column := position(d.src, at)
	return &UnsupportedError{Line: line, Column: column, Message: message}
}

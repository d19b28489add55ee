package markdown

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// FrontMatter is the YAML mapping at the start of a document. It keeps the
// values as they are written; nothing is converted.
type FrontMatter struct {
	src     []byte
	layout  layout
	entries []entry
	block   bool   // entries are written one below the other, not in braces
	indent  string // what is before each key
}

// An entry is one key with its value at the top level.
type entry struct {
	key   string
	value *yaml.Node
	start int // offset of the line of the key
	name  int // offset of the key
	colon int // offset behind the colon; 0 if the value could not be located
	first int // offset of the value; == colon for an empty one
	end   int // offset behind the value
	limit int // offset of the next entry's line, or of the end of the YAML
}

// A Property is one key of the front matter.
type Property struct {
	Key   string
	Value string // the YAML as written, without a comment behind it; "" for an empty value
	Line  int    // of the key, from 1
}

// Keys returns the properties in the order in which they are written.
func (f *FrontMatter) Keys() []Property {
	list := make([]Property, 0, len(f.entries))
	line, at := 1, 0
	for _, e := range f.entries {
		line += bytes.Count(f.src[at:e.name], []byte("\n"))
		at = e.name
		list = append(list, Property{Key: e.key, Value: string(f.src[e.first:e.end]), Line: line})
	}
	return list
}

// Has reports whether the key is there, also with an empty value.
func (f *FrontMatter) Has(key string) bool { return f.entry(key) != nil }

// String returns a scalar value as text, without quotes and otherwise as it is
// written: "1.10" stays "1.10". It is "" for lists, maps, empty values and
// missing keys.
func (f *FrontMatter) String(key string) string {
	if e := f.entry(key); e != nil {
		return scalar(e.value)
	}
	return ""
}

// Strings returns the scalars of a list, or a single scalar as a list of one;
// nil for anything else.
func (f *FrontMatter) Strings(key string) []string {
	e := f.entry(key)
	if e == nil {
		return nil
	}
	nodes := []*yaml.Node{e.value}
	if e.value.Kind == yaml.SequenceNode {
		nodes = e.value.Content
	}
	var list []string
	for _, n := range nodes {
		if s := scalar(n); s != "" {
			list = append(list, s)
		}
	}
	return list
}

func (f *FrontMatter) entry(key string) *entry {
	if f == nil {
		return nil
	}
	for i := range f.entries {
		if f.entries[i].key == key {
			return &f.entries[i]
		}
	}
	return nil
}

// scalar returns a node's text; "" for null, which may be written null or ~.
func scalar(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// parseFront parses the front matter between the fences; nil if there is none.
func parseFront(src []byte, l layout) (front *FrontMatter, alias, err error) {
	if l.conflict {
		return nil, nil, &SyntaxError{Line: 1, Column: 1, Message: "the file starts with a merge conflict marker"}
	}
	if !l.front {
		return nil, nil, nil
	}
	root, alias, err := parseYAML(src, l.yaml, l.end)
	if err != nil {
		return nil, nil, err
	}
	f := &FrontMatter{src: src, layout: l, block: true}
	if root == nil {
		return f, nil, nil
	}
	f.block = root.Style&yaml.FlowStyle == 0
	f.locate(root, newLineTable(src, l.yaml, l.end))
	return f, alias, nil
}

// locate finds where the entries of the mapping are written.
func (f *FrontMatter) locate(root *yaml.Node, lines lineTable) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		e := entry{key: key.Value, value: value, name: lines.offset(key)}
		e.start = bytes.LastIndexAny(f.src[:e.name], "\r\n") + 1
		f.entries = append(f.entries, e)
	}
	for i := range f.entries {
		e := &f.entries[i]
		e.limit = f.layout.end
		if i+1 < len(f.entries) {
			e.limit = f.entries[i+1].start
			if e.limit <= e.name { // on one line, as in braces
				e.limit = f.entries[i+1].name
			}
		}
		e.first, e.end = e.name, e.name
		if f.block {
			e.locate(f.src, root.Content[2*i], lines)
		} else {
			e.locateFlow(f.src)
		}
	}
	if f.block && len(f.entries) > 0 {
		e := f.entries[0]
		before := f.src[e.start:e.name] // may hold a question mark too
		f.indent = string(before[:len(before)-len(bytes.TrimLeft(before, " "))])
	}
}

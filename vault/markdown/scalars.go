package markdown

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// A Scalar is a text of the front matter where it is written, without its quotes.
type Scalar struct {
	Span
	Text  string
	Quote byte // ' or ", 0 for none
}

// Scalars returns the scalars of a list, or a single scalar as a list of one, that are
// written on one line as they are read: those with escapes, and block texts, are left out.
func (f *FrontMatter) Scalars(key string) []Scalar {
	e := f.entry(key)
	if e == nil {
		return nil
	}
	nodes := []*yaml.Node{e.value}
	if e.value.Kind == yaml.SequenceNode {
		nodes = e.value.Content
	}
	lines := newLineTable(f.src, f.layout.yaml, f.layout.end)
	var list []Scalar
	for _, n := range nodes {
		if s, ok := f.scalar(n, lines); ok {
			list = append(list, s)
		}
	}
	return list
}

func (f *FrontMatter) scalar(n *yaml.Node, lines lineTable) (s Scalar, ok bool) {
	if n.Kind != yaml.ScalarNode || scalar(n) == "" {
		return s, false
	}
	at := skipProperties(f.src, lines.offset(n), f.layout.end)
	if at >= f.layout.end {
		return s, false
	}
	if b := f.src[at]; b == '\'' || b == '"' {
		s.Quote = b
		at++
	}
	s.Text, s.Span = n.Value, Span{Start: at, End: at + len(n.Value)}
	return s, s.End <= f.layout.end && bytes.Equal(f.src[at:s.End], []byte(n.Value))
}

// Value returns the span of a key's value as written, empty for an empty one; false where
// there is no such key, or where its value can't be located.
func (f *FrontMatter) Value(key string) (name, value Span, ok bool) {
	e := f.entry(key)
	if e == nil {
		return name, value, false
	}
	end := e.name + len(e.key)
	return Span{Start: e.name, End: min(end, max(e.first, e.name))}, Span{Start: e.first, End: e.end}, true
}

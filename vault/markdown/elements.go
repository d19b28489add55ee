package markdown

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Elements returns the elements of a list in the front matter: a map's scalars by
// their keys, a scalar under the key "". Anything else in a map is left out, and nil
// stands for an element of another kind. A single scalar or map is a list of one.
func (f *FrontMatter) Elements(key string) []map[string]string {
	e := f.entry(key)
	if e == nil || isEmptyNode(e.value) {
		return nil
	}
	nodes := []*yaml.Node{e.value}
	if e.value.Kind == yaml.SequenceNode {
		nodes = e.value.Content
	}
	list := make([]map[string]string, len(nodes))
	for i, n := range nodes {
		switch n.Kind {
		case yaml.ScalarNode:
			list[i] = map[string]string{"": scalar(n)}
		case yaml.MappingNode:
			list[i] = map[string]string{}
			for j := 0; j+1 < len(n.Content); j += 2 {
				if v := n.Content[j+1]; v.Kind == yaml.ScalarNode {
					list[i][n.Content[j].Value] = scalar(v)
				}
			}
		}
	}
	return list
}

// AddMapToProperty is [Document.AddToProperty] for a map on one line, in braces such
// as {type: file, ref: a.md}. It is added even if the list has it already.
func (d *Document) AddMapToProperty(key, yamlMap string) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	text := strings.Trim(yamlMap, " \t")
	value, err := parseValue(key, text)
	if err != nil {
		return Edit{}, err
	}
	if value.Kind != yaml.MappingNode {
		return Edit{}, fmt.Errorf("%q is not a map in braces: %w", text, ErrValue)
	}
	e := front.entry(key)
	if e == nil || e.value.Kind == yaml.ScalarNode && e.value.Tag == "!!null" {
		return d.SetProperty(key, "["+text+"]")
	}
	if err := d.checkList(front, e); err != nil {
		return Edit{}, err
	}
	var edit Edit
	if e.value.Style&yaml.FlowStyle == 0 {
		edit = d.addLine(e, text)
	} else if edit, err = d.addInBrackets(e, text); err != nil {
		return Edit{}, err
	}
	want := *e.value
	want.Content = append(slices.Clone(want.Content), value)
	return edit, d.checkProperties(edit, key, &want)
}

// RemoveElements returns the edit that removes those elements of a list for which
// gone, given their index from 0, is true, as [Document.RemoveFromProperty] does.
// [ErrNoProperty] if the front matter has no such key or none of them is gone.
func (d *Document) RemoveElements(key string, gone func(i int) bool) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	e := front.entry(key)
	if e == nil {
		return Edit{}, fmt.Errorf("%q: %w", key, ErrNoProperty)
	}
	if err := d.checkList(front, e); err != nil {
		return Edit{}, err
	}
	going := make([]bool, len(e.value.Content))
	for i := range going {
		going[i] = gone(i)
	}
	edit, err := d.removeElements(e, key, going)
	if err == nil && !slices.Contains(going, true) {
		err = fmt.Errorf("%q: %w", key, ErrNoProperty)
	}
	return edit, err
}

// removeElements removes the elements that are marked as gone.
func (d *Document) removeElements(e *entry, key string, gone []bool) (Edit, error) {
	want := *e.value
	want.Content = nil
	for i, n := range e.value.Content {
		if !gone[i] {
			want.Content = append(want.Content, n)
		}
	}
	switch block := e.value.Style&yaml.FlowStyle == 0; {
	case len(want.Content) == len(gone):
		return Edit{}, nil
	case block && len(want.Content) == 0:
		return d.SetProperty(key, "[]")
	}
	spans, err := d.removed(e, gone)
	if err != nil {
		return Edit{}, err
	}
	edit := d.cut(spans)
	return edit, d.checkProperties(edit, key, &want)
}

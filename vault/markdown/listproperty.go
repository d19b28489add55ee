package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// AddToProperty returns the edit that adds a scalar (see [Quote]) at the end of
// a list in the front matter, written as the list is: in brackets with the
// distances of the element before, or on a line of its own with the indentation
// of the last. A value that the list has is not added again. A key that isn't
// there or has no value gets a list in brackets. Errors are those of
// [Document.SetProperty]; [ErrUnsupported] also for a value that is no list, and
// for comments inside of brackets.
func (d *Document) AddToProperty(key, yamlScalar string) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	value, err := parseScalar(key, yamlScalar)
	if err != nil {
		return Edit{}, err
	}
	e := front.entry(key)
	if e == nil || e.value.Kind == yaml.ScalarNode && e.value.Tag == "!!null" {
		return d.SetProperty(key, "["+inBrackets(value, yamlScalar)+"]")
	}
	if err := d.checkList(front, e); err != nil {
		return Edit{}, err
	}
	if slices.ContainsFunc(e.value.Content, func(n *yaml.Node) bool { return sameScalar(n, value) }) {
		return Edit{Start: e.end, End: e.end}, nil
	}
	var edit Edit
	if e.value.Style&yaml.FlowStyle == 0 {
		edit = d.addLine(e, strings.Trim(yamlScalar, " \t"))
	} else if edit, err = d.addInBrackets(e, inBrackets(value, yamlScalar)); err != nil {
		return Edit{}, err
	}
	want := *e.value
	want.Content = append(slices.Clone(want.Content), value)
	return edit, d.checkProperties(edit, key, &want)
}

// RemoveFromProperty returns the edit that removes a scalar from a list in the
// front matter, each time that it is there. In a list of lines its line goes,
// with the comment behind it; the last one to go leaves an empty list in
// brackets. [ErrNoProperty] if the front matter has no such key or the list no
// such scalar; otherwise as [Document.AddToProperty].
func (d *Document) RemoveFromProperty(key, yamlScalar string) (Edit, error) {
	front, err := d.properties()
	if err != nil {
		return Edit{}, err
	}
	value, err := parseScalar(key, yamlScalar)
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
	gone := make([]bool, len(e.value.Content))
	for i, n := range e.value.Content {
		gone[i] = sameScalar(n, value)
	}
	if !slices.Contains(gone, true) {
		return Edit{}, fmt.Errorf("%s in %q: %w", yamlScalar, key, ErrNoProperty)
	}
	return d.removeElements(e, key, gone)
}

// cut returns the edit that removes several spans.
func (d *Document) cut(spans []span) Edit {
	edit := Edit{Start: spans[0].start, End: spans[len(spans)-1].end}
	for i := range spans[1:] {
		edit.Text = append(edit.Text, d.src[spans[i].end:spans[i+1].start]...)
	}
	return edit
}

// parseScalar checks a key and one element of a list.
func parseScalar(key, text string) (*yaml.Node, error) {
	value, err := parseValue(key, text)
	if err != nil {
		return nil, err
	}
	if value.Kind != yaml.ScalarNode || strings.Trim(text, " \t") == "" {
		return nil, fmt.Errorf("%q is not one YAML scalar: %w", text, ErrValue)
	}
	return value, nil
}

// inBrackets returns a scalar as it can stand in brackets: what needs no quotes
// on a line of its own may need them there.
func inBrackets(value *yaml.Node, text string) string {
	if value.Style == 0 && value.Tag == "!!str" {
		return quote(value.Value, inList)
	}
	return strings.Trim(text, " \t")
}

func sameScalar(a, b *yaml.Node) bool {
	return a.Kind == yaml.ScalarNode && a.Tag == b.Tag && a.Value == b.Value
}

// checkList makes sure that an entry is a list whose span is known.
func (d *Document) checkList(front *FrontMatter, e *entry) error {
	if !front.block {
		return d.unsupported(d.layout.yaml, "front matter in braces")
	}
	if err := d.checkEntry(e); err != nil {
		return err
	}
	if e.value.Kind != yaml.SequenceNode {
		return d.unsupported(e.first, fmt.Sprintf("the value of %q is not a list", e.key))
	}
	if first := d.src[e.first]; first != '[' && first != '-' {
		return d.unsupported(e.first, fmt.Sprintf("the way the list of %q is written", e.key))
	}
	return nil
}

// addLine adds an element to a list of lines.
func (d *Document) addLine(e *entry, text string) Edit {
	start := bytes.LastIndexAny(d.src[:e.first], "\r\n") + 1
	indent, gap := string(d.src[start:e.first]), " "
	// The distance to the dash is that of the last element that has one line.
	for line := range strings.Lines(string(d.src[start:e.end])) {
		rest, ok := strings.CutPrefix(line, indent+"-")
		if blanks := len(rest) - len(strings.TrimLeft(rest, " \t")); ok && blanks > 0 && strings.TrimSpace(rest) != "" {
			gap = rest[:blanks]
		}
	}
	eol := lineEnd(d.src, e.end, e.limit)
	at := nextLine(d.src, eol, e.limit)
	return Edit{Start: at, End: at, Text: []byte(indent + "-" + gap + text + string(d.src[eol:at]))}
}

// removed returns the spans to be removed with some of the elements of a list.
func (d *Document) removed(e *entry, gone []bool) ([]span, error) {
	if e.value.Style&yaml.FlowStyle == 0 {
		return d.removedLines(e, gone)
	}
	elements, err := d.elements(e)
	if err != nil {
		return nil, err
	}
	var spans []span
	for i := 0; i < len(gone); i++ {
		first := i
		for i < len(gone) && gone[i] {
			i++
		}
		switch {
		case first == i:
		case first > 0: // with the comma before it
			spans = append(spans, span{elements[first-1].end, elements[i-1].end})
		case i < len(gone): // with the comma behind it
			spans = append(spans, span{elements[0].start, elements[i].start})
		case bytes.IndexByte(d.src[elements[i-1].end:e.end], ',') >= 0:
			spans = append(spans, span{e.first + 1, e.end - 1})
		default:
			spans = append(spans, span{e.first + 1, elements[i-1].end})
		}
	}
	return spans, nil
}

// removedLines is removed for a list of lines.
func (d *Document) removedLines(e *entry, gone []bool) ([]span, error) {
	lines := newLineTable(d.src, d.layout.yaml, d.layout.end)
	list := e.value.Content
	var spans []span
	for i, n := range list {
		if !gone[i] {
			continue
		}
		first, limit := lines.offset(n), e.end
		if i+1 < len(list) {
			limit = lines.start(list[i+1].Line)
		}
		start := bytes.LastIndexAny(d.src[:first], "\r\n") + 1
		if lead := strings.Trim(string(d.src[start:first]), " \t"); lead != "-" {
			return nil, d.unsupported(first, "the way this element is written")
		}
		end := nodeEnd(d.src, first, limit, n, lines)
		spans = append(spans, span{start, nextLine(d.src, lineEnd(d.src, end, e.limit), e.limit)})
	}
	return spans, nil
}

// addInBrackets adds an element to a list in brackets.
func (d *Document) addInBrackets(e *entry, text string) (Edit, error) {
	elements, err := d.elements(e)
	if err != nil {
		return Edit{}, err
	}
	n := len(elements)
	if n == 0 {
		return Edit{Start: e.first + 1, End: e.first + 1, Text: []byte(text)}, nil
	}
	gap := ", "
	if n > 1 {
		gap = string(d.src[elements[n-2].end:elements[n-1].start])
	}
	at := elements[n-1].end
	return Edit{Start: at, End: at, Text: []byte(gap + text)}, nil
}

// elements returns the spans of the elements of a list in brackets. It refuses a
// list with comments in it: whose they are can't be told.
func (d *Document) elements(e *entry) ([]span, error) {
	var list []span
	depth, start := 0, e.first+1
	cut := func(end int) {
		text := d.src[start:end]
		trimmed := bytes.TrimSpace(text)
		if len(trimmed) > 0 {
			from := start + bytes.Index(text, trimmed)
			list = append(list, span{from, from + len(trimmed)})
		}
		start = end + 1
	}
	for i := e.first; i < e.end; i++ {
		before := d.src[max(i-1, e.first)]
		switch d.src[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				cut(i)
			}
		case ',':
			if depth == 1 {
				cut(i)
			}
		case '"', '\'':
			if bytes.IndexByte([]byte(" \t\r\n[{,:"), before) >= 0 {
				i = quotedEnd(d.src, i, e.end) - 1
			}
		case '#':
			if isBlank(before) || before == '\n' || before == '\r' {
				return nil, d.unsupported(i, "a comment inside of brackets")
			}
		}
	}
	if len(list) != len(e.value.Content) {
		return nil, d.unsupported(e.first, fmt.Sprintf("the way the list of %q is written", e.key))
	}
	return list, nil
}

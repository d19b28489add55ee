package semantic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"kist/vault/merge/arrange"
)

// A canvas, as Obsidian and others keep it (jsoncanvas.org), is an object with a list of nodes and one of edges, each of which
// has an id.
type canvas struct {
	rest  string // the text with nothing in the two lists
	lists [2]list
}

// The lists.
const (
	nodes = iota
	edges
)

// A list has its elements as they are written, and what is written around them.
type list struct {
	at               int // in the rest, where its elements go; 0: there is none
	ids              []string
	raw              map[string]string
	lead, gap, trail string // gap also has the comma
}

// A textMerge merges what is written on a node; false: both wrote what contradicts the other.
type textMerge func(base, ours, theirs string) (string, bool)

// readCanvas reads a canvas; false: it isn't one.
func readCanvas(text string) (c canvas, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return c, false
	}
	cut := 0 // up to where the text is in the rest
	for d.More() {
		key, err := d.Token()
		which := slices.Index([]string{"nodes", "edges"}, asText(key))
		if err != nil || which >= 0 && c.lists[which].at > 0 {
			return c, false
		}
		if which < 0 {
			var raw json.RawMessage
			if d.Decode(&raw) != nil {
				return c, false
			}
			continue
		}
		from, to, ok := c.lists[which].read(d, text)
		if !ok {
			return c, false
		}
		c.rest += text[cut:from]
		c.lists[which].at, cut = len(c.rest), to
	}
	c.rest += text[cut:]
	if t, err := d.Token(); err != nil || t != json.Delim('}') {
		return c, false
	}
	_, err := d.Token()
	return c, err == io.EOF
}

func asText(t json.Token) string {
	s, _ := t.(string)
	return s
}

// read reads a list, and returns where its elements begin and end in the text.
func (l *list) read(d *json.Decoder, text string) (from, to int, ok bool) {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return 0, 0, false
	}
	from, l.raw = int(d.InputOffset()), map[string]string{}
	end := from
	for d.More() {
		var raw json.RawMessage
		var node struct{ ID string }
		if d.Decode(&raw) != nil || json.Unmarshal(raw, &node) != nil || node.ID == "" || l.raw[node.ID] != "" {
			return 0, 0, false
		}
		next := int(d.InputOffset())
		switch between := text[end : next-len(raw)]; len(l.ids) {
		case 0:
			l.lead, l.gap = between, ","+between
		case 1:
			l.gap = between
		}
		l.ids, l.raw[node.ID], end = append(l.ids, node.ID), string(raw), next
	}
	if _, err := d.Token(); err != nil {
		return 0, 0, false
	}
	to = int(d.InputOffset()) - 1
	l.trail = text[end:to]
	return from, to, true
}

// mergeCanvas merges by nodes and edges, and those that both changed by their fields, where text merges what is
// written on them. A node to which one side drew an edge stays. It is false where they aren't canvases, or differ in more.
func mergeCanvas(t triple, text textMerge) (string, []Conflict, bool) {
	var all [versions]canvas
	var rests triple
	for v, whole := range t {
		var ok bool
		if all[v], ok = readCanvas(whole); !ok && whole != "" {
			return "", nil, false
		}
		rests[v] = all[v].rest
	}
	rest, ok := rests.settled()
	if !ok {
		return "", nil, false
	}
	from := all[slices.Index(rests[:], rest)]
	var lists [2][versions]list
	for v, c := range all {
		lists[nodes][v], lists[edges][v] = c.lists[nodes], c.lists[edges]
	}
	drawn, conflicts := mergeElements(lists[edges], nil, text)
	wanted := map[string]bool{}
	for _, id := range drawn.ids {
		var e struct{ FromNode, ToNode string }
		if drawn.raw[id] != lists[edges][inBase].raw[id] && json.Unmarshal([]byte(drawn.raw[id]), &e) == nil {
			wanted[e.FromNode], wanted[e.ToNode] = true, true
		}
	}
	placed, more := mergeElements(lists[nodes], wanted, text)
	merged := [2]list{placed, drawn}
	order := []int{nodes, edges}
	slices.SortFunc(order, func(a, b int) int { return from.lists[a].at - from.lists[b].at })
	var b strings.Builder
	cut := 0
	for _, which := range order {
		at := from.lists[which].at
		if at == 0 && len(merged[which].ids) > 0 {
			return "", nil, false
		}
		b.WriteString(rest[cut:at])
		merged[which].write(&b)
		cut = at
	}
	b.WriteString(rest[cut:])
	return b.String(), append(more, conflicts...), true
}

func (l list) write(b *strings.Builder) {
	for i, id := range l.ids {
		if i == 0 {
			b.WriteString(l.lead)
		} else {
			b.WriteString(l.gap)
		}
		b.WriteString(l.raw[id])
	}
	b.WriteString(l.trail)
}

// mergeElements merges the lists of three versions. What is wanted stays, though a side deleted it.
func mergeElements(lists [versions]list, wanted map[string]bool, text textMerge) (out list, conflicts []Conflict) {
	style := lists[inBase]
	if len(style.ids) == 0 {
		style = slices.MinFunc(lists[inOurs:], func(a, b list) int {
			return cmp.Or(min(1, len(b.ids))-min(1, len(a.ids)), strings.Compare(a.lead+a.gap+a.trail, b.lead+b.gap+b.trail))
		})
	}
	out = list{raw: map[string]string{}, lead: style.lead, gap: style.gap, trail: style.trail}
	number, names := map[string]int{}, []string{}
	a := arrange.Order{Before: func(a, b int) bool { return names[a] < names[b] }}
	for v, l := range lists {
		for _, id := range l.ids {
			if _, known := number[id]; !known {
				number[id] = len(names)
				names = append(names, id)
			}
			a.Seq[v] = append(a.Seq[v], number[id])
		}
	}
	for _, id := range names {
		t := triple{lists[inBase].raw[id], lists[inOurs].raw[id], lists[inTheirs].raw[id]}
		raw, ok := mergeFields(t, text)
		if raw == "" && wanted[id] {
			raw = t[inBase]
		}
		if !ok {
			conflicts = append(conflicts, Conflict{Where: "node " + id, Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]})
		}
		out.raw[id] = raw
	}
	for _, n := range a.Arrange(func(n int) bool { return out.raw[names[n]] != "" }) {
		out.ids = append(out.ids, names[n])
	}
	return out, conflicts
}

// mergeFields merges three versions of an element; empty: it is gone. What one side deleted and the other changed stays. It is
// false, and ours, where both changed a field to different values. Of where a node lies one of the two is taken.
func mergeFields(t triple, text textMerge) (string, bool) {
	if one, ok := t.settled(); ok {
		return one, true
	}
	if t[inOurs] == "" || t[inTheirs] == "" {
		return t[inOurs] + t[inTheirs], true
	}
	var keys []string
	var all [versions]map[string]json.RawMessage
	for v, raw := range t {
		if raw != "" && json.Unmarshal([]byte(raw), &all[v]) != nil {
			return t[inOurs], false
		}
	}
	for _, key := range append(keysOf(t[inBase]), sortedKeys(all[inOurs], all[inTheirs])...) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	var b strings.Builder
	for _, key := range keys {
		var values triple
		for v := range values {
			values[v] = string(all[v][key])
		}
		raw, ok := values.settled()
		if !ok {
			if raw, ok = mergeField(key, values, text); !ok {
				return t[inOurs], false
			}
		}
		if raw != "" {
			name, _ := json.Marshal(key)
			b.WriteString(",")
			b.Write(name)
			b.WriteString(":" + raw)
		}
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}", true
}

// mergeField merges what both sides changed.
func mergeField(key string, t triple, text textMerge) (string, bool) {
	switch key {
	case "x", "y", "width", "height":
		return either(t[inBase], t[inOurs], t[inTheirs]), true
	case "text":
		var texts [versions]string
		for v := range t {
			if t[v] != "" && json.Unmarshal([]byte(t[v]), &texts[v]) != nil || t[v] == "" && v != inBase {
				return "", false
			}
		}
		merged, ok := text(texts[inBase], texts[inOurs], texts[inTheirs])
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		err := e.Encode(merged)
		return strings.TrimSuffix(b.String(), "\n"), err == nil && ok
	}
	return "", false
}

// keysOf are the keys of an object, in their order.
func keysOf(text string) (keys []string) {
	d := json.NewDecoder(strings.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			break
		}
		keys = append(keys, asText(key))
	}
	return keys
}

func sortedKeys(objects ...map[string]json.RawMessage) (keys []string) {
	for _, o := range objects {
		for key := range o {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

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

// A thing is a JSON object or array, with its members as they are written and what is written around them.
type thing struct {
	list
	array bool
	name  map[string]string // an object's keys with the colon, by key
}

// readThing reads an object, or an array whose elements are its keys; false: it is neither, or has one of them twice.
func readThing(text string) (m thing, ok bool) {
	text = strings.TrimSpace(text)
	d := json.NewDecoder(strings.NewReader(text))
	t, err := d.Token()
	m = thing{list: list{raw: map[string]string{}}, array: t == json.Delim('['), name: map[string]string{}}
	if err != nil || !m.array && t != json.Delim('{') {
		return m, false
	}
	end := int(d.InputOffset())
	for d.More() {
		start := end + strings.IndexFunc(text[end:], func(r rune) bool { return !strings.ContainsRune(", \t\r\n", r) })
		key, at := "", start
		if !m.array {
			t, err := d.Token()
			if err != nil {
				return m, false
			}
			key, at = asText(t), int(d.InputOffset())
			at += strings.IndexFunc(text[at:], func(r rune) bool { return !strings.ContainsRune(": \t\r\n", r) })
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return m, false
		}
		if m.array {
			var b bytes.Buffer
			_ = json.Compact(&b, raw)
			key = b.String()
		}
		if _, twice := m.raw[key]; twice {
			return m, false
		}
		switch between := text[end:start]; len(m.ids) {
		case 0:
			m.lead, m.gap = between, ","+between
		case 1:
			m.gap = between
		}
		m.ids, m.raw[key], m.name[key], end = append(m.ids, key), string(raw), text[start:at], int(d.InputOffset())
	}
	m.trail = strings.TrimSuffix(strings.TrimSuffix(text[end:], "]"), "}")
	if _, err := d.Token(); err != nil {
		return m, false
	}
	_, err = d.Token()
	return m, err == io.EOF
}

// maxDepth is in how many objects and arrays one is looked at: each is read once more for those around it.
const maxDepth = 30

// mergeJSON merges objects by key and arrays of texts as sets that keep their order, each below the other; false: they aren't
// such. Where says which value a conflict is about.
func mergeJSON(t triple, where string, depth int) (string, []Conflict, bool) {
	var things [versions]thing
	if depth > maxDepth {
		return "", nil, false
	}
	for v, text := range t {
		var ok bool
		if things[v], ok = readThing(text); !ok && (text != "" || v != inBase) {
			return "", nil, false
		}
	}
	if t[inBase] == "" {
		things[inBase].array = things[inOurs].array
	}
	if a := things[inOurs].array; things[inTheirs].array != a || things[inBase].array != a || a && !areTexts(things) {
		return "", nil, false
	}
	const telling = 2 // members say what is between them
	m := things[inBase]
	if len(m.ids) < telling {
		m = slices.MinFunc(things[inOurs:], func(a, b thing) int {
			return cmp.Or(min(telling, len(b.ids))-min(telling, len(a.ids)), strings.Compare(a.lead+a.gap+a.trail, b.lead+b.gap+b.trail))
		})
	}
	number, names := map[string]int{}, []string{}
	a := arrange.Order{Before: func(a, b int) bool { return names[a] < names[b] }}
	for v, l := range things {
		for _, id := range l.ids {
			if _, known := number[id]; !known {
				number[id] = len(names)
				names = append(names, id)
			}
			a.Seq[v] = append(a.Seq[v], number[id])
		}
	}
	values := make([]string, len(names))
	var conflicts []Conflict
	for i, id := range names {
		var keys, member triple
		for v := range t {
			keys[v], member[v] = things[v].name[id], things[v].raw[id]
		}
		value, more := mergeMember(member, strings.TrimPrefix(where+"."+id, "."), depth)
		conflicts = append(conflicts, more...)
		if values[i] = value; value != "" {
			values[i] = present(keys) + value
		}
	}
	out := list{raw: map[string]string{}, lead: m.lead, gap: m.gap, trail: m.trail}
	for _, i := range a.Arrange(func(i int) bool { return values[i] != "" }) {
		out.ids, out.raw[names[i]] = append(out.ids, names[i]), values[i]
	}
	var b strings.Builder
	out.write(&b)
	if m.array {
		return "[" + b.String() + "]", conflicts, true
	}
	return "{" + b.String() + "}", conflicts, true
}

// mergeMember merges what an object has at a key; empty: it is gone. What one side deleted and the other changed stays.
func mergeMember(t triple, where string, depth int) (string, []Conflict) {
	if one, ok := t.settled(); ok {
		return one, nil
	}
	if t[inOurs] == "" || t[inTheirs] == "" {
		return t[inOurs] + t[inTheirs], nil
	}
	if text, conflicts, ok := mergeJSON(t, where, depth+1); ok {
		return text, conflicts
	}
	var flat triple
	for v, text := range t {
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(text))
		flat[v] = b.String()
	}
	if _, ok := flat.settled(); ok { // written in two ways
		return either(t[inBase], t[inOurs], t[inTheirs]), nil
	}
	return t[inOurs], []Conflict{{Where: "key " + where, Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]}}
}

// areTexts reports whether arrays have texts alone. Of numbers the place says what they mean, and an object that both changed
// would be there twice.
func areTexts(things [versions]thing) bool {
	for _, m := range things {
		for _, id := range m.ids {
			if !strings.HasPrefix(id, `"`) {
				return false
			}
		}
	}
	return true
}

// mergeWholeJSON merges files, which have blanks around their value.
func mergeWholeJSON(t triple) (string, []Conflict, bool) {
	var before, behind triple
	for v, text := range t {
		core := strings.TrimSpace(text)
		at := strings.Index(text, core)
		before[v], behind[v] = text[:at], text[at+len(core):]
	}
	text, conflicts, ok := mergeJSON(t, "", 0)
	return either(before[inBase], before[inOurs], before[inTheirs]) + text + either(behind[inBase], behind[inOurs], behind[inTheirs]), conflicts, ok
}

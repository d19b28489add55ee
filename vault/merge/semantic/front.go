package semantic

import (
	"slices"
	"strings"

	"kist/vault/markdown"
	"kist/vault/merge/arrange"
	"kist/vault/merge/dates"
)

// A front is YAML at the top level of a document or file, cut into its keys.
type front struct {
	open, end string // the fences
	lead      string // what is before the first key
	keys      []string
	text      map[string]string // the lines of a key, with the comments above it
}

// splitFront cuts a document into front matter and body; without front matter f is nil. False:
// it is there and can't be cut into keys.
func splitFront(text string) (f *front, body string, ok bool) {
	doc := markdown.Parse([]byte(text))
	at := doc.BodyStart()
	body = text[at:]
	if at == 0 {
		return nil, body, doc.Editable() == nil
	}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return nil, body, false
	}
	lines := splitLines(text[:at])
	f = &front{open: lines[0], end: lines[len(lines)-1], text: map[string]string{}}
	yaml := lines[1 : len(lines)-1]
	starts := []int{}
	for _, p := range fm.Keys() {
		i := p.Line - 2
		if i < 0 || i >= len(yaml) || len(starts) > 0 && starts[len(starts)-1] >= i || strings.ContainsAny(yaml[i][:1], " \t{\"'?") {
			return nil, body, false
		}
		f.keys = append(f.keys, p.Key)
		starts = append(starts, i)
	}
	for k := range starts {
		for starts[k] > 0 && strings.HasPrefix(yaml[starts[k]-1], "#") {
			starts[k]--
		}
	}
	f.lead = strings.Join(yaml[:append(starts, len(yaml))[0]], "")
	for k, key := range f.keys {
		f.text[key] = strings.Join(yaml[starts[k]:append(starts, len(yaml))[k+1]], "")
	}
	return f, body, true
}

func (f *front) get(key string) string {
	if f == nil {
		return ""
	}
	return f.text[key]
}

// A keyRule decides about a key that both sides changed, given its lines; false: it doesn't.
type keyRule func(key string, t triple) (string, bool)

// mergeFronts merges by key. Any of them may be nil.
func mergeFronts(fronts [versions]*front, rule keyRule) (string, []Conflict) {
	if fronts[inOurs] == nil && fronts[inTheirs] == nil {
		return "", nil
	}
	yield(fronts)
	adopt(fronts)
	var a arrange.Order
	var names []string
	number := map[string]int{}
	for v, f := range fronts {
		if f == nil {
			continue
		}
		for _, key := range f.keys {
			if _, ok := number[key]; !ok {
				number[key] = len(names)
				names = append(names, key)
			}
			a.Seq[v] = append(a.Seq[v], number[key])
		}
	}
	a.Before = func(x, y int) bool { return names[x] < names[y] }
	var conflicts []Conflict
	texts := make([]string, len(names))
	for i, key := range names {
		t := triple{fronts[inBase].get(key), fronts[inOurs].get(key), fronts[inTheirs].get(key)}
		text, ok := mergeKey(key, t, rule)
		if texts[i] = text; !ok {
			conflicts = append(conflicts, Conflict{Where: "key " + key, Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]})
		}
	}
	order := a.Arrange(func(i int) bool { return texts[i] != "" })
	var open, end, lead triple
	for v, f := range fronts {
		if f != nil {
			open[v], end[v], lead[v] = f.open, f.end, f.lead
		}
	}
	var b strings.Builder
	b.WriteString(present(open))
	b.WriteString(present(lead))
	for _, i := range order {
		b.WriteString(texts[i])
	}
	b.WriteString(present(end))
	return b.String(), conflicts
}

// present returns the text that a side changed, or that is there.
func present(t triple) string {
	if text := either(t[inBase], t[inOurs], t[inTheirs]); text != "" {
		return text
	}
	return max(t[inOurs], t[inTheirs])
}

// mergeKey merges the lines of a key; "" where it isn't there. A key that one side took out and
// the other changed stays.
func mergeKey(key string, t triple, rule keyRule) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	switch {
	case t[inOurs] == "":
		return t[inTheirs], true
	case t[inTheirs] == "":
		return t[inOurs], true
	}
	var above, lines, below triple
	for v, text := range t {
		above[v], lines[v] = cutComments(text)
		lines[v], below[v] = cutBelow(lines[v])
	}
	comment, fine := mergeComments(above)
	end, ok := mergeComments(below)
	fine = fine && ok
	if text, ok := lines.settled(); ok {
		return comment + text + end, fine
	}
	for _, rule := range []keyRule{rule, firstMade, byTime, mergeList, mergeNested} {
		if rule == nil {
			continue
		}
		if text, ok := rule(key, lines); ok {
			return comment + text + end, fine
		}
	}
	return t[inOurs], false
}

// cutBelow cuts the blank lines and comments off that are behind a key's lines.
func cutBelow(text string) (lines, below string) {
	all := splitLines(text)
	n := len(all)
	for n > 1 && (blank(all[n-1]) || strings.HasPrefix(all[n-1], "#")) {
		n--
	}
	return strings.Join(all[:n], ""), strings.Join(all[n:], "")
}

// mergeComments merges lines that are blank or comments: without a base all of both stay.
func mergeComments(t triple) (string, bool) {
	text, ok := mergeLines(t)
	switch {
	case ok:
		return text, true
	case sameWords(t):
		return max(t[inOurs], t[inTheirs]), true
	case t[inBase] == "":
		return mergePatterns(t), true
	}
	return text, false
}

// adopt takes comments from behind keys of one side that stand at a key which the other side added, as
// where it was written behind the comments that end both, and those that became such a key.
func adopt(fronts [versions]*front) {
	for v := inOurs; v <= inTheirs; v++ {
		f, other := fronts[v], fronts[inOurs+inTheirs-v]
		if f == nil || other == nil {
			continue
		}
		there := map[string]bool{}
		var instead []string // how blocks begin that tell of a key which the other has in their place
		for _, key := range other.keys {
			if fronts[inBase].get(key)+f.get(key) != "" {
				continue
			}
			for _, block := range commentBlocks(other.text[key]) {
				there[block] = true
			}
			above, _ := cutComments(other.text[key])
			instead = append(instead, above+"# "+key+":")
		}
		for _, key := range f.keys {
			lines, below := cutBelow(f.text[key])
			for _, block := range commentBlocks(below) {
				if there[block] || slices.ContainsFunc(instead, func(head string) bool { return strings.HasPrefix(block, head) }) {
					before, behind, _ := strings.Cut(below, block)
					below = before + strings.TrimPrefix(behind, "\n")
				}
			}
			f.text[key] = lines + below
		}
	}
}

// commentBlocks are the comments of a text, each with all lines of it that follow on each other.
func commentBlocks(text string) (blocks []string) {
	on := false
	for _, line := range splitLines(text) {
		comment := strings.HasPrefix(line, "#")
		switch {
		case comment && on:
			blocks[len(blocks)-1] += line
		case comment:
			blocks = append(blocks, line)
		}
		on = comment
	}
	return blocks
}

// sameWords reports whether both sides have the same but for blanks.
func sameWords(t triple) bool {
	return slices.Equal(strings.Fields(t[inOurs]), strings.Fields(t[inTheirs]))
}

// cutComments cuts a key's lines behind the comments above it.
func cutComments(text string) (above, lines string) {
	all := splitLines(text)
	n := 0
	for n < len(all) && strings.HasPrefix(all[n], "#") {
		n++
	}
	return strings.Join(all[:n], ""), strings.Join(all[n:], "")
}

// byTime takes the later of two times of a document's last change, and the earlier of two at which something was done.
func byTime(key string, t triple) (string, bool) {
	later := dates.LastChange(key)
	ours, fine := dates.Moment(value(t[inOurs]))
	theirs, ok := dates.Moment(value(t[inTheirs]))
	switch {
	case !fine || !ok || !later && !dates.Done(key):
		return "", false
	case ours.Equal(theirs):
		return max(t[inOurs], t[inTheirs]), true
	case ours.After(theirs) == later:
		return t[inOurs], true
	}
	return t[inTheirs], true
}

// value returns a key's value on one line, without quotes and comment.
func value(lines string) string {
	_, text, _ := strings.Cut(strings.TrimRight(lines, "\n"), ":")
	text, _, _ = strings.Cut(text, " #")
	return unquote(text)
}

func unquote(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// A sequence is a key whose value is several.
type sequence struct {
	head     string // up to the first element
	elements []string
	tail     string // behind the last
	block    bool   // one below the other
	indent   string // of a block's lines
}

// mergeList merges lists as sets that keep their order.
func mergeList(_ string, t triple) (string, bool) {
	var lists [versions]*sequence
	for v, text := range t {
		if lists[v] = readList(text); lists[v] == nil && v == inBase && strings.Count(text, "\n") == 1 && value(text) != "" {
			_, one, _ := strings.Cut(strings.TrimRight(text, "\n"), ":")
			lists[v] = &sequence{elements: []string{strings.TrimSpace(one)}} // both made a list of it
		}
		if lists[v] == nil && (text != "" || v != inBase) {
			return "", false
		}
	}
	if lists[inBase] == nil {
		lists[inBase] = &sequence{block: lists[inOurs].block || lists[inTheirs].block}
	}
	var a arrange.Order
	number := map[string]int{}
	var names, raw []string
	for v, l := range lists {
		for _, e := range l.elements {
			name := unquote(e)
			if _, ok := number[name]; !ok {
				number[name] = len(names)
				names, raw = append(names, name), append(raw, e)
			}
			if n := number[name]; v == inTheirs && !slices.Contains(a.Seq[inBase], n) {
				raw[n] = min(raw[n], e) // written in two ways
			}
			if !slices.Contains(a.Seq[v], number[name]) {
				a.Seq[v] = append(a.Seq[v], number[name])
			}
		}
	}
	seq := a.Seq
	in := func(v, id int) bool { return slices.Contains(seq[v], id) }
	a.Before = func(x, y int) bool { return names[x] < names[y] }
	order := a.Arrange(func(id int) bool {
		return in(inOurs, id) && in(inTheirs, id) || !in(inBase, id)
	})
	style := lists[inOurs]
	if lists[inOurs].block == lists[inBase].block && lists[inTheirs].block != style.block {
		style = lists[inTheirs]
	}
	elements := make([]string, 0, len(order))
	for _, id := range order {
		elements = append(elements, raw[id])
	}
	return style.write(elements)
}

// mergeNested merges what stands indented below a key by the keys in it.
func mergeNested(_ string, t triple) (string, bool) {
	var fronts [versions]*front
	var heads, indents triple
	for v, text := range t {
		if text == "" && v == inBase {
			continue
		}
		head, below, _ := strings.Cut(text, "\n")
		indents[v] = below[:len(below)-len(strings.TrimLeft(below, " "))]
		heads[v] = head + "\n"
		lines := splitLines(below)
		for i, line := range lines {
			text, in := strings.CutPrefix(line, indents[v])
			if !in && !blank(line) {
				return "", false
			}
			lines[i] = text
		}
		f, rest, ok := splitFront("---\n" + strings.Join(lines, "") + "---\n")
		if !ok || f == nil || rest != "" || indents[v] == "" || !strings.HasSuffix(strings.TrimRight(head, " "), ":") {
			return "", false
		}
		f.open, f.end = "", ""
		fronts[v] = f
	}
	text, conflicts := mergeFronts(fronts, nil)
	var b strings.Builder
	b.WriteString(either(heads[inBase], heads[inOurs], heads[inTheirs]))
	for _, line := range splitLines(text) {
		if !blank(line) {
			b.WriteString(either(indents[inBase], indents[inOurs], indents[inTheirs]))
		}
		b.WriteString(line)
	}
	return b.String(), text != "" && len(conflicts) == 0
}

// readList reads a list in brackets on one line, or one of lines; nil for anything else.
func readList(lines string) *sequence {
	first, rest, _ := strings.Cut(lines, "\n")
	colon := strings.Index(first, ":")
	if colon < 0 {
		return nil
	}
	text := strings.TrimSpace(first[colon+1:])
	if text == "" && rest != "" {
		return readBlock(first+"\n", splitLines(rest))
	}
	if rest != "" || !strings.HasPrefix(text, "[") {
		return nil
	}
	at := strings.Index(first, "[")
	l := &sequence{head: first[:at+1]}
	depth, from := 0, at+1
	quote := byte(0)
	for i := at + 1; i < len(first); i++ {
		switch c := first[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if blank(first[from:i]) {
				quote = c
			}
		case c == '[' || c == '{':
			depth++
		case (c == ']' || c == '}') && depth > 0:
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			if e := strings.TrimSpace(first[from:i]); e != "" {
				l.elements = append(l.elements, e)
			}
			if from = i + 1; c == ']' {
				l.tail = first[i:] + "\n"
				return l
			}
		}
	}
	return nil
}

// readBlock reads a list of lines that begin with a dash, each with the deeper ones below it.
func readBlock(head string, lines []string) *sequence {
	l := &sequence{head: head, block: true}
	l.indent = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, l.indent)
		switch {
		case ok && strings.HasPrefix(text, "- "):
			l.elements = append(l.elements, strings.TrimRight(strings.TrimPrefix(text, "- "), " \n"))
		case ok && strings.HasPrefix(text, "  ") && len(l.elements) > 0:
			l.elements[len(l.elements)-1] += "\n" + strings.TrimRight(strings.TrimPrefix(text, "  "), " \n")
		default:
			return nil
		}
	}
	return l
}

// write returns a list with other elements; false if they can't be written that way.
func (l *sequence) write(elements []string) (string, bool) {
	if !l.block {
		text := strings.Join(elements, ", ")
		return l.head + text + l.tail, !strings.Contains(text, "\n")
	}
	if len(elements) == 0 {
		return strings.TrimRight(l.head, "\n") + " []\n", true
	}
	var b strings.Builder
	b.WriteString(l.head)
	for _, e := range elements {
		b.WriteString(l.indent + "- " + strings.ReplaceAll(e, "\n", "\n"+l.indent+"  ") + "\n")
	}
	return b.String(), true
}

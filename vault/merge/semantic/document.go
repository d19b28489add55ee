package semantic

import (
	"regexp"
	"strings"
)

// mergeDocument merges front matter by key and the body by what it is made of.
func mergeDocument(t triple) (string, []Conflict) {
	var fronts [versions]*front
	var heads, bodies triple
	keyed := true
	for v, text := range t {
		f, body, ok := splitFront(text)
		fronts[v], bodies[v], heads[v] = f, body, text[:len(text)-len(body)]
		keyed = keyed && ok
	}
	if key := toldApart(t, fronts); key != "" {
		return t[inOurs], []Conflict{{Where: "key " + key, Ours: t[inOurs], Theirs: t[inTheirs]}}
	}
	head, conflicts := mergeHeads(fronts, heads, keyed)
	if isConversation(fronts) {
		var lists [versions][]record
		for v, body := range bodies {
			lists[v] = readTurns(body)
		}
		body, more := mergeRecords(lists, "turn", "\n")
		return head + body, append(conflicts, more...)
	}
	if t[inBase] == "" {
		bodies[inBase] = common(bodies[inOurs], bodies[inTheirs])
	}
	body, more := mergeBodies(bodies)
	return head + body, append(conflicts, more...)
}

// mergeHeads merges front matter, by key where it can be cut into keys.
func mergeHeads(fronts [versions]*front, heads triple, keyed bool) (string, []Conflict) {
	if head, ok := heads.settled(); ok {
		return head, nil
	}
	if keyed {
		head, conflicts := mergeFronts(fronts, nil)
		if _, _, ok := splitFront(head); ok {
			return head, conflicts
		}
	}
	head, clean := mergeLines(heads)
	if !clean {
		return heads[inOurs], []Conflict{{Where: "front matter", Base: heads[inBase], Ours: heads[inOurs], Theirs: heads[inTheirs]}}
	}
	return head, nil
}

var conversationType = regexp.MustCompile(`^type: *"?conversation"? *\n`)

func isConversation(fronts [versions]*front) bool {
	return conversationType.MatchString(fronts[inOurs].get("type")) && conversationType.MatchString(fronts[inTheirs].get("type"))
}

// mergeBodies merges by lines where that is enough, and else by meaning.
func mergeBodies(t triple) (string, []Conflict) {
	if text, ok := t.settled(); ok {
		return text, nil
	}
	lines, fine := mergeLines(t)
	if fine && t[inBase] != "" && plausible(t, lines) {
		return lines, nil
	}
	text, conflicts, ok := mergeBody(t[inBase], t[inOurs], t[inTheirs])
	switch {
	case ok && len(conflicts) == 0 && complete(t, text):
		return text, nil
	case fine:
		return lines, nil
	case !ok || !complete(t, text, conflicts...):
		return linesOnly(t)
	}
	return text, conflicts
}

// plausible reports whether a merge by lines has nothing more often than a side has it, nor below a
// heading where no side has it: a section that both moved, an item that both added, one that
// stands before a heading which the other side moved.
func plausible(t triple, text string) bool {
	ours, theirs := nameCounts(t[inOurs]), nameCounts(t[inTheirs])
	for name, n := range nameCounts(text) {
		if n > max(ours[name], theirs[name]) {
			return false
		}
	}
	return true
}

// nameCounts counts the sections, items and rows of a text, and its paragraphs of some length, all
// but sections also by the heading above.
func nameCounts(text string) map[string]int {
	counts, above := map[string]int{}, ""
	for _, n := range parse(text).nodes {
		if !telling(n) || !significant(n) || n.kind == verbatim {
			continue
		}
		key := string(rune('0'+n.kind)) + n.name
		if n.kind != heading {
			counts[key+"\n"+above]++
		} else {
			above = n.name
			for p := n.parent; p.kind == heading; p = p.parent {
				key += "\n" + p.name
			}
		}
		counts[key]++
	}
	return counts
}

// mergeYAML merges an operation log by record and other files by key.
func mergeYAML(t triple, name string) (string, []Conflict) {
	var lists [versions][]record
	log := true
	for v, text := range t {
		list, ok := readLog(text)
		lists[v], log = list, log && ok
	}
	if log {
		return mergeRecords(lists, "record", "")
	}
	var fronts [versions]*front
	for v, text := range t {
		f, rest, ok := splitFront("---\n" + text + "---\n")
		if !ok || rest != "" || f == nil {
			return linesOnly(t)
		}
		f.open, f.end = "", ""
		fronts[v] = f
	}
	var rule keyRule
	if strings.HasPrefix(name, "sessions/") || fronts[inOurs].get("last_used") != "" && fronts[inOurs].get("turns") != "" {
		rule = sessionRule(fronts)
	}
	return mergeFronts(fronts, rule)
}

package semantic

import (
	"slices"
	"strings"

	"kist/vault/merge/dates"
)

// formerIDs is the key for the ids that yielded to an earlier one.
const formerIDs = "former_ids"

// firstMade joins what two devices made under one name: it is the one that was made first. The
// base has nothing of that, or what each of them has joined with an earlier one of its own.
func firstMade(key string, t triple) (string, bool) {
	var at [versions]string
	for v, text := range t {
		var ok bool
		if at[v], ok = whenMade(key, value(text)); !ok && text != "" {
			return "", false
		}
	}
	if t[inBase] != "" && at[inBase] <= max(at[inOurs], at[inTheirs]) {
		return "", false
	}
	if at[inOurs] < at[inTheirs] || at[inOurs] == at[inTheirs] && t[inOurs] < t[inTheirs] {
		return t[inOurs], true
	}
	return t[inTheirs], true
}

// whenMade returns what a key says of when its document was made, as a text that goes by time.
func whenMade(key, value string) (string, bool) {
	switch key {
	case "id":
		return value, isULID(value)
	case "created":
		at, ok := dates.Moment(value)
		return at.UTC().Format("2006-01-02T15:04:05.000000000"), ok
	}
	return "", false
}

// isULID reports whether a text is an id as kist makes them, which begins with the time.
func isULID(text string) bool {
	return len(text) == 26 && strings.Trim(text, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// toldApart returns the key by which two documents that were made under one name are two, and not one
// made twice: what they are called. Empty: they are one. Two aren't woven into each other.
func toldApart(t triple, fronts [versions]*front) string {
	if t[inBase] != "" || isConversation(fronts) {
		return ""
	}
	for _, key := range []string{"title", "name"} {
		_, ours := cutComments(fronts[inOurs].get(key))
		_, theirs := cutComments(fronts[inTheirs].get(key))
		if ours != "" && theirs != "" && !slices.Equal(bareWords(value(ours)), bareWords(value(theirs))) {
			return key
		}
	}
	return ""
}

// yield has the document whose id yields to an earlier one keep it under another key, so that what
// names it by that still finds it. Who made it, and from what, is that of the earlier one.
func yield(fronts [versions]*front) {
	var t triple
	for v, f := range fronts {
		_, t[v] = cutComments(f.get("id"))
	}
	if t[inOurs] == "" || t[inTheirs] == "" || fronts[inOurs].open == "" {
		return
	}
	if _, one := t.settled(); one {
		return
	}
	first, ok := firstMade("id", t)
	if !ok {
		return
	}
	if loser := inOurs + inTheirs - slices.Index(t[:], first); value(t[loser]) != value(first) {
		fronts[loser].remember(value(t[loser]))
		for _, key := range []string{"created_by", "source"} {
			if text := fronts[inOurs+inTheirs-loser].get(key); text != "" && fronts[loser].get(key) != "" && fronts[inBase].get(key) == "" {
				fronts[loser].text[key] = text
			}
		}
	}
}

// remember adds an id to those that a document had.
func (f *front) remember(id string) {
	before, lines := cutComments(f.text[formerIDs])
	list := &sequence{head: formerIDs + ": [", tail: "]\n"}
	if had := readList(lines); had != nil {
		list = had
	} else if one := value(lines); one != "" {
		list.elements = []string{one}
	}
	if slices.Contains(list.elements, id) {
		return
	}
	text, ok := list.write(append(list.elements, id))
	if !ok {
		return
	}
	f.text[formerIDs] = before + text
	if !slices.Contains(f.keys, formerIDs) {
		f.keys = slices.Insert(f.keys, slices.Index(f.keys, "id")+1, formerIDs)
	}
}

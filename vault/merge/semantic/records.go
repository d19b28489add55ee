package semantic

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kist/vault/merge/arrange"
	"kist/vault/merge/dates"
)

// A record is one of many in a file that is only ever added to: an event of the operation
// log, a turn of a conversation.
type record struct {
	key  string // the same in all versions that have it
	at   time.Time
	text string
	gap  string // the blank lines behind it
}

// mergeRecords merges files of records: what neither has from the base stays away, what was
// added at one place stands in the order of time. A record that both changed is merged by
// lines, and else named with the word given; between is what stands between two that no version
// has so.
func mergeRecords(lists [versions][]record, word, between string) (string, []Conflict) {
	var a arrange.Order
	var tails triple
	gaps := map[int]string{}
	number := map[string]int{}
	var texts []triple
	var keys []string
	at := map[int]time.Time{}
	for v, list := range lists {
		last := time.Time{}
		for i, r := range list {
			id, ok := number[r.key]
			if !ok {
				id = len(texts)
				number[r.key], texts, keys = id, append(texts, triple{}), append(keys, r.key)
			}
			if texts[id][v] != "" {
				texts[id][v] += between + r.text // written twice
				continue
			}
			texts[id][v] = r.text
			if i == len(list)-1 {
				tails[v] = r.gap
			} else if _, ok := gaps[id]; !ok || r.gap > gaps[id] {
				gaps[id] = r.gap
			}
			a.Seq[v] = append(a.Seq[v], id)
			// A clock that was set back changes no order.
			if r.at.After(last) {
				last = r.at
			}
			if at[id].Before(last) {
				at[id] = last
			}
		}
	}
	var conflicts []Conflict
	merged := make([]string, len(texts))
	for id, t := range texts {
		text, ok := mergeRecord(t)
		if merged[id] = text; !ok {
			conflicts = append(conflicts, Conflict{Where: word + " " + short(keys[id]), Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]})
		}
	}
	a.Before = func(x, y int) bool {
		if c := at[x].Compare(at[y]); c != 0 {
			return c < 0
		}
		return cmp.Or(strings.Compare(merged[x], merged[y]), strings.Compare(keys[x], keys[y])) < 0
	}
	out := a.Arrange(func(id int) bool { return merged[id] != "" })
	added := func(id int) bool { return texts[id][inBase] == "" }
	for i := 0; i < len(out); i++ {
		n := i
		for n < len(out) && added(out[n]) {
			n++
		}
		slices.SortStableFunc(out[i:n], func(x, y int) int { return at[x].Compare(at[y]) })
		i = max(i, n-1)
	}
	var b strings.Builder
	for i, id := range out {
		b.WriteString(merged[id])
		gap, ok := gaps[id]
		switch {
		case i == len(out)-1:
			gap = either(tails[inBase], tails[inOurs], tails[inTheirs])
		case !ok:
			gap = between
		}
		b.WriteString(gap)
	}
	return b.String(), conflicts
}

func mergeRecord(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	switch {
	case t[inOurs] == "":
		return t[inTheirs], true
	case t[inTheirs] == "":
		return t[inOurs], true
	}
	return mergeLines(t)
}

var (
	eventAt = regexp.MustCompile(`(?m)^at: *(\S+)`)
	eventID = regexp.MustCompile(`(?m)^event: `)
	turn    = regexp.MustCompile(`^<!-- turn (\S+) .*\bat (\S+) -->`)
	clock   = regexp.MustCompile(`^## [0-9]{2}:[0-9]{2}$`)
)

// readLog reads an operation log: what is from a line "---" up to the next. A record of a log
// never changes, so that its text is its key. False: the text is none.
func readLog(text string) (list []record, ok bool) {
	for _, line := range splitLines(text) {
		if line == "---\n" || len(list) == 0 {
			list = append(list, record{})
		}
		list[len(list)-1].text += line
	}
	for i := range list {
		r := &list[i]
		if m := eventAt.FindStringSubmatch(r.text); m != nil {
			r.at, _ = time.Parse(time.RFC3339Nano, m[1])
		}
		ok = ok || eventID.MatchString(r.text)
		r.key = r.text
	}
	return list, ok || text == ""
}

// readTurns cuts the body of a conversation into its turns, told by their ids; what is before
// the first is a record of its own.
func readTurns(text string) (list []record) {
	lines := splitLines(text)
	list = append(list, record{})
	for i, line := range lines {
		if id, at, ok := beginsTurn(lines[i:]); ok {
			list = append(list, record{key: id, at: at})
		}
		list[len(list)-1].text += line
	}
	for i := range list {
		r := &list[i]
		if text := strings.TrimRight(r.text, "\n") + "\n"; text != "\n" {
			r.text, r.gap = text, strings.TrimPrefix(r.text, text)
		}
	}
	if list[0].text == "" {
		return list[1:]
	}
	return list
}

// beginsTurn reads a line "## hh:mm" with the comment of a turn behind it.
func beginsTurn(lines []string) (id string, at time.Time, ok bool) {
	if !clock.MatchString(strings.TrimRight(lines[0], "\n")) {
		return "", at, false
	}
	for _, line := range lines[1:] {
		if blank(line) {
			continue
		}
		m := turn.FindStringSubmatch(line)
		if m == nil {
			return "", at, false
		}
		at, _ = time.Parse(time.RFC3339Nano, m[2])
		return m[1], at, true
	}
	return "", at, false
}

// sessionState are the keys that say where a conversation stands. They belong together, so that
// all of them are taken from the side that went on with it later.
var sessionState = []string{"mode", "phase", "project", "project_stack", "question", "offers", "draft", "title", "summary", "device"}

// sessionRule returns how the keys of a session are merged, and has both count the turns of both.
func sessionRule(fronts [versions]*front) keyRule {
	later := inOurs
	ours, _ := dates.Moment(value(fronts[inOurs].get("last_used")))
	theirs, _ := dates.Moment(value(fronts[inTheirs].get("last_used")))
	o, t := turnsOf(fronts[inOurs]), turnsOf(fronts[inTheirs])
	if theirs.After(ours) || theirs.Equal(ours) && t > o {
		later = inTheirs
	}
	turns := max(o, t)
	if had := turnsOf(fronts[inBase]); had > 0 && min(o, t) > had && !ours.Equal(theirs) {
		turns = o + t - had
	}
	for _, f := range []*front{fronts[inOurs], fronts[inTheirs]} {
		if turnsOf(f) > 0 {
			f.text["turns"] = fmt.Sprintf("turns: %d\n", turns)
		}
	}
	return func(key string, t triple) (string, bool) { return t[later], slices.Contains(sessionState, key) }
}

// turnsOf returns how many turns a session says it has had; 0: none, or no number.
func turnsOf(f *front) int {
	n, _ := strconv.ParseUint(value(f.get("turns")), 10, 31)
	return int(n)
}

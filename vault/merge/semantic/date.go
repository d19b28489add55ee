package semantic

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// changed are the keys for when a document was changed last, as [keyWords] has them, beside those that say "updated" or "modified".
var changed = []string{"edited", "date edited", "last edited", "lastedited", "mtime", "lastmod", "last mod", "last used", "last change", "last changed"}

// keyWords returns a key in lower case with one sign between its words.
func keyWords(key string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("_- ", r) }), " ")
}

// changedLast takes the later of two values for when the document was changed last.
func changedLast(key string, t triple) (string, bool) {
	name := keyWords(key)
	if !strings.Contains(name, "updated") && !strings.Contains(name, "modified") && !slices.Contains(changed, name) {
		return "", false
	}
	return byTime(t, true)
}

// doneFirst takes the earlier of two values for when something was done: it was done by then, and the other one found it so later.
func doneFirst(key string, t triple) (string, bool) {
	switch keyWords(key) {
	case "completed", "completion", "date completed", "completed date", "completed at", "done", "done date", "date done", "finished":
		return byTime(t, false)
	}
	return "", false
}

// byTime takes of two lines with a time the one that is behind the other, or before it; false: one has none.
func byTime(t triple, later bool) (string, bool) {
	ours, fine := moment(value(t[inOurs]))
	theirs, ok := moment(value(t[inTheirs]))
	switch {
	case !fine || !ok:
		return "", false
	case ours.Equal(theirs):
		return max(t[inOurs], t[inTheirs]), true
	case ours.After(theirs) == later:
		return t[inOurs], true
	}
	return t[inTheirs], true
}

// layouts are how times are written in front matter: by programs, and by Obsidian's Linter, whose default has "3rd".
var layouts = []string{
	time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04Z07:00",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 -0700", "20060102150405", "200601021504",
	"Monday, January 2 2006, 3:04:05 pm", "Monday, January 2, 2006, 3:04:05 pm", "Monday, January 2 2006", "Monday, January 2, 2006", "January 2 2006, 3:04:05 pm",
	"January 2, 2006", "January 2 2006", "Mon, 02 Jan 2006 15:04:05 -0700", "Mon, Jan 2, 2006",
}

var ordinal = regexp.MustCompile(`\b([0-9]{1,2})(?:st|nd|rd|th)\b`)

// moment reads a time as front matter has it.
func moment(text string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) == len("1700000000") {
		return time.Unix(n, 0), true
	} else if err == nil && len(text) == len("1700000000000") {
		return time.UnixMilli(n), true
	}
	text = ordinal.ReplaceAllString(text, "$1")
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// doneOn is where a list item says on which day it was done.
var doneOn = regexp.MustCompile(`(✅ ?|\[completion:: *|\(completion:: *)([0-9]{4}-[0-9]{2}-[0-9]{2})`)

// doneOnce gives two versions of an item that say of different days that it was done on them the earlier one.
func doneOnce(base, ours, theirs string) (string, string) {
	b, o, t := doneOn.FindAllStringSubmatch(base, 2), doneOn.FindAllStringSubmatch(ours, 2), doneOn.FindAllStringSubmatch(theirs, 2)
	if len(o) != 1 || len(t) != 1 || o[0][2] == t[0][2] || len(b) > 0 && (b[0][2] == o[0][2] || b[0][2] == t[0][2]) {
		return ours, theirs
	}
	first := "${1}" + min(o[0][2], t[0][2])
	return doneOn.ReplaceAllString(ours, first), doneOn.ReplaceAllString(theirs, first)
}

/*
Package dates knows which keys of front matter say when something was done or changed, and how times are written there and in
list items.
*/
package dates

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

// LastChange reports whether a key says when its document was changed last: of two values the later is true.
func LastChange(key string) bool {
	name := keyWords(key)
	return strings.Contains(name, "updated") || strings.Contains(name, "modified") || slices.Contains(changed, name)
}

// Done reports whether a key says when something was done: of two values the earlier is true, since the other one only
// found it so later.
func Done(key string) bool {
	switch keyWords(key) {
	case "completed", "completion", "date completed", "completed date", "completed at", "done", "done date", "date done", "finished":
		return true
	}
	return false
}

// layouts are how times are written in front matter: by programs, and by Obsidian's Linter, whose default has "3rd".
var layouts = []string{
	time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04Z07:00",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 -0700", "20060102150405", "200601021504",
	"Monday, January 2 2006, 3:04:05 pm", "Monday, January 2, 2006, 3:04:05 pm", "Monday, January 2 2006", "Monday, January 2, 2006", "January 2 2006, 3:04:05 pm",
	"January 2, 2006", "January 2 2006", "Mon, 02 Jan 2006 15:04:05 -0700", "Mon, Jan 2, 2006",
}

var ordinal = regexp.MustCompile(`\b([0-9]{1,2})(?:st|nd|rd|th)\b`)

// Moment reads a time as front matter has it.
func Moment(text string) (time.Time, bool) {
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

// DoneOn is where a list item says on which day it was done.
var DoneOn = regexp.MustCompile(`(✅ ?|\[completion:: *|\(completion:: *)([0-9]{4}-[0-9]{2}-[0-9]{2})`)

var recurs = regexp.MustCompile(`🔁|\[repeat::`)

// Occurrence is what an item is called, where it recurs without the day on which it was done: the same time of it may have been
// ticked on two days.
func Occurrence(name string) string {
	if !recurs.MatchString(name) {
		return name
	}
	return strings.Join(strings.Fields(DoneOn.ReplaceAllString(name, "")), " ")
}

// DoneOnce gives two versions of an item that say of different days that it was done on them the earlier one.
func DoneOnce(base, ours, theirs string) (string, string) {
	b, o, t := DoneOn.FindAllStringSubmatch(base, 2), DoneOn.FindAllStringSubmatch(ours, 2), DoneOn.FindAllStringSubmatch(theirs, 2)
	if len(o) != 1 || len(t) != 1 || o[0][2] == t[0][2] || len(b) > 0 && (b[0][2] == o[0][2] || b[0][2] == t[0][2]) {
		return ours, theirs
	}
	first := "${1}" + min(o[0][2], t[0][2])
	return DoneOn.ReplaceAllString(ours, first), DoneOn.ReplaceAllString(theirs, first)
}

package taskline

import (
	"iter"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/vault/pattern"
)

// A Key names a field, as Dataview writes it.
type Key string

// The fields that are read.
const (
	Due          Key = "due"
	Scheduled    Key = "scheduled"
	Start        Key = "start"
	Done         Key = "completion"
	Cancelled    Key = "cancelled"
	Created      Key = "created"
	Priority     Key = "priority"
	Repeat       Key = "repeat"
	Duration     Key = "duration"
	ID           Key = "id"
	DependsOn    Key = "dependsOn"
	OnCompletion Key = "onCompletion"
)

// IsDate reports whether the field's value is a day.
func (k Key) IsDate() bool {
	switch k {
	case Due, Scheduled, Start, Done, Cancelled, Created:
		return true
	}
	return false
}

// A Style is a form in which fields are written.
type Style int

// The styles.
const (
	None   Style = iota // there are no fields
	Inline              // [due:: 2026-12-01]
	Emoji               // 📅 2026-12-01
)

// A Line is the text behind a checkbox.
type Line struct {
	Text   string
	Title  string   // without fields and block name
	Tags   []string // without #
	fields []field
}

// A field is one in the text, at most one for each key.
type field struct {
	key        Key
	value      string
	style      Style
	start, end int // with the blanks before it
	from, to   int // of the value as it is written
}

var (
	inlineField   = pattern.Lazy(`[\[(](due|scheduled|start|completion|cancelled|created|priority|repeat|duration|id|dependsOn|onCompletion)::\s*([^\[\]()]*)[\])]`)
	emojiDate     = pattern.Lazy(`(📅|📆|🗓|⏳|⌛|🛫|✅|❌|➕)\x{FE0F}?\s*(\d{4}-\d{2}-\d{2})\b`)
	emojiPriority = pattern.Lazy(`((🔺|⏫|🔼|🔽|⏬)\x{FE0F}?)`)
	emojiText     = pattern.Lazy(`(🔁)\x{FE0F}?\s*([\p{L}\p{N}_, !-]*)`)
	emojiNames    = pattern.Lazy(`(🆔|⛔|🏁)\x{FE0F}?\s*([A-Za-z0-9_-]+(?: *, *[A-Za-z0-9_-]+)*)`)
	codeSpan      = pattern.Lazy("``.*?``|`[^`]*`")
	tag           = pattern.Lazy(`(?:^|\s)#([\p{L}\p{N}\p{So}_/-]*[\p{L}\p{So}_/-][\p{L}\p{N}\p{So}_/-]*)`)
	// blockName is the name that Obsidian gives a line. It has to stay the line's end.
	blockName = pattern.Lazy(`(^|\s+)\^[A-Za-z0-9-]+$`)
)

// blocked is a mask's byte, which no field holds.
const blocked = "\x01"

// Parse reads the text of a checkbox.
func Parse(text string) Line {
	l := Line{Text: text}
	end := len(text)
	if strings.Contains(text, "^") {
		if at := blockName().FindStringIndex(text); at != nil {
			end = at[0]
		}
	}
	masked := text[:end]
	if strings.Contains(masked, "`") {
		masked = codeSpan().ReplaceAllStringFunc(masked, func(s string) string { return strings.Repeat(blocked, len(s)) })
	}
	if strings.Contains(masked, "::") {
		l.inline(masked)
	}
	if strings.IndexFunc(masked, func(r rune) bool { return r >= '\u231B' }) >= 0 { // the lowest of the emoji
		l.emoji(masked)
	}
	if i := strings.Index(masked, "#"); i >= 0 {
		for _, m := range tag().FindAllStringSubmatch(masked[max(i-1, 0):], -1) {
			l.Tags = append(l.Tags, m[1])
		}
	}
	l.settle(end)
	return l
}

// matches goes over where a pattern matches, which begins with one of some letters: without
// those it isn't tried, and not before the first of them.
func matches(of func() *regexp.Regexp, text, begins string) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		from := strings.IndexAny(text, begins)
		if from < 0 {
			return
		}
		for _, m := range of().FindAllStringSubmatchIndex(text[from:], -1) {
			for i := range m {
				m[i] += from
			}
			if !yield(m) {
				return
			}
		}
	}
}

func (l *Line) inline(masked string) {
	for m := range matches(inlineField, masked, "[(") {
		value := strings.TrimSpace(masked[m[4]:m[5]])
		from := m[4] + strings.Index(masked[m[4]:m[5]], value)
		f := field{key: Key(masked[m[2]:m[3]]), value: value, style: Inline, start: m[0], end: m[1], from: from, to: from + len(value)}
		if f.key == Priority {
			f.value = wordOf(value)
		}
		if value == "" || strings.Contains(value, blocked) || f.key.IsDate() && Day(value).IsZero() {
			continue
		}
		l.fields = append(l.fields, f)
	}
}

func (l *Line) emoji(masked string) {
	add := func(m []int, key Key, value string) {
		l.fields = append(l.fields, field{key: key, value: value, style: Emoji, start: m[0], end: m[1], from: m[4], to: m[4] + len(value)})
	}
	for m := range matches(emojiDate, masked, "📅📆🗓⏳⌛🛫✅❌➕") {
		if value := masked[m[4]:m[5]]; !Day(value).IsZero() {
			add(m, keyOf(masked[m[2]:m[3]]), value)
		}
	}
	for m := range matches(emojiText, masked, "🔁") {
		value := strings.TrimRight(masked[m[4]:m[5]], " ")
		if value == "" {
			continue // a sign without a rule is one of the title's
		}
		m[1] = m[4] + len(value)
		add(m, keyOf(masked[m[2]:m[3]]), value)
	}
	for m := range matches(emojiNames, masked, "🆔⛔🏁") {
		if next, _ := utf8.DecodeRuneInString(strings.TrimLeft(masked[m[1]:], " \t")); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			add(m, keyOf(masked[m[2]:m[3]]), masked[m[4]:m[5]]) // else it is said of the words that follow
		}
	}
	for m := range matches(emojiPriority, masked, "🔺⏫🔼🔽⏬") {
		f := field{key: Priority, value: wordOf(masked[m[4]:m[5]]), style: Emoji, start: m[0], end: m[1], from: m[2], to: m[3]}
		l.fields = append(l.fields, f)
	}
}

// settle keeps the first field of each key, and takes what is left for the title.
func (l *Line) settle(end int) {
	sort.Slice(l.fields, func(i, j int) bool { return l.fields[i].start < l.fields[j].start })
	at := 0
	kept := l.fields[:0]
	for _, f := range l.fields {
		if f.start >= at && !slices.ContainsFunc(kept, func(k field) bool { return k.key == f.key }) {
			kept, at = append(kept, f), f.end
		}
	}
	l.fields = kept
	var title strings.Builder
	at = 0
	for i := range l.fields {
		f := &l.fields[i]
		f.start = max(at, len(strings.TrimRight(l.Text[:f.start], " \t")))
		title.WriteString(l.Text[at:f.start])
		at = f.end
	}
	title.WriteString(l.Text[at:end])
	l.Title = strings.TrimSpace(title.String())
}

// Value is a field's value; empty: there is no such field. That of a priority is low,
// medium, high or urgent where one of the usual words or emoji stands there.
func (l Line) Value(key Key) string {
	if f := l.field(key); f != nil {
		return f.value
	}
	return ""
}

// Repeats reports whether the task is a recurring one, be its rule readable or not.
func (l Line) Repeats() bool { return l.field(Repeat) != nil }

// Style is the form of the line's first field.
func (l Line) Style() Style {
	if len(l.fields) == 0 {
		return None
	}
	return l.fields[0].style
}

// StyleOf is the form of one field; None: there is no such field.
func (l Line) StyleOf(key Key) Style {
	if f := l.field(key); f != nil {
		return f.style
	}
	return None
}

func (l Line) field(key Key) *field {
	i := slices.IndexFunc(l.fields, func(f field) bool { return f.key == key })
	if i < 0 {
		return nil
	}
	return &l.fields[i]
}

// Day reads a day, which a time may follow; the zero time for anything else.
func Day(s string) time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		}
	}
	return time.Time{}
}

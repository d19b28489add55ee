package task

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kist/vault/order"
	"kist/vault/taskline"
)

// ErrQuery is returned for what no list can be narrowed or ordered by.
var ErrQuery = errors.New("such a list can't be made")

// A Query narrows a list of tasks; its zero value is all that is open. Days are
// YYYY-MM-DD, both ends count.
type Query struct {
	Status    []string // open, all, or statuses; empty: open
	Priority  []string // none, low, medium, high, urgent; empty: any
	DueFrom   string
	DueTo     string
	Scheduled Span
	Start     Span
	Done      Span
	Created   Span
	Has       []string // dates that they have, as [Dates] names them
	Lacks     []string // dates that they don't have
	Tags      []string // each of them, or one below it
	Path      string   // a document, also without its ending, a folder, or a pattern with * in one part and ** over several
	NoProject bool     // only those that belong to none
	Text      string   // words of the title, each the beginning of one
	Recurring bool     // only recurring ones
	Today     string   // for overdue
	Overdue   bool     // open, and due before Today
	Order     []string // keys, as [Orders] has them; empty: open ones first, then by due day
}

// A Span is a stretch of days; an empty end is open.
type Span struct{ From, To string }

// has reports whether a day is in the span; without one none is, unless the span is empty.
func (s Span) has(day string) bool {
	if s == (Span{}) {
		return true
	}
	day = Day(day)
	return day != "" && day >= s.From && (s.To == "" || day <= s.To)
}

// Day cuts the time off.
func Day(date string) string { return date[:min(len(date), len("2006-01-02"))] }

// Fits reports whether a task is one of those that are asked for.
func (q Query) Fits(t Task) bool {
	switch {
	case !q.hasStatus(t),
		len(q.Priority) > 0 && !slices.Contains(q.Priority, cmp.Or(t.Priority, "none")),
		!Span{q.DueFrom, q.DueTo}.has(t.Due),
		!q.Scheduled.has(t.Scheduled), !q.Start.has(t.Start), !q.Done.has(t.Done), !q.Created.has(t.Created),
		slices.ContainsFunc(q.Has, func(date string) bool { return value(date, t) == "" }),
		slices.ContainsFunc(q.Lacks, func(date string) bool { return value(date, t) != "" }),
		q.Overdue && (!t.Open() || t.Due == "" || Day(t.Due) >= q.Today),
		q.NoProject && t.Project != "",
		q.Recurring && t.Repeat == "",
		!q.below(t.Path):
		return false
	}
	for _, tag := range q.Tags {
		if !t.HasTag(tag) {
			return false
		}
	}
	return q.hasText(t.Title)
}

func (q Query) hasStatus(t Task) bool {
	if len(q.Status) == 0 {
		return t.Open()
	}
	return slices.ContainsFunc(q.Status, func(s string) bool { return s == "all" || s == t.Status || s == "open" && t.Open() })
}

// hasText: each word asked for begins one of the title.
func (q Query) hasText(title string) bool {
	if q.Text == "" {
		return true
	}
	have := Words(title)
	for _, w := range Words(q.Text) {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

// Words cuts text into words in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func (q Query) below(p string) bool {
	want := strings.TrimSuffix(q.Path, "/")
	return want == "" || p == want || p == want+".md" || strings.HasPrefix(p, want+"/") || strings.Contains(want, "*") && Matches(want, p)
}

// Matches reports whether a path fits a pattern: * is any text of one part, ** any parts.
func Matches(pattern, p string) bool {
	return matches(strings.Split(pattern, "/"), strings.Split(p, "/"))
}

func matches(pattern, parts []string) bool {
	for ; len(pattern) > 0; pattern, parts = pattern[1:], parts[1:] {
		if pattern[0] == "**" {
			for i := range parts {
				if matches(pattern[1:], parts[i:]) {
					return true
				}
			}
			return len(pattern) == 1
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], parts[0]); !ok || err != nil {
			return false
		}
	}
	return len(parts) == 0
}

// Orders are the words that a list can be ordered by, each with "desc" behind it or not.
func Orders() []string {
	return append(Dates(), "priority", "status", "title", "path", "project")
}

// Dates are the words for the dates of a task.
func Dates() []string { return []string{"due", "scheduled", "start", "done", "created"} }

// Check returns ErrQuery for what no list can be narrowed by.
func (q Query) Check() error {
	for _, key := range q.Order {
		if _, err := order.Parse(key, Orders()...); err != nil || strings.TrimSpace(key) == "" {
			return fmt.Errorf("%w: %w", ErrQuery, cmp.Or(err, order.ErrOrder))
		}
	}
	for _, date := range slices.Concat(q.Has, q.Lacks) {
		if !slices.Contains(Dates(), date) {
			return fmt.Errorf("%w: %q is not a date of a task", ErrQuery, date)
		}
	}
	for _, day := range []string{q.DueFrom, q.DueTo, q.Scheduled.From, q.Scheduled.To, q.Start.From, q.Start.To, q.Done.From, q.Done.To, q.Created.From, q.Created.To} {
		if day != "" && taskline.Day(day).IsZero() {
			return fmt.Errorf("%w: %q is not a day (YYYY-MM-DD)", ErrQuery, day)
		}
	}
	if path.IsAbs(q.Path) {
		return fmt.Errorf("%w: %q is no path from the vault's root, such as Daily or Daily/**", ErrQuery, q.Path)
	}
	if _, err := path.Match(strings.ReplaceAll(q.Path, "**", "*"), ""); err != nil {
		return fmt.Errorf("%w: %q is not a pattern of paths", ErrQuery, q.Path)
	}
	return nil
}

// Key is a text by which a task stands where the query's order has it: by its keys, and
// then as a list is by itself, open ones first, then by due day, then by place. What lacks
// a value comes last, either way round.
func (q Query) Key(t Task) string {
	var b []byte
	for _, key := range q.Order {
		name, rest, _ := strings.Cut(strings.TrimSpace(key), " ")
		b = order.Append(b, value(name, t), strings.TrimSpace(rest) == "desc")
	}
	b = append(slices.Grow(b, len(t.Due)+len(t.Path)+16), '0')
	if !t.Open() {
		b[len(b)-1] = '1'
	}
	b = order.Append(b, t.Due, false)
	b = order.Append(b, t.Path, false)
	line := strconv.Itoa(t.Line)
	for range 7 - len(line) {
		b = append(b, '0')
	}
	return string(append(b, line...))
}

func value(key string, t Task) string {
	rank := func(list, v string) string {
		if i := slices.Index(strings.Fields(list), v); i >= 0 {
			return string(rune('a' + i))
		}
		return v
	}
	switch key {
	case "due":
		return t.Due
	case "scheduled":
		return t.Scheduled
	case "start":
		return t.Start
	case "done":
		return t.Done
	case "created":
		return t.Created
	case "priority":
		return rank("urgent high medium low", t.Priority)
	case "status":
		return rank("in_progress todo backlog done cancelled", t.Status)
	case "title":
		return strings.ToLower(t.Title)
	case "project":
		return t.Project
	}
	return t.Path
}

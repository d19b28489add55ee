package box

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/markdown"
	"kist/vault/pattern"
	"kist/vault/taskline"
)

// A New says what task to write down, as a checkbox or as a file. Title is needed.
type New struct {
	Project   string // slug
	Title     string
	Priority  string
	Start     string   // YYYY-MM-DD
	Due       string   // YYYY-MM-DD
	Scheduled string   // YYYY-MM-DD
	Duration  string   // such as 2h or 3d
	Repeat    string   // of a checkbox: the rule by which it recurs, such as "every week"
	Tags      []string // with # or without
	Body      string
	// Children become checkboxes below the body; their Project is not used.
	Children []New
	// CreatedBy is who wants it; empty: the agent.
	CreatedBy vault.Actor
}

// A field is one that a checkbox holds behind its title.
type field struct {
	key   taskline.Key
	value string
}

// fields are in the order in which they are written.
func (t *New) fields() []field {
	return []field{
		{taskline.Priority, t.Priority}, {taskline.Repeat, t.Repeat}, {taskline.Start, t.Start},
		{taskline.Scheduled, t.Scheduled}, {taskline.Due, t.Due}, {taskline.Duration, t.Duration},
	}
}

// Read takes the fields out of a checkbox's text that a task's file has keys for.
// What else is written there, such as when it recurs, stays in the title.
func Read(text string) New {
	l := taskline.Parse(text)
	return New{
		Title:    l.Cut(taskline.Priority, taskline.Start, taskline.Scheduled, taskline.Due, taskline.Duration),
		Priority: l.Value(taskline.Priority), Start: l.Value(taskline.Start), Scheduled: l.Value(taskline.Scheduled),
		Due: l.Value(taskline.Due), Duration: l.Value(taskline.Duration),
	}
}

// maxDepth is how many levels of tasks may be created below each other.
const maxDepth = 10

// Check returns [vault.ErrInvalid] for a task, or a child of it, that can't be made.
func (t New) Check() error { return t.check(1) }

func (t New) check(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: tasks of more than %d levels", vault.ErrInvalid, maxDepth)
	}
	if vault.OneLine(t.Title) == "" {
		return vault.Hinted(fmt.Errorf("%w: a task needs a title", vault.ErrInvalid), "say what there is to do, as Call the bank")
	}
	for _, f := range t.fields() {
		if f.key.IsDate() && f.value != "" && vault.ParseTime(f.value).IsZero() {
			return vault.Hinted(fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", vault.ErrInvalid, vault.OneLine(f.value)), "write the day as 2026-12-31; an empty one takes it away")
		}
	}
	if t.Priority != "" && !slices.Contains([]string{"low", "medium", "high", "urgent"}, t.Priority) {
		return vault.Hinted(fmt.Errorf("%w: %q is not a priority: low, medium, high or urgent", vault.ErrInvalid, vault.OneLine(t.Priority)), "give one of these four, or none to take it away")
	}
	if l := taskline.Parse("[repeat:: " + vault.OneLine(t.Repeat) + "]"); t.Repeat != "" {
		if _, err := l.Next(time.Time{}); err != nil || l.Value(taskline.Repeat) != vault.OneLine(t.Repeat) {
			return vault.Hinted(fmt.Errorf("%w: %w: %q", vault.ErrInvalid, taskline.ErrRule, vault.OneLine(t.Repeat)), ruleHint)
		}
	}
	for _, tag := range t.TagNames() {
		if l := taskline.Parse("#" + tag); len(l.Tags) != 1 || "#"+l.Tags[0] != l.Text {
			return vault.Hinted(fmt.Errorf("%w: %q is not a tag", vault.ErrInvalid, vault.OneLine(tag)), "a tag is a word of letters, digits, - and _, such as home, or home/garden below another")
		}
	}
	for _, c := range t.Children {
		if err := c.check(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

// ruleHint says how the rule of a recurring task is written.
const ruleHint = `write it as "every 2 weeks", "every month on the 1st" or "every day when done"`

// Text is what stands behind a task's checkbox: the title, tags, and the fields in a style. It
// returns [vault.ErrInvalid] for what a field can't hold.
func (t New) Text(style taskline.Style) (string, error) {
	line := t.titled(vault.PlainText(t.Title))
	for _, f := range t.fields() {
		if f.value == "" || line.Value(f.key) == f.value {
			continue
		}
		text, err := line.Set(f.key, vault.OneLine(f.value), style)
		if err != nil {
			return "", fmt.Errorf("%w: %w", vault.ErrInvalid, err)
		}
		line = taskline.Parse(text)
	}
	return line.Text, nil
}

// titled is a title with the tags that it doesn't have itself.
func (t New) titled(title string) taskline.Line {
	line := taskline.Parse(vault.OneLine(title))
	for _, tag := range t.TagNames() {
		if !slices.Contains(line.Tags, tag) {
			line = taskline.Parse(line.Text + " #" + tag)
		}
	}
	return line
}

// TagNames are the tags without #.
func (t New) TagNames() (names []string) {
	for _, tag := range t.Tags {
		names = append(names, strings.TrimPrefix(tag, "#"))
	}
	return names
}

// Lines writes tasks as a list of checkboxes, children below their parents. A field that a
// checkbox can't hold is left out.
func Lines(tasks []New, indent string) string {
	var b strings.Builder
	for _, t := range tasks {
		b.WriteString(indent + "- [ ] " + t.titled(t.Title).Text)
		for _, f := range t.fields() {
			if value := vault.OneLine(f.value); value != "" && !strings.ContainsAny(value, "[]()") {
				fmt.Fprintf(&b, " [%s:: %s]", f.key, value)
			}
		}
		b.WriteString("\n")
		if body := Indented(t.Body, indent+"  "); body != "" {
			b.WriteString("\n" + body + "\n")
		}
		b.WriteString(Lines(t.Children, indent+"  "))
	}
	return b.String()
}

// Indented is a text as it stands below an item of a list.
func Indented(body, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(vault.PlainText(body), "\n")) {
		b.WriteString(strings.TrimRight(indent+line, " \n") + "\n")
	}
	return b.String()
}

// StyleOf is how a document's tasks have their fields; None: they have none.
func StyleOf(doc *markdown.Document) taskline.Style {
	for _, item := range doc.Items() {
		if s := taskline.Parse(item.Text).Style(); s != taskline.None {
			return s
		}
	}
	return taskline.None
}

// Begins reports whether a text brings its checkbox along.
func Begins(text string) bool { return ownBox().MatchString(text) }

var ownBox = pattern.Lazy(`^\[.\](\s|$)`)

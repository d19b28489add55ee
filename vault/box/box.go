/*
Package box works out what becomes of a checkbox: its mark, its title and the fields beside it,
as its document has them. [At] finds one, [Box.Update] says how its line is to be rewritten;
[New.Text] is that of a new one. It reads no file and writes none.
*/
package box

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"kist/vault"
	"kist/vault/markdown"
	"kist/vault/task"
	"kist/vault/taskline"
)

// An Update says what to set; nil leaves as it is, an empty date removes it.
type Update struct {
	Title     *string
	Status    *string
	Priority  *string
	Start     *string
	Due       *string
	Scheduled *string
	Duration  *string
	Repeat    *string // of a checkbox: the rule by which it recurs
	Created   *string // of a checkbox
}

// A Box is a checkbox that is to be changed.
type Box struct {
	Item  markdown.Item
	Line  taskline.Line
	style taskline.Style   // in which new fields are written
	dated taskline.Style   // in which the day is written on which a task is done; None: it isn't
	How   markdown.Rewrite // what becomes of it
}

// At finds the checkbox on a 1-based line, and how its document's tasks are written.
func At(doc *markdown.Document, line int) (b Box, ok bool) {
	items := doc.Items()
	for _, item := range items {
		if item.Line == line {
			b.Item, b.Line, ok = item, taskline.Parse(item.Text), true
		}
		if b.style == taskline.None && mayHave(item.Text) {
			b.style = taskline.Parse(item.Text).Style()
		}
	}
	undated := false
	for _, item := range slices.Backward(items) {
		if !item.Checked {
			continue
		}
		if strings.Contains(item.Text, "✅") || strings.Contains(item.Text, string(taskline.Done)+"::") {
			if b.dated = taskline.Parse(item.Text).StyleOf(taskline.Done); b.dated != taskline.None {
				break
			}
		}
		undated = true
	}
	if s := b.Line.Style(); s != taskline.None {
		b.style = s
	}
	if b.dated == taskline.None && b.style == taskline.Emoji && !undated {
		b.dated = taskline.Emoji // as the plugin does that these emoji are from
	}
	if b.style == taskline.None {
		b.style = taskline.Inline
	}
	return b, ok
}

// mayHave: a text may have fields, which aren't looked for in any other.
func mayHave(text string) bool {
	return strings.Contains(text, "::") || strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxLatin1 }) >= 0
}

// Update works out what becomes of the box. It returns [vault.ErrInvalid] for a status that a
// checkbox can't have, and what taskline says of values that it can't write.
func (b *Box) Update(u Update, now time.Time) error {
	l := b.Line
	if u.Title != nil {
		text, err := l.Retitle(vault.OneLine(*u.Title))
		if err != nil {
			return err
		}
		l = taskline.Parse(text)
	}
	for _, f := range []struct {
		key   taskline.Key
		value *string
	}{{taskline.Priority, u.Priority}, {taskline.Start, u.Start}, {taskline.Scheduled, u.Scheduled}, {taskline.Due, u.Due}, {taskline.Duration, u.Duration}, {taskline.Created, u.Created}, {taskline.Repeat, u.Repeat}} {
		if f.value == nil {
			continue
		}
		text, err := l.Set(f.key, vault.OneLine(*f.value), b.style)
		if err != nil {
			return err
		}
		l = taskline.Parse(text)
	}
	if u.Repeat != nil && *u.Repeat != "" {
		if _, err := l.Next(now); err != nil {
			return err
		}
	}
	if u.Status != nil {
		var err error
		if l, err = b.settle(l, *u.Status, now); err != nil {
			return err
		}
	}
	if l.Text != b.Item.Text {
		b.How.Text = l.Text
	}
	return nil
}

// settle sets the mark, with the days that belong to it, and makes the task that follows.
func (b *Box) settle(l taskline.Line, status string, now time.Time) (taskline.Line, error) {
	mark := task.MarkOf(status)
	if mark == 0 {
		return l, vault.Hinted(fmt.Errorf("%w: a checkbox can be todo, in_progress, done or cancelled, not %q", vault.ErrInvalid, status), "give one of these four; a task in a file of its own can be in the backlog, too")
	}
	if task.StatusOf(b.Item.Mark) == status {
		return l, nil // as somebody wrote it
	}
	b.How.Mark = mark
	if status == "done" && l.Repeats() {
		above, err := l.Next(now)
		if err != nil {
			return l, vault.Hinted(fmt.Errorf("%w: %w; "+ruleHint+", or take the rule out", vault.ErrInvalid, err),
				"the rule stands in the task's line, behind 🔁 or in [repeat:: ]")
		}
		b.How.Above = above
	}
	days := map[taskline.Key]string{}
	if today := now.Format(time.DateOnly); b.dated != taskline.None && status == "done" {
		days[taskline.Done] = today
	} else if b.dated != taskline.None && status == "cancelled" {
		days[taskline.Cancelled] = today
	}
	for _, key := range []taskline.Key{taskline.Done, taskline.Cancelled} {
		text, err := l.Set(key, days[key], b.dated)
		if err != nil {
			return l, err
		}
		l = taskline.Parse(text)
	}
	return l, nil
}

// Along says which other open checkboxes go with what lies between two bytes of a document, by
// count and title, as the end of a reason: ", and with it the open task “Rent a digger”".
// Empty: none does. line is that of the checkbox that isn't another one, 0 where there is none.
func Along(doc *markdown.Document, line, start, end int) string {
	first := 1 + bytes.Count(doc.Source()[:start], []byte("\n"))
	last := first + bytes.Count(doc.Source()[start:end], []byte("\n"))
	var titles []string
	for _, item := range doc.Items() {
		open := (task.Task{Status: task.StatusOf(item.Mark)}).Open()
		if open && item.Line != line && item.Line >= first && (item.Line < last || item.Line == last && end == len(doc.Source())) {
			titles = append(titles, Quoted(taskline.Parse(item.Text).Title))
		}
	}
	switch n := len(titles); n {
	case 0:
		return ""
	case 1:
		return ", and with it the open task " + titles[0]
	default:
		const most = 10
		if n > most {
			titles = append(titles[:most], fmt.Sprintf("and %d more", n-most))
		}
		return fmt.Sprintf(", and with it %d open tasks: %s", n, strings.Join(titles, ", "))
	}
}

// longestTitle is how many letters of a title a reason has.
const longestTitle = 100

// Quoted is a task's title in a reason.
func Quoted(title string) string {
	title = vault.OneLine(title)
	if r := []rune(title[:min(len(title), 4*longestTitle)]); len(r) > longestTitle {
		title = strings.ToValidUTF8(string(r[:longestTitle]), "") + "…"
	}
	return "“" + title + "”"
}

// Reason says in words what an update does to a task of that title.
func (u Update) Reason(title string) string {
	title = Quoted(title)
	var parts []string
	if u.Status != nil {
		parts = append(parts, cmp.Or(map[string]string{"todo": "reopen", "in_progress": "begin", "done": "complete", "cancelled": "cancel"}[*u.Status], *u.Status)+" "+title)
	} else {
		parts = append(parts, "change "+title)
	}
	for _, f := range []struct {
		name  string
		value *string
	}{{"title", u.Title}, {"priority", u.Priority}, {"start", u.Start}, {"scheduled", u.Scheduled}, {"due", u.Due}, {"duration", u.Duration}, {"repeat", u.Repeat}, {"created", u.Created}} {
		switch {
		case f.value == nil:
		case *f.value == "":
			parts = append(parts, "no "+f.name)
		default:
			parts = append(parts, f.name+" "+strings.Trim(Quoted(*f.value), "“”"))
		}
	}
	return strings.Join(parts, ", ")
}

package entity

import (
	"errors"
	"fmt"
	"time"

	"kist/vault"
	"kist/vault/markdown"
	"kist/vault/task"
	"kist/vault/taskline"
)

// planBox plans to change a checkbox: its mark, its title, and the fields beside it. All
// other bytes of the line stay. A recurring task that is done gets the next one above it.
func planBox(v *vault.Vault, t Task, u TaskUpdate) (vault.Step, error) {
	next := ""
	step, err := planSplice(v, vault.Entity{Type: "task", Path: t.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		b, ok := boxAt(doc, t.Line)
		if !ok {
			return markdown.Edit{}, &vault.NotFoundError{Kind: "checkbox", Ref: t.Ref()}
		}
		if err := b.update(u, v.Now()); err != nil {
			if !errors.Is(err, vault.ErrInvalid) && !errors.Is(err, vault.ErrNoChange) {
				err = fmt.Errorf("%w: %w", vault.ErrInvalid, err)
			}
			return markdown.Edit{}, err
		}
		next = b.how.Above
		return doc.RewriteItem(t.Line, b.how)
	})
	if next != "" && err == nil {
		step.Reason = "the task recurs: the next one is made"
		if due := taskline.Parse(next).Value(taskline.Due); due != "" {
			step.Reason += ", due " + due
		}
	}
	return step, err
}

// A box is a checkbox that is to be changed.
type box struct {
	item  markdown.Item
	line  taskline.Line
	style taskline.Style // in which new fields are written
	dated taskline.Style // in which the day is written on which a task is done; None: it isn't
	how   markdown.Rewrite
}

// boxAt finds a checkbox, and how its document's tasks are written.
func boxAt(doc *markdown.Document, line int) (b box, ok bool) {
	undated := false
	for _, item := range doc.Items() {
		l := taskline.Parse(item.Text)
		if item.Line == line {
			b.item, b.line, ok = item, l, true
		}
		if s := l.Style(); s != taskline.None && b.style == taskline.None {
			b.style = s
		}
		switch {
		case !item.Checked:
		case l.Value(taskline.Done) == "":
			undated = true
		case l.StyleOf(taskline.Done) != taskline.None:
			b.dated = l.StyleOf(taskline.Done)
		}
	}
	if s := b.line.Style(); s != taskline.None {
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

// update works out what becomes of the box.
func (b *box) update(u TaskUpdate, now time.Time) error {
	l := b.line
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
	if l.Text != b.item.Text {
		b.how.Text = l.Text
	}
	return nil
}

// settle sets the mark, with the days that belong to it, and makes the task that follows.
func (b *box) settle(l taskline.Line, status string, now time.Time) (taskline.Line, error) {
	mark := task.MarkOf(status)
	if mark == 0 {
		return l, fmt.Errorf("%w: a checkbox can be todo, in_progress, done or cancelled, not %q", vault.ErrInvalid, status)
	}
	if task.StatusOf(b.item.Mark) == status {
		return l, nil // as somebody wrote it
	}
	b.how.Mark = mark
	if status == "done" && l.Repeats() {
		above, err := l.Next(now)
		if err != nil {
			return l, fmt.Errorf("%w: %w; write it as \"every 2 weeks\", \"every month on the 1st\" or \"every day when done\", or take the rule out",
				vault.ErrInvalid, err)
		}
		b.how.Above = above
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

package entity

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"kist/vault"
	"kist/vault/markdown"
)

// blockName is the name that Obsidian gives a line. It has to stay the line's end.
var blockName = regexp.MustCompile(`\s+\^[A-Za-z0-9-]+$`)

// planUpdateBox plans to change a checkbox: its mark, or its text and the fields behind
// it. All other bytes of the line stay.
func planUpdateBox(ctx context.Context, v *vault.Vault, t Task, u TaskUpdate) (vault.Step, error) {
	if err := ctx.Err(); err != nil {
		return vault.Step{}, err
	}
	ref := fmt.Sprintf("%s:%d", t.Path, t.Line)
	if u.Status != nil {
		if u != (TaskUpdate{Status: u.Status}) {
			return vault.Step{}, fmt.Errorf("%w: the status of a checkbox (%s) is changed by itself", vault.ErrInvalid, ref)
		}
		switch *u.Status {
		case "done":
			return PlanCheckItem(v, t.Path, t.Line, true)
		case "todo":
			return PlanCheckItem(v, t.Path, t.Line, false)
		}
		return vault.Step{}, fmt.Errorf("%w: %s is a checkbox; its status is todo or done", vault.ErrInvalid, ref)
	}
	return planSplice(v, vault.Entity{Type: "task", Path: t.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		for _, item := range doc.Items() {
			if item.Line != t.Line {
				continue
			}
			text, err := boxText(item.Text, u)
			if err != nil {
				return markdown.Edit{}, err
			}
			return doc.EditItem(t.Line, text)
		}
		return markdown.Edit{}, &vault.NotFoundError{Kind: "checkbox", Ref: ref}
	})
}

// boxText is a checkbox's text with what u says in it.
func boxText(text string, u TaskUpdate) (string, error) {
	if u.Title != nil {
		title := vault.OneLine(*u.Title)
		was := cutFields(text).Title
		if title == "" || was == "" || strings.Count(text, was) != 1 {
			return "", fmt.Errorf("%w: the title stands between fields; edit the document", vault.ErrInvalid)
		}
		text = strings.Replace(text, was, title, 1)
	}
	for _, f := range []struct {
		key   string
		value *string
	}{{"priority", u.Priority}, {"start", u.Start}, {"due", u.Due}, {"duration", u.Duration}} {
		if f.value == nil {
			continue
		}
		value := vault.OneLine(*f.value)
		if strings.ContainsAny(value, "[]()") || isDate(f.key) && value != "" && vault.ParseTime(value).IsZero() {
			return "", fmt.Errorf("%w: %q can't be the %s of a checkbox", vault.ErrInvalid, value, f.key)
		}
		text = setField(text, f.key, value)
	}
	return text, nil
}

// setField replaces the value of a field alone, cuts the field out for an empty one,
// or puts it behind the text.
func setField(text, key, value string) string {
	for _, at := range inlineField.FindAllStringSubmatchIndex(text, -1) {
		was := strings.TrimSpace(text[at[4]:at[5]])
		if text[at[2]:at[3]] != key || was == "" || isDate(key) && vault.ParseTime(was).IsZero() {
			continue
		}
		if value == "" {
			return text[:at[0]] + text[at[1]:]
		}
		start := at[4] + strings.Index(text[at[4]:at[5]], was)
		return text[:start] + value + text[start+len(was):]
	}
	if value == "" {
		return text
	}
	end := len(text) - len(blockName.FindString(text))
	return fmt.Sprintf("%s [%s:: %s]%s", text[:end], key, value, text[end:])
}

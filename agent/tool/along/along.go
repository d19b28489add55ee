// Package along moves what a conversation put into the inbox outside of any project into one that is
// made of it.
package along

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// A Line is a list item of the vault's own inbox that a conversation put there.
type Line struct {
	Text string // on one line, with its box or day
	Turn string // in which it was told
	item markdown.ListItem
	op   string
}

// Lines are the top-level list items of the inbox that a session put there and nobody else had a
// hand in, the earliest told first, and the inbox as it is; nil: there is none.
func Lines(ctx context.Context, v *vault.Vault, session string) (out []Line, doc *markdown.Document, err error) {
	p := entity.InboxPath(v, "")
	if doc, err = v.Document(p); err != nil {
		if errors.Is(err, vault.ErrNotFound) {
			err = nil
		}
		return nil, nil, err
	}
	wrote, err := vault.WrittenIn(ctx, v, p, doc.Source(), session)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range doc.ListItems() {
		last := item.Line + strings.Count(strings.TrimRight(string(doc.Source()[item.Start:item.End]), "\r\n"), "\n")
		strange := slices.ContainsFunc(wrote[item.Line-1:min(last, len(wrote))], func(op vault.Operation) bool { return op.ID == "" })
		if op := wrote[item.Line-1]; !item.Nested && !strange {
			out = append(out, Line{item.Text, op.Turn, item, op.ID})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].op < out[j].op })
	return out, doc, nil
}

// Plan plans to move lines, by their texts, into the inbox of a project that has none yet, byte for
// byte with all that belongs to them. Those that aren't there, or that the session didn't put
// there, stay; moved are the texts of the others. Notes whose words the project is described by are
// only taken out. An inbox that the session made and that is left empty goes with them.
func Plan(ctx context.Context, v *vault.Vault, session, project, described string, texts []string) (changes []vault.Change, moved []string, err error) {
	lines, doc, err := Lines(ctx, v, session)
	if err != nil {
		return nil, nil, err
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool { return !slices.Contains(texts, l.Text) })
	if len(lines) == 0 {
		return nil, nil, nil
	}
	body := ""
	described = strings.Join(strings.Fields(described), " ")
	for _, l := range lines {
		if _, said, ok := strings.Cut(l.Text, ": "); !ok || l.Text[0] == '[' || !strings.Contains(described, strings.TrimRight(said, ".")) {
			body += strings.TrimSuffix(string(doc.Source()[l.item.Start:l.item.End]), "\n") + "\n"
			moved = append(moved, l.Text)
		}
	}
	var into vault.Step
	if body != "" {
		if into, err = entity.PlanIntoInbox(v, entity.InboxPath(v, project), body); err != nil {
			return nil, nil, err
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[j].item.Line < lines[i].item.Line })
	left := doc
	for _, l := range lines {
		edit, err := left.CutItem(l.item.Line)
		if err != nil {
			return nil, nil, err
		}
		left = markdown.Parse(edit.Apply(left.Source()))
	}
	out := vault.Change{Path: entity.InboxPath(v, ""), Before: doc.Source(), After: left.Source()}
	if strings.TrimSpace(string(left.Source()[left.BodyStart():])) == "# Inbox" {
		wrote, err := vault.WrittenIn(ctx, v, out.Path, doc.Source(), session)
		if err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(wrote[:len(wrote)-1], func(op vault.Operation) bool { return op.ID == "" }) {
			out.After = nil
		}
	}
	return append(into.Changes, out), moved, nil
}
